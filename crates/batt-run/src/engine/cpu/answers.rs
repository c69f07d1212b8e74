//! Answers, read as soon as they are there.
//!
//! Hundreds of programs leave hundreds of grids for every sample. Held to the end of a block they would be
//! most of what a worker holds, and of what is moved when memory is given back. So a block stops after
//! every step that computes an answer, and what no other program reads is dropped there.

use batt_lang::graph::SlotId;
use rustc_hash::FxHashMap as HashMap;

use super::step::Step;
use crate::engine::effects::Effects;

/// Where a block stops, and what is read there.
pub struct Answers {
    pub stops: Vec<Stop>,
    /// What is read at the end, by its place among the roots: what no step of a block computes.
    pub rest: Vec<usize>,
}

/// Some answers are there.
pub struct Stop {
    /// Steps that have run by then.
    pub steps: usize,
    /// Which answers, by their places among the roots.
    pub places: Vec<usize>,
    /// Columns that nothing reads any more.
    pub drop: Vec<SlotId>,
}

/// Finds where the answers are there, and lets the steps drop what they are the last to read.
pub fn answers(steps: &mut Vec<Step>, roots: &[SlotId]) -> Answers {
    let mut wanted: HashMap<SlotId, Vec<usize>> = HashMap::default();
    for (place, root) in roots.iter().enumerate() {
        wanted.entry(*root).or_default().push(place);
    }
    let mut last: HashMap<SlotId, usize> = HashMap::default();
    for (at, step) in steps.iter().enumerate() {
        step.reads(|slot| {
            if wanted.contains_key(&slot) {
                last.insert(slot, at);
            }
        });
    }
    let (mut out, mut stops) = (Vec::with_capacity(steps.len()), Vec::new());
    for (at, step) in steps.drain(..).enumerate() {
        let (mut made, mut done) = (Vec::new(), Vec::new());
        step.fills(|slot| {
            made.extend(wanted.remove(&slot).map(|places| (slot, places)));
        });
        // What it reads for the last time was made, and answered, before.
        step.reads(|slot| {
            if last.get(&slot) == Some(&at) && !wanted.contains_key(&slot) {
                last.remove(&slot);
                done.push(slot);
            }
        });
        out.push(step);
        out.extend(done.into_iter().map(Step::Drop));
        if !made.is_empty() {
            let unread = made.iter().map(|(slot, _)| *slot).filter(|slot| !last.contains_key(slot));
            stops.push(Stop {
                steps: out.len(),
                drop: unread.collect(),
                places: made.into_iter().flat_map(|(_, places)| places).collect(),
            });
        }
    }
    *steps = out;
    let mut rest: Vec<usize> = wanted.into_values().flatten().collect();
    rest.sort_unstable();
    Answers { stops, rest }
}

#[cfg(test)]
mod tests {
    use batt_cpu::Set;
    use batt_lang::card::Options;
    use batt_lang::graph::Root;

    use super::super::plan::Plan;
    use super::super::plan::tests::dealt;
    use super::*;
    use crate::engine::Phase;
    use crate::engine::check::Refused;

    #[test]
    fn answers_are_read_once_and_dropped_when_nothing_reads_them() {
        let battery = dealt(
            "def first(S, I):\n    O = hmirror(I)\n    return O\n\n\
             def second(S, I):\n    x1 = hmirror(I)\n    O = vmirror(x1)\n    return O\n\n\
             def third(S, I):\n    O = identity(I)\n    return O\n",
            Options::default(),
        );
        let mut plan =
            Plan::new(&battery, Phase::Outputs.pass(&battery), Set::Portable, &Refused::default());
        let roots = Phase::Outputs.roots(&battery);
        let steps = &mut plan.steps[Root::Sample as usize];
        let Answers { stops, rest } = answers(steps, &roots);
        let read: Vec<usize> = stops.iter().flat_map(|stop| stop.places.clone()).collect();
        assert_eq!((read, rest), (vec![0, 1], vec![2]));
        // The second program reads what the first one gives.
        assert_eq!(stops[0].drop, []);
        assert_eq!(stops[1].drop, [roots[1]]);
        let dropped: Vec<SlotId> = steps
            .iter()
            .filter_map(|step| match step {
                Step::Drop(slot) => Some(*slot),
                _ => None,
            })
            .collect();
        assert_eq!(dropped, [roots[0]]);
        assert_eq!(stops[1].steps, steps.len());
    }
}
