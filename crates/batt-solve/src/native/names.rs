//! Names: which plane of the library has which twin.

use super::planes::{About, Center, Figure, MIXED, Pick, PlaneOf, SHAPES4, SHAPES8, Step, Turn};
use super::{ItemsOf, last_digit};

impl PlaneOf {
    /// The twin of a plane of the library.
    pub fn named(group: &str, name: &str) -> Option<PlaneOf> {
        match group {
            "own" => (name == "own").then_some(PlaneOf::Own),
            "near" => near(name),
            "far" => far(name),
            "mirrored" => turn(name).map(PlaneOf::Turned),
            "edges" => edges(name),
            "cross" => crossed(name),
            "colour_boxes" => match name {
                "box of all" => Some(PlaneOf::BoxOf(None)),
                _ => last_digit(name).map(|(_, color)| PlaneOf::BoxOf(Some(color))),
            },
            "sees" => {
                let (head, color) = last_digit(name)?;
                let (di, dj) = direction(head.strip_suffix(" of")?)?;
                Some(PlaneOf::Sees(color, -di, -dj))
            }
            "boxes4" => figure(name).map(|figure| PlaneOf::Figures(SHAPES4, figure)),
            "boxes8" => {
                let name = name.strip_suffix(" of eight")?;
                figure(name).map(|figure| PlaneOf::Figures(SHAPES8, figure))
            }
            "boxesm" => {
                if let Some(name) = name.strip_suffix(" of mixed") {
                    return figure(name).map(|figure| PlaneOf::Figures(MIXED, figure));
                }
                turn(name.strip_prefix("mixed ")?).map(PlaneOf::TurnedItems)
            }
            "painted" => painted(name),
            "centred" => about(name),
            "blocks" => {
                let (head, size) = last_digit(name)?;
                Some(PlaneOf::InSquare(i32::from(size), head == "in a square of"))
            }
            "parity" => match name.split_once(' ') {
                None => Some(PlaneOf::Parity),
                Some((_, name)) => direction(name).map(|(di, dj)| PlaneOf::ParitySeen(di, dj)),
            },
            "continued" => repeated(name),
            "fallen" => {
                let (di, dj) = direction(name.strip_prefix("fallen ")?)?;
                Some(PlaneOf::Fallen(di, dj))
            }
            _ => None,
        }
    }
}

fn direction(name: &str) -> Option<(i32, i32)> {
    Some(match name {
        "right" => (0, 1),
        "left" => (0, -1),
        "up" => (-1, 0),
        "down" => (1, 0),
        "down right" => (1, 1),
        "up left" => (-1, -1),
        "up right" => (-1, 1),
        "down left" => (1, -1),
        _ => return None,
    })
}

fn near(name: &str) -> Option<PlaneOf> {
    let (di, dj) = match name {
        "left" => (0, -1),
        "right" => (0, 1),
        "above" => (-1, 0),
        "below" => (1, 0),
        "above left" => (-1, -1),
        "above right" => (-1, 1),
        "below left" => (1, -1),
        "below right" => (1, 1),
        "two left" => (0, -2),
        "two right" => (0, 2),
        "two above" => (-2, 0),
        "two below" => (2, 0),
        "beside" => return Some(PlaneOf::Beside(0)),
        "beside diagonally" => return Some(PlaneOf::Beside(4)),
        _ => return None,
    };
    Some(PlaneOf::Away(di, dj))
}

fn far(name: &str) -> Option<PlaneOf> {
    match name {
        "seen straight" => Some(PlaneOf::Seen(0)),
        "seen diagonally" => Some(PlaneOf::Seen(4)),
        "left and right" => Some(PlaneOf::Between(0, 1)),
        "up and down" => Some(PlaneOf::Between(1, 0)),
        "diagonal" => Some(PlaneOf::Between(1, 1)),
        "other diagonal" => Some(PlaneOf::Between(1, -1)),
        _ => direction(name.strip_prefix("ray ")?).map(|(di, dj)| PlaneOf::Ray(di, dj)),
    }
}

