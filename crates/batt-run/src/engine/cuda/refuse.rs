//! Plans of lots, and what they leave out: steps that a device did not start.
//!
//! A kernel that cannot be started says little of the device: most often the step is at fault. So what
//! needs it is handed back, and the lot is planned anew without it. A device that fails altogether fails
//! at the next call too, and is given up for that.

use std::sync::{Arc, Mutex, PoisonError};

use batt_lang::graph::SlotId;

use super::plan::Plan;
use super::slot::Slot;
use super::{Failure, Lot, Ready};
use crate::engine::check::{Refused, settled};

/// A device of which more steps of a lot could not be started is taken for one that fails.
const MOST_STEPS: usize = 8;

/// The plans of a lot.
#[derive(Default)]
pub struct Plans {
    refused: Refused,
    /// How many steps could not be started.
    steps: usize,
    /// The plan for each device, made when it is first used.
    made: Vec<Option<Arc<Plan>>>,
}

impl Plans {
    /// For so many devices.
    pub fn of(machines: usize) -> Mutex<Plans> {
        Mutex::new(Plans { made: vec![None; machines], ..Plans::default() })
    }
}

impl Ready<'_> {
    /// The plan of a lot for the device of a stream.
    pub(super) fn plan(&self, slot: &Slot, lot: &Lot<'_>) -> Result<Arc<Plan>, Failure> {
        let mut plans = lot.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let Plans { refused, made, .. } = &mut *plans;
        if let Some(plan) = &made[slot.machine] {
            return Ok(Arc::clone(plan));
        }
        let (battery, device) = (self.setup.battery, &*slot.device);
        let make = |refused: &Refused| {
            Plan::new(battery, &lot.pass, &lot.roots, device, self.setup.timed, refused)
        };
        let (plan, wrong) = settled(&lot.roots.slots, refused, make, |plan| plan.check(battery))?;
        debug_assert_eq!(wrong, [], "a plan is inconsistent");
        for wrong in wrong {
            self.engine.note(slot, &format!("a plan is inconsistent: {wrong}"));
        }
        Ok(Arc::clone(made[slot.machine].insert(Arc::new(plan))))
    }

    /// The plan of a lot without a step that could not be started, which would have computed some slots.
    pub(super) fn refuse(
        &self,
        slot: &Slot,
        lot: &Lot<'_>,
        plan: &Arc<Plan>,
        slots: &[SlotId],
        why: String,
    ) -> Result<Arc<Plan>, Failure> {
        let mut plans = lot.plans.lock().unwrap_or_else(PoisonError::into_inner);
        // Another stream may have met the same step.
        if plans.made[slot.machine].as_ref().is_some_and(|made| Arc::ptr_eq(made, plan)) {
            if plans.steps == MOST_STEPS || !plans.refused.add(slots) {
                return Err(Failure::Launch(why));
            }
            plans.steps += 1;
            plans.made.fill(None);
            let names: Vec<String> = slots.iter().map(|slot| format!("t{}", slot.0)).collect();
            let failure = Failure::Launch(why);
            self.engine.note(slot, &format!("{failure}, for {}", names.join(", ")));
        }
        drop(plans);
        self.plan(slot, lot)
    }
}
