//! A battery: many programs and differs as one list of instructions, which every engine runs.
//!
//! A battery has two passes over the same slots: the outputs, and the scores that compare with C.
//! A pass has one list of instructions for each root frame: what is computed once per battery,
//! once per task and once per sample. Instructions run a column at a time: an instruction computes
//! one slot for every row of its frame.

mod disassemble;
mod explain;
pub mod file;
mod pass;
mod picture;
mod stats;
mod svg;

use std::sync::Arc;

use std::collections::HashSet;

use crate::card::{Fusion, Options, ProgramId};
use crate::graph::work::Finder;
use crate::graph::{Def, FrameId, Frames, Graph, Nest, Slot, SlotId};
use crate::program::Input;

pub use explain::{Explanation, Modes, Repeated};
use pass::Parts;
pub use pass::{Instr, Pass};
pub use stats::Stats;

/// The source line of each slot of a program, by slot. Programs of one text share it.
pub type Lines = Arc<[(SlotId, u32)]>;

/// A program of a battery.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The task it names.
    pub task: Option<String>,
    /// Whether it was changed while it was dealt.
    pub mutated: bool,
    /// Its output.
    pub output: SlotId,
    /// The source line of each of its slots, by slot.
    pub lines: Lines,
}

impl Entry {
    /// The line that a slot was written on in this program.
    pub fn line_of(&self, slot: SlotId) -> Option<u32> {
        let at = self.lines.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        Some(self.lines[at].1)
    }
}

/// A score of a battery.
#[derive(Clone, Debug)]
pub struct ScoreEntry {
    /// The program whose output is scored; `None` scores the input itself.
    pub program: Option<ProgramId>,
    /// The differ's name.
    pub differ: String,
    /// Its value, a pair (score, detail).
    pub value: SlotId,
}

/// The merged program.
#[derive(Clone, Debug)]
pub struct Battery {
    options: Options,
    slots: Vec<Slot>,
    frames: Frames,
    /// For each frame, the slots of its items.
    elements: Vec<[Option<SlotId>; 2]>,
    programs: Vec<Entry>,
    scores: Vec<ScoreEntry>,
    /// Outermost loops, by slot.
    nests: Vec<(SlotId, Nest)>,
    fusions: Vec<Fusion>,
    outputs: Pass,
    scoring: Pass,
}

impl Battery {
    pub(crate) fn new(
        options: Options,
        graph: &Graph,
        finder: &Finder<'_>,
        (programs, scores): (&[Entry], &[ScoreEntry]),
        fusions: &[Fusion],
    ) -> Battery {
        let outputs: Vec<SlotId> = programs.iter().map(|p| p.output).collect();
        let scored: Vec<SlotId> = scores.iter().map(|s| s.value).collect();
        let mut elements = vec![[None; 2]; graph.frames.len()];
        for (at, slot) in (0..).zip(graph.slots()) {
            if let Def::Element { frame, which } = slot.def {
                elements[frame.index()][usize::from(which)] = Some(SlotId(at));
            }
        }
        let parts = Parts { slots: graph.slots(), frames: &graph.frames };
        let loops = (0..graph.slots().len() as u32).map(SlotId);
        let nests = loops.filter_map(|slot| Some((slot, finder.nest(slot)?))).collect();
        Battery {
            nests,
            elements,
            options,
            slots: graph.slots().to_vec(),
            frames: graph.frames.clone(),
            programs: programs.to_vec(),
            scores: scores.to_vec(),
            fusions: fusions.to_vec(),
            outputs: Pass::new(parts, &outputs),
            scoring: Pass::new(parts, &scored),
        }
    }

    /// The same slots with only some programs and scores, by their places; what the others alone need
    /// is not computed.
    #[must_use]
    pub fn only(&self, programs: &[usize], scores: &[usize]) -> Battery {
        let programs: Vec<Entry> =
            programs.iter().filter_map(|at| self.programs.get(*at).cloned()).collect();
        let scores: Vec<ScoreEntry> =
            scores.iter().filter_map(|at| self.scores.get(*at).cloned()).collect();
        let parts = Parts { slots: &self.slots, frames: &self.frames };
        let outputs: Vec<SlotId> = programs.iter().map(|p| p.output).collect();
        let scored: Vec<SlotId> = scores.iter().map(|s| s.value).collect();
        let (outputs, scoring) = (Pass::new(parts, &outputs), Pass::new(parts, &scored));
        Battery { programs, scores, outputs, scoring, ..self.clone() }
    }

    /// A pass that computes only these slots, and what they need.
    pub fn pass(&self, roots: &[SlotId]) -> Pass {
        Pass::new(Parts { slots: &self.slots, frames: &self.frames }, roots)
    }

    /// How it was dealt.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The slot with this id.
    pub fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }

    /// What a slot computes.
    pub fn def(&self, id: SlotId) -> &Def {
        &self.slots[id.index()].def
    }

    /// How many slots there are; ids are below this.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The slot of an input, if anything reads it.
    pub fn input(&self, input: Input) -> Option<SlotId> {
        let at = self.slots.iter().position(|slot| slot.def == Def::Input(input))?;
        Some(SlotId(at as u32))
    }

    /// The slot that holds the items of an element frame, if anything reads them.
    pub fn element(&self, frame: FrameId, which: u8) -> Option<SlotId> {
        self.elements.get(frame.index()).and_then(|slots| slots[usize::from(which)])
    }

    /// The slots that one slot needs, itself included, in no particular order.
    pub fn slots_of(&self, root: SlotId) -> Vec<SlotId> {
        let mut seen = HashSet::from([root]);
        let mut found = vec![root];
        let mut next = 0;
        while let Some(slot) = found.get(next).copied() {
            next += 1;
            self.def(slot).for_each_arg(&self.frames, |arg| {
                if seen.insert(arg) {
                    found.push(arg);
                }
            });
        }
        found
    }

    /// The outermost loops, by slot, and at most how much their bodies take.
    pub fn nests(&self) -> &[(SlotId, Nest)] {
        &self.nests
    }

    /// What is known of an outermost loop.
    pub fn nest(&self, slot: SlotId) -> Option<&Nest> {
        let at = self.nests.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        Some(&self.nests[at].1)
    }

    /// The frames.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// The programs, in the order they were added.
    pub fn programs(&self) -> &[Entry] {
        &self.programs
    }

    /// The scores, in the order they were added.
    pub fn scores(&self) -> &[ScoreEntry] {
        &self.scores
    }

    /// What the fusing rules did to slots that are still needed.
    pub fn fusions(&self) -> impl Iterator<Item = &Fusion> {
        self.fusions.iter().filter(|f| self.outputs.needs(f.slot) || self.scoring.needs(f.slot))
    }

    /// The pass that computes every program's output.
    pub fn outputs(&self) -> &Pass {
        &self.outputs
    }

    /// The pass that computes every score; C must be there.
    pub fn scoring(&self) -> &Pass {
        &self.scoring
    }
}
