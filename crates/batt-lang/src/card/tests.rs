//! Where expressions land, and that compiling always ends.

use std::time::{Duration, Instant};

use super::{Card, Options, Policy};
use crate::battery::Battery;
use crate::graph::{Def, FrameKind, Root, Slot, SlotId};
use crate::ops::Op;
use crate::program::{Definition, Program};
use crate::text::parse;

fn programs(text: &str) -> Vec<Program> {
    let module = parse(text);
    assert!(module.problems.is_empty(), "{:?}", module.problems);
    let program = |d| match d {
        Definition::Program(p) => Some(p),
        Definition::Generated(_) => None,
    };
    module.definitions.into_iter().filter_map(program).collect()
}

/// A card with the programs of a text.
pub(in crate::card) fn card_of(text: &str, options: Options) -> Card {
    let mut card = Card::new(options);
    for program in programs(text) {
        card.add(&program);
    }
    card
}

fn card(text: &str, policy: Policy) -> Card {
    card_of(text, Options { policy, ..Options::default() })
}

fn deal(text: &str) -> Battery {
    card(text, Policy::Strict).deal()
}

/// The body of a program of one line.
fn line(expression: &str) -> Battery {
    deal(&format!("def solve_a(S, I, C):\n    return {expression}\n"))
}

fn output(battery: &Battery) -> &Def {
    battery.def(battery.programs()[0].output)
}

fn calls(battery: &Battery, op: Op) -> Vec<(SlotId, &Slot)> {
    let is = |def: &Def| matches!(def, Def::Call { prim, .. } if prim.op == op);
    battery.live().filter(|(_, slot)| is(&slot.def)).collect()
}

/// How often the only call of a primitive is computed, and how many loops it is in.
fn place(battery: &Battery, op: Op) -> (Root, u32) {
    let [(_, slot)] = calls(battery, op)[..] else { panic!("{}", battery.disassemble()) };
    let frame = battery.frames().get(slot.frame);
    (frame.root, frame.depth)
}

#[test]
fn an_expression_lives_in_the_outermost_frame_of_its_inputs() {
    let battery = deal(
        "
def solve_a(S, I, C):
    t1 = add(ONE, TWO)
    t2 = size(S)
    t3 = multiply(t1, t2)
    t4 = height(I)
    t5 = interval(ZERO, t4, ONE)
    t6 = apply(rbind(subtract, t3), t5)
    t7 = sfilter(S, compose(positive, compose(decrement, first)))
    t8 = combine(t6, t7)
    return t8
",
    );
    assert_eq!(place(&battery, Op::Add), (Root::Constant, 0));
    assert_eq!(place(&battery, Op::Size), (Root::Task, 0));
    assert_eq!(place(&battery, Op::Multiply), (Root::Task, 0));
    assert_eq!(place(&battery, Op::Height), (Root::Sample, 0));
    assert_eq!(place(&battery, Op::Subtract), (Root::Sample, 1));
    assert_eq!(place(&battery, Op::Decrement), (Root::Task, 1));
    assert_eq!(place(&battery, Op::Combine), (Root::Sample, 0));
    let stats = battery.stats();
    // Folded: add. Hoisted: size, multiply, sfilter and the three of its body.
    assert_eq!((stats.folded, stats.hoisted, stats.dynamic), (1, 6, 0));
    assert_eq!(battery.outputs().instrs(Root::Constant).len(), 1);
}

#[test]
fn loops_in_loops_nest_their_frames() {
    let battery = line("apply(lbind(apply, rbind(add, height(I))), I)");
    assert_eq!(place(&battery, Op::Height), (Root::Sample, 0));
    assert_eq!(place(&battery, Op::Add), (Root::Sample, 2));
    // What does not depend on the inner item is computed in the outer loop.
    let battery = line("apply(fork(apply, compose(lbind(lbind, add), size), identity), I)");
    assert_eq!(place(&battery, Op::Size), (Root::Sample, 1));
    assert_eq!(place(&battery, Op::Add), (Root::Sample, 2));
    assert_eq!(battery.stats().dynamic, 0);
}

