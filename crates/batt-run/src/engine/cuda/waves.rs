//! Steps put together that need nothing of each other.
//!
//! A launch costs some microseconds, and takes as long as its slowest row; a count of rows that the host
//! waits for costs more. So steps run in waves: all that need only what earlier waves made. In a wave,
//! the columns of one primitive are one launch, and the counts of all frames that it opens are waited for
//! together.

use batt_core::columns::MOST_CALLS;
use batt_lang::graph::FrameId;

use super::step::{CallStep, OpenStep, Step, frames_of};
use crate::engine::effects::{Effect, Effects};

/// The steps of a block in waves; `slots` and `frames` are how many there are.
pub fn in_waves(steps: Vec<Step>, slots: usize, frames: usize) -> Vec<Step> {
    let mut known = Known {
        made: vec![0; slots],
        used: vec![0; slots],
        opened: vec![0; frames],
        left: vec![0; frames],
    };
    let mut waves: Vec<Wave> = Vec::new();
    for step in steps {
        let at = known.wave_of(&step);
        if waves.len() <= at {
            waves.resize_with(at + 1, Wave::default);
        }
        waves[at].add(step);
    }
    waves.into_iter().flat_map(Wave::steps).collect()
}

/// The last waves, from 1, in which something happened; 0 where nothing did.
struct Known {
    /// Where a slot's column is made,
    made: Vec<usize>,
    /// and where it is used.
    used: Vec<usize>,
    /// Where a frame is opened,
    opened: Vec<usize>,
    /// and where it is used.
    left: Vec<usize>,
}

impl Known {
    /// The wave of a step, from 0.
    fn wave_of(&mut self, step: &Step) -> usize {
        match step {
            Step::Drop(slot) => return self.used[slot.index()].saturating_sub(1),
            Step::Leave(frame) => return self.left[frame.index()].saturating_sub(1),
            _ => {}
        }
        let mut after = 0;
        step.reads(|slot| after = after.max(self.made[slot.index()]));
        frames_of(step, &mut |frame| after = after.max(self.opened[frame.index()]));
        let wave = after + 1;
        step.reads(|slot| self.used[slot.index()] = self.used[slot.index()].max(wave));
        step.fills(|slot| {
            self.made[slot.index()] = wave;
            self.used[slot.index()] = self.used[slot.index()].max(wave);
        });
        frames_of(step, &mut |frame| self.left[frame.index()] = self.left[frame.index()].max(wave));
        opens(step, &mut |frame| self.opened[frame.index()] = wave);
        wave - 1
    }
}

/// What runs at the same time.
#[derive(Default)]
struct Wave {
    calls: Vec<Vec<CallStep>>,
    others: Vec<Step>,
    opens: Vec<OpenStep>,
    /// What is given back after them.
    ends: Vec<Step>,
}

impl Wave {
    fn add(&mut self, step: Step) {
        match step {
            Step::Calls(calls) => calls.into_iter().for_each(|call| self.call(call)),
            Step::Opens(opens) => self.opens.extend(opens),
            Step::Drop(_) | Step::Leave(_) => self.ends.push(step),
            other => self.others.push(other),
        }
    }

    fn call(&mut self, call: CallStep) {
        let fits = |group: &&mut Vec<CallStep>| {
            group.len() < MOST_CALLS && group.first().is_some_and(|one| one.kernel == call.kernel)
        };
        match self.calls.iter_mut().find(fits) {
            Some(group) => group.push(call),
            None => self.calls.push(vec![call]),
        }
    }

    /// Frames are opened last, so that the device has something to do while the host waits for it.
    fn steps(self) -> impl Iterator<Item = Step> {
        let opens = if self.opens.is_empty() { None } else { Some(Step::Opens(self.opens)) };
        self.calls.into_iter().map(Step::Calls).chain(self.others).chain(opens).chain(self.ends)
    }
}

/// Calls `see` with every frame that a step opens, also for a while.
fn opens(step: &Step, see: &mut impl FnMut(FrameId)) {
    step.effects(&mut |_, effect| {
        if let Effect::Opens { frame, .. } = effect {
            see(frame);
        }
    });
}

#[cfg(test)]
mod tests {
    use batt_lang::battery::Battery;
    use batt_lang::card::{Card, Options};
    use batt_lang::graph::{Root, SlotId};
    use batt_ptx::Emulator;

    use super::*;
    use crate::engine::Phase;
    use crate::engine::check::Refused;
    use crate::engine::cuda::plan::Plan;
    use crate::engine::shortcuts::Roots;
    use crate::programs;

    fn battery() -> Battery {
        let mut card = Card::new(Options::default());
        for program in programs::parsed() {
            card.add(&program);
        }
        card.deal()
    }

    fn plan(battery: &Battery, apart: bool) -> Plan {
        let device = Emulator::new(1 << 20).unwrap();
        let roots = Roots::outputs(battery);
        let refused = Refused::default();
        Plan::new(battery, Phase::Outputs.pass(battery), &roots, &device, apart, &refused).unwrap()
    }

    fn made(steps: &[Step]) -> Vec<SlotId> {
        let mut all = Vec::new();
        for step in steps {
            step.fills(|slot| all.push(slot));
        }
        all.sort_unstable();
        all
    }

    #[test]
    fn waves_make_the_same_in_fewer_launches() {
        let battery = battery();
        let [alone, waves] = [true, false].map(|apart| plan(&battery, apart));
        for (alone, waves) in alone.steps.iter().zip(&waves.steps) {
            assert_eq!(made(alone), made(waves));
        }
        let launches = |plan: &Plan| {
            let steps = plan.steps[Root::Sample as usize].iter();
            steps.filter(|step| matches!(step, Step::Calls(_) | Step::Opens(_))).count()
        };
        let [fewer, all] = [launches(&waves), launches(&alone)];
        assert!(4 * fewer < 3 * all, "{fewer} of {all}");
    }
}
