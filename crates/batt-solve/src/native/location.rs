//! Attributes of locations: where a cell lies and what is around it.

use super::planes::Center;
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
    /// Where it lies from a box.
    About(Center, FromBox),
    /// How many steps it is to a colour, or to any but 0; and whether they are even instead.
    Distance(Option<u8>, bool),
}

/// A number that a location and a box tell: the location, the box's first and its last.
type FromBox = fn((i32, i32), (i32, i32), (i32, i32)) -> i32;

impl LocationAttribute {
    /// The twin of an attribute of the library.
    pub fn named(name: &str) -> Option<LocationAttribute> {
        use LocationAttribute::{About, Alike, Distance, Filled, Of, Place};
        if let Some(center) = name.split(' ').next().and_then(Center::named) {
            return from_box(name.split_once(' ')?.1).map(|of| About(center, of));
        }
        if let Some((head, color)) = last_digit(name) {
            return match head {
                "distance to" => Some(Distance(Some(color), false)),
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
            "even row from below" => Place(|i, _, h, _| i32::from((h - 1 - i) % 2 == 0)),
            "even column from right" => Place(|_, j, _, w| i32::from((w - 1 - j) % 2 == 0)),
            "even sum" => Place(|i, j, _, _| i32::from((i + j) % 2 == 0)),
            "sum" => Place(|i, j, _, _| i + j),
            "difference" => Place(|i, j, _, _| i - j),
            "third row" => Place(|i, _, _, _| i32::from(i % 3 == 0)),
            "third column" => Place(|_, j, _, _| i32::from(j % 3 == 0)),
            "ring" => Place(ring),
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
            "distance" => Distance(None, false),
            "even distance" => Distance(None, true),
            _ => return None,
        })
    }

    /// Its value for every location, row by row; `None` where it is an error.
    pub fn values(self, picture: &Picture) -> Option<Vec<i32>> {
        match self {
            LocationAttribute::About(center, of) => {
                let item = center.item(picture)?;
                let (first, last) = ((item.top, item.left), (item.bottom, item.right));
                return Some(picture.locations().map(|at| of(at, first, last)).collect());
            }
            LocationAttribute::Distance(color, even) => {
                let found = distances(picture, |c| color.map_or(c != 0, |color| c == color))?;
                let number = |n: i32| if even { i32::from(n % 2 == 0) } else { n };
                return Some(found.into_iter().map(number).collect());
            }
            _ => {}
        }
        let count = |(i, j): (i32, i32), from: usize, to: usize, is: &dyn Fn(u8) -> bool| {
            let near = STEPS[from..to].iter().filter_map(|(a, b)| picture.at(i + a, j + b));
            near.filter(|color| is(*color)).count() as i32
        };
        let value = |(at, own): ((i32, i32), &u8)| match self {
            LocationAttribute::Place(of) => of(at.0, at.1, picture.height, picture.width),
            LocationAttribute::Alike(to) => count(at, 0, to, &|color| color == *own),
            LocationAttribute::Filled(from, to) => count(at, from, to, &|color| color != 0),
            LocationAttribute::Of(color, to) => count(at, 0, to, &|near| near == color),
            LocationAttribute::About(..) | LocationAttribute::Distance(..) => 0,
        };
        Some(picture.locations().zip(&picture.cells).map(value).collect())
    }
}

/// Where a location lies from a box.
fn from_box(name: &str) -> Option<FromBox> {
    let of: FromBox = match name {
        "rows" => |at, first, _| at.0 - first.0,
        "rows below" => |at, _, last| at.0 - last.0,
        "columns" => |at, first, _| at.1 - first.1,
        "columns right" => |at, _, last| at.1 - last.1,
        "diagonal" => |at, first, last| 2 * (at.0 - at.1) - (first.0 + last.0 - first.1 - last.1),
        "other diagonal" => {
            |at, first, last| 2 * (at.0 + at.1) - (first.0 + last.0 + first.1 + last.1)
        }
        "ring" => around,
        "even ring" => |at, first, last| i32::from(around(at, first, last) % 2 == 0),
        _ => return None,
    };
    Some(of)
}

/// How many rings a location is away from a box; below 0 within it.
fn around(at: (i32, i32), first: (i32, i32), last: (i32, i32)) -> i32 {
    (first.0 - at.0).max(first.1 - at.1).max(at.0 - last.0).max(at.1 - last.1)
}

/// How many steps it is from every location to the nearest of some cells, of which there must be one.
fn distances(picture: &Picture, is: impl Fn(u8) -> bool) -> Option<Vec<i32>> {
    let far = picture.height + picture.width;
    let mut found: Vec<i32> =
        picture.cells.iter().map(|color| if is(*color) { 0 } else { far }).collect();
    let mut relax = |i: i32, j: i32, steps: &[(i32, i32)]| {
        for (di, dj) in steps {
            if picture.holds(i + di, j + dj) {
                let next = found[picture.place(i + di, j + dj)] + 1;
                let own = &mut found[picture.place(i, j)];
                *own = next.min(*own);
            }
        }
    };
    let all: Vec<(i32, i32)> = picture.locations().collect();
    for (i, j) in &all {
        relax(*i, *j, &[(-1, 0), (0, -1)]);
    }
    for (i, j) in all.iter().rev() {
        relax(*i, *j, &[(1, 0), (0, 1)]);
    }
    found.contains(&0).then_some(found)
}

fn ring(i: i32, j: i32, h: i32, w: i32) -> i32 {
    i.min(j).min(h - 1 - i).min(w - 1 - j)
}
