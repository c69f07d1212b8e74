//! Sets that are only counted need not be made.

use batt_cpu::{Task, counter};
use batt_lang::Op;
use batt_lang::battery::Battery;
use batt_lang::graph::{Def, SlotId};
use batt_lang::ops::Guard;

use super::step::{CallStep, SizeStep, Step};
use super::worker::Worker;
use crate::engine::seen::Via;

/// Makes one step of what two sets share, or do not share, and of its size, where nothing else reads it.
pub fn with_sizes(battery: &Battery, steps: Vec<Step>) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        let last = out.pop();
        match (last, step) {
            (Some(Step::Call(shared)), Step::Call(size)) => {
                match only_counted(battery, &shared, &size) {
                    Some(keep) => out.push(Step::Size(Box::new(SizeStep { shared, size, keep }))),
                    None => out.extend([Step::Call(shared), Step::Call(size)]),
                }
            }
            (last, step) => out.extend(last.into_iter().chain([step])),
        }
    }
    out
}

/// Whether a call gives what sets share, or do not share, where all that the next one does is to
/// count that.
fn only_counted(battery: &Battery, shared: &CallStep, size: &CallStep) -> Option<bool> {
    let counts = match size.args() {
        [made] => made.slot == shared.out && made.via == Via::Same && size.last & 1 != 0,
        _ => false,
    };
    if !counts || op(battery, size.out) != Some(Op::Size) {
        return None;
    }
    match op(battery, shared.out) {
        Some(Op::Intersection) => Some(true),
        Some(Op::Difference) => Some(false),
        _ => None,
    }
}

/// The primitive of a slot, where no suffix asks for anything.
fn op(battery: &Battery, slot: SlotId) -> Option<Op> {
    match battery.def(slot) {
        Def::Call { prim, .. } if prim.guard == Guard::None => Some(prim.op),
        _ => None,
    }
}

impl Worker {
    /// How many items sets share, or do not share.
    #[inline(never)]
    pub fn size_of_shared(&mut self, step: &SizeStep) {
        let (shared, size) = (&step.shared, &step.size);
        let rows = self.frames[size.frame.index()].len;
        let cx = self.cx();
        let mut column = self.columns.fresh(size.out, rows);
        let operands = self.operands(shared.args(), shared.frame);
        let task = Task { cx, operands: &operands, rows, slot: size.out.0 };
        #[allow(unsafe_code)]
        // SAFETY: the counter is chosen for the instructions that this machine has.
        let counted = unsafe { counter(self.set)(task, step.keep, &mut column) };
        if !counted {
            self.columns.put(size.out, column);
            self.call(shared);
            self.call(size);
            return;
        }
        self.counts[shared.out.index()].rows += rows as u64;
        self.finish(size.out, column);
        self.free_last(shared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::plan::tests::sample_steps;

    fn counted(source: &str) -> usize {
        sample_steps(source).iter().filter(|step| matches!(step, Step::Size(_))).count()
    }

    #[test]
    fn what_is_only_counted_is_one_step() {
        let source = "def solve_x(I):\n    x1 = ofcolor(I, ONE)\n    x2 = ofcolor(I, TWO)\n    \
                      x3 = difference(x1, x2)\n    O = size(x3)\n    return O\n";
        assert_eq!(counted(source), 1);
        let read_twice = source.replace("O = size(x3)", "x4 = size(x3)\n    O = astuple(x3, x4)");
        assert_eq!(counted(&read_twice), 0);
    }
}
