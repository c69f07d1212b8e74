//! What need not be computed, because what would have read it is found otherwise.

use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::SlotId;

/// By slot of a pass: whether nothing reads it. `reads` calls its second argument with every slot that one
/// reads which is computed.
pub fn idle(
    battery: &Battery,
    pass: &Pass,
    reads: impl Fn(SlotId, &mut dyn FnMut(SlotId)),
) -> Vec<bool> {
    let mut idle = vec![false; battery.slot_count()];
    let mut read = vec![false; battery.slot_count()];
    pass.roots().iter().for_each(|slot| read[slot.index()] = true);
    // Whatever reads a slot comes after it.
    for slot in (0..battery.slot_count() as u32).rev().map(SlotId).filter(|s| pass.needs(*s)) {
        if read[slot.index()] {
            reads(slot, &mut |slot| read[slot.index()] = true);
        } else {
            idle[slot.index()] = true;
        }
    }
    idle
}
