//! Containers: tuples and sets, and the primitives that run a function over one.

use std::cmp::Ordering;

use batt_lang::{Fault, FaultKind, Value};

use super::gather::Gather;
use super::numbers::ascell;
use super::{Out, int, items, keys, like, narrow, room};

const NONE_FITS: Fault = Fault::new(FaultKind::StopIteration, "no item fits");
const NOT_A_TUPLE: Fault = Fault::new(FaultKind::AttributeError, "a tuple is needed");
const NOT_A_SET: Fault = Fault::new(FaultKind::AttributeError, "a set is needed");

/// The items in canonical order, for binary search.
fn sorted(items: &[Value]) -> Vec<&Value> {
    let mut sorted: Vec<&Value> = items.iter().collect();
    sorted.sort();
    sorted
}

/// The items of `a` that `b` does not hold.
fn without(a: &[Value], b: &[Value]) -> Vec<Value> {
    let b = sorted(b);
    a.iter().filter(|item| b.binary_search(item).is_err()).cloned().collect()
}

/// The items that come for the first time.
pub fn first_occurrences(items: &[Value]) -> Vec<Value> {
    let mut places: Vec<usize> = (0..items.len()).collect();
    // A stable sort, so the first of equal items comes first.
    places.sort_by(|&a, &b| items[a].cmp(&items[b]));
    places.dedup_by(|later, first| items[*later] == items[*first]);
    places.sort_unstable();
    places.into_iter().map(|at| items[at].clone()).collect()
}

/// The distinct items in canonical order, each with how often it occurs.
pub fn counts(items: &[Value]) -> Vec<(&Value, usize)> {
    sorted(items).chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

pub fn contained(value: &Value, container: &Value) -> Out {
    let held = match container {
        Value::Set(items) => items.binary_search(value).is_ok(),
        _ => items(container)?.contains(value),
    };
    Ok(Value::Bool(held))
}

pub fn combine(a: &Value, b: &Value) -> Out {
    Ok(like(a, [&*items(a)?, &*items(b)?].concat()))
}

pub fn intersection(a: &Value, b: &Value) -> Out {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => {
            let shared = a.iter().filter(|item| b.binary_search(item).is_ok());
            Ok(Value::set(shared.cloned().collect()))
        }
        // Python's `&` on ints.
        _ => Ok(Value::Int(int(a)? & int(b)?)),
    }
}

pub fn difference(a: &Value, b: &Value) -> Out {
    Ok(like(a, without(&items(a)?, &items(b)?)))
}

pub fn dedupe(tup: &Value) -> Out {
    let items = items(tup)?;
    if tup.is_set() && !items.is_empty() {
        return Err(NOT_A_TUPLE);
    }
    Ok(Value::tuple(first_occurrences(&items)))
}

pub fn repeat(item: &Value, num: &Value) -> Out {
    let times = int(num)?.max(0);
    room(i64::from(times) * i64::from(item.elements().max(1)))?;
    Ok(Value::tuple(vec![item.clone(); times as usize]))
}

pub fn size(container: &Value) -> Out {
    Ok(Value::Int(narrow(items(container)?.len() as i64)?))
}

pub fn merge(containers: &Value) -> Out {
    let mut all = Gather::like(containers);
    items(containers)?.iter().try_for_each(|inner| all.extend(inner))?;
    Ok(all.finish())
}

/// The extreme item of a container of keys; 0 if it is empty.
fn extreme_item(container: &Value, side: Ordering) -> Out {
    let items = items(container)?;
    Ok(keys::extremum(&items, side)?.map_or(Value::Int(0), |at| items[at].clone()))
}

pub fn maximum(container: &Value) -> Out {
    extreme_item(container, Ordering::Greater)
}

pub fn minimum(container: &Value) -> Out {
    extreme_item(container, Ordering::Less)
}

/// The distinct item whose count is extreme, the first in canonical order on a tie.
fn extreme_count(container: &Value, side: Ordering) -> Out {
    let items = items(container)?;
    if container.is_set() {
        return Err(NOT_A_TUPLE);
    }
    counts(&items)
        .into_iter()
        .reduce(|best, next| if next.1.cmp(&best.1) == side { next } else { best })
        .map(|(item, _)| item.clone())
        .ok_or(Fault::empty("no item to choose from"))
}

