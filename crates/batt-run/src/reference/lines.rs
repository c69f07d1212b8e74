//! Neighbours of a location, and lines through locations.

use batt_lang::Value;

use super::shapes::indices;
use super::{Out, ij};

const STRAIGHT: [(i64, i64); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const DIAGONAL: [(i64, i64); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// How far `shoot` goes, and the length of a frontier.
const FAR: i64 = 42;
const FRONTIER: i64 = 30;

/// A location in 64 bits.
fn wide(loc: &Value) -> Result<(i64, i64), batt_lang::Fault> {
    ij(loc).map(|(i, j)| (i64::from(i), i64::from(j)))
}

fn around(loc: &Value, steps: &[(i64, i64)]) -> Out {
    let (i, j) = wide(loc)?;
    indices(steps.len() as i64, steps.iter().map(|(di, dj)| (i + di, j + dj)))
}

pub fn dneighbors(loc: &Value) -> Out {
    around(loc, &STRAIGHT)
}

pub fn ineighbors(loc: &Value) -> Out {
    around(loc, &DIAGONAL)
}

pub fn neighbors(loc: &Value) -> Out {
    around(loc, &[STRAIGHT, DIAGONAL].concat())
}

pub fn connect(a: &Value, b: &Value) -> Out {
    line(wide(a)?, wide(b)?)
}

/// The straight or diagonal line between two locations, none where they do not line up.
fn line((ai, aj): (i64, i64), (bi, bj): (i64, i64)) -> Out {
    let (di, dj) = (bi - ai, bj - aj);
    if di != 0 && dj != 0 && di.abs() != dj.abs() {
        return Ok(Value::empty_set());
    }
    let steps = di.abs().max(dj.abs());
    indices(steps + 1, (0..=steps).map(|n| (ai + n * di.signum(), aj + n * dj.signum())))
}

pub fn vfrontier(location: &Value) -> Out {
    let (_, j) = wide(location)?;
    indices(FRONTIER, (0..FRONTIER).map(|i| (i, j)))
}

pub fn hfrontier(location: &Value) -> Out {
    let (i, _) = wide(location)?;
    indices(FRONTIER, (0..FRONTIER).map(|j| (i, j)))
}

pub fn shoot(start: &Value, direction: &Value) -> Out {
    let ((i, j), (di, dj)) = (wide(start)?, wide(direction)?);
    line((i, j), (i + FAR * di, j + FAR * dj))
}

#[cfg(test)]
mod tests {
    use batt_lang::FaultKind;
    use proptest::prelude::*;

    use super::*;

    fn size(out: Out) -> usize {
        out.unwrap().elements_of().unwrap().len()
    }

    #[test]
    fn shoot_is_42_steps_of_the_direction() {
        let from = Value::Pair(0, 0);
        assert_eq!(size(shoot(&from, &Value::Pair(1, 1))), 43);
        assert_eq!(size(shoot(&from, &Value::Pair(2, 2))), 85);
        assert_eq!(size(shoot(&from, &Value::Pair(0, 0))), 1);
        assert_eq!(size(shoot(&from, &Value::Pair(2, 1))), 0);
    }

    #[test]
    fn far_points_are_refused_before_a_line_is_built() {
        let far = connect(&Value::Pair(i32::MIN, 0), &Value::Pair(i32::MAX, 0));
        assert_eq!(far.unwrap_err().kind, FaultKind::Size);
        let edge = dneighbors(&Value::Pair(i32::MAX, 0));
        assert_eq!(edge.unwrap_err().kind, FaultKind::Overflow);
    }

    proptest! {
        #[test]
        fn connect_does_not_care_which_end_is_first(
            a in (-9..9, -9..9), b in (-9..9, -9..9),
        ) {
            let (a, b) = (Value::Pair(a.0, a.1), Value::Pair(b.0, b.1));
            prop_assert_eq!(connect(&a, &b), connect(&b, &a));
        }
    }
}
