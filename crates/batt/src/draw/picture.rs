//! Pictures of grids.

use super::block::Block;
use super::palette::{Paint, Style};

/// A grid under a label.
pub fn grid(style: &Style, label: &str, rows: &[Vec<i32>]) -> Block {
    paints(style, label, rows.iter().map(|r| r.iter().map(|c| (Paint::Color(*c), false))))
}

/// A grid under a label, with the cells marked that are not as expected.
pub fn compared(style: &Style, label: &str, rows: &[Vec<i32>], expected: &[Vec<i32>]) -> Block {
    let differs = |i: usize, j: usize, c: i32| {
        expected.get(i).and_then(|row| row.get(j)).is_none_or(|wanted| *wanted != c)
    };
    let marked = rows.iter().enumerate().map(|(i, row)| {
        row.iter().enumerate().map(move |(j, c)| (Paint::Color(*c), differs(i, j, *c)))
    });
    let mut block = paints(style, label, marked);
    let note = difference(rows, expected);
    if !note.is_empty() {
        let width = note.chars().count();
        block.push(style.bad(&note), width);
    }
    block
}

/// In words, how a grid differs from the expected one; empty when it does not.
pub fn difference(rows: &[Vec<i32>], expected: &[Vec<i32>]) -> String {
    let shape = |rows: &[Vec<i32>]| (rows.len(), rows.first().map_or(0, Vec::len));
    let (got, wanted) = (shape(rows), shape(expected));
    if got != wanted {
        return format!("{}x{}, not {}x{}", got.0, got.1, wanted.0, wanted.1);
    }
    let cells = rows.iter().flatten().zip(expected.iter().flatten());
    match cells.filter(|(a, b)| a != b).count() {
        0 => String::new(),
        1 => "1 cell differs".to_string(),
        n => format!("{n} cells differ"),
    }
}

/// Rows of cells under a label.
pub fn paints<R>(style: &Style, label: &str, rows: impl Iterator<Item = R>) -> Block
where
    R: Iterator<Item = (Paint, bool)>,
{
    let mut block = Block::new(label);
    for row in rows {
        let (mut line, mut width) = (String::new(), 0);
        for (paint, marked) in row {
            style.cell(paint, marked, &mut line);
            width += 2;
        }
        block.push(line, width);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::super::beside;
    use super::*;

    #[test]
    fn differences_are_marked_without_colour() {
        let (got, wanted) = (vec![vec![1, 2], vec![3, 4]], vec![vec![1, 2], vec![3, 5]]);
        let drawn = beside(&[compared(&Style::PLAIN, "output", &got, &wanted)], 80);
        assert_eq!(drawn, "output\n1 2\n3 4!\n1 cell differs\n");
        let drawn = beside(&[compared(&Style::PLAIN, "output", &got, &[vec![1, 2]])], 80);
        assert_eq!(drawn, "output\n1 2\n3!4!\n2x2, not 1x2\n");
        let drawn = beside(&[compared(&Style::PLAIN, "output", &got, &got)], 80);
        assert_eq!(drawn, "output\n1 2\n3 4\n");
    }
}
