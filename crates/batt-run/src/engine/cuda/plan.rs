//! A pass made ready for a device.

use batt_core::Shortcut;
use batt_core::columns::{
    AS_SET, AS_TUPLE, BUT, BY_PLACE, EACH, EXACT, EXTRA, EXTRA_IF_EMPTY, FORM, LEAST, MOST_AROUND,
    MOST_CLOSED, MOST_LISTED, OF_RESULTS, OP_SHIFT, PRODUCT, WHOLE, ZIP, suffix,
};
use batt_core::ops::alone::{Alone, Build};
use batt_cuda::{Device, Failure, by_thread};
use batt_lang::battery::{Battery, Instr, Pass};
use batt_lang::graph::{Def, FrameId, FrameKind, Loop, Root, SlotId};
use batt_lang::ops::Role;
use batt_lang::{Op, Prim};

use super::pieces::ByPieces;
use super::session::{By, FEW};
use super::step::{Base, CallStep, CloseStep, OpenStep, RepeatStep, Step, frames_of};
use super::waves::in_waves;
use crate::engine::check::{Check, Inconsistent, Layout, Refused};
use crate::engine::cpu::nests::{self, Nests, Size};
use crate::engine::drawn::Drawn;
use crate::engine::forms::Form;
use crate::engine::rewrites::{How, Late, Rewrites};
use crate::engine::seen::{Seen, Via};
use crate::engine::shortcuts::{Roots, Short};

/// A pass made ready.
pub struct Plan {
    /// The steps of each root.
    pub steps: [Vec<Step>; 3],
    /// Which slots' bodies must be counted: they run inside other loops.
    pub counted: Vec<bool>,
    /// By frame, which ancestors its rows must know, as bits: 1 for the parent.
    pub above: Vec<u64>,
    /// By frame, how many levels there are before its base's.
    pub seen: Vec<usize>,
    /// What is reported, as samples see it.
    pub roots: Vec<Seen>,
    /// By root, whether it is a score alone.
    pub alone: Vec<bool>,
}

/// As [`FEW`] for closing loops: what is left for the warp may take long there.
const FEW_CLOSED: u32 = 4;

/// Who closes the rows of a loop, by kernel.
fn closed_by(kernel: &str) -> By {
    match kernel {
        "close_apply" | "close_merge" | "close_filter" | "close_filter_merge" | "close_extract"
        | "close_order" | "close_extremum" => By::Either(FEW_CLOSED),
        _ => By::Warp,
    }
}

/// Who computes the rows of a primitive.
fn by(name: &str) -> By {
    if by_thread(name) {
        By::Thread
    } else if Alone::of(name).is_some() || Build::of(name).is_some() {
        By::Either(FEW)
    } else {
        By::Warp
    }
}

impl Plan {
    /// A pass made ready for a device; with `apart`, one step at a time, so that each can be timed. What
    /// is refused is handed back.
    pub fn new(
        battery: &Battery,
        pass: &Pass,
        roots: &Roots,
        device: &dyn Device,
        apart: bool,
        refused: &Refused,
    ) -> Result<Plan, Failure> {
        let drawn = Drawn::new(battery, pass);
        let rewrites = Rewrites::new(battery, pass, &drawn, false, refused);
        let mut planner = Planner {
            battery,
            nests: Nests::new(battery),
            late: Late::new(&rewrites),
            unread: Vec::new(),
            blocks: 0,
            rewrites,
            drawn,
            filled: vec![false; battery.slot_count()],
            device,
            counted: vec![false; battery.slot_count()],
            above: vec![0; battery.frames().len()],
        };
        let mut steps = [Vec::new(), Vec::new(), Vec::new()];
        for (to, root) in steps.iter_mut().zip([Root::Constant, Root::Task, Root::Sample]) {
            *to = with_leaves(planner.steps(pass.instrs(root))?, battery);
            if !apart {
                let steps = std::mem::take(to);
                *to = in_waves(steps, battery.slot_count(), battery.frames().len());
            }
        }
        let alone = roots.alone.clone();
        let roots = planner.seen(&roots.slots, FrameId::SAMPLE);
        let Planner { counted, mut above, .. } = planner;
        // What is further out is found through the parent; a base comes last and is not.
        for at in (0..above.len()).rev() {
            let frame = battery.frames().get(FrameId(at as u32));
            if frame.depth > 0 {
                let through = battery.frames().seen_from(frame.parent).len() + 1;
                above[frame.parent.index()] |= above[at] >> 1 & ((1 << through) - 1);
            }
        }
        let frames = battery.frames();
        let seen = (0..frames.len() as u32).map(|id| frames.seen_from(FrameId(id)).len()).collect();
        Ok(Plan { steps, counted, above, seen, roots, alone })
    }

