//! Numbers, containers, ranks and loops of the fast engine against the reference, on random calls.

#[path = "common/values.rs"]
mod values;

#[path = "common/sets.rs"]
mod sets;

use batt_core::gather::Read;
use batt_core::{Array, Cx, Fault, Tag, Val, apart, close};
use batt_lang::value::Function;
use batt_lang::{Op, Prim, Value};
use batt_run::engine::cpu::{Memory, Set, call, to_val, to_value};
use batt_run::reference::{Machine, Out};
use sets::call_all;
use values::Random;

/// Compares what the fast engine gave with what the reference gives; true where it was handed back.
fn judge(cx: Cx, given: Val, expected: &Out, what: impl Fn() -> String) -> bool {
    match given.tag() {
        Tag::Back => return true,
        Tag::Error => assert!(expected.is_err(), "{} is {expected:?}, not an error", what()),
        _ => {
            let value = to_value(cx, given);
            assert!(
                expected.is_ok() && value.as_ref() == expected.as_ref().ok(),
                "{} is {expected:?}, not {value:?}",
                what()
            );
        }
    }
    false
}

fn text(name: &str, args: &[Value]) -> String {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    format!("{name}({})", args.join(", "))
}

const ONE: &[&str] = &[
    "identity",
    "invert",
    "even",
    "double",
    "halve",
    "flip",
    "increment",
    "decrement",
    "crement",
    "sign",
    "positive",
    "toivec",
    "tojvec",
    "toij",
    "is_no_grid",
    "dedupe",
    "size",
    "merge",
    "maximum",
    "minimum",
    "mostcommon",
    "leastcommon",
    "initset",
    "totuple",
    "first",
    "last",
    "second",
    "dedupe_pair_tuple",
];
const NUMBERS: &[&str] = &["add", "subtract", "multiply", "divide", "greater", "equality"];
const ALIKE: &[&str] = &[
    "combine",
    "intersection",
    "difference",
    "difference_tuple",
    "product",
    "pair",
    "equality",
    "greater",
    "both",
    "either",
    "astuple",
    "ascell",
];
const HOLDING: &[&str] = &["contained", "insert", "remove", "other"];
const RANKED: &[&str] =
    &["sizefilter", "get_nth_t", "get_nth_f", "get_rank", "get_common_rank", "repeat"];

fn random_call(r: &mut Random) -> (&'static str, Vec<Value>) {
    match r.below(6) {
        0 => (r.pick(ONE), vec![r.value()]),
        1 => {
            let number = |r: &mut Random| match r.below(3) {
                0 => r.int(),
                1 => Value::tuple(vec![r.int(), r.int()]),
                _ => r.item(),
            };
            (r.pick(NUMBERS), vec![number(r), number(r)])
        }
        2 => {
            let a = r.value();
            let b = if r.below(3) > 0 { r.like(&a) } else { r.value() };
            (r.pick(ALIKE), vec![a, b])
        }
        3 => {
            let name = r.pick(HOLDING);
            let container = r.value();
            let value = r.item_of(&container);
            let args = if name == "other" { [container, value] } else { [value, container] };
            (name, args.to_vec())
        }
        4 => {
            let rank = Value::Int(r.range(-4, 7));
            let rank = if r.below(20) == 0 { r.item() } else { rank };
            (r.pick(RANKED), vec![r.value(), rank])
        }
        _ => match r.below(3) {
            0 => {
                let bound = |r: &mut Random| Value::Int(r.range(-20, 60));
                ("interval", vec![bound(r), bound(r), Value::Int(r.range(-3, 4))])
            }
            1 => ("branch", vec![r.value(), r.value(), r.value()]),
            _ => ("astriple", vec![r.int(), r.int(), r.item()]),
        },
    }
}

