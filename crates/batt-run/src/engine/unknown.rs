//! Calls of functions that are not known before they are called.

use batt_core::Shortcut;
use batt_lang::Op;
use batt_lang::battery::Battery;
use batt_lang::graph::{Def, SlotId};
use batt_lang::ops::Role;

use super::shortcuts::Short;

/// Such a call: how it is made, and of which function and values.
pub fn call(battery: &Battery, slot: SlotId) -> Option<Short> {
    let (what, reads) = match battery.def(slot) {
        Def::Invoke { function, args } => {
            let what = match args.len() {
                1 => Shortcut::Call1,
                2 => Shortcut::Call2,
                3 => Shortcut::Call3,
                _ => return None,
            };
            (what, [&[*function], &args[..]].concat())
        }
        Def::Call { prim, args } if prim.info().role == Role::Runs => match prim.op {
            Op::Rapply => (Shortcut::Rapplied, args.to_vec()),
            Op::Papply | Op::Mpapply | Op::Prapply => (Shortcut::Paired, args.to_vec()),
            op => {
                let what = if picks(op) { Shortcut::Picked } else { Shortcut::Looped };
                (what, of_loop(op, args)?)
            }
        },
        _ => return None,
    };
    Some(Short { what, reads })
}

/// The function of a loop over one container, the container, and what else there is.
fn of_loop(op: Op, args: &[SlotId]) -> Option<Vec<SlotId>> {
    match (op, args) {
        (Op::Apply | Op::Mapply, &[f, over]) | (_, &[over, f]) => Some(vec![f, over, over]),
        (Op::GetNthByKeyT | Op::GetNthByKeyF, &[over, extra, f]) | (_, &[over, f, extra]) => {
            Some(vec![f, over, extra])
        }
        _ => None,
    }
}

/// Whether a loop over nothing is an error.
fn picks(op: Op) -> bool {
    matches!(
        op,
        Op::Argmax
            | Op::Argmin
            | Op::Extract
            | Op::GetNthByKeyT
            | Op::GetNthByKeyF
            | Op::GetArgRank
            | Op::GetValRank
    )
}
