//! Comparing keys: stricter than the canonical order, which is for sets.
//!
//! Ints compare with ints, tuples with tuples item by item, sets with sets by cardinality. Inside
//! tuples equal items are passed over, as Python does, and a set never decides.

use std::cmp::Ordering;

use batt_lang::{Fault, Value};

const NO_ORDER: Fault = Fault::wrong_kind("these values have no order");

/// How two keys compare.
pub fn compare(a: &Value, b: &Value) -> Result<Ordering, Fault> {
    if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        return Ok(a.cmp(&b));
    }
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => Ok(a.len().cmp(&b.len())),
        _ if a.is_tuple() && b.is_tuple() => compare_tuples(a, b),
        _ => Err(NO_ORDER),
    }
}

fn compare_tuples(a: &Value, b: &Value) -> Result<Ordering, Fault> {
    let (Some(a), Some(b)) = (a.elements_of(), b.elements_of()) else { return Err(NO_ORDER) };
    match a.iter().zip(b.iter()).find(|(x, y)| x != y) {
        Some((x, y)) if x.is_set() || y.is_set() => Err(NO_ORDER),
        Some((x, y)) => compare(x, y),
        None => Ok(a.len().cmp(&b.len())),
    }
}

/// Refuses keys of which some two do not compare.
pub fn check(keys: &[Value]) -> Result<(), Fault> {
    let plain = keys.iter().all(|k| k.as_int().is_some())
        || keys.iter().all(Value::is_set)
        || keys.iter().all(|k| matches!(k, Value::Pair(..)));
    if plain {
        return Ok(());
    }
    // In canonical order, keys that share a beginning are neighbours and sorted by kind after it, so
    // where any two do not compare, some two neighbours do not.
    let mut sorted: Vec<&Value> = keys.iter().collect();
    sorted.sort();
    sorted.windows(2).try_for_each(|two| compare(two[0], two[1]).map(|_| ()))
}

/// How two keys compare that [`check`] has seen together.
pub fn checked(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => a.len().cmp(&b.len()),
        _ => a.cmp(b),
    }
}

/// The place of the first largest (`Greater`) or smallest (`Less`) key; `None` if there are none.
pub fn extremum(keys: &[Value], side: Ordering) -> Result<Option<usize>, Fault> {
    check(keys)?;
    let better = |best: usize, at: usize| checked(&keys[at], &keys[best]) == side;
    Ok((0..keys.len()).reduce(|best, at| if better(best, at) { at } else { best }))
}

/// The places of the keys in ascending order, ties in their old order.
pub fn ascending(keys: &[Value]) -> Result<Vec<usize>, Fault> {
    check(keys)?;
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|&a, &b| checked(&keys[a], &keys[b]));
    Ok(places)
}

/// The places of the keys in descending order, ties in their old order.
pub fn descending(keys: &[Value]) -> Result<Vec<usize>, Fault> {
    check(keys)?;
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|&a, &b| checked(&keys[b], &keys[a]));
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(n: i32) -> Value {
        Value::set((0..n).map(Value::Int).collect())
    }

    fn tuple(items: &[Value]) -> Value {
        Value::tuple(items.to_vec())
    }

    #[test]
    fn keys_of_one_kind_compare() {
        assert_eq!(compare(&Value::Bool(true), &Value::Int(0)), Ok(Ordering::Greater));
        assert_eq!(compare(&set(2), &set(3)), Ok(Ordering::Less));
        let (short, long) = (Value::Pair(1, 2), tuple(&[1, 2, 0].map(Value::Int)));
        assert_eq!(compare(&short, &long), Ok(Ordering::Less));
    }

    #[test]
    fn keys_of_different_kinds_do_not() {
        for (a, b) in [
            (Value::Int(1), Value::Pair(1, 1)),
            (Value::Null, Value::Null),
            (set(1), Value::empty_tuple()),
            (tuple(&[set(1)]), tuple(&[set(2)])),
            (Value::Pair(1, 1), Value::Cell(1, 1, 1)),
        ] {
            assert!(compare(&a, &b).is_err(), "{a} {b}");
            assert!(check(&[a, b]).is_err());
        }
    }

    #[test]
    fn one_pair_without_an_order_spoils_all() {
        // 5 against the pair is decided at the first item; the two ones are not.
        let keys = [Value::Pair(1, 1), Value::Pair(5, 0), Value::Cell(1, 1, 1)];
        assert!(extremum(&keys, Ordering::Greater).is_err());
        let keys = [Value::Pair(1, 1), Value::Pair(5, 0), Value::Cell(2, 1, 1)];
        assert_eq!(extremum(&keys, Ordering::Greater), Ok(Some(1)));
    }

    #[test]
    fn the_first_extremum_wins() {
        let keys = [set(1), set(2), tuple(&[]), set(2)];
        assert!(extremum(&keys, Ordering::Greater).is_err());
        let keys = [1, 3, 3, 1].map(Value::Int);
        assert_eq!(extremum(&keys, Ordering::Greater), Ok(Some(1)));
        assert_eq!(extremum(&keys, Ordering::Less), Ok(Some(0)));
        assert_eq!(descending(&keys), Ok(vec![1, 2, 0, 3]));
        assert_eq!(ascending(&keys), Ok(vec![0, 3, 1, 2]));
    }
}
