//! Colours: which occur, how often, and of which colour an object is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use batt_lang::{Fault, FaultKind, Value};

use super::containers::{toset, totuple};
use super::shapes::{cell, indices_of, no_item, tuple_items, two};
use super::{Out, int, items};

/// Calls `see` for every colour of a grid (a tuple) or an object (a set).
fn each_colour(element: &Value, mut see: impl FnMut(Value)) -> Result<(), Fault> {
    for item in items(element)?.iter() {
        if element.is_tuple() {
            items(item)?.iter().for_each(|v| see(v.clone()));
        } else {
            let [colour, _] = two(item)?;
            see(colour);
        }
    }
    Ok(())
}

/// How often each colour occurs, colours ascending.
fn counts(element: &Value) -> Result<BTreeMap<Value, usize>, Fault> {
    let mut counts = BTreeMap::new();
    each_colour(element, |colour| *counts.entry(colour).or_insert(0) += 1)?;
    Ok(counts)
}

/// The colours from the commonest to the rarest, ties ascending.
fn by_count(element: &Value) -> Result<Vec<Value>, Fault> {
    let mut colours: Vec<_> = counts(element)?.into_iter().collect();
    colours.sort_by_key(|(_, count)| Reverse(*count));
    Ok(colours.into_iter().map(|(colour, _)| colour).collect())
}

pub fn mostcolor(element: &Value) -> Out {
    by_count(element)?.into_iter().next().ok_or(Fault::empty("there is no colour"))
}

pub fn leastcolor(element: &Value) -> Out {
    // `min_by_key` keeps the first of equals, which is the smallest colour.
    let rarest = counts(element)?.into_iter().min_by_key(|(_, count)| *count);
    rarest.map(|(colour, _)| colour).ok_or(Fault::empty("there is no colour"))
}

pub fn colorcount(element: &Value, value: &Value) -> Out {
    let mut count = 0;
    each_colour(element, |colour| count += i32::from(colour == *value))?;
    Ok(Value::Int(count))
}

pub fn colorfilter(objs: &Value, value: &Value) -> Out {
    let mut kept = Vec::new();
    for obj in items(objs)?.iter() {
        let colour = color(obj).map_err(|fault| match fault.kind {
            // Python asks for the colour inside a generator expression.
            FaultKind::StopIteration => Fault::new(FaultKind::RuntimeError, fault.what),
            _ => fault,
        })?;
        if colour == *value {
            kept.push(obj.clone());
        }
    }
    Ok(Value::set(kept))
}

pub fn recolor(value: &Value, patch: &Value) -> Out {
    Ok(Value::set(indices_of(patch)?.into_iter().map(|at| cell(value, at)).collect()))
}

pub fn palette(element: &Value) -> Out {
    Ok(Value::set(counts(element)?.into_keys().collect()))
}

pub fn numcolors(element: &Value) -> Out {
    Ok(Value::Int(counts(element)?.len() as i32))
}

pub fn color(obj: &Value) -> Out {
    let cells = items(obj)?;
    let first = cells.first().ok_or(Fault::new(FaultKind::StopIteration, "the object is empty"))?;
    tuple_items(first)?.first().cloned().ok_or(no_item())
}

pub fn p_g(grid: &Value) -> Out {
    Ok(Value::tuple(counts(&totuple(grid)?)?.into_keys().collect()))
}

pub fn p_o(obj: &Value) -> Out {
    Ok(Value::tuple(counts(&toset(obj)?)?.into_keys().collect()))
}

pub fn p_f(obj: &Value) -> Out {
    palette(&toset(obj)?)
}

pub fn get_color_rank_t(grid: &Value, rank: &Value) -> Out {
    ranked(&by_count(&totuple(grid)?)?, int(rank)?)
}

pub fn get_color_rank_f(obj: &Value, rank: &Value) -> Out {
    ranked(&by_count(&toset(obj)?)?, int(rank)?)
}

/// The item at a rank; negative ranks count from the end.
fn ranked(all: &[Value], rank: i32) -> Out {
    let from_start = if rank < 0 { all.len() as i64 + i64::from(rank) } else { i64::from(rank) };
    let found = usize::try_from(from_start).ok().and_then(|at| all.get(at));
    found.cloned().ok_or(no_item())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_smallest_colour() {
        let grid = Value::grid(&[[8, 1], [1, 8]]);
        assert_eq!(mostcolor(&grid), Ok(Value::Int(1)));
        assert_eq!(leastcolor(&grid), Ok(Value::Int(1)));
        assert_eq!(mostcolor(&Value::empty_set()).unwrap_err().kind, FaultKind::ValueError);
    }

    #[test]
    fn a_tuple_of_cells_is_counted_as_a_grid() {
        let tuple = Value::tuple(vec![Value::Cell(1, 2, 3), Value::Cell(1, 4, 5)]);
        let set = Value::set(vec![Value::Cell(1, 2, 3), Value::Cell(1, 4, 5)]);
        assert_eq!(numcolors(&tuple), Ok(Value::Int(3)));
        assert_eq!(numcolors(&set), Ok(Value::Int(1)));
    }

    #[test]
    fn colorfilter_fails_on_an_empty_object() {
        let objects = Value::set(vec![Value::empty_set()]);
        let fault = colorfilter(&objects, &Value::Int(1)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::RuntimeError);
        assert_eq!(color(&Value::empty_set()).unwrap_err().kind, FaultKind::StopIteration);
    }

    #[test]
    fn colours_are_ranked_commonest_first() {
        let grid = Value::grid(&[[5, 5, 5], [2, 3, 2], [3, 9, 5]]);
        let rank = |n| get_color_rank_t(&grid, &Value::Int(n));
        assert_eq!([rank(0), rank(1), rank(2)], [5, 2, 3].map(|c| Ok(Value::Int(c))));
        assert_eq!(rank(-1), Ok(Value::Int(9)));
        assert!(rank(4).is_err() && rank(-5).is_err());
        assert!(get_color_rank_f(&Value::Int(3), &Value::Int(0)).is_err());
        assert_eq!(p_g(&grid), Ok(Value::tuple([2, 3, 5, 9].map(Value::Int).to_vec())));
    }

    #[test]
    fn null_is_a_colour_like_any() {
        let grid = Value::tuple(vec![Value::tuple(vec![Value::Null, Value::Int(1)])]);
        assert_eq!(palette(&grid), Ok(Value::set(vec![Value::Null, Value::Int(1)])));
        assert_eq!(colorcount(&grid, &Value::Null), Ok(Value::Int(1)));
    }
}
