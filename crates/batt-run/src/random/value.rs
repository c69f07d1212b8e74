//! Random values of any kind, for calling primitives with what they do not expect.

use batt_lang::value::Function;
use batt_lang::{Op, Value};

use super::Rng;
use super::grid::grid;

/// A random value: an int, a pair, a grid, patches, containers of anything, functions.
pub fn value(rng: &mut Rng) -> Value {
    nested(rng, 3)
}

fn nested(rng: &mut Rng, depth: usize) -> Value {
    let small = |rng: &mut Rng| rng.between(0, 40) as i32 - 8;
    match rng.below(if depth == 0 { 8 } else { 12 }) {
        0 => Value::Null,
        1 => Value::Bool(rng.chance(500)),
        2 if rng.chance(100) => Value::Int(i32::MAX - rng.below(2) as i32),
        3 if rng.chance(100) => Value::Int(i32::MIN + rng.below(2) as i32),
        2 | 3 => Value::Int(small(rng)),
        4 => Value::Pair(small(rng), small(rng)),
        5 => Value::Cell(rng.below(10) as i32, small(rng), small(rng)),
        6 => {
            let op = rng.pick(Op::ALL).copied().unwrap_or(Op::Identity);
            Value::function(Function::Prim(op.into()))
        }
        7 => grid(rng).to_value(),
        8 => {
            let cell = |rng: &mut Rng| Value::Cell(rng.below(10) as i32, small(rng), small(rng));
            Value::set((0..rng.below(12)).map(|_| cell(rng)).collect())
        }
        9 => Value::set((0..rng.below(12)).map(|_| Value::Pair(small(rng), small(rng))).collect()),
        10 => Value::set((0..rng.below(5)).map(|_| nested(rng, depth - 1)).collect()),
        _ => Value::tuple((0..rng.below(5)).map(|_| nested(rng, depth - 1)).collect()),
    }
}