fn turn(name: &str) -> Option<Turn> {
    Some(match name {
        "left to right" => Turn::Columns,
        "upside down" => Turn::Rows,
        "half turn" | "half turned" => Turn::Half,
        "transposed" => Turn::Transposed,
        "other transposed" => Turn::OtherTransposed,
        "quarter turn" | "turned" => Turn::Quarter,
        "other quarter turn" | "turned back" => Turn::OtherQuarter,
        _ => return None,
    })
}

fn edges(name: &str) -> Option<PlaneOf> {
    Some(match name {
        "left edge" => PlaneOf::Edge(true, false),
        "right edge" => PlaneOf::Edge(true, true),
        "upper edge" => PlaneOf::Edge(false, false),
        "lower edge" => PlaneOf::Edge(false, true),
        "left and right edge" => PlaneOf::Edges(true),
        "upper and lower edge" => PlaneOf::Edges(false),
        _ => return None,
    })
}

fn crossed(name: &str) -> Option<PlaneOf> {
    match name {
        "rows of any" => Some(PlaneOf::Crossed(true, None)),
        "columns of any" => Some(PlaneOf::Crossed(false, None)),
        _ => match last_digit(name)? {
            ("rows of", color) => Some(PlaneOf::Crossed(true, Some(color))),
            ("columns of", color) => Some(PlaneOf::Crossed(false, Some(color))),
            _ => None,
        },
    }
}

fn figure(name: &str) -> Option<Figure> {
    Some(match name {
        "boxes" => Figure::Box,
        "backdrops" => Figure::Backdrop,
        "deltas" => Figure::Delta,
        "interiors" => Figure::Interior,
        "outboxes" => Figure::Outbox,
        "inboxes" => Figure::Inbox,
        "corners" => Figure::Corners,
        "centers" => Figure::Center,
        "upper left corners" => Figure::UpperLeft,
        _ => return None,
    })
}

fn painted(name: &str) -> Option<PlaneOf> {
    let (items, figure, pick) = match name {
        "boxed in colour" => (SHAPES8, Figure::Backdrop, Pick::First),
        "framed in colour" => (SHAPES8, Figure::Outbox, Pick::First),
        "outlined in colour" => (SHAPES8, Figure::Box, Pick::First),
        "filled in colour" => (SHAPES8, Figure::Interior, Pick::First),
        "free in colour" => (SHAPES8, Figure::Delta, Pick::First),
        "boxes of colours" => (ItemsOf::Colors, Figure::Backdrop, Pick::First),
        "around in colour" => (SHAPES8, Figure::Around, Pick::First),
        "straight around in colour" => (SHAPES8, Figure::StraightAround, Pick::First),
        "mixed in rarest colour" => (MIXED, Figure::Backdrop, Pick::Rarest),
        "mixed in commonest colour" => (MIXED, Figure::Backdrop, Pick::Commonest),
        _ => return None,
    };
    Some(PlaneOf::Painted(items, figure, pick))
}

fn about(name: &str) -> Option<PlaneOf> {
    let (whose, what) = name.split_once(' ')?;
    let center = Center::named(whose)?;
    let about = match what {
        "left to right" => About::One(Turn::Columns),
        "upside down" => About::One(Turn::Rows),
        "half turned" => About::One(Turn::Half),
        "turned" => About::One(Turn::Quarter),
        "turned back" => About::One(Turn::OtherQuarter),
        "folded" => About::Folded,
        "all turned" => About::AllTurned,
        _ => return None,
    };
    Some(PlaneOf::About(center, about))
}

fn repeated(name: &str) -> Option<PlaneOf> {
    let (down, across) = match name {
        "continued down" => (Some(Step::Period), None),
        "continued right" => (None, Some(Step::Period)),
        "continued both" => (Some(Step::Period), Some(Step::Period)),
        "repeated down" => (Some(Step::Size), None),
        "repeated right" => (None, Some(Step::Size)),
        "spaced down" => (Some(Step::Spaced), None),
        "spaced right" => (None, Some(Step::Spaced)),
        _ => return None,
    };
    Some(PlaneOf::Repeated(down, across))
}