pub fn mostcommon(container: &Value) -> Out {
    extreme_count(container, Ordering::Greater)
}

pub fn leastcommon(container: &Value) -> Out {
    extreme_count(container, Ordering::Less)
}

pub fn initset(value: &Value) -> Out {
    Ok(Value::set(vec![value.clone()]))
}

pub fn totuple(container: &Value) -> Out {
    Ok(Value::tuple(items(container)?.to_vec()))
}

pub fn toset(container: &Value) -> Out {
    match container {
        Value::Set(_) => Ok(container.clone()),
        _ => Ok(Value::set(items(container)?.to_vec())),
    }
}

pub fn first(container: &Value) -> Out {
    items(container)?.first().cloned().ok_or(NONE_FITS)
}

pub fn last(container: &Value) -> Out {
    items(container)?.last().cloned().ok_or(Fault::empty("no last item"))
}

pub fn insert(value: &Value, container: &Value) -> Out {
    let Value::Set(items) = container else { return Err(NOT_A_SET) };
    let mut items = items.to_vec();
    if let Err(at) = items.binary_search(value) {
        items.insert(at, value.clone());
    }
    Ok(Value::set(items))
}

pub fn remove(value: &Value, container: &Value) -> Out {
    let kept = items(container)?.iter().filter(|item| *item != value).cloned().collect();
    Ok(like(container, kept))
}

pub fn other(container: &Value, value: &Value) -> Out {
    items(container)?.iter().find(|item| *item != value).cloned().ok_or(NONE_FITS)
}

pub fn interval(start: &Value, stop: &Value, step: &Value) -> Out {
    let (start, stop, step) = (int(start)?, int(stop)?, int(step)?);
    if step == 0 {
        return Err(Fault::empty("a step of zero leads nowhere"));
    }
    let distance = i64::from(stop) - i64::from(start);
    let step = i64::from(step);
    // Steps that start before `stop`: the distance over the step, rounded up.
    let count = if (distance > 0) == (step > 0) {
        (distance.abs() + step.abs() - 1) / step.abs()
    } else {
        0
    };
    room(count)?;
    let ints = (0..count).map(|k| narrow(i64::from(start) + k * step).map(Value::Int));
    Ok(Value::tuple(ints.collect::<Result<_, _>>()?))
}

pub fn product(a: &Value, b: &Value) -> Out {
    // Without repeats every pair is a new one, so the size is known beforehand.
    let (a, b) = (Value::set(items(a)?.to_vec()), Value::set(items(b)?.to_vec()));
    let (a, b) = (items(&a)?, items(&b)?);
    room(a.len() as i64 * b.len() as i64)?;
    let pairs = a.iter().flat_map(|i| b.iter().map(|j| Value::tuple(vec![i.clone(), j.clone()])));
    Ok(Value::set(pairs.collect()))
}

pub fn pair(a: &Value, b: &Value) -> Out {
    let (a, b) = (items(a)?, items(b)?);
    let pairs = a.iter().zip(b.iter()).map(|(i, j)| Value::tuple(vec![i.clone(), j.clone()]));
    Ok(Value::tuple(pairs.collect()))
}

pub fn celltuple(locations: &Value, colors: &Value) -> Out {
    let (locations, colors) = (items(locations)?, items(colors)?);
    let cells = locations.iter().zip(colors.iter()).map(|(at, color)| ascell(at, color));
    Ok(Value::tuple(cells.collect::<Result<_, _>>()?))
}

pub fn sizefilter(container: &Value, n: &Value) -> Out {
    let mut kept = Vec::new();
    for item in items(container)?.iter() {
        if size(item)? == *n {
            kept.push(item.clone());
        }
    }
    Ok(Value::set(kept))
}

pub fn second(container: &Value) -> Out {
    let none = Fault::new(FaultKind::IndexError, "no second item");
    items(container)?.get(1).cloned().ok_or(none)
}

pub fn difference_tuple(a: &Value, b: &Value) -> Out {
    difference(a, b)
}
