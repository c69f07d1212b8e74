//! Enumeration: expressions built bottom-up, the cheapest first, each value once.
//!
//! - [`sort`], [`formula`], [`operations`]: what operations take, give and cost
//! - [`rows`]: operations run on columns, a row for each demo and test
//! - [`digest`], [`bank`]: values told apart, and kept once
//! - [`seeds`]: what an enumeration begins with
//! - [`search`]: all operations on all values, within limits
//! - [`occurrences`], [`costs`]: what operations cost, learnt from programs
//! - [`measure`]: how many a second

pub mod bank;
pub mod costs;
pub mod digest;
pub mod formula;
pub mod measure;
pub mod occurrences;
pub mod operations;
pub mod rows;
pub mod search;
pub mod seeds;
pub mod sort;

use batt_core::grid::Grid as Planes;
use batt_core::{Array, Cx, Val};
use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::engine::cpu::to_val;
use batt_run::tasks::Grid;

use crate::answer::Candidate;
use crate::assemble;
use crate::part::{Found, Part, Problem, View};
use bank::{Bank, ValueId};
use operations::Operations;
use rows::Machine;
use search::{Limits, Search, Tally, write};
use sort::Sort;

/// An enumeration takes this part of what is left of a budget.
const SHARE: u64 = 32;
/// No expression costs more.
const MAX_COST: u16 = 40;
/// What is found after an answer may cost so much more.
const AFTER: u16 = 2;
/// As many answers are handed on.
const MAX_ANSWERS: usize = 40;
/// So many demos have a bit each.
const MAX_DEMOS: usize = 60;
/// What a unit of cost takes from a score.
const COST: f64 = 20.0;

/// Looks for expressions that are right on all demos, and puts others together; gives what was done, and
/// grids for a decision cell by cell where nothing is sure.
pub fn find(
    operations: &Operations,
    machine: &mut Machine,
    problem: &Problem,
    seeds: &[(NodeId, Vec<Value>)],
    found: &mut Found,
) -> (Tally, Vec<View>) {
    let demos = problem.outputs.len();
    if demos > MAX_DEMOS {
        return (Tally::default(), Vec::new());
    }
    let rows = problem.left() / SHARE;
    let (mut search, targets) = begin(operations, machine, problem, seeds, found, rows);
    search.run();
    problem.spend(search.tally.rows);
    let sure = answers(&search, demos, found);
    let mut choices = Vec::new();
    if !sure {
        assemble::find(&mut search, &targets, found);
        choices = assemble::choices(&search, &targets, &mut found.store);
    }
    (search.tally, choices)
}

/// An enumeration of so many rows that has not begun, and what the demos should become.
pub fn begin<'a, 'm>(
    operations: &'a Operations,
    machine: &'m mut Machine,
    problem: &Problem,
    seeds: &[(NodeId, Vec<Value>)],
    found: &mut Found,
    rows: u64,
) -> (Search<'a, 'm>, Vec<Val>) {
    let bytes = machine.limit();
    let columns = machine.rows(problem.inputs.len());
    let cx = columns.cx;
    let targets: Vec<Val> = problem.outputs.iter().map(|grid| pack(cx, grid)).collect();
    let mut bank = Bank::new(cx, problem.inputs.len(), &targets);
    seeds::plant(problem, seeds, &mut found.store, cx, &mut bank);
    let limits = Limits { rows, bytes, cost: MAX_COST, after: AFTER };
    (Search::new(&operations.formulas, columns, bank, limits), targets)
}

/// Hands on the values that are the output of every demo; whether one of them is trusted on all.
fn answers(search: &Search, demos: usize, found: &mut Found) -> bool {
    let bank = &search.bank;
    let all = (1u64 << demos) - 1;
    // With each demo left out, the first value that is right on the others is what would be taken.
    let trusted = (0..demos).filter(|demo| {
        let others = all & !(1 << demo);
        let mut rights = bank.of_sort(Sort::Grid).map(|id| bank.held(id).right);
        rights.find(|right| right & others == others).is_some_and(|right| right == all)
    });
    let trusted = if demos > 1 { trusted.count() } else { 0 };
    let trust = trusted as f64 / demos as f64;
    let mut any = false;
    let right = bank.of_sort(Sort::Grid).filter(|id| bank.held(*id).right == all);
    for id in right.take(MAX_ANSWERS).collect::<Vec<ValueId>>() {
        let vals = &bank.vals(id)[demos..];
        let tests = vals.iter().map(|val| unpack(search.rows.cx, *val));
        let Some(tests) = tests.collect::<Option<Vec<Grid>>>() else { continue };
        let cost = bank.held(id).cost;
        any = true;
        let node = write(&mut found.store, search.formulas, bank, id);
        found.candidates.push(Candidate {
            part: Part::Enumeration,
            tests,
            score: 1000.0 * trust - COST * f64::from(cost),
            trust,
            how: format!("enumeration cost {cost}, {trusted}/{demos}"),
            node,
        });
    }
    any && trusted == demos
}

/// A grid in the arena.
pub fn pack(cx: Cx, grid: &Grid) -> Val {
    to_val(cx, &grid.to_value())
}

/// A grid of the arena.
pub fn unpack(cx: Cx, val: Val) -> Option<Grid> {
    let grid = Planes::<Array>::load(cx, val)?;
    let row = |i: u32| (0..grid.width).map(|j| grid.planes.at(i, j) as u8).collect::<Vec<u8>>();
    Grid::from_rows(&(0..grid.height).map(row).collect::<Vec<_>>())
}