#[test]
fn what_no_output_needs_is_not_dealt() {
    let battery = deal(
        "
def solve_a(I):
    x1 = rot90(I)
    x2 = rot180(x1)
    O = rot270(I)
    return O
",
    );
    assert_eq!(battery.stats().slots, 1);
    assert_eq!(battery.stats().operations.keys().collect::<Vec<_>>(), ["rot270"]);
}

#[test]
fn equal_expressions_of_all_programs_are_one_slot() {
    let battery = deal(
        "
def solve_a(I):
    x1 = rot90(I)
    O = hmirror(x1)
    return O
def solve_b(I):
    O = hmirror(rot90(I))
    return O
",
    );
    assert_eq!(battery.stats().slots, 2);
    assert_eq!(battery.programs()[0].output, battery.programs()[1].output);
}

#[test]
fn suffixed_names_become_plain_primitives() {
    let same = |suffixed: &str, plain: &str| {
        let (suffixed, plain) = (line(suffixed), line(plain));
        assert_eq!(suffixed.disassemble(), plain.disassemble());
    };
    // What is surely a set or a tuple stays; what may be either is made one.
    same("height_f(ofcolor(I, ONE))", "height(ofcolor(I, ONE))");
    same("height_t(I)", "height(I)");
    same("apply_t(size, palette(I))", "apply(size, totuple(palette(I)))");
    same("sfilter_f(first(S), hline)", "sfilter(toset(first(S)), hline)");
    same("remove_f(I, S)", "remove(I, S)");
    same("normalize_t(I)", "I");
    same("colorfilter_t(o_g_t(I, R5), ONE)", "sfilter(o_g_t(I, R5), matcher(color, ONE))");
}

#[test]
fn a_branch_between_functions_is_a_select() {
    let battery = line("branch(portrait(I), hmirror, compose(vmirror, rot90))(I)");
    assert!(matches!(output(&battery), Def::Select { .. }), "{}", battery.disassemble());
    // Of different arity: only run time can tell.
    let battery = line("branch(portrait(I), hmirror, hconcat)(I)");
    assert_eq!(battery.stats().dynamic, 1);
}

#[test]
fn a_container_of_functions_is_collected() {
    let battery = line("rapply(astuple(height, compose(size, palette)), I)");
    let Def::Collect { set: false, items, .. } = output(&battery) else {
        panic!("{}", battery.disassemble())
    };
    assert_eq!(items.len(), 2);
    let battery = line("rapply(insert(rot90, initset(rot180)), I)");
    assert!(matches!(output(&battery), Def::Collect { set: true, .. }));
}

#[test]
fn functions_that_were_values_are_known() {
    let suffixed = [
        line("rapply_t(astuple(mostcolor, height), I)"),
        line("rapply_f(initset(power(rot90, TWO)), I)"),
    ];
    for battery in suffixed {
        assert!(matches!(output(&battery), Def::Collect { .. }), "{}", battery.disassemble());
    }
    let other = line("rapply_f(astuple(mostcolor, height), I)");
    assert!(matches!(output(&other), Def::Collect { set: false, .. }), "{}", other.disassemble());
    // A container that is bound is a value, and still holds known functions.
    let bound = line(
        "argmax(hsplit(I, TWO), compose(size, lbind(rapply, initset(rbind(pair, first(I))))))",
    );
    assert_eq!(bound.stats().dynamic, 0, "{}", bound.disassemble());
}

#[test]
fn functions_in_containers_are_known() {
    // Constants are taken apart; otherwise there is one loop, whose body calls what it made.
    let scaled = line("rapply(apply(lbind(rbind, upscale), interval(ONE, FOUR, ONE)), I)");
    assert!(matches!(output(&scaled), Def::Collect { set: false, items, .. } if items.len() == 3));
    let added = line("rapply(apply(lbind(rbind, add), palette(I)), THREE)");
    assert!(matches!(output(&added), Def::Close { .. }), "{}", added.disassemble());
    let twice =
        line("rapply(apply(lbind(compose, flip), apply(lbind(rbind, add), first(I))), ONE)");
    assert!(matches!(output(&twice), Def::Close { .. }), "{}", twice.disassemble());
    for battery in [scaled, added, twice] {
        assert_eq!(battery.stats().dynamic, 0, "{}", battery.disassemble());
    }
    // A tuple of functions that come from a set needs the set's order.
    let mixed =
        line("rapply(combine(astuple(rot90, rot180), insert(hmirror, initset(cmirror))), I)");
    assert!(matches!(output(&mixed), Def::Collect { set: false, items, .. } if items.len() == 4));
}