#[test]
fn random_calls_agree() {
    let (mut memory, mut r) = (Memory::new(1 << 16), Random(1));
    let (mut calls, mut back) = (0, std::collections::BTreeMap::<&str, u32>::new());
    for _ in 0..60_000 {
        let (name, args) = random_call(&mut r);
        let prim = Prim::named(name).unwrap();
        let cx = memory.cx();
        cx.release(0);
        let vals: Vec<Val> = args.iter().map(|a| to_val(cx, a)).collect();
        if vals.iter().any(|v| v.is_bad()) {
            continue;
        }
        calls += 1;
        let given = call_all(prim, cx, &vals);
        let expected = Machine::default().prim(prim, &args);
        if judge(cx, given, &expected, || text(name, &args)) {
            *back.entry(name).or_default() += 1;
        }
    }
    println!("{calls} calls, handed back: {back:?}");
    assert!(back.values().sum::<u32>() * 200 < calls, "{calls} calls, handed back: {back:?}");
}

const BODIES: &[&str] = &[
    "identity",
    "identity",
    "size",
    "first",
    "last",
    "even",
    "positive",
    "flip",
    "toindices",
    "ulcorner",
    "neighbors",
    "dneighbors",
    "palette",
    "merge",
    "totuple",
    "initset",
    "increment",
    "outbox",
    "shape",
    "square",
    "hline",
    "crement",
    "toij",
    "color",
    "maximum",
    "second",
    "ineighbors",
    "corners",
    "delta",
    "normalize",
    "numcolors",
    "toivec",
    "backdrop",
];
const LOOPS: &[&str] = &[
    "apply",
    "mapply",
    "sfilter",
    "mfilter",
    "extract",
    "order",
    "argmax",
    "argmin",
    "valmax",
    "valmin",
    "get_nth_by_key_t",
    "get_nth_by_key_f",
    "get_arg_rank",
    "get_val_rank",
];

fn result(cx: Cx, out: &Out) -> Val {
    out.as_ref().map_or(Val::error(Fault::Type), |v| to_val(cx, v))
}

fn close_loop(
    cx: Cx,
    name: &str,
    container: Val,
    items: &[Val],
    results: &[Val],
    extra: Val,
) -> Val {
    let n = items.len() as u32;
    let items = |k: u32| items[k as usize];
    let results = |k: u32| results[k as usize];
    run(cx, name, container, n, items, results, extra)
}

fn run(
    cx: Cx,
    name: &str,
    container: Val,
    n: u32,
    items: impl Read,
    results: impl Read,
    extra: Val,
) -> Val {
    let set = container.is_set();
    match name {
        "apply" => close::apply::<Array>(cx, set, n, results),
        "mapply" => close::merge::<Array>(cx, set, n, results),
        "sfilter" => close::filter::<Array>(cx, container, n, items, results),
        "mfilter" => close::filter_merge::<Array>(cx, set, n, items, results),
        "extract" => close::extract::<Array>(n, items, results),
        "order" => close::order::<Array>(cx, n, items, results),
        "argmax" => close::argmax::<Array>(cx, n, items, results),
        "argmin" => close::argmin::<Array>(cx, n, items, results),
        "valmax" => close::valmax::<Array>(cx, n, results, extra),
        "valmin" => close::valmin::<Array>(cx, n, results, extra),
        "get_arg_rank" => close::arg_rank::<Array>(cx, n, items, results, extra),
        "get_val_rank" => close::val_rank::<Array>(cx, n, results, extra),
        _ => close::nth_by_key::<Array>(cx, n, items, results, extra),
    }
}

