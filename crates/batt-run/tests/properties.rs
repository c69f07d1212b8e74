//! Properties of the primitives that no table of examples covers.

#[path = "../../batt-lang/tests/support/mod.rs"]
mod support;

use batt_lang::graph::{Def, Shape, SlotId, shape};
use batt_lang::limits::MAX_ELEMENTS;
use batt_lang::{Guard, Kind, Op, Prim, Value};
use batt_run::reference::Machine;
use proptest::prelude::*;
use proptest::sample::select;
use support::{int, leaf, primitive, value};

fn call(op: Op, args: &[Value]) -> Value {
    Machine::default().prim(op.into(), args).unwrap()
}

/// A value of a kind, now and then of another.
fn of_kind(kind: &Kind) -> BoxedStrategy<Value> {
    prop_oneof![8 => fitting(kind), 1 => value()].boxed()
}

fn fitting(kind: &Kind) -> BoxedStrategy<Value> {
    let cells = |c: std::ops::Range<i32>| (c, -3..12_i32, -3..12_i32);
    let cell = cells(0..10).prop_map(|(c, i, j)| Value::Cell(c, i, j)).boxed();
    let location = (-3..12_i32, -3..12_i32).prop_map(|(i, j)| Value::Pair(i, j)).boxed();
    let set_of =
        |item: BoxedStrategy<Value>| prop::collection::vec(item, 0..6).prop_map(Value::set);
    let tuple_of =
        |item: BoxedStrategy<Value>| prop::collection::vec(item, 0..6).prop_map(Value::tuple);
    let grid = || {
        (0..6_usize, 0..6_usize)
            .prop_flat_map(|(h, w)| prop::collection::vec(prop::collection::vec(0..10_i32, w), h))
            .prop_map(|rows| Value::grid(&rows))
    };
    match kind {
        Kind::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Kind::Int => int().prop_map(Value::Int).boxed(),
        Kind::IJ => (int(), int()).prop_map(|(i, j)| Value::Pair(i, j)).boxed(),
        Kind::Num => leaf().boxed(),
        Kind::Cell => cell,
        Kind::Grid => grid().boxed(),
        Kind::Object => set_of(cell).boxed(),
        Kind::Indices => set_of(location).boxed(),
        Kind::Patch => prop_oneof![set_of(cell.clone()), set_of(location), tuple_of(cell)].boxed(),
        Kind::Piece | Kind::Element => prop_oneof![grid(), set_of(cell), set_of(location)].boxed(),
        Kind::Pairs => {
            let pair = (grid(), grid()).prop_map(|(i, o)| Value::tuple(vec![i, o]));
            tuple_of(pair.boxed()).boxed()
        }
        Kind::Tup(item) => tuple_of(fitting(item)).boxed(),
        Kind::Set(item) => set_of(fitting(item)).boxed(),
        Kind::Cont(item) => prop_oneof![tuple_of(fitting(item)), set_of(fitting(item))].boxed(),
        Kind::Fn(..) => primitive().boxed(),
        Kind::Any | Kind::Var(_) => value().boxed(),
    }
}

fn any_call() -> impl Strategy<Value = (Prim, Vec<Value>)> {
    let guard = select(vec![Guard::None, Guard::None, Guard::Tuple, Guard::Set, Guard::Object]);
    (select(Op::ALL), guard).prop_flat_map(|(op, guard)| {
        let args: Vec<_> = op.info().params.iter().map(|p| of_kind(&p.kind)).collect();
        (Just(Prim { op, guard }), args)
    })
}

fn fitting_call() -> impl Strategy<Value = (Prim, Vec<Value>)> {
    select(Op::ALL).prop_flat_map(|op| {
        let args: Vec<_> = op.info().params.iter().map(|p| fitting(&p.kind)).collect();
        (Just(Prim::from(op)), args)
    })
}

fn no_container() -> impl Strategy<Value = Value> {
    prop_oneof![Just(Value::Null), int().prop_map(Value::Int), primitive()]
}

