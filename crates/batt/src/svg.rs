//! Grids as SVG, for notebooks, pages and files: they scale, and say in words what they show.

use std::fmt::Write as _;

use crate::draw::{RGB, difference};

/// A grid under a label.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// What it is.
    pub label: String,
    /// Its rows.
    pub rows: Vec<Vec<i32>>,
    /// What it should be, if that is to be compared: cells that differ are marked.
    pub expected: Option<Vec<Vec<i32>>>,
}

/// The width and height of a cell, where nothing limits them.
const CELL: usize = 16;
/// The most that a grid takes in either direction.
const LARGEST: usize = 240;
/// The space above a grid, for its label, and below it.
const LABEL: usize = 18;
const GAP: usize = 16;

/// Panels side by side. Text has the colour of the text around the picture; `alone`, for a file of its own,
/// it follows what the reader's screen prefers.
pub fn panels(title: &str, panels: &[Panel], alone: bool) -> String {
    let sizes: Vec<(usize, usize, usize)> = panels.iter().map(size).collect();
    let width: usize = sizes.iter().map(|(_, _, width)| width + GAP).sum();
    let height = sizes.iter().map(|(_, height, _)| height).max().map_or(0, |h| h + LABEL + GAP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\">"
    );
    if alone {
        svg.push_str(
            "<style>svg{color:#222;background:#fff}@media(prefers-color-scheme:dark){svg{color:#ddd;background:#111}}</style>",
        );
    }
    let words: Vec<String> = panels.iter().map(words).collect();
    let _ =
        write!(svg, "<title>{}</title><desc>{}</desc>", escaped(title), escaped(&words.join("; ")));
    let mut left = GAP / 2;
    for (panel, (cell, _, width)) in panels.iter().zip(sizes) {
        let _ = write!(
            svg,
            "<text x=\"{left}\" y=\"12\" fill=\"currentColor\">{}</text><g transform=\"translate({left},{LABEL})\" shape-rendering=\"crispEdges\">",
            escaped(&panel.label)
        );
        grid(&mut svg, panel, cell);
        svg.push_str("</g>");
        left += width + GAP;
    }
    svg.push_str("</svg>");
    svg
}

/// The size of a panel's cells, its height and its width.
fn size(panel: &Panel) -> (usize, usize, usize) {
    let (height, width) = (panel.rows.len(), panel.rows.first().map_or(0, Vec::len));
    let cell = (LARGEST / height.max(width).max(1)).clamp(2, CELL);
    // A label has about six units for a letter.
    (cell, cell * height, (cell * width).max(6 * panel.label.chars().count()))
}

/// The cells of a grid: each run of one colour in a row is one rectangle.
fn grid(svg: &mut String, panel: &Panel, cell: usize) {
    for (i, row) in panel.rows.iter().enumerate() {
        let mut j = 0;
        while j < row.len() {
            let run = row[j..].iter().take_while(|color| **color == row[j]).count();
            let (x, y, w) = (j * cell, i * cell, run * cell);
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{cell}\" fill=\"{}\"/>",
                color(row[j])
            );
            j += run;
        }
    }
    let (height, width) = (panel.rows.len(), panel.rows.first().map_or(0, Vec::len));
    let mut lines = String::new();
    for i in 0..=height {
        let _ = write!(lines, "M0 {}H{}", i * cell, width * cell);
    }
    for j in 0..=width {
        let _ = write!(lines, "M{} 0V{}", j * cell, height * cell);
    }
    let _ = write!(svg, "<path d=\"{lines}\" stroke=\"#777\" stroke-width=\"1\" fill=\"none\"/>");
    let Some(expected) = &panel.expected else { return };
    for (i, row) in panel.rows.iter().enumerate() {
        for (j, color) in row.iter().enumerate() {
            if expected.get(i).and_then(|row| row.get(j)) != Some(color) {
                let (x, y, end) = (j * cell, i * cell, cell);
                let _ = write!(
                    svg,
                    "<path d=\"M{x} {y}l{end} {end}m0 -{end}l-{end} {end}\" stroke=\"#fff\" stroke-width=\"3\"/>\
                     <path d=\"M{x} {y}l{end} {end}m0 -{end}l-{end} {end}\" stroke=\"#d00\" stroke-width=\"1.5\"/>"
                );
            }
        }
    }
}

/// What a panel shows, in words.
fn words(panel: &Panel) -> String {
    let (height, width) = (panel.rows.len(), panel.rows.first().map_or(0, Vec::len));
    let label = if panel.label.is_empty() { "grid" } else { &panel.label };
    let differs = panel.expected.as_ref().map(|expected| difference(&panel.rows, expected));
    let differs = differs
        .filter(|words| !words.is_empty())
        .map_or(String::new(), |words| format!(", {words}"));
    format!("{label}, {height} rows and {width} columns{differs}")
}

/// The colour of a cell; what ARC has no colour for is hatched in words only: magenta.
fn color(cell: i32) -> String {
    let (r, g, b) =
        usize::try_from(cell).ok().and_then(|cell| RGB.get(cell)).copied().unwrap_or((255, 0, 255));
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text as it may stand in SVG and HTML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no other control characters.
            letter if letter < ' ' && !"\n\t\r".contains(letter) => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_says_what_it_shows_and_marks_what_differs() {
        let panel = Panel {
            label: "output <1>".to_string(),
            rows: vec![vec![1, 1, 2], vec![0, 0, 0]],
            expected: Some(vec![vec![1, 1, 3], vec![0, 0, 0]]),
        };
        let svg = panels("t & u", &[panel], true);
        assert!(svg.contains("<title>t &amp; u</title>"));
        assert!(svg.contains("output &lt;1&gt;, 2 rows and 3 columns, 1 cell differs"));
        assert_eq!(svg.matches("<rect").count(), 3, "one for each run of a colour");
        assert_eq!(svg.matches("stroke=\"#d00\"").count(), 1);
        assert!(svg.contains("prefers-color-scheme"));
        assert!(!panels("", &[], false).contains("style"));
    }
}
