//! How two patches lie to each other.

use std::collections::BTreeSet;

use batt_lang::{Fault, Value};

use super::super::shapes::{Loc, indices_of, pair};
use super::super::{Out, narrow};
use super::{middle, toindices};

/// More pairs of locations than these are not looked at one by one.
const MOST_PAIRS: usize = 1 << 16;

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

/// The smallest number of straight steps from some locations to others, where there are many: a line sweeps
/// over all rows. Seen from one of the second, the nearest of the first above it and to its left is the one
/// whose row and column have the largest sum; each other side is a mirror image of that.
fn nearest(a: &[Loc], b: &[Loc]) -> i64 {
    let mut columns: Vec<i64> = a.iter().map(|at| i64::from(at.1)).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut best = i64::MAX;
    for (down, right) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let turned = |at: &Loc| (down * i64::from(at.0), right * i64::from(at.1));
        let mut all: Vec<((i64, i64), bool)> = a.iter().map(|at| (turned(at), false)).collect();
        all.extend(b.iter().map(|at| (turned(at), true)));
        all.sort_unstable();
        // By how many columns are not further right: the largest sum over some of them, as in a binary
        // indexed tree.
        let mut sums = vec![i64::MIN; columns.len() + 1];
        let place = |column: i64| match right {
            1 => columns.partition_point(|one| *one <= column),
            _ => columns.len() - columns.partition_point(|one| *one < -column),
        };
        for ((row, column), is_second) in all {
            let mut at = place(column);
            if is_second {
                while at > 0 {
                    if sums[at] != i64::MIN {
                        best = best.min(row + column - sums[at]);
                    }
                    at &= at - 1;
                }
            } else {
                while at < sums.len() && at > 0 {
                    sums[at] = sums[at].max(row + column);
                    at += at & at.wrapping_neg();
                }
            }
        }
    }
    best
}

pub fn manhattan(a: &Value, b: &Value) -> Out {
    let (a, b) = both(a, b)?;
    if a.len() * b.len() > MOST_PAIRS {
        return Ok(Value::Int(narrow(nearest(&a, &b))?));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_locations_have_the_same_distance() {
        let mut seed = 7u64;
        let mut next = |most: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % most) as i32
        };
        for round in 0..300 {
            let side = [2, 9, 60][round % 3];
            let mut some = |off: i32| {
                let count = 1 + next(12);
                (0..count).map(|_| (next(side) + off, next(side) - off)).collect::<Vec<Loc>>()
            };
            let (a, b) = (some(0), some(round as i32 % 40 - 20));
            let steps = |p: &Loc, q: &Loc| i64::from((p.0 - q.0).abs() + (p.1 - q.1).abs());
            let plain = a.iter().flat_map(|p| b.iter().map(move |q| steps(p, q))).min();
            assert_eq!(Some(nearest(&a, &b)), plain, "{a:?} {b:?}");
        }
    }
}
