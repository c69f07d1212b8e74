//! Putting each loop's steps together, so that it can run a few rows of its parent at a time.
//!
//! The columns of a loop that runs over a whole block of samples at once fall out of the cache, and
//! out of memory where loops nest. A loop whose steps stand together runs in pieces of about a
//! thousand rows instead. Steps of other frames that stand between a loop's steps are moved before
//! it, or behind it where they need its results; a loop whose own bodies need those in turn stays as
//! it is.

use batt_lang::battery::Battery;
use batt_lang::graph::FrameId;

use super::chain::chains;
use super::step::{OpenStep, Region, Step};
use crate::engine::effects::Effects;

/// The most steps among which a loop's steps are looked for: many programs may share a loop, and
/// what stands between them is long.
const REACH: usize = 400;

/// Makes regions of the loops among some steps.
pub fn nest(battery: &Battery, steps: Vec<Step>) -> Vec<Step> {
    let mut last = vec![0; battery.frames().len()];
    let mut written = vec![0u32; battery.slot_count() + battery.frames().len()];
    let mut held = vec![0u32; battery.slot_count()];
    let bases = bases(battery);
    let mut steps: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    mark(battery, &steps, 0, &mut last);
    let mut out = Vec::with_capacity(steps.len());
    let (mut at, mut round) = (0, 0);
    while at < steps.len() {
        let Some(step) = steps[at].take() else {
            at += 1;
            continue;
        };
        let Step::Open(open) = step else {
            out.push(step);
            at += 1;
            continue;
        };
        let end = last[open.frame.index()] + 1;
        round += 1;
        // What a base's bodies give is read by other loops.
        let order = if end > at + REACH || bases[open.frame.index()] {
            None
        } else {
            open.for_each_read(&mut |slot| held[slot.index()] = round);
            order(battery, open.frame, &steps[at + 1..end], &mut written, &mut held, round)
        };
        let Some(order) = order else {
            out.push(Step::Open(open));
            at += 1;
            continue;
        };
        let mut parts: [Vec<Step>; 3] = Default::default();
        for (part, step) in order.into_iter().zip(&mut steps[at + 1..end]) {
            parts[part as usize].extend(step.take());
        }
        let [before, body, behind] = parts;
        let region = Step::Region(Box::new(region(battery, *open, body)));
        let moved = before.into_iter().chain([region]).chain(behind);
        for (place, step) in steps[at..end].iter_mut().zip(moved.map(Some)) {
            *place = step;
        }
        mark(battery, &steps[at..end], at, &mut last);
    }
    chains(battery, with_drops(out))
}

/// Lets calls drop the arguments that they are the last to read, which saves most of the steps that
/// do only that.
fn with_drops(steps: Vec<Step>) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::with_capacity(steps.len());
    let mut call = None;
    for step in steps {
        match &step {
            Step::Drop(slot) => {
                let last = call.and_then(|at: usize| out.get_mut(at));
                if let Some(Step::Call(call)) = last
                    && let Some(at) = call.args().iter().position(|seen| seen.slot == *slot)
                {
                    call.last |= 1 << at;
                    continue;
                }
            }
            Step::Call(_) => call = Some(out.len()),
            _ => call = None,
        }
        out.push(step);
    }
    out
}

/// Which frames have rows that other frames have again.
fn bases(battery: &Battery) -> Vec<bool> {
    let mut bases = vec![false; battery.frames().len()];
    for id in (0..bases.len() as u32).map(FrameId) {
        if let Some(base) = battery.frames().get(id).base {
            bases[base.index()] = true;
        }
    }
    bases
}

fn region(battery: &Battery, open: OpenStep, body: Vec<Step>) -> Region {
    let (mut results, mut inside) = (Vec::new(), Vec::new());
    inside.extend(open.filled());
    for step in &body {
        match step {
            Step::Close(close) if close.frame == open.frame => results.push(close.out),
            step => step.fills(|slot| inside.push(slot)),
        }
    }
    Region { open, body: nest(battery, body), results, inside }
}

/// Notes the last step of every frame that has none behind these.
fn mark(battery: &Battery, steps: &[Option<Step>], from: usize, last: &mut [usize]) {
    let end = from + steps.len();
    for (at, step) in (from..).zip(steps) {
        let Some(step) = step else { continue };
        let mut frame = home(battery, step);
        while battery.frames().get(frame).depth > 0 {
            if last[frame.index()] < end {
                last[frame.index()] = at;
            }
            frame = battery.frames().get(frame).parent;
        }
    }
}

/// The frame that a step belongs to.
fn home(battery: &Battery, step: &Step) -> FrameId {
    match step {
        Step::Open(open) => open.frame,
        Step::Region(region) => region.open.frame,
        Step::Close(close) => close.frame,
        Step::Drop(slot) => battery.slot(*slot).frame,
        Step::Repeat(repeat) => repeat.parent,
        Step::Call(call) => call.frame,
        Step::Chain(chain) => chain.frame,
        Step::Select(select) => select.frame,
        Step::Collect(collect) => collect.frame,
        Step::HandBack { frame, .. } | Step::OrElse { frame, .. } | Step::Fail { frame, .. } => {
            *frame
        }
    }
}

