//! Arbitrary values for property tests: of every kind, sensible and not.

use batt_lang::value::Function;
use batt_lang::{Op, Prim, Value};
use proptest::prelude::*;
use proptest::sample::select;

/// Small ints mostly, and the ends of the range.
pub fn int() -> impl Strategy<Value = i32> {
    prop_oneof![
        8 => -3..12_i32,
        1 => -70_000..70_000_i32,
        1 => select(vec![i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX]),
    ]
}

/// A primitive as a value.
pub fn primitive() -> impl Strategy<Value = Value> {
    select(Op::ALL).prop_map(|op| Value::function(Function::Prim(Prim::from(op))))
}

/// A value without items.
pub fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::Bool),
        5 => int().prop_map(Value::Int),
        4 => (int(), int()).prop_map(|(i, j)| Value::Pair(i, j)),
        4 => (int(), int(), int()).prop_map(|(c, i, j)| Value::Cell(c, i, j)),
        1 => primitive(),
        1 => Just(Value::function(Function::Nothing)),
    ]
}

/// Any value.
pub fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 5, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..5);
        prop_oneof![
            3 => items.clone().prop_map(Value::tuple),
            3 => items.prop_map(Value::set),
            1 => (inner.clone(), inner)
                .prop_map(|(f, x)| Value::function(Function::made(Op::Compose, vec![f, x], 1))),
        ]
    })
}
