//! Counts of what a battery holds and what dealing saved.

use std::collections::BTreeMap;

use super::Battery;
use crate::graph::{Def, Root, SlotId};

/// Counts of what a battery computes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many slots are computed at all.
    pub slots: usize,
    /// How many of them once per task instead of once per sample.
    pub hoisted: usize,
    /// How many once per battery.
    pub folded: usize,
    /// How often a fusing rule was used.
    pub fused: usize,
    /// How many call functions that are known only at run time.
    pub dynamic: usize,
    /// How often each primitive occurs.
    pub operations: BTreeMap<String, usize>,
}

impl Battery {
    /// Counts over everything that the outputs and the scores need.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats { fused: self.fusions().count(), ..Stats::default() };
        for (id, slot) in self.live() {
            let name = match &slot.def {
                Def::Input(_) | Def::Value(_) | Def::Element { .. } => continue,
                Def::Call { prim, .. } | Def::Close { prim, .. } => prim.to_string(),
                Def::Repeat { .. } => "power".to_string(),
                Def::Select { .. } => "(select)".to_string(),
                Def::Collect { .. } => "(collect)".to_string(),
                Def::Invoke { .. } => "(invoke)".to_string(),
                Def::OrElse { .. } => "(default)".to_string(),
                Def::Fail(_) => "(error)".to_string(),
            };
            stats.slots += 1;
            stats.dynamic += usize::from(self.is_dynamic(id));
            match self.frames.get(slot.frame).root {
                Root::Constant => stats.folded += 1,
                Root::Task => stats.hoisted += 1,
                Root::Sample => {}
            }
            *stats.operations.entry(name).or_default() += 1;
        }
        stats
    }

    /// Whether a slot runs a function that is known only at run time.
    pub fn is_dynamic(&self, id: SlotId) -> bool {
        match self.def(id) {
            Def::Invoke { .. } => true,
            Def::Call { prim, .. } => prim.info().role == crate::ops::Role::Runs,
            _ => false,
        }
    }

    /// Every slot that is needed, in order.
    pub fn live(&self) -> impl Iterator<Item = (SlotId, &crate::graph::Slot)> {
        let ids = (0..self.slots.len() as u32).map(SlotId);
        ids.zip(&self.slots).filter(|(id, _)| self.outputs.needs(*id) || self.scoring.needs(*id))
    }
}
