//! Assembly: outputs put together from values of an enumeration.
//!
//! - [`layers`]: what a value draws, and where that is right
//! - [`cover`]: layers laid over a grid until nothing wrong is seen

pub mod cover;
pub mod layers;

use std::cmp::Reverse;

use batt_core::Val;
use batt_lang::Op;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;

use crate::answer::Candidate;
use crate::enumerate::bank::ValueId;
use crate::enumerate::search::{Search, write};
use crate::enumerate::sort::Sort;
use crate::enumerate::unpack;
use crate::part::{Found, Part, View};
use crate::store::Store;
use cover::{Base, Cover};
use layers::{Layers, Paint, Targets, count};

/// As many grids are chosen from.
const MAX_CHOICES: usize = 10;
/// A grid that costs so much is worth half the cells that it is right on.
const PER_CELL: u32 = 40;
/// As many grids are covered,
const MAX_BASES: usize = 6;
/// each beginning with so many layers.
const RANKS: usize = 3;
/// What a layer takes from a score,
const LAYER: f64 = 30.0;
/// and what a unit of cost does.
const COST: f64 = 8.0;

/// Looks for grids that layers make right.
pub fn find(search: &mut Search, outputs: &[Val], found: &mut Found) {
    let (cx, demos) = (search.rows.cx, outputs.len());
    let Some(targets) = Targets::new(cx, outputs) else { return };
    let bases = bases(search, &targets, demos);
    if bases.is_empty() {
        return;
    }
    let layers = Layers::new(cx, &search.bank, &targets, demos);
    for (id, wrong) in bases {
        let base = Base { layers: &layers, targets: &targets, wrong: &wrong };
        let mut known: Vec<Cover> = Vec::new();
        let mut trusted = None;
        for rank in 0..RANKS {
            let Some(cover) = base.cover(None, rank) else { break };
            if known.contains(&cover) {
                continue;
            }
            let trusted = *trusted.get_or_insert_with(|| {
                let right = (0..demos).filter(|demo| {
                    let cover = base.cover(Some(*demo), 0);
                    cover.is_some_and(|cover| base.is_right(&cover, *demo))
                });
                if demos > 1 { right.count() } else { 0 }
            });
            let Some(tests) = tests(search, &layers, id, &cover, demos) else { continue };
            let trust = trusted as f64 / demos as f64;
            let costs = cover.layers.iter().map(|layer| f64::from(layers.costs[*layer]));
            let cost = f64::from(search.bank.held(id).cost) + costs.sum::<f64>();
            let node = program(search, &layers, id, &cover, found);
            found.candidates.push(Candidate {
                part: Part::Enumeration,
                tests,
                score: 1000.0 * trust
                    - LAYER * cover.layers.len() as f64
                    - COST * cost
                    - 30.0 * rank as f64,
                trust,
                how: format!(
                    "assembly of {} layers, cost {cost}, {trusted}/{demos}",
                    cover.layers.len()
                ),
                node,
            });
            known.push(cover);
        }
    }
}

/// The grids of the right size that are wrong in the fewest places, and where.
fn bases(search: &Search, targets: &Targets, demos: usize) -> Vec<(ValueId, Vec<u32>)> {
    let bank = &search.bank;
    let mut bases: Vec<(u32, ValueId, Vec<u32>)> = Vec::new();
    for id in bank.of_sort(Sort::Grid) {
        let Some(wrong) = targets.wrong(search.rows.cx, &bank.vals(id)[..demos]) else { continue };
        let left = count(&wrong);
        // What is cheap is taken to be a little less wrong.
        bases.push((left * 8 + u32::from(bank.held(id).cost), id, wrong));
    }
    bases.sort_by_key(|(left, id, _)| (*left, *id));
    let first = bases.iter().position(|(_, id, _)| id.0 == 0);
    let mut order: Vec<usize> = (0..bases.len().min(MAX_BASES)).collect();
    order.extend(first.filter(|first| *first >= MAX_BASES));
    order.into_iter().map(|at| (bases[at].1, bases[at].2.clone())).collect()
}

/// Grids of the right size for a decision cell by cell: each is right where those before it are not, most
/// cells first.
pub fn choices(search: &Search, outputs: &[Val], store: &mut Store) -> Vec<View> {
    let (cx, demos, bank) = (search.rows.cx, outputs.len(), &search.bank);
    let Some(targets) = Targets::new(cx, outputs) else { return Vec::new() };
    let grids = bank
        .of_sort(Sort::Grid)
        .filter_map(|id| targets.wrong(cx, &bank.vals(id)[..demos]).map(|wrong| (id, wrong)));
    let mut grids: Vec<(ValueId, Vec<u32>)> = grids.collect();
    let mut left = targets.cells.clone();
    let mut views = Vec::new();
    while views.len() < MAX_CHOICES {
        let gain = |wrong: &[u32]| {
            left.iter().zip(wrong).map(|(left, wrong)| (left & !wrong).count_ones()).sum::<u32>()
        };
        let gains = grids.iter().enumerate().map(|(at, (id, wrong))| {
            // What is dear is taken to be right by accident.
            let cost = u32::from(bank.held(*id).cost);
            (gain(wrong) * PER_CELL / (PER_CELL + cost), Reverse(at))
        });
        let best = gains.max().filter(|(gain, _)| *gain > 0);
        let Some((_, Reverse(at))) = best else { break };
        let (id, wrong) = grids.remove(at);
        let made = bank.vals(id).iter().map(|val| unpack(cx, *val));
        let Some(made) = made.collect::<Option<Vec<Grid>>>() else { continue };
        let node = write(store, search.formulas, bank, id);
        let calls = store.calls(node);
        views.push(View { node, grids: made, calls });
        for (left, wrong) in left.iter_mut().zip(&wrong) {
            *left &= wrong;
        }
        if left.iter().all(|left| *left == 0) {
            left.clone_from(&targets.cells);
        }
    }
    views
}

/// What a cover makes of the tests.
fn tests(
    search: &mut Search,
    layers: &Layers,
    base: ValueId,
    cover: &Cover,
    demos: usize,
) -> Option<Vec<Grid>> {
    let cx = search.rows.cx;
    let mut made: Vec<Val> = search.bank.vals(base).to_vec();
    for layer in cover.layers.iter().rev() {
        made = match layers.paints[*layer] {
            Paint::Object(object) => {
                search.rows.apply(Op::Paint, &[&made, search.bank.vals(object)])
            }
            Paint::Mask(mask, color) => {
                let (color, mask) = (search.bank.vals(color), search.bank.vals(mask));
                search.rows.apply(Op::Fill, &[&made, color, mask])
            }
        };
    }
    made[demos..].iter().map(|val| unpack(cx, *val)).collect()
}

/// A cover as an expression.
fn program(
    search: &Search,
    layers: &Layers,
    base: ValueId,
    cover: &Cover,
    found: &mut Found,
) -> NodeId {
    let (formulas, bank, store) = (search.formulas, &search.bank, &mut found.store);
    let mut made = write(store, formulas, bank, base);
    for layer in cover.layers.iter().rev() {
        made = match layers.paints[*layer] {
            Paint::Object(object) => {
                let object = write(store, formulas, bank, object);
                store.call(Op::Paint, &[made, object])
            }
            Paint::Mask(mask, color) => {
                let mask = write(store, formulas, bank, mask);
                let color = write(store, formulas, bank, color);
                store.call(Op::Fill, &[made, color, mask])
            }
        };
    }
    made
}