    /// Checks that all steps find what they read, and that the results are there at the end.
    pub fn check(&self, battery: &Battery) -> Result<(), Inconsistent> {
        let mut check = Check::new(battery, Layout::Device, &self.above, &self.counted);
        self.steps.iter().try_for_each(|steps| check.steps(steps))?;
        self.roots.iter().try_for_each(|root| check.result(*root))
    }
}

/// Adds a step after each frame's last use. Those of a `power` stay: they are opened again.
fn with_leaves(steps: Vec<Step>, battery: &Battery) -> Vec<Step> {
    let mut seen = vec![false; battery.frames().len()];
    let mut out = Vec::with_capacity(steps.len());
    for step in steps.into_iter().rev() {
        let mut last = Vec::new();
        frames_of(&step, &mut |frame| {
            let info = battery.frames().get(frame);
            let opened_here = info.depth > 0 && battery.frames().step_of(frame).is_none();
            if opened_here && !std::mem::replace(&mut seen[frame.index()], true) {
                last.push(Step::Leave(frame));
            }
        });
        out.extend(last);
        out.push(step);
    }
    out.reverse();
    out
}

struct Planner<'a> {
    battery: &'a Battery,
    nests: Nests,
    rewrites: Rewrites,
    late: Late,
    /// Slots that a block was the last to read: it may read them again.
    unread: Vec<SlotId>,
    /// How many blocks of `power` the steps are in.
    blocks: u32,
    drawn: Drawn,
    /// By slot, whether its column is filled by a step so far.
    filled: Vec<bool>,
    device: &'a dyn Device,
    counted: Vec<bool>,
    above: Vec<u64>,
}

