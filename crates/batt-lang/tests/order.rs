//! The canonical order is total, and equality and hashing agree with it.

mod support;

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use batt_lang::limits::{MAX_DEPTH, MAX_NESTING};
use batt_lang::value::Function;
use batt_lang::{Op, Value};
use proptest::prelude::*;
use support::value;

fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The same value with every bool turned into an int and the other way round.
fn other_truth(value: &Value) -> Value {
    match value {
        Value::Bool(b) => Value::Int(i32::from(*b)),
        Value::Int(n @ 0..=1) => Value::Bool(*n == 1),
        Value::Tuple(items) => Value::tuple(items.iter().map(other_truth).collect()),
        Value::Set(items) => Value::set(items.iter().map(other_truth).collect()),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_values_have_one_order(a in value(), b in value()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
        prop_assert!(a != b || hash(&a) == hash(&b));
        prop_assert_eq!(a.cmp(&a), Ordering::Equal);
    }

    #[test]
    fn the_order_is_transitive(mut three in prop::array::uniform3(value())) {
        three.sort();
        let [a, b, c] = three;
        prop_assert!(a <= b && b <= c && a <= c);
    }

    #[test]
    fn equal_values_look_alike(a in value()) {
        let b = other_truth(&a);
        prop_assert_eq!(&a, &b);
        prop_assert_eq!(hash(&a), hash(&b));
        prop_assert_eq!(format!("{a:#}"), format!("{b:#}"));
    }

    #[test]
    fn sets_are_ascending_without_repeats(items in prop::collection::vec(value(), 0..8)) {
        let set = Value::set(items.clone());
        let held = set.elements_of().unwrap();
        prop_assert!(held.is_sorted_by(|a, b| a < b));
        prop_assert!(items.iter().all(|item| held.contains(item)));
        prop_assert!(held.iter().all(|item| items.contains(item)));
    }
}

#[test]
fn the_deepest_values_fit_the_stack() {
    type Wrap = fn(Value) -> Value;
    let wraps: [(u32, Wrap); 3] = [
        (MAX_DEPTH, |v| Value::tuple(vec![v])),
        (MAX_DEPTH, |v| Value::set(vec![v])),
        (MAX_NESTING, |v| Value::function(Function::made(Op::Compose, vec![v], 1))),
    ];
    for (depth, wrap) in wraps {
        let [a, b] = [1, 2].map(|n| (0..depth).fold(Value::Int(n), |v, _| wrap(v)));
        assert!(a < b && hash(&a) != hash(&b));
        assert_eq!(a.depth(), depth);
        assert!(a.to_string().len() > depth as usize);
    }
}
