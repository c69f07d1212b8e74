//! Functions as values on the fast engine: every primitive that runs none gives what the reference gives for
//! them, or hands the call back.

#[path = "common/sets.rs"]
mod sets;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "common/values.rs"]
mod values;

use batt_core::Tag;
use batt_lang::ops::{Guard, Role};
use batt_lang::value::Function;
use batt_lang::{Op, Prim, Value};
use batt_run::engine::cpu::{Memory, to_val, to_value};
use batt_run::reference::Machine;
use sets::call_all;
use values::Random;

/// A primitive, what stands in for a function, or what a combinator made of such and of other values.
fn function(r: &mut Random, nesting: usize) -> Value {
    let prim = |r: &mut Random| {
        let op = r.pick(&[Op::Identity, Op::Add, Op::Fill, Op::Crop, Op::Objects, Op::Size]);
        let guard = r.pick(&[Guard::None, Guard::None, Guard::Tuple]);
        Value::function(Function::Prim(Prim { op, guard }))
    };
    match r.below(if nesting == 0 { 6 } else { 14 }) {
        0..=4 => prim(r),
        5 => Value::function(Function::Nothing),
        _ => {
            let made = |r: &mut Random| {
                let makers = [Op::Compose, Op::Chain, Op::Matcher, Op::Rbind, Op::Lbind, Op::Fork];
                let maker = r.pick(&makers);
                let args: Vec<Value> = (0..maker.arity()).map(|_| odd(r, nesting - 1)).collect();
                Machine::default().prim(maker.into(), &args)
            };
            (0..8).find_map(|_| made(r).ok()).unwrap_or_else(|| prim(r))
        }
    }
}

/// A function, something that holds one, or something else.
fn odd(r: &mut Random, nesting: usize) -> Value {
    match r.below(8) {
        0..=2 => function(r, nesting),
        3 => Value::tuple(vec![function(r, nesting), r.item()]),
        4 => Value::set(vec![function(r, nesting)]),
        5 => Value::tuple(vec![Value::Int(r.range(0, 9)), function(r, nesting), r.item()]),
        6 => Value::set(vec![r.item(), function(r, nesting)]),
        _ => r.value(),
    }
}

/// How many calls were handed back.
fn check(prims: &[Op], calls: usize, seed: u64) -> usize {
    let mut memory = Memory::new(1 << 18);
    let (mut r, mut handed_back) = (Random(seed), 0);
    for _ in 0..calls {
        let prim = Prim::from(r.pick(prims));
        let odd_at = r.below(prim.arity());
        let arg = |r: &mut Random, at| match (at == odd_at, r.below(4)) {
            (true, _) => odd(r, 3),
            (_, 0) => r.grid(),
            (_, 1) => Value::Int(r.range(-2, 5)),
            _ => r.value(),
        };
        let args: Vec<Value> = (0..prim.arity()).map(|at| arg(&mut r, at)).collect();
        let expected = Machine::default().prim(prim, &args);
        let cx = memory.cx();
        cx.release(0);
        let vals: Vec<_> = args.iter().map(|arg| to_val(cx, arg)).collect();
        for (arg, val) in args.iter().zip(&vals) {
            assert_eq!(to_value(cx, *val).as_ref(), Some(arg), "a value changes on the way");
        }
        let given = call_all(prim, cx, &vals);
        let text = || args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match given.tag() {
            Tag::Back => handed_back += 1,
            Tag::Error => {
                assert!(expected.is_err(), "{prim}({}) is {expected:?}, not an error", text());
            }
            _ => {
                let value = to_value(cx, given);
                let right = expected.is_ok() && value.as_ref() == expected.as_ref().ok();
                assert!(right, "{prim}({}) is {expected:?}, not {value:?}", text());
            }
        }
    }
    handed_back
}

fn calls() -> usize {
    std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000)
}

fn of_role(role: Role) -> Vec<Op> {
    Op::ALL.iter().copied().filter(|op| op.info().role == role && op.arity() > 0).collect()
}

#[test]
fn primitives_agree_where_functions_are_given() {
    let handed_back = check(&of_role(Role::Pure), calls(), 1);
    println!("{handed_back} of {} handed back", calls());
    assert!(handed_back * 10 < calls(), "{handed_back}");
}

#[test]
fn functions_are_made() {
    let handed_back = check(&of_role(Role::Makes), calls() / 10, 2);
    assert_eq!(handed_back, 0);
}

#[test]
fn functions_do_not_grow_without_end() {
    let mut memory = Memory::new(1 << 18);
    let cx = memory.cx();
    let mut heavy = to_val(cx, &Value::function(Function::Prim(Op::Identity.into())));
    let mut expected = Value::function(Function::Prim(Op::Identity.into()));
    // Each has its parts twice, once in a tuple.
    for _ in 0..8 {
        let pair = call_all(Op::Astuple.into(), cx, &[heavy, heavy]);
        heavy = call_all(Op::Compose.into(), cx, &[heavy, pair]);
        let pair = Value::tuple(vec![expected.clone(), expected.clone()]);
        expected = Machine::default().prim(Op::Compose.into(), &[expected, pair]).unwrap();
        assert_eq!(to_value(cx, heavy), Some(expected.clone()));
    }
    let both = [heavy; 3];
    let chained = |n: usize| (0..n).fold(heavy, |f, _| call_all(Op::Chain.into(), cx, &[f; 3]));
    // 3^8 primitives so far.
    assert!(!call_all(Op::Chain.into(), cx, &both).is_bad());
    assert!(!chained(2).is_bad());
    assert!(call_all(Op::Chain.into(), cx, &[chained(2); 3]).is(Tag::Error));
}