fn small_set() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(leaf(), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_arguments_make_a_primitive_panic((prim, args) in any_call()) {
        if let Ok(value) = Machine::default().prim(prim, &args) {
            prop_assert!(value.elements() <= MAX_ELEMENTS);
        }
    }

    // What the compiler takes for granted about a call holds in the interpreter.
    #[test]
    fn shapes_hold_what_calls_give((prim, args) in any_call()) {
        let shapes: Vec<Shape> = args.iter().map(Shape::of_value).collect();
        let slots: Vec<SlotId> = (0..args.len() as u32).map(SlotId).collect();
        let promised =
            Shape::of(&Def::Call { prim, args: slots.into() }, |slot| shapes[slot.index()]);
        let out = Machine::default().prim(prim, &args);
        if let Ok(value) = &out {
            prop_assert!(Shape::of_value(value).within(promised), "{prim} of {args:?}: {value}");
        }
    }

    // One argument is no container, the others fit: what is taken for an error is one.
    #[test]
    fn ill_typed_calls_are_errors((prim, args) in fitting_call(), at in 0..4_usize, bad in no_container()) {
        let mut args = args;
        let at = at % args.len();
        args[at] = bad;
        let shapes: Vec<Shape> = args.iter().map(Shape::of_value).collect();
        if shape::ill_typed(prim, |i| shapes[i]) {
            let out = Machine::default().prim(prim, &args);
            prop_assert!(out.is_err(), "{prim} of {args:?} is taken for an error");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sets_behave_as_sets(a in small_set(), b in small_set(), x in leaf()) {
        let (sa, sb) = (Value::set(a.clone()), Value::set(b.clone()));
        let model = |keep: &dyn Fn(&Value) -> bool| {
            Value::set(a.iter().chain(&b).filter(|v| keep(v)).cloned().collect())
        };
        let args = [sa.clone(), sb];
        prop_assert_eq!(call(Op::Combine, &args), model(&|_| true));
        prop_assert_eq!(
            call(Op::Intersection, &args),
            model(&|v| a.contains(v) && b.contains(v))
        );
        prop_assert_eq!(call(Op::Difference, &args), model(&|v| !b.contains(v)));
        prop_assert_eq!(
            call(Op::Contained, &[x.clone(), sa.clone()]),
            Value::Bool(a.contains(&x))
        );
        let removed = call(Op::Remove, &[x.clone(), sa.clone()]);
        prop_assert_eq!(
            removed,
            Value::set(a.iter().filter(|v| **v != x).cloned().collect())
        );
        let mut more = a.clone();
        more.push(x.clone());
        prop_assert_eq!(call(Op::Insert, &[x, sa]), Value::set(more));
    }

    #[test]
    fn tuples_keep_order_and_first_occurrences(a in small_set(), b in small_set()) {
        let (ta, tb) = (Value::tuple(a.clone()), Value::tuple(b.clone()));
        let mut seen = Vec::new();
        for item in &a {
            if !seen.contains(item) {
                seen.push(item.clone());
            }
        }
        prop_assert_eq!(call(Op::Dedupe, std::slice::from_ref(&ta)), Value::tuple(seen));
        let kept = a.iter().filter(|v| !b.contains(v)).cloned().collect();
        prop_assert_eq!(call(Op::DifferenceTuple, &[ta, tb]), Value::tuple(kept));
    }

    #[test]
    fn intervals_count_as_loops_do(start in -20..20_i32, stop in -20..20_i32, step in -5..5_i32) {
        let args = [start, stop, step].map(Value::Int);
        let out = Machine::default().prim(Op::Interval.into(), &args);
        if step == 0 {
            prop_assert!(out.is_err());
        } else {
            let mut ints = Vec::new();
            let mut n = start;
            while (step > 0 && n < stop) || (step < 0 && n > stop) {
                ints.push(Value::Int(n));
                n += step;
            }
            prop_assert_eq!(out, Ok(Value::tuple(ints)));
        }
    }
}
