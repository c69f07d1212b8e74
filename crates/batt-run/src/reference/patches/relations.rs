//! How two patches lie to each other.

use std::collections::BTreeSet;

use batt_lang::{Fault, Value};

use super::super::shapes::{Loc, indices_of, pair};
use super::super::{Out, narrow};
use super::{middle, toindices};

/// The most steps that `gravitate` tries.
const STEPS: i64 = 42;

/// Whether two patches share a row or a column.
fn matching(a: &Value, b: &Value, axis: fn(Loc) -> i32) -> Result<bool, Fault> {
    let a: BTreeSet<i32> = indices_of(a)?.into_iter().map(axis).collect();
    Ok(indices_of(b)?.into_iter().any(|at| a.contains(&axis(at))))
}

pub fn hmatching(a: &Value, b: &Value) -> Out {
    matching(a, b, |at| at.0).map(Value::Bool)
}

pub fn vmatching(a: &Value, b: &Value) -> Out {
    matching(a, b, |at| at.1).map(Value::Bool)
}

/// The locations of two patches, neither of them empty, the second's in order.
fn both(a: &Value, b: &Value) -> Result<(Vec<Loc>, Vec<Loc>), Fault> {
    let (a, mut b) = (indices_of(a)?, indices_of(b)?);
    if a.is_empty() || b.is_empty() {
        return Err(Fault::empty("a patch is empty"));
    }
    b.sort_unstable();
    Ok((a, b))
}

pub fn manhattan(a: &Value, b: &Value) -> Out {
    let (a, b) = both(a, b)?;
    let mut best = i64::MAX;
    for (i, j) in a {
        let rows_to = |at: &Loc| i64::from(i).abs_diff(i64::from(at.0)) as i64;
        // Outwards from the row of (i, j), until the rows alone are too far away.
        let middle = b.partition_point(|at| at.0 < i);
        let (above, below) = b.split_at(middle);
        let sides: [&mut dyn Iterator<Item = &Loc>; 2] =
            [&mut above.iter().rev(), &mut below.iter()];
        for side in sides {
            for at in side {
                if rows_to(at) >= best {
                    break;
                }
                let columns = i64::from(j).abs_diff(i64::from(at.1)) as i64;
                best = best.min(rows_to(at) + columns);
            }
        }
    }
    Ok(Value::Int(narrow(best)?))
}

pub fn adjacent(a: &Value, b: &Value) -> Out {
    let (a, b) = both(a, b)?;
    Ok(Value::Bool(touch(&a, &b, (0, 0))))
}

/// Whether `a`, shifted, lies exactly one step from `b`, which is sorted: they share no location,
/// and a neighbour of some location of `a` is in `b`.
fn touch(a: &[Loc], b: &[Loc], (di, dj): (i64, i64)) -> bool {
    let holds = |i: i64, j: i64| match (i32::try_from(i), i32::try_from(j)) {
        (Ok(i), Ok(j)) => b.binary_search(&(i, j)).is_ok(),
        _ => false,
    };
    let shifted = || a.iter().map(|at| (i64::from(at.0) + di, i64::from(at.1) + dj));
    let next_to = |i, j| holds(i - 1, j) || holds(i + 1, j) || holds(i, j - 1) || holds(i, j + 1);
    !shifted().any(|(i, j)| holds(i, j)) && shifted().any(|(i, j)| next_to(i, j))
}

pub fn gravitate(source: &Value, destination: &Value) -> Out {
    let ((si, sj), (di, dj)) = (middle(source)?, middle(destination)?);
    let towards = |from: i64, to: i64| if from < to { 1 } else { -1 };
    let (i, j) = if matching(source, destination, |at| at.1)? {
        (towards(si, di), 0)
    } else {
        (0, towards(sj, dj))
    };
    let (a, b) = both(source, destination)?;
    let steps = (0..STEPS).find(|n| touch(&a, &b, (n * i, n * j))).unwrap_or(STEPS);
    pair(steps * i, steps * j)
}

pub fn position(a: &Value, b: &Value) -> Out {
    let (ai, aj) = middle(&toindices(a)?)?;
    let (bi, bj) = middle(&toindices(b)?)?;
    // In one row the columns decide alone, and equal columns count as leftwards.
    if ai == bi {
        return pair(0, if aj < bj { 1 } else { -1 });
    }
    pair((bi - ai).signum(), (bj - aj).signum())
}