#[test]
fn random_loops_agree() {
    let (mut memory, mut r) = (Memory::new(1 << 16), Random(2));
    let (mut calls, mut values, mut back) = (0, 0, std::collections::BTreeMap::<&str, u32>::new());
    while calls < 40_000 {
        let name = r.pick(LOOPS);
        let function = Prim::named(r.pick(BODIES)).unwrap();
        let f = Value::function(Function::Prim(function));
        let container = r.value();
        let Some(items) = container.elements_of() else { continue };
        // The suffix of the name asks for one kind.
        if name == "get_nth_by_key_t" && container.is_set()
            || name == "get_nth_by_key_f" && !container.is_set()
        {
            continue;
        }
        let cx = memory.cx();
        cx.release(0);
        let results: Vec<Out> = items
            .iter()
            .map(|item| Machine::default().call(&f, std::slice::from_ref(item)))
            .collect();
        let rank = Value::Int(r.range(-3, 5));
        let (args, extra) = match name {
            "apply" | "mapply" => (vec![f.clone(), container.clone()], Val::NULL),
            "get_nth_by_key_t" | "get_nth_by_key_f" => {
                (vec![container.clone(), rank.clone(), f.clone()], to_val(cx, &rank))
            }
            "get_arg_rank" | "get_val_rank" => {
                (vec![container.clone(), f.clone(), rank.clone()], to_val(cx, &rank))
            }
            _ => {
                let zero = Machine::default().call(&f, &[Value::Int(0)]);
                (vec![container.clone(), f.clone()], result(cx, &zero))
            }
        };
        let given_items: Vec<Val> = items.iter().map(|v| to_val(cx, v)).collect();
        let given_container = to_val(cx, &container);
        let given_results: Vec<Val> = results.iter().map(|out| result(cx, out)).collect();
        if given_container.is_bad() || given_results.iter().any(|v| v.is(Tag::Back)) {
            continue;
        }
        calls += 1;
        let given = close_loop(cx, name, given_container, &given_items, &given_results, extra);
        let expected = Machine::default().prim(Prim::named(name).unwrap(), &args);
        values += u32::from(expected.is_ok());
        let what = || format!("{} with {function}", text(name, std::slice::from_ref(&container)));
        if judge(cx, given, &expected, what) {
            *back.entry(name).or_default() += 1;
        }
    }
    println!("{calls} calls, {values} values, handed back: {back:?}");
    assert!(back.values().sum::<u32>() * 200 < calls, "{calls} calls, handed back: {back:?}");
    assert!(values * 4 > calls, "too few loops end well: {values} of {calls}");
}

/// What several bodies give comes in any order and with repeats.
#[test]
fn gathered_results_agree() {
    let (mut memory, mut r) = (Memory::new(1 << 16), Random(3));
    for _ in 0..6_000 {
        let area = r.area();
        let colors = r.pick(&[1, 4, 20]);
        let kind = r.below(4);
        let most = r.pick(&[3, 20, 200]);
        let results = r.some(most, |r| {
            let (i, j) = r.location(area);
            match kind {
                0 => r.int(),
                1 => Value::Pair(i, j),
                2 => Value::Cell(r.range(0, colors), i, j),
                _ => r.item(),
            }
        });
        let (set, is_set) = (Value::set(results.clone()), true);
        gathered(&mut memory, &results, &Ok(set), |cx, n, get| {
            close::apply::<Array>(cx, is_set, n, get)
        });
        let (tuple, is_set) = (Value::tuple(results.clone()), false);
        gathered(&mut memory, &results, &Ok(tuple), |cx, n, get| {
            close::apply::<Array>(cx, is_set, n, get)
        });
    }
}

#[test]
fn merged_results_agree() {
    let (mut memory, mut r) = (Memory::new(1 << 16), Random(4));
    for _ in 0..10_000 {
        let kind = r.below(6);
        let results = r.some(6, |r| match kind {
            0 | 1 => r.mask(),
            2 | 3 => r.object(),
            4 => r.grid(),
            _ => r.value(),
        });
        let mut all = Vec::new();
        let fits = results
            .iter()
            .all(|v| v.elements_of().map(|items| all.extend_from_slice(&items)).is_some());
        let fault = batt_lang::Fault::wrong_kind("a container is needed");
        let expected = |v: Value| if fits { Ok(v) } else { Err(fault) };
        gathered(&mut memory, &results, &expected(Value::set(all.clone())), |cx, n, get| {
            close::merge::<Array>(cx, true, n, get)
        });
        gathered(&mut memory, &results, &expected(Value::tuple(all.clone())), |cx, n, get| {
            close::merge::<Array>(cx, false, n, get)
        });
    }
}