impl Planner<'_> {
    fn steps(&mut self, instrs: &[Instr]) -> Result<Vec<Step>, Failure> {
        let mut steps = Vec::with_capacity(instrs.len());
        for instr in instrs {
            match instr {
                Instr::Open(frame) if self.rewrites.is_gone(*frame) => {}
                Instr::Open(frame) => steps.push(self.open(*frame)),
                Instr::Drop(slot) => steps.extend(self.late.dropped(*slot).map(Step::Drop)),
                Instr::Eval(slot) | Instr::Repeat(slot, _) if self.rewrites.is_idle(*slot) => {}
                Instr::Eval(slot) => {
                    steps.push(self.eval(*slot)?);
                    self.filled[slot.index()] = true;
                    self.unread.extend(self.late.computed(&self.rewrites, *slot));
                }
                Instr::Repeat(slot, block) => steps.push(self.repeat(*slot, block)?),
            }
            if self.blocks == 0 {
                steps.extend(self.unread.drain(..).map(Step::Drop));
            }
        }
        Ok(steps)
    }

    fn open(&mut self, frame: FrameId) -> Step {
        let frames = self.battery.frames();
        let info = frames.get(frame);
        let base = info.base.map(|frame| {
            let outside = frames.get(frame).parent;
            Base { frame, outside, level: self.place(info.parent, outside) }
        });
        let whole = frames.whole(frame).map(|whole| self.see(whole, info.parent));
        let (around, counts) = self.around(frame, info.parent);
        let bare = self.rewrites.is_bare(frame);
        let pairs = self.rewrites.pairs(self.battery, frame);
        Step::Opens(vec![OpenStep {
            frame,
            parent: info.parent,
            product: pairs.is_some() || matches!(info.kind, FrameKind::Product(_)),
            over: match pairs {
                Some(both) => self.seen(&both, info.parent),
                None => self.seen(info.kind.containers(), info.parent),
            },
            elements: if bare {
                [None; 2]
            } else {
                [self.battery.element(frame, 0), self.battery.element(frame, 1)]
            },
            bare,
            base,
            whole,
            around,
            counts,
        }])
    }

    /// The frames around one, or a longer chain of loops that run bodies in it; and whether the
    /// frame's own rows count too.
    fn around(&mut self, frame: FrameId, parent: FrameId) -> (Vec<(u32, [Seen; 2])>, bool) {
        let mut sizes = nests::sizes(self.battery, frame).unwrap_or_default();
        let chain = self.nests.chain(self.battery, frame);
        let own = chain.len() <= sizes.len();
        if own {
            // The frame's own containers come first.
            sizes.drain(..1.min(sizes.len()));
        } else {
            sizes = chain;
        }
        sizes.truncate(MOST_AROUND);
        let outside = sizes.into_iter().map(|size| {
            let (kind, containers) = match size {
                Size::Each(a) => (EACH, [a, a]),
                Size::But(a) => (BUT, [a, a]),
                Size::Zip(a, b) => (ZIP, [a, b]),
                Size::Product(a, b) => (PRODUCT, [a, b]),
            };
            (kind, containers.map(|slot| self.see(slot, parent)))
        });
        (outside.collect(), own)
    }

    fn eval(&mut self, out: SlotId) -> Result<Step, Failure> {
        let battery = self.battery;
        let slot = battery.slot(out);
        let frame = slot.frame;
        match self.rewrites.how(out) {
            How::Fails => return Ok(Step::Fill { out, frame, fails: true }),
            How::Refused => return Ok(Step::Fill { out, frame, fails: false }),
            How::Short(short) => {
                let short = short.clone();
                return self.short(out, &short);
            }
            How::Form(_) | How::Plain => {}
        }
        Ok(match &slot.def {
            Def::Call { prim, args } if prim.info().role != Role::Runs => {
                Step::Calls(vec![CallStep {
                    out,
                    frame,
                    kernel: match by(prim.info().name) {
                        By::Thread => self.device.kernel("plain")?,
                        _ => self.device.kernel(&format!("{:?}", prim.op))?,
                    },
                    by: by(prim.info().name),
                    args: self.seen(args, frame),
                    suffix: suffix::NONE | (prim.op as u32) << OP_SHIFT,
                    suffixed: 0,
                }])
            }
            Def::Select { condition, then, other, guards } => {
                let mut list = self.seen(&[*condition, *then, *other], frame);
                list.extend(self.seen(guards, frame));
                if list.len() > MOST_LISTED {
                    return Ok(Step::Fill { out, frame, fails: false });
                }
                Step::Choose { out, frame, list, guards: guards.len() as u32 }
            }
            Def::Collect { set, items, guards, nested } => {
                let mut list = self.seen(items, frame);
                list.extend(self.seen(guards, frame));
                list.extend(self.count(nested, frame));
                if list.len() > MOST_LISTED {
                    return Ok(Step::Fill { out, frame, fails: false });
                }
                let counts = [items.len(), guards.len(), nested.len()].map(|n| n as u32);
                Step::Collect { out, frame, set: *set, list, counts }
            }
            Def::OrElse { value, .. } => {
                Step::OrElse { out, frame, value: self.see(*value, frame) }
            }
            Def::Fail(_) => Step::Fill { out, frame, fails: true },
            Def::Close { prim, container, extra, run } => {
                self.close(out, *prim, *container, *extra, run)?
            }
            _ => Step::Fill { out, frame, fails: false },
        })
    }

    /// What is only counted, by a kernel of its own.
    fn short(&mut self, out: SlotId, short: &Short) -> Result<Step, Failure> {
        let kernel = match short.what {
            Shortcut::Specks => "specks",
            Shortcut::Colors => "colors",
            Shortcut::Shared => "count_shared",
            Shortcut::Apart => "count_apart",
            Shortcut::Alike => "count_alike",
            Shortcut::Area => "count_cells",
            Shortcut::Pairs => "count_pairs",
            Shortcut::Larger => "larger",
            Shortcut::Call1 => "call1",
            Shortcut::Call2 => "call2",
            Shortcut::Call3 => "call3",
            Shortcut::Looped => "looped",
            Shortcut::Picked => "picked",
            Shortcut::Paired => "paired",
            Shortcut::Rapplied => "rapplied",
            Shortcut::Shot => "shot",
        };
        let by = match short.what {
            Shortcut::Colors
            | Shortcut::Shared
            | Shortcut::Apart
            | Shortcut::Alike
            | Shortcut::Area => By::Either(FEW),
            _ => By::Warp,
        };
        let (kernel, frame) = (self.device.kernel(kernel)?, self.battery.slot(out).frame);
        let args = self.seen(&short.reads, frame);
        let call = CallStep { out, frame, kernel, by, args, suffix: suffix::NONE, suffixed: 0 };
        Ok(Step::Calls(vec![call]))
    }

    fn close(
        &mut self,
        out: SlotId,
        prim: Prim,
        container: SlotId,
        extra: Option<SlotId>,
        run: &Loop,
    ) -> Result<Step, Failure> {
        let frame = self.battery.frames().get(run.frame).clone();
        let parent = frame.parent;
        let form = self.rewrites.form(out);
        let pairs = match form {
            Some(Form::PairLines { a, b }) => Some([a, b]),
            _ => None,
        };
        let over = pairs.as_ref().map_or(frame.kind.containers(), |both| &both[..]);
        let container = pairs.map_or(container, |[a, _]| a);
        let mut list = self.seen(&run.guards, parent);
        list.extend(self.seen(over, parent));
        list.extend(self.count(&run.nested, run.frame));
        let (Some((mut kernel, mut flags)), true) = (closer(prim.op), list.len() <= MOST_CLOSED)
        else {
            return Ok(Step::Fill { out, frame: parent, fails: false });
        };
        if self.rewrites.is_heap(out) {
            kernel = "close_heap";
        }
        let mut from = extra;
        if let Some(form) = form {
            (kernel, from) = match form {
                Form::Stamps { patch } => ("close_stamps", Some(patch)),
                Form::Copies { patch } => ("close_copies", Some(patch)),
                Form::Lines => ("close_lines", over.get(1).copied()),
                Form::PairLines { b, .. } => ("close_pair_lines", Some(b)),
                // It is not asked for: it reads two values.
                Form::Fits { .. } => return Ok(Step::Fill { out, frame: parent, fails: false }),
                Form::Nearest { from } => ("close_nearest", Some(from)),
                Form::Shots { direction } => ("close_shots", Some(direction)),
                Form::OfColor { color } => ("close_of_color", Some(color)),
                Form::OfColors { colors } => ("close_of_colors", Some(colors)),
            };
            flags |= FORM;
        }
        let product = pairs.is_some() || matches!(frame.kind, FrameKind::Product(_));
        if frame.depth == 1 && product {
            flags |= EXACT;
        }
        if self.nests.is_whole(out) {
            flags |= WHOLE;
        }
        // A base's items are no column of this frame, so they are taken from the container.
        let by_place = over.first() != Some(&container) || frame.base.is_some();
        if by_place && flags & FORM == 0 {
            flags |= BY_PLACE;
        }
        if extra.is_some() {
            let only_empty = matches!(prim.op, Op::Valmax | Op::Valmin);
            flags |= EXTRA | if only_empty { EXTRA_IF_EMPTY } else { 0 };
        }
        // What is drawn on may be made later than what is drawn.
        let onto = self.rewrites.drawn_on(out).filter(|grid| self.is_filled(*grid));
        Ok(Step::Close(CloseStep {
            out,
            kernel: self.device.kernel(kernel)?,
            by: closed_by(kernel),
            pieces: ByPieces::of(kernel, flags, self.device)?,
            frame: run.frame,
            parent,
            suffix: suffix::NONE,
            flags,
            container: self.see(container, parent),
            extra: from.map(|e| self.see(e, parent)),
            onto: onto.map(|grid| self.see(grid, parent)),
            most: self.drawn.most(out).unwrap_or(u32::MAX),
            body: self.see(run.body, run.frame),
            element: self.battery.element(run.frame, 0),
            counts: [run.guards.len(), over.len(), run.nested.len()].map(|n| n as u32),
            list,
        }))
    }

    fn is_filled(&self, slot: SlotId) -> bool {
        self.filled[slot.index()]
            || matches!(self.battery.def(slot), Def::Input(_) | Def::Value(_) | Def::Element { .. })
    }

    fn repeat(&mut self, out: SlotId, block: &[Instr]) -> Result<Step, Failure> {
        let battery = self.battery;
        let refused = self.rewrites.how(out) == How::Refused;
        let (Def::Repeat { start, times, run }, false) = (battery.def(out), refused) else {
            return Ok(Step::Fill { out, frame: battery.slot(out).frame, fails: false });
        };
        let parent = battery.frames().get(run.frame).parent;
        let mut list = self.seen(&[*times, *start], parent);
        list.extend(self.seen(&run.guards, parent));
        if list.len() > MOST_LISTED || run.nested.len() > MOST_LISTED {
            return Ok(Step::Fill { out, frame: parent, fails: false });
        }
        self.above[run.frame.index()] |= 1;
        self.blocks += 1;
        let block = self.steps(block);
        self.blocks -= 1;
        Ok(Step::Repeat(RepeatStep {
            out,
            frame: run.frame,
            parent,
            list,
            current: battery.element(run.frame, 0),
            body: self.see(run.body, run.frame),
            nested: self.count(&run.nested, run.frame),
            block: block?,
        }))
    }

    fn count(&mut self, nested: &[SlotId], frame: FrameId) -> Vec<Seen> {
        for slot in nested {
            self.counted[slot.index()] = true;
        }
        self.seen(nested, frame)
    }

    fn seen(&mut self, slots: &[SlotId], frame: FrameId) -> Vec<Seen> {
        slots.iter().map(|slot| self.see(*slot, frame)).collect()
    }

    fn see(&mut self, slot: SlotId, frame: FrameId) -> Seen {
        let frames = self.battery.frames();
        let home = self.battery.slot(slot).frame;
        let (here, there) = (frames.get(frame), frames.get(home));
        let via = if home == frame {
            Via::Same
        } else if there.root == Root::Constant && (here.root != Root::Constant || there.depth == 0)
        {
            Via::One
        } else if here.root == there.root {
            Via::Up(self.place(frame, home))
        } else {
            let task = here.depth as u8 + 1;
            self.above[frame.index()] |= 1 << (task - 1);
            Via::Up(task)
        };
        Seen { slot, via }
    }

    /// Where a frame finds another one that it sees; its rows are to know that.
    fn place(&mut self, frame: FrameId, other: FrameId) -> u8 {
        let frames = self.battery.frames();
        // A battery that is run as it was dealt reads only what it sees.
        let at = frames.place(frame, other).unwrap_or(0);
        // The task comes between the parents and the bases.
        let level = if at < frames.get(frame).depth as usize { at } else { at + 1 };
        self.above[frame.index()] |= 1 << level;
        level as u8 + 1
    }
}

/// The kernel that closes the loops of a primitive, and how.
fn closer(op: Op) -> Option<(&'static str, u32)> {
    Some(match op {
        Op::Apply => ("close_apply", 0),
        Op::Papply => ("close_apply", AS_TUPLE),
        Op::Prapply => ("close_apply", AS_SET),
        Op::Mapply => ("close_merge", 0),
        Op::Mpapply => ("close_merge", AS_TUPLE),
        Op::Sfilter => ("close_filter", 0),
        Op::Mfilter => ("close_filter_merge", 0),
        Op::Extract => ("close_extract", 0),
        Op::Order => ("close_order", 0),
        Op::Argmax => ("close_extremum", 0),
        Op::Argmin => ("close_extremum", LEAST),
        Op::Valmax => ("close_extremum", OF_RESULTS),
        Op::Valmin => ("close_extremum", OF_RESULTS | LEAST),
        Op::GetNthByKeyT | Op::GetNthByKeyF => ("close_ranked", 0),
        Op::GetValRank => ("close_ranked", OF_RESULTS),
        Op::GetArgRank => ("close_ranked_down", 0),
        _ => return None,
    })
}