#[test]
fn power_repeats_its_body() {
    let Def::Repeat { run, .. } = output(&line("power(trim, FIVE)(I)")).clone() else {
        panic!("a repeat is due")
    };
    let battery = line("power(trim, FIVE)(I)");
    assert_eq!(battery.frames().get(run.frame).kind, FrameKind::Step);
    assert_eq!(place(&battery, Op::Trim), (Root::Sample, 1));
    // Once is the function itself.
    assert!(matches!(output(&line("power(trim, ONE)(I)")), Def::Call { .. }));
    // A count known at run time only: a bad one is an error of the function, called or not.
    let counted = line("apply(power(trim, height(I)), S)");
    let Def::Close { run, .. } = output(&counted) else { panic!("a loop is due") };
    let checks = run.guards.iter().filter(|g| matches!(counted.def(**g), Def::Repeat { .. }));
    assert_eq!(checks.count(), 1);
    assert_eq!(counted.stats().dynamic, 0);
}

#[test]
fn ill_typed_expressions_are_errors_at_once() {
    for expression in ["size(height(I))", "mapply(size, THREE)", "height(I)(I)", "rot90(UNITY)(I)"]
    {
        let battery = line(expression);
        let fails = battery.live().any(|(_, slot)| matches!(slot.def, Def::Fail(_)));
        let calls_value = battery.stats().dynamic == 1;
        assert!(fails || calls_value, "{expression}\n{}", battery.disassemble());
    }
    assert!(matches!(output(&line("size(height(I))")), Def::Fail(_)));
    // A wrong number of arguments is one too.
    assert!(matches!(output(&line("compose(hconcat, rot90)(I)")), Def::Fail(_)));
}

#[test]
fn under_the_safe_policy_written_calls_have_defaults_and_bodies_have_not() {
    let text = "
def solve_a(I):
    x1 = objects(I, T, F, T)
    x2 = apply(size, x1)
    O = maximum(x2)
    return O
";
    let battery = card(text, Policy::Safe).deal();
    let defaults = battery.live().filter(|(_, s)| matches!(s.def, Def::OrElse { .. }));
    assert_eq!(defaults.count(), 3);
    assert_eq!(place(&battery, Op::Size), (Root::Sample, 1));
}

/// Compiles within a time that only a runaway expansion passes.
fn compiles(text: &str) -> Battery {
    let started = Instant::now();
    let battery = deal(text);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    battery
}

#[test]
fn a_function_that_is_given_itself_is_left_to_run_time() {
    let battery = compiles(
        "
def solve_a(I):
    x = fork(rapply, initset, identity)
    O = x(x)
    return O
",
    );
    assert!(battery.slot_count() < 100_000);
    assert!(battery.stats().dynamic > 0, "{}", battery.disassemble());
}

#[test]
fn chains_that_double_at_every_line_are_left_to_run_time() {
    let mut text = String::from("def solve_a(I):\n    x1 = compose(rot90, rot90)\n");
    for n in 2..60 {
        let m = n - 1;
        text.extend([format!("    x{n} = compose(x{m}, x{m})\n")]);
    }
    text += "    O = x59(I)\n    return O\n";
    let battery = compiles(&text);
    assert!(battery.slot_count() < 100_000, "{}", battery.slot_count());
}

#[test]
fn a_battery_is_extended_at_the_cost_of_what_is_new() {
    let mut card = card(
        "def solve_a(I):\n    x1 = rot90(I)\n    O = hmirror(x1)\n    return O\n",
        Policy::Strict,
    );
    let before = card.deal();
    let slots = before.slot_count();
    let id = card.add(
        &programs("def solve_b(I):\n    x1 = rot90(I)\n    O = vmirror(x1)\n    return O\n")[0],
    );
    let after = card.deal();
    assert_eq!(after.slot_count(), slots + 1);
    assert_eq!((before.programs().len(), after.programs().len()), (1, 2));
    // Old slots keep their numbers.
    assert_eq!(before.programs()[0].output, after.programs()[0].output);
    assert_eq!(after.expression(after.programs()[id.index()].output), "vmirror(t1)");
}
