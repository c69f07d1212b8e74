//! The canonical order is total, and equality and hashing agree with it.

mod support;

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use batt_lang::Value;
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
    #![proptest_config(ProptestConfig::with_cases(2_000))]

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
