//! Passes: what some roots need, as instructions in an order of evaluation.

use crate::graph::{Def, FrameId, FrameKind, Frames, Root, Slot, SlotId};

/// One step of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instr {
    /// Opens an element frame: one row for every item of its containers.
    Open(FrameId),
    /// Computes a slot for every row of its frame.
    Eval(SlotId),
    /// Computes a `power`: the block runs once for every step.
    Repeat(SlotId, Vec<Instr>),
    /// The slot is not read any more.
    Drop(SlotId),
}

/// What passes are made of.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub slots: &'a [Slot],
    pub frames: &'a Frames,
}

impl<'a> Parts<'a> {
    fn slot(self, id: SlotId) -> &'a Slot {
        &self.slots[id.index()]
    }
}

/// The instructions that some roots need.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    roots: Vec<SlotId>,
    needed: Vec<bool>,
    constant: Vec<Instr>,
    task: Vec<Instr>,
    sample: Vec<Instr>,
}

impl Pass {
    pub(super) fn new(graph: Parts<'_>, roots: &[SlotId]) -> Pass {
        let needed = needed(graph, roots);
        let mut writer =
            Writer { graph, open: vec![false; graph.frames.len()], blocks: vec![Vec::new()] };
        writer.blocks.resize(graph.frames.len(), Vec::new());
        for at in (0..graph.slots.len()).filter(|at| needed[*at]) {
            writer.write(SlotId(at as u32));
        }
        let mut take = |id: FrameId| std::mem::take(&mut writer.blocks[id.index()]);
        let (constant, task, sample) =
            (take(FrameId::CONSTANT), take(FrameId::TASK), take(FrameId::SAMPLE));
        let sample = with_drops(graph, sample, roots);
        Pass { roots: roots.to_vec(), needed, constant, task, sample }
    }

    /// The slots that are asked for.
    pub fn roots(&self) -> &[SlotId] {
        &self.roots
    }

    /// Whether a slot is needed.
    pub fn needs(&self, slot: SlotId) -> bool {
        self.needed.get(slot.index()).copied().unwrap_or(false)
    }

    /// What is computed once per battery, task or sample.
    pub fn instrs(&self, root: Root) -> &[Instr] {
        match root {
            Root::Constant => &self.constant,
            Root::Task => &self.task,
            Root::Sample => &self.sample,
        }
    }
}

/// Dead-slot removal: only what the roots need is evaluated.
fn needed(graph: Parts<'_>, roots: &[SlotId]) -> Vec<bool> {
    let mut needed = vec![false; graph.slots.len()];
    for root in roots {
        needed[root.index()] = true;
    }
    for at in (0..needed.len()).rev() {
        if needed[at] {
            graph.slots[at].def.for_each_arg(graph.frames, |arg| needed[arg.index()] = true);
        }
    }
    needed
}

/// Writes instructions in the order of slots, which is an order of evaluation and keeps each
/// program's slots together.
struct Writer<'a> {
    graph: Parts<'a>,
    open: Vec<bool>,
    /// Instructions by the frame whose block they are in: a root frame, or a `power`'s.
    blocks: Vec<Vec<Instr>>,
}

impl Writer<'_> {
    fn write(&mut self, id: SlotId) {
        let slot = self.graph.slot(id);
        match &slot.def {
            Def::Input(_) | Def::Value(_) => return,
            Def::Element { frame, .. } => {
                self.open(*frame);
                return;
            }
            Def::Close { run, .. } => self.open(run.frame),
            _ => self.open(slot.frame),
        }
        let instr = match &slot.def {
            Def::Repeat { run, .. } => {
                Instr::Repeat(id, std::mem::take(&mut self.blocks[run.frame.index()]))
            }
            _ => Instr::Eval(id),
        };
        self.block(slot.frame).push(instr);
    }

    /// Opens a frame, its parents and its base first.
    fn open(&mut self, id: FrameId) {
        let frame = self.graph.frames.get(id);
        if frame.depth == 0 || frame.kind == FrameKind::Step || self.open[id.index()] {
            return;
        }
        self.open[id.index()] = true;
        let (parent, base) = (frame.parent, frame.base);
        self.open(parent);
        if let Some(base) = base {
            self.open(base);
        }
        self.block(parent).push(Instr::Open(id));
    }

    fn block(&mut self, frame: FrameId) -> &mut Vec<Instr> {
        let home =
            self.graph.frames.step_of(frame).unwrap_or(match self.graph.frames.get(frame).root {
                Root::Constant => FrameId::CONSTANT,
                Root::Task => FrameId::TASK,
                Root::Sample => FrameId::SAMPLE,
            });
        &mut self.blocks[home.index()]
    }
}

/// Adds a drop after each slot's last use. Blocks of `power` keep their columns: they run again.
fn with_drops(graph: Parts<'_>, instrs: Vec<Instr>, roots: &[SlotId]) -> Vec<Instr> {
    let items = items_by_frame(graph);
    let mut keep = vec![false; graph.slots.len()];
    for root in roots {
        keep[root.index()] = true;
    }
    let mut dropped: Vec<Vec<SlotId>> = vec![Vec::new(); instrs.len()];
    for (at, instr) in instrs.iter().enumerate().rev() {
        for_each_use(graph, &items, instr, &mut |slot| {
            let s = graph.slot(slot);
            let here = graph.frames.get(s.frame).root == Root::Sample
                && graph.frames.step_of(s.frame).is_none();
            let computed = !matches!(s.def, Def::Input(_) | Def::Value(_));
            if here && computed && !keep[slot.index()] {
                keep[slot.index()] = true;
                dropped[at].push(slot);
            }
        });
    }
    let mut out = Vec::with_capacity(instrs.len() * 2);
    for (instr, drops) in instrs.into_iter().zip(dropped) {
        out.push(instr);
        out.extend(drops.into_iter().map(Instr::Drop));
    }
    out
}

/// The slot of each frame's items, of the first container where there are two.
fn items_by_frame(graph: Parts<'_>) -> Vec<Option<SlotId>> {
    let mut items = vec![None; graph.frames.len()];
    for (at, slot) in (0..).zip(graph.slots) {
        if let Def::Element { frame, which: 0 } = slot.def {
            items[frame.index()] = Some(SlotId(at));
        }
    }
    items
}

/// Calls `see` with every slot that an instruction reads. Closing a loop may pick items, so it reads
/// those of its frame too.
fn for_each_use(
    graph: Parts<'_>,
    items: &[Option<SlotId>],
    instr: &Instr,
    see: &mut impl FnMut(SlotId),
) {
    match instr {
        Instr::Open(frame) => {
            graph.frames.get(*frame).kind.containers().iter().for_each(|s| see(*s));
            graph.frames.whole(*frame).into_iter().for_each(&mut *see);
            // The rows of a base are kept as long as its items.
            let base = graph.frames.get(*frame).base.map(|base| graph.frames.items(base));
            base.and_then(|base| items[base.index()]).into_iter().for_each(&mut *see);
        }
        Instr::Eval(slot) => {
            let def = &graph.slot(*slot).def;
            def.for_each_arg(graph.frames, &mut *see);
            if let Def::Close { run, .. } = def {
                items[graph.frames.items(run.frame).index()].into_iter().for_each(see);
            }
        }
        Instr::Repeat(slot, block) => {
            graph.slot(*slot).def.for_each_arg(graph.frames, &mut *see);
            for instr in block {
                for_each_use(graph, items, instr, see);
            }
        }
        Instr::Drop(_) => {}
    }
}
