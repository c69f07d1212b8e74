//! Grids as text for a terminal.

use crate::draw::{self, Block, Depth, Style};
use crate::svg::Panel;

/// Panels side by side in so many columns, with what colours the terminal has or with none.
pub fn panels(panels: &[Panel], columns: usize, color: bool) -> String {
    let depth = if color {
        let variable = |name| std::env::var(name).ok();
        Depth::detect(variable("COLORTERM").as_deref(), variable("TERM").as_deref())
    } else {
        Depth::Plain
    };
    let style = Style { depth, width: columns.max(20), digits: false };
    let block = |panel: &Panel| match &panel.expected {
        Some(expected) => draw::compared(&style, &panel.label, &panel.rows, expected),
        None => draw::grid(&style, &panel.label, &panel.rows),
    };
    let blocks: Vec<Block> = panels.iter().map(block).collect();
    draw::beside(&blocks, style.width)
}
