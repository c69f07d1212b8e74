//! Where a battery's time goes: per primitive and per slot.

mod flame;

use std::collections::BTreeMap;

use batt_lang::battery::{Battery, Instr, Pass};
use batt_lang::graph::{Def, Root, SlotId};
use serde::Serialize;

use crate::engine::{Counters, Phase, SlotCount};

/// What one primitive took, in all slots that it computes.
#[derive(Clone, Debug, Serialize)]
pub struct PrimitiveRow {
    /// Its name; what is no primitive is in brackets.
    pub name: String,
    /// In how many slots.
    pub slots: usize,
    /// Rows evaluated.
    pub rows: u64,
    /// Time.
    pub nanos: u64,
    /// Results that the engine handed back because of it.
    pub handed_back: u64,
}

/// What one slot took.
#[derive(Clone, Debug, Serialize)]
pub struct SlotRow {
    /// The slot, as the disassembly names it.
    pub slot: String,
    /// What it computes.
    pub expression: String,
    /// The primitive.
    pub primitive: String,
    /// What it has one row for: `once`, `task`, `sample` or `element`.
    pub frame: &'static str,
    /// Rows evaluated.
    pub rows: u64,
    /// Time.
    pub nanos: u64,
    /// Results that the engine handed back because of it.
    pub handed_back: u64,
}

/// What a battery took, the slowest first.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    /// Rows evaluated in all.
    pub rows: u64,
    /// Time in all.
    pub nanos: u64,
    /// By primitive.
    pub primitives: Vec<PrimitiveRow>,
    /// By slot; those that never ran are left out.
    pub slots: Vec<SlotRow>,
}

impl Profile {
    /// The profile of what an engine counted while it ran a pass of a battery.
    pub fn new(battery: &Battery, phase: Phase, counters: &Counters) -> Profile {
        let own = own_time(phase.pass(battery), &counters.slots);
        let ids = (0..).map(SlotId).zip(&own).filter(|(_, c)| c.rows + c.handed_back > 0);
        let mut slots: Vec<SlotRow> = ids
            .map(|(id, count)| SlotRow {
                slot: battery.name(id),
                expression: battery.expression(id),
                primitive: primitive(battery.def(id)),
                frame: frame(battery, id),
                rows: count.rows,
                nanos: count.nanos,
                handed_back: count.handed_back,
            })
            .collect();
        let mut by_name: BTreeMap<&str, PrimitiveRow> = BTreeMap::new();
        for slot in &slots {
            let name = slot.primitive.clone();
            let row = by_name.entry(&slot.primitive).or_insert(PrimitiveRow {
                name,
                slots: 0,
                rows: 0,
                nanos: 0,
                handed_back: 0,
            });
            row.slots += 1;
            row.rows += slot.rows;
            row.nanos += slot.nanos;
            row.handed_back += slot.handed_back;
        }
        let mut primitives: Vec<PrimitiveRow> = by_name.into_values().collect();
        primitives.sort_by_key(|row| std::cmp::Reverse((row.nanos, row.rows)));
        slots.sort_by_key(|row| std::cmp::Reverse((row.nanos, row.rows)));
        let sum = |of: fn(&PrimitiveRow) -> u64| primitives.iter().map(of).sum();
        Profile { rows: sum(|p| p.rows), nanos: sum(|p| p.nanos), primitives, slots }
    }

    /// The primitives because of which results were handed back, the most frequent first.
    pub fn handed_back(&self) -> Vec<&PrimitiveRow> {
        let mut rows: Vec<_> = self.primitives.iter().filter(|row| row.handed_back > 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.handed_back));
        rows
    }

    /// A flame-style picture: frames, their primitives, their slots, as wide as their time.
    pub fn to_svg(&self) -> String {
        flame::svg(self)
    }
}

/// A `power` is timed with its block; here it keeps what is its own.
pub(crate) fn own_time(pass: &Pass, counted: &[SlotCount]) -> Vec<SlotCount> {
    fn walk(instrs: &[Instr], counted: &[SlotCount], own: &mut [SlotCount]) -> u64 {
        let mut total = 0;
        for instr in instrs {
            match instr {
                Instr::Eval(slot) => total += counted.get(slot.index()).map_or(0, |c| c.nanos),
                Instr::Repeat(slot, block) => {
                    let inside = walk(block, counted, own);
                    if let Some(count) = own.get_mut(slot.index()) {
                        total += count.nanos;
                        count.nanos = count.nanos.saturating_sub(inside);
                    }
                }
                Instr::Open(_) | Instr::Drop(_) => {}
            }
        }
        total
    }
    let mut own = counted.to_vec();
    for root in [Root::Constant, Root::Task, Root::Sample] {
        walk(pass.instrs(root), counted, &mut own);
    }
    own
}

/// The name of what a slot computes; what is no primitive is in brackets.
pub(crate) fn primitive(def: &Def) -> String {
    match def {
        Def::Call { prim, .. } | Def::Close { prim, .. } => prim.to_string(),
        Def::Repeat { .. } => "power".to_string(),
        Def::Select { .. } => "(select)".to_string(),
        Def::Collect { .. } => "(collect)".to_string(),
        Def::Invoke { .. } => "(invoke)".to_string(),
        Def::OrElse { .. } => "(default)".to_string(),
        Def::Fail(_) => "(error)".to_string(),
        Def::Input(_) | Def::Value(_) | Def::Element { .. } => "(given)".to_string(),
    }
}

fn frame(battery: &Battery, id: SlotId) -> &'static str {
    let frame = battery.frames().get(battery.slot(id).frame);
    match frame.root {
        Root::Constant => "once",
        Root::Task => "task",
        Root::Sample if frame.depth == 0 => "sample",
        Root::Sample => "element",
    }
}
