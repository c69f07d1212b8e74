//! Attributes of locations: where a cell lies and what is around it.

use super::{Picture, STEPS, last_digit};

/// An attribute of locations that is computed here.
#[derive(Clone, Copy, Debug)]
pub enum LocationAttribute {
    /// A number that the location and the size of the grid tell.
    Place(fn(i32, i32, i32, i32) -> i32),
    /// How many neighbours are of its own colour, among the first so many.
    Alike(usize),
    /// How many neighbours are not 0, from one place to another.
    Filled(usize, usize),
    /// How many neighbours are of a colour, among the first so many.
    Of(u8, usize),
}

impl LocationAttribute {
    /// The twin of an attribute of the library.
    pub fn named(name: &str) -> Option<LocationAttribute> {
        use LocationAttribute::{Alike, Filled, Of, Place};
        if let Some((head, color)) = last_digit(name) {
            return match head {
                "neighbours of" => Some(Of(color, 8)),
                "straight neighbours of" => Some(Of(color, 4)),
                _ => None,
            };
        }
        Some(match name {
            "row" => Place(|i, _, _, _| i),
            "column" => Place(|_, j, _, _| j),
            "row from below" => Place(|i, _, h, _| h - 1 - i),
            "column from right" => Place(|_, j, _, w| w - 1 - j),
            "even row" => Place(|i, _, _, _| i32::from(i % 2 == 0)),
            "even column" => Place(|_, j, _, _| i32::from(j % 2 == 0)),
            "even sum" => Place(|i, j, _, _| i32::from((i + j) % 2 == 0)),
            "sum" => Place(|i, j, _, _| i + j),
            "difference" => Place(|i, j, _, _| i - j),
            "third row" => Place(|i, _, _, _| i32::from(i % 3 == 0)),
            "third column" => Place(|_, j, _, _| i32::from(j % 3 == 0)),
            "ring" => Place(|i, j, h, w| ring(i, j, h, w)),
            "even ring" => Place(|i, j, h, w| i32::from(ring(i, j, h, w) % 2 == 0)),
            "third sum" => Place(|i, j, _, _| i32::from((i + j) % 3 == 0)),
            "third sum but one" => Place(|i, j, _, _| i32::from((i + j) % 3 == 1)),
            "third difference" => Place(|i, j, _, _| i32::from((i - j) % 3 == 0)),
            "middle row" => Place(|i, _, h, _| i32::from(2 * i == h - 1)),
            "middle column" => Place(|_, j, _, w| i32::from(2 * j == w - 1)),
            "upper half" => Place(|i, _, h, _| i32::from(h - 1 - i > i)),
            "left half" => Place(|_, j, _, w| i32::from(w - 1 - j > j)),
            "diagonal from below" => Place(|i, j, _, w| i + j - (w - 1)),
            "alike neighbours" => Alike(8),
            "alike straight neighbours" => Alike(4),
            "neighbours" => Filled(0, 8),
            "straight neighbours" => Filled(0, 4),
            "diagonal neighbours" => Filled(4, 8),
            _ => return None,
        })
    }

    /// Its value for every location, row by row.
    pub fn values(self, picture: &Picture) -> Vec<i32> {
        let count = |(i, j): (i32, i32), from: usize, to: usize, is: &dyn Fn(u8) -> bool| {
            let near = STEPS[from..to].iter().filter_map(|(a, b)| picture.at(i + a, j + b));
            near.filter(|color| is(*color)).count() as i32
        };
        let value = |(at, own): ((i32, i32), &u8)| match self {
            LocationAttribute::Place(of) => of(at.0, at.1, picture.height, picture.width),
            LocationAttribute::Alike(to) => count(at, 0, to, &|color| color == *own),
            LocationAttribute::Filled(from, to) => count(at, from, to, &|color| color != 0),
            LocationAttribute::Of(color, to) => count(at, 0, to, &|near| near == color),
        };
        picture.locations().zip(&picture.cells).map(value).collect()
    }
}

fn ring(i: i32, j: i32, h: i32, w: i32) -> i32 {
    i.min(j).min(h - 1 - i).min(w - 1 - j)
}
