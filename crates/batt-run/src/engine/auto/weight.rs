//! What batteries weigh: batteries of as many slots may differ much in what a sample takes, by their
//! primitives and by how many of their slots run for every item of a container.

use std::collections::BTreeMap;

use batt_lang::battery::Battery;
use batt_lang::graph::{Root, SlotId};
use serde::{Deserialize, Serialize};

use crate::engine::{Counters, Phase};
use crate::profile::{own_time, primitive};

/// The deepest frames that are told apart.
const DEPTHS: usize = 4;

/// What was measured of slots.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Nanoseconds of a row on one core, by primitive.
    primitives: BTreeMap<String, f64>,
    /// The same for a primitive that was not met.
    other: f64,
    /// Rows of a slot for each sample, by depth of its frame.
    rows: Vec<f64>,
}

impl Weights {
    /// The weights that a run with a clock at every slot shows.
    pub fn of(battery: &Battery, phase: Phase, counters: &Counters, samples: usize) -> Weights {
        let mut primitives: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let mut rows = [(0, 0); DEPTHS];
        let (mut all, mut all_rows) = (0, 0);
        let own = own_time(phase.pass(battery), &counters.slots);
        for (at, count) in own.iter().enumerate().filter(|(_, count)| count.rows > 0) {
            let id = SlotId(at as u32);
            let sums = primitives.entry(primitive(battery.def(id))).or_default();
            *sums = (sums.0 + count.nanos, sums.1 + count.rows);
            (all, all_rows) = (all + count.nanos, all_rows + count.rows);
            if let Some(depth) = depth(battery, id) {
                rows[depth] = (rows[depth].0 + count.rows, rows[depth].1 + samples as u64);
            }
        }
        let ratio = |(a, b): (u64, u64)| a as f64 / b.max(1) as f64;
        let primitives = primitives.into_iter().map(|(name, sums)| (name, ratio(sums)));
        Weights {
            primitives: primitives.collect(),
            other: ratio((all, all_rows)),
            rows: rows.map(ratio).to_vec(),
        }
    }

    /// What a sample is expected to take on one core, in nanoseconds. What is computed once for a
    /// task or a battery does not count.
    pub fn weigh(&self, battery: &Battery, phase: Phase) -> f64 {
        let pass = phase.pass(battery);
        let slots = (0..battery.slot_count()).map(|at| SlotId(at as u32));
        let of_slot = |id: SlotId| {
            let nanos = self.primitives.get(&primitive(battery.def(id))).unwrap_or(&self.other);
            let rows = depth(battery, id).and_then(|depth| self.rows.get(depth)).unwrap_or(&0.0);
            nanos * rows
        };
        slots.filter(|id| pass.needs(*id)).map(of_slot).sum()
    }

    /// Whether every number is one.
    pub fn is_sound(&self) -> bool {
        let mut all = self.primitives.values().chain(&self.rows).chain([&self.other]);
        all.all(|n| n.is_finite() && *n >= 0.0)
    }
}

/// How deep the frame of a slot is, where it has rows for every sample.
fn depth(battery: &Battery, id: SlotId) -> Option<usize> {
    let frame = battery.frames().get(battery.slot(id).frame);
    (frame.root == Root::Sample).then_some((frame.depth as usize).min(DEPTHS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Work, on_threads};
    use crate::engine::cpu::Cpu;
    use crate::{programs, tasks};

    #[test]
    fn a_battery_weighs_what_it_took() {
        let data = tasks::embedded();
        let work = Work::new(programs::parsed(), data.tasks(), 40);
        let battery = work.battery(true);
        let run = || work.profiled(&Cpu::default(), &battery, 40);
        let counters = on_threads(Some(1), run).unwrap();
        let weights = Weights::of(&battery, Phase::Outputs, &counters, 40);
        assert!(weights.is_sound());
        let took: u64 = own_time(battery.outputs(), &counters.slots).iter().map(|c| c.nanos).sum();
        let (weight, took) = (weights.weigh(&battery, Phase::Outputs), took as f64 / 40.0);
        assert!(weight > took / 3.0 && weight < took * 3.0, "{weight} {took}");
        // Half of the programs weigh less.
        let half = Work::new(programs::parsed().split_off(work.programs.len() / 2), &[], 0);
        let less = weights.weigh(&half.battery(true), Phase::Outputs);
        assert!(less > 0.0 && less < weight, "{less} {weight}");
    }
}