/// Where a step goes when its loop's steps are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Before = 0,
    Inside = 1,
    Behind = 2,
}

/// Where each step goes; `None` where the loop's bodies need what needs the loop. Slots are `held` in this
/// round which are read in the loop or behind it.
fn order(
    battery: &Battery,
    frame: FrameId,
    steps: &[Option<Step>],
    written: &mut [u32],
    held: &mut [u32],
    round: u32,
) -> Option<Vec<Part>> {
    let mut parts = Vec::with_capacity(steps.len());
    // In this round, slots written by the loop's closings or by what stands behind it.
    let (closed, behind) = (2 * round, 2 * round + 1);
    for step in steps {
        let Some(step) = step else {
            parts.push(Part::Before);
            continue;
        };
        let inside = within(battery, home(battery, step), frame);
        let (mut reads_closed, mut reads_behind) = (false, false);
        step.reads(|slot| {
            reads_closed |= written[slot.index()] == closed;
            reads_behind |= written[slot.index()] == behind;
        });
        for_each_frame(battery, step, &mut |frame| {
            reads_behind |= written[battery.slot_count() + frame.index()] == behind;
        });
        let part = match step {
            // The loop closes for a few rows at a time, so no body may read what it gives.
            _ if inside && (reads_closed || reads_behind) => return None,
            _ if inside => Part::Inside,
            Step::Drop(slot) if held[slot.index()] == round => Part::Behind,
            Step::Drop(slot) if written[slot.index()] >= closed => Part::Behind,
            Step::Drop(_) => Part::Before,
            _ if reads_closed || reads_behind => Part::Behind,
            _ => Part::Before,
        };
        if part != Part::Before {
            step.reads(|slot| held[slot.index()] = round);
        }
        match (part, step) {
            (Part::Inside, Step::Close(close)) if close.frame == frame => {
                written[close.out.index()] = closed;
            }
            (Part::Behind, step) => {
                step.fills(|slot| written[slot.index()] = behind);
                if let Step::Open(open) = step {
                    written[battery.slot_count() + open.frame.index()] = behind;
                }
            }
            _ => {}
        }
        parts.push(part);
    }
    Some(parts)
}

fn within(battery: &Battery, frame: FrameId, of: FrameId) -> bool {
    let frames = battery.frames();
    let (mut at, depth) = (frame, frames.get(of).depth);
    while frames.get(at).depth > depth {
        at = frames.get(at).parent;
    }
    at == of
}

/// Calls `see` with every frame that must be open for a step; those around it are open then.
fn for_each_frame(battery: &Battery, step: &Step, see: &mut dyn FnMut(FrameId)) {
    let mut opens = |open: &OpenStep| {
        see(open.parent);
        open.base.iter().for_each(|base| see(base.frame));
    };
    match step {
        Step::Open(open) => opens(open),
        Step::Region(region) => {
            opens(&region.open);
            region.body.iter().for_each(|step| for_each_frame(battery, step, see));
        }
        Step::Repeat(repeat) => {
            see(repeat.parent);
            repeat.block.iter().for_each(|step| for_each_frame(battery, step, see));
        }
        Step::Drop(_) => {}
        step => see(home(battery, step)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::sample_steps;
    use super::*;

    /// How many columns the steps before the first loop drop.
    fn dropped_before(source: &str) -> usize {
        let dropped = |step: &Step| match step {
            Step::Drop(_) => 1,
            Step::Call(call) => call.dropped().count(),
            _ => 0,
        };
        let steps = sample_steps(source);
        steps.iter().take_while(|step| !matches!(step, Step::Region(_))).map(dropped).sum()
    }

    #[test]
    fn what_a_loop_does_not_read_is_dropped_before_it() {
        // The mirrored grid stands between the steps of the loop that both programs share.
        let source = "def solve_a(I):\n    x1 = objects(I, T, F, F)\n    O = apply(size, x1)\n    \
                      return O\n\n\
                      def solve_b(I):\n    x1 = objects(I, T, F, F)\n    x2 = hmirror(I)\n    \
                      x3 = numcolors(x2)\n    x4 = lbind(add, x3)\n    x5 = compose(x4, size)\n    \
                      O = apply(x5, x1)\n    return O\n";
        assert_eq!(dropped_before(source), 1);
        // Here the loop reads it.
        let inside = source.replace("lbind(add, x3)", "lbind(add, size(x2))");
        let read = inside.replace("compose(x4, size)", "compose(rbind(contained, x2), size)");
        assert_eq!(dropped_before(&read), 0);
    }
}