/// The same patch in other places, which is how many programs draw.
#[test]
fn merged_copies_agree() {
    let (mut memory, mut r) = (Memory::new(1 << 16), Random(5));
    for _ in 0..4_000 {
        let patch = if r.below(2) == 0 { r.mask() } else { r.object() };
        let patch = patch.elements_of().map(|items| items.to_vec()).unwrap_or_default();
        let far = r.pick(&[1, 8, 40, 3_000, i32::MAX]);
        let mut results = r.some(8, |r| {
            let (di, dj) = (r.range(0, far), r.range(-far, 0));
            let moved = patch.iter().filter_map(|v| match v {
                Value::Pair(i, j) => Some(Value::Pair(i.checked_add(di)?, j.checked_add(dj)?)),
                Value::Cell(c, i, j) => {
                    Some(Value::Cell(*c, i.checked_add(di)?, j.checked_add(dj)?))
                }
                _ => None,
            });
            Value::set(moved.collect())
        });
        if r.below(3) == 0 {
            results.push(if r.below(2) == 0 { r.mask() } else { r.object() });
        }
        let mut all = Vec::new();
        results.iter().filter_map(Value::elements_of).for_each(|v| all.extend_from_slice(&v));
        gathered(&mut memory, &results, &Ok(Value::set(all)), |cx, n, get| {
            close::merge::<Array>(cx, true, n, get)
        });
    }
}

fn gathered(
    memory: &mut Memory,
    results: &[Value],
    expected: &Out,
    close: impl Fn(Cx, u32, &dyn Fn(u32) -> Val) -> Val,
) {
    let cx = memory.cx();
    cx.release(0);
    let vals: Vec<Val> = results.iter().map(|v| to_val(cx, v)).collect();
    let given = close(cx, vals.len() as u32, &|k| vals[k as usize]);
    assert!(!judge(cx, given, expected, || text("gathered", results)), "handed back");
}

/// Lines and rectangles that begin at a few places, some with a cell more or less, of one colour or two.
fn alike(r: &mut Random, colored: bool) -> Value {
    let (top, left) = (r.range(0, 2), r.range(3, 5));
    let (first, height, aside) = (r.range(1, 8), r.range(1, 6), r.range(-1, 2));
    let mut cells = Vec::new();
    for (i, j) in (0..height).flat_map(|i| (0..3).map(move |j| (i, j))) {
        if first >> j & 1 != 0 {
            cells.push((1, top + i, left + j + aside * i));
        }
    }
    match r.range(0, 4) {
        0 => cells.push((1, top + r.range(0, 7), left + r.range(-3, 6))),
        1 => cells.push((2, top + r.range(0, 7), left + r.range(-3, 6))),
        2 if cells.len() > 1 => drop(cells.pop()),
        _ => {}
    }
    // One place has one colour.
    cells.sort_by_key(|(color, i, j)| (*i, *j, *color));
    cells.dedup_by_key(|(_, i, j)| (*i, *j));
    let value = |(color, i, j)| if colored { Value::Cell(color, i, j) } else { Value::Pair(i, j) };
    Value::set(cells.into_iter().map(value).collect())
}

#[test]
fn patches_that_begin_alike_keep_their_order() {
    let (mut memory, mut r) = (Memory::new(1 << 16), Random(7));
    for round in 0..4000 {
        let patches = r.some(60, |r| alike(r, round % 2 == 0));
        let expected = Ok(Value::set(patches.clone()));
        gathered(&mut memory, &patches, &expected, |cx, n, get| {
            close::apply::<Array>(cx, true, n, get)
        });
        // The first item decides where tuples begin with patches.
        let tuples: Vec<_> = (0..)
            .zip(&patches)
            .map(|(k, patch)| Value::tuple(vec![patch.clone(), Value::Int(k % 3), Value::Int(0)]))
            .collect();
        let expected = Ok(Value::set(tuples.clone()));
        gathered(&mut memory, &tuples, &expected, |cx, n, get| {
            close::apply::<Array>(cx, true, n, get)
        });
    }
}

