//! Pictures of any value: grids and patches drawn, everything else as text.

use batt::lang::Value;

use super::block::Block;
use super::palette::{Paint, Style};
use super::picture;

/// The most columns or rows that a patch is drawn with.
const MAX_SIDE: i64 = 40;
/// The most objects of a container that are drawn.
const MAX_OBJECTS: usize = 12;
/// The most characters of a value that are written.
const MAX_TEXT: usize = 400;

/// A value under a label, as one block or, for a container of objects, several. A patch is drawn on
/// a canvas of the size `frame`, or if there is none, on one that just holds it.
pub fn value(
    style: &Style,
    label: &str,
    value: &Value,
    frame: Option<(usize, usize)>,
) -> Vec<Block> {
    if let Some(rows) = value.grid_rows().filter(|rows| rows.len() > 1 || rows[0].len() > 2) {
        return vec![picture::grid(style, label, &rows)];
    }
    if let Some(block) = patch(style, label, value, frame) {
        return vec![block];
    }
    if let Some(blocks) = several(style, label, value) {
        return blocks;
    }
    let mut block = Block::new(label);
    block.text(&shorten(value, MAX_TEXT), style.width.min(76));
    vec![block]
}

/// A value's text, cut where it gets too long.
pub fn shorten(value: &Value, letters: usize) -> String {
    let mut text = Cut { text: String::new(), room: letters };
    // The writer stops a long value by refusing more, so a huge value costs no more than its start.
    if std::fmt::write(&mut text, format_args!("{value}")).is_err() {
        text.text.push('…');
    }
    text.text
}

struct Cut {
    text: String,
    room: usize,
}

impl std::fmt::Write for Cut {
    fn write_str(&mut self, piece: &str) -> std::fmt::Result {
        for letter in piece.chars() {
            if self.room == 0 {
                return Err(std::fmt::Error);
            }
            self.room -= 1;
            self.text.push(letter);
        }
        Ok(())
    }
}

/// A container of grids or patches, each with its own picture.
fn several(style: &Style, label: &str, value: &Value) -> Option<Vec<Block>> {
    let (Value::Tuple(items) | Value::Set(items)) = value else { return None };
    let one = |item: &Value| -> Option<Block> {
        match item.grid_rows().filter(|rows| rows.len() > 1) {
            Some(rows) => Some(picture::grid(style, "", &rows)),
            None => patch(style, "", item, None),
        }
    };
    let mut blocks = Vec::new();
    for item in items.iter() {
        blocks.push(one(item)?);
        if blocks.len() == MAX_OBJECTS {
            break;
        }
    }
    if blocks.is_empty() {
        return None;
    }
    let mut head = Block::new(label);
    let kind = if value.is_set() { "set" } else { "tuple" };
    let more = items.len() - blocks.len();
    let note = if more > 0 { format!(", {more} not drawn") } else { String::new() };
    head.text(&format!("{kind} of {}{note}", items.len()), 76);
    blocks.insert(0, head);
    Some(blocks)
}

/// A set of cells or of locations on a canvas.
fn patch(
    style: &Style,
    label: &str,
    value: &Value,
    frame: Option<(usize, usize)>,
) -> Option<Block> {
    let Value::Set(items) = value else { return None };
    let spot = |item: &Value| match item {
        Value::Cell(c, i, j) => Some((Paint::Color(*c), *i, *j)),
        Value::Pair(i, j) => Some((Paint::Spot, *i, *j)),
        _ => None,
    };
    let spots = items.iter().map(spot).collect::<Option<Vec<_>>>()?;
    let rows = (spots.iter().map(|s| s.1).min()?, spots.iter().map(|s| s.1).max()?);
    let cols = (spots.iter().map(|s| s.2).min()?, spots.iter().map(|s| s.2).max()?);
    let side = |(low, high): (i32, i32)| i64::from(high) - i64::from(low) + 1;
    let (start, (height, width)) = match frame {
        Some(frame) => ((0, 0), frame),
        None if side(rows) > MAX_SIDE || side(cols) > MAX_SIDE => return None,
        None => ((rows.0, cols.0), (side(rows) as usize, side(cols) as usize)),
    };
    let mut canvas = vec![vec![Paint::Blank; width]; height];
    let mut outside = 0;
    for (paint, i, j) in &spots {
        // A location far away must not wrap around, so the difference is taken with care.
        let place = |at: &i32, start: i32| usize::try_from(i64::from(*at) - i64::from(start)).ok();
        let row = place(i, start.0).and_then(|i| canvas.get_mut(i));
        match row.and_then(|row| row.get_mut(place(j, start.1)?)) {
            Some(cell) => *cell = *paint,
            None => outside += 1,
        }
    }
    if outside == spots.len() {
        return None;
    }
    let place = match (frame, outside) {
        (None, _) => format!("at ({}, {})", start.0, start.1),
        (Some(_), 0) => String::new(),
        (Some(_), n) => format!("{n} of {} outside the grid", spots.len()),
    };
    let label = if label.is_empty() { place } else { format!("{label}\n{place}") };
    let rows = canvas.iter().map(|row| row.iter().map(|paint| (*paint, false)));
    Some(picture::paints(style, &label, rows))
}

#[cfg(test)]
mod tests {
    use super::super::beside;
    use super::*;

    fn drawn(v: &Value) -> String {
        beside(&value(&Style::PLAIN, "x1", v, None), 80)
    }

    #[test]
    fn patches_are_drawn_where_they_are() {
        let indices = Value::set(vec![Value::Pair(2, 3), Value::Pair(3, 4)]);
        assert_eq!(drawn(&indices), "x1\nat (2, 3)\n# .\n. #\n");
        let object = Value::set(vec![Value::Cell(7, -1, 0), Value::Cell(2, -1, 1)]);
        assert_eq!(drawn(&object), "x1\nat (-1, 0)\n7 2\n");
        let both = Value::set(vec![object, Value::set(vec![Value::Cell(1, 0, 0)])]);
        assert_eq!(drawn(&both), "x1         at (0, 0)   at (-1, 0)\nset of 2   1           7 2\n");
    }

    #[test]
    fn patches_are_drawn_on_a_frame() {
        let patch = |far: i32| Value::set(vec![Value::Pair(0, 1), Value::Pair(far, 1)]);
        let framed = |v: &Value| beside(&value(&Style::PLAIN, "", v, Some((2, 2))), 80);
        assert_eq!(framed(&patch(1)), ". #\n. #\n");
        assert_eq!(framed(&patch(i32::MIN)), "1 of 2 outside the grid\n. #\n. .\n");
        assert_eq!(framed(&Value::set(vec![Value::Pair(-1, 0)])), "{(-1, 0)}\n");
    }

    #[test]
    fn other_values_are_text_and_long_ones_are_cut() {
        assert_eq!(drawn(&Value::Pair(1, 2)), "x1\n(1, 2)\n");
        assert_eq!(drawn(&Value::empty_set()), "x1\n{}\n");
        let far = Value::set(vec![Value::Pair(i32::MIN, 0), Value::Pair(i32::MAX, 0)]);
        assert!(drawn(&far).contains("2147483647"));
        let long = Value::tuple((0..10_000).map(Value::Int).collect());
        assert_eq!(shorten(&long, 10), "(0, 1, 2, …");
    }
}