#[test]
fn results_are_taken_in_their_order() {
    let mut memory = Memory::new(1 << 12);
    let cx = memory.cx();
    let error = Val::error(Fault::Type);
    let results = [Val::int(0), Val::BACK, error, Val::int(1)];
    let late = [Val::int(0), Val::int(1), error, Val::BACK];
    let items = |k: u32| Val::int(k as i32);
    assert_eq!(close::apply::<Array>(cx, true, 4, |k| results[k as usize]), Val::BACK);
    assert_eq!(close::apply::<Array>(cx, false, 4, |k| late[k as usize]), error);
    assert_eq!(close::extract::<Array>(4, items, |k| results[k as usize]), Val::BACK);
    assert_eq!(close::extract::<Array>(4, items, |k| late[k as usize]), Val::int(1));
    let empty = close::valmax::<Array>(cx, 0, items, error);
    assert_eq!(empty, error);
    let any_order = [9, 3, 3, 0].map(Val::int);
    assert_eq!(close::apply::<Array>(cx, true, 4, |k| any_order[k as usize]), Val::colors(0x209));
}

#[test]
fn bad_ranks_are_errors() {
    let mut memory = Memory::new(1 << 12);
    let cx = memory.cx();
    let items = |k: u32| Val::int(k as i32);
    for rank in [Val::int(3), Val::int(-4), Val::NULL, Val::int(i32::MIN)] {
        assert!(close::val_rank::<Array>(cx, 3, items, rank).is(Tag::Error));
    }
    assert_eq!(close::arg_rank::<Array>(cx, 3, items, items, Val::int(-3)), Val::int(2));
    assert_eq!(call(Op::GetRank, Set::detect(), cx, &[Val::colors(7), Val::int(0)]), Val::int(2));
}

#[test]
fn sorting_by_shares_gives_the_canonical_order() {
    let (mut memory, mut r) = (Memory::new(1 << 16), Random(5));
    let mut sorted = 0;
    for round in 0..4000 {
        let ((top, left, size), color) = (r.area(), r.range(0, 10));
        let place = |r: &mut Random, most: i32| r.location((top, left, size.min(most)));
        let values = r.some(40, |r| match round % 5 {
            0 => r.int(),
            1 => {
                let (i, j) = place(r, size);
                Value::Pair(i, j)
            }
            2 => {
                let (i, j) = place(r, size);
                Value::Cell(r.range(0, 10), i, j)
            }
            3 => Value::set(r.some(4, |r| {
                let (i, j) = place(r, 5);
                Value::Pair(i, j)
            })),
            _ => Value::set(r.some(5, |r| {
                let (i, j) = place(r, 40);
                Value::Cell(color, i, j)
            })),
        });
        let cx = memory.cx();
        cx.release(0);
        let n = values.len() as u32;
        let unit = cx.take_vals(n).expect("there is room");
        for (k, value) in (0..).zip(&values) {
            cx.put(unit, k, to_val(cx, value));
        }
        // What it does not take is sorted elsewhere.
        let Some((unit, n)) = apart::sorted::<Array>(cx, unit, n) else { continue };
        let given: Vec<_> = (0..n).map(|k| to_value(cx, cx.val(unit, k))).collect();
        let given: Vec<_> = given.into_iter().flatten().collect();
        let expected = Value::set(values.clone());
        let expected = expected.elements_of().map(|all| all.to_vec());
        assert_eq!(Some(given), expected, "{values:?}");
        sorted += 1;
    }
    assert!(sorted > 2500, "{sorted}");
}
