//! A pass made ready: for every instruction where its arguments are found.

use batt_cpu::{Form, Kernel, Set, counter, kernel};
use batt_lang::battery::{Battery, Instr, Pass};
use batt_lang::graph::{Def, FrameId, FrameKind, Frames, Loop, Root, SlotId};
use batt_lang::ops::Role;
use batt_lang::{Prim, Value};

use super::answers::Answers;
use super::leasts::leasts;
use super::nests::{Nests, fixed};
use super::regions::nest;
use super::step::{Base, CallStep, CloseStep, CollectStep, OpenStep, RepeatStep, SelectStep, Step};
use crate::engine::check::{Check, Inconsistent, Layout, Refused};
use crate::engine::drawn::Drawn;
use crate::engine::forms;
use crate::engine::rewrites::{How, Late, Rewrites};
use crate::engine::seen::{Seen, Via};

/// A pass made ready.
pub struct Plan {
    /// The steps of each root.
    pub steps: [Vec<Step>; 3],
    /// Which slots' bodies must be counted: they run inside other loops.
    pub counted: Vec<bool>,
    /// By frame, which of the frames that it sees its rows must know, as bits.
    pub above: Vec<u64>,
}

impl Plan {
    /// A pass made ready; what is refused is handed back.
    pub fn new(battery: &Battery, pass: &Pass, set: Set, refused: &Refused) -> Plan {
        let drawn = Drawn::new(battery, pass);
        let rewrites = Rewrites::new(battery, pass, &drawn, true, refused);
        let mut planner = Planner {
            battery,
            set,
            late: Late::new(&rewrites),
            unread: Vec::new(),
            blocks: 0,
            rewrites,
            drawn,
            leasts: leasts(battery, pass),
            counted: vec![false; battery.slot_count()],
            above: vec![0; battery.frames().len()],
            nests: Nests::new(battery),
            filled: vec![false; battery.slot_count()],
        };
        let steps = [Root::Constant, Root::Task, Root::Sample].map(|root| {
            let steps = planner.steps(pass.instrs(root));
            nest(battery, steps)
        });
        let Planner { counted, mut above, .. } = planner;
        pass_up(battery.frames(), &mut above);
        Plan { steps, counted, above }
    }

    /// Checks that all steps find what they read, and that the roots are there when they are answered.
    pub fn check(
        &self,
        battery: &Battery,
        answers: &Answers,
        roots: &[SlotId],
    ) -> Result<(), Inconsistent> {
        let mut check = Check::new(battery, Layout::Cpu, &self.above, &self.counted);
        let [constant, task, sample] = &self.steps;
        check.steps(constant)?;
        check.steps(task)?;
        let root = |check: &mut Check<'_>, place: usize| {
            let slot = roots[place];
            // What needs no sample has one row for all of them.
            let own = battery.slot(slot).frame == FrameId::SAMPLE;
            check.result(Seen { slot, via: if own { Via::Same } else { Via::One } })
        };
        let mut from = 0;
        for stop in &answers.stops {
            check.steps(sample.get(from..stop.steps).unwrap_or_default())?;
            from = stop.steps;
            stop.places.iter().try_for_each(|place| root(&mut check, *place))?;
            stop.drop.iter().try_for_each(|slot| check.result_dropped(*slot))?;
        }
        answers.rest.iter().try_for_each(|place| root(&mut check, *place))
    }
}

/// Frames further out are found through the parent, so it must know them too.
fn pass_up(frames: &Frames, above: &mut [u64]) {
    for id in (0..above.len() as u32).rev().map(FrameId) {
        let frame = frames.get(id);
        if frame.depth > 0 {
            let through = frames.seen_from(frame.parent).len();
            above[frame.parent.index()] |= above[id.index()] >> 1 & ((1 << through) - 1);
        }
    }
}

struct Planner<'a> {
    battery: &'a Battery,
    set: Set,
    counted: Vec<bool>,
    above: Vec<u64>,
    nests: Nests,
    rewrites: Rewrites,
    drawn: Drawn,
    late: Late,
    /// Slots that a block was the last to read: it may read them again.
    unread: Vec<SlotId>,
    /// How many blocks of `power` the steps are in.
    blocks: u32,
    /// By frame, whether two keys of its base tell all.
    leasts: Vec<bool>,
    /// By slot, whether its column is filled by a step so far.
    filled: Vec<bool>,
}

impl Planner<'_> {
    fn steps(&mut self, instrs: &[Instr]) -> Vec<Step> {
        let mut steps = Vec::with_capacity(instrs.len());
        for instr in instrs {
            match instr {
                Instr::Open(frame) if self.rewrites.is_gone(*frame) => {}
                Instr::Open(frame) => steps.push(self.open(*frame)),
                Instr::Drop(slot) => steps.extend(self.late.dropped(*slot).map(Step::Drop)),
                Instr::Eval(slot) | Instr::Repeat(slot, _) if self.rewrites.is_idle(*slot) => {}
                Instr::Eval(slot) => {
                    steps.push(self.eval(*slot));
                    self.filled[slot.index()] = true;
                    self.unread.extend(self.late.computed(&self.rewrites, *slot));
                }
                Instr::Repeat(slot, block) => steps.push(self.repeat(*slot, block)),
            }
            if self.blocks == 0 {
                steps.extend(self.unread.drain(..).map(Step::Drop));
            }
        }
        steps
    }

    fn open(&mut self, frame: FrameId) -> Step {
        let frames = self.battery.frames();
        let info = frames.get(frame);
        let parent = info.parent;
        let items = frames.items(frame);
        let base = info.base.map(|base| {
            let whole = frames.whole(frame).map(|whole| self.see(whole, parent));
            self.base(base, parent, whole)
        });
        let (bare, gaps) = (self.rewrites.is_bare(frame), self.leasts[frame.index()]);
        let pairs = self.rewrites.pairs(self.battery, frame);
        let sample = (frames.get(parent).depth as usize).checked_sub(1);
        self.above[parent.index()] |= sample.map_or(0, |at| 1 << at);
        Step::Open(Box::new(OpenStep {
            frame,
            parent,
            product: pairs.is_some() || matches!(info.kind, FrameKind::Product(_)),
            over: match pairs {
                Some(both) => self.seen(&both, parent),
                None => self.seen(info.kind.containers(), parent),
            },
            elements: if bare {
                [None; 2]
            } else {
                [self.battery.element(items, 0), self.battery.element(items, 1)]
            },
            base,
            bare: bare || gaps,
            gaps,
            sample,
            inner: self.nests.inner(frame),
            own: self.nests.of(self.battery, frame),
        }))
    }

    fn eval(&mut self, out: SlotId) -> Step {
        let slot = self.battery.slot(out);
        let frame = slot.frame;
        match self.rewrites.how(out) {
            How::Fails => return Step::Fail { out, frame },
            How::Refused => return Step::HandBack { out, frame },
            How::Short(short) => {
                let short = short.clone();
                return Step::Call(self.call(counter(short.what, self.set), out, &short.reads));
            }
            How::Form(_) | How::Plain => {}
        }
        match &slot.def {
            Def::Call { prim, args } if prim.info().role != Role::Runs => {
                Step::Call(self.call(kernel(prim.op, self.set), out, args))
            }
            Def::Select { condition, then, other, guards } => Step::Select(Box::new(SelectStep {
                out,
                frame,
                condition: self.see(*condition, frame),
                then: self.see(*then, frame),
                other: self.see(*other, frame),
                guards: self.seen(guards, frame),
            })),
            Def::Collect { set, items, guards, nested } => {
                let (items, guards) = (self.seen(items, frame), self.seen(guards, frame));
                let (set, nested) = (*set, self.count(nested, frame));
                Step::Collect(Box::new(CollectStep { out, frame, set, items, guards, nested }))
            }
            Def::OrElse { value, .. } => {
                Step::OrElse { out, frame, value: self.see(*value, frame) }
            }
            Def::Fail(_) => Step::Fail { out, frame },
            Def::Close { prim, container, extra, run } => {
                self.close(out, *prim, *container, *extra, run)
            }
            _ => Step::HandBack { out, frame },
        }
    }

    /// A column that a kernel computes from others.
    fn call(&mut self, kernel: Kernel, out: SlotId, args: &[SlotId]) -> CallStep {
        let frame = self.battery.slot(out).frame;
        let seen = self.seen(args, frame);
        let none = Seen { slot: out, via: Via::One };
        CallStep {
            kernel,
            out,
            frame,
            args: std::array::from_fn(|i| seen.get(i).copied().unwrap_or(none)),
            len: seen.len().min(4) as u8,
            last: 0,
        }
    }

    fn close(
        &mut self,
        out: SlotId,
        prim: Prim,
        container: SlotId,
        extra: Option<SlotId>,
        run: &Loop,
    ) -> Step {
        let frame = self.battery.frames().get(run.frame).clone();
        let parent = frame.parent;
        let items = self.battery.frames().items(run.frame);
        let element = if frame.part { None } else { self.battery.element(items, 0) };
        let (mut container, mut over) = (container, frame.kind.containers().to_vec());
        let form = match (self.rewrites.form(out), &over[..]) {
            (Some(forms::Form::Stamps { patch }), _) => Some((Form::Stamps, patch)),
            (Some(forms::Form::Copies { patch }), _) => Some((Form::Copies, patch)),
            (Some(forms::Form::Lines), [_, second]) => Some((Form::Lines, *second)),
            (Some(forms::Form::Nearest { from }), _) => Some((Form::Nearest, from)),
            (Some(forms::Form::Shots { direction }), _) => Some((Form::Shots, direction)),
            (Some(forms::Form::Fits { patch, .. }), _) => Some((Form::Fits, patch)),
            (Some(forms::Form::OfColor { color }), _) => Some((Form::OfColor, color)),
            (Some(forms::Form::OfColors { colors }), _) => Some((Form::OfColors, colors)),
            (Some(forms::Form::PairLines { a, b }), _) => {
                (container, over) = (a, vec![a, b]);
                Some((Form::PairLines, b))
            }
            _ => None,
        };
        let form = form.map(|(form, from)| (form, self.see(from, parent)));
        // What is drawn on may be made later than what is drawn.
        let drawn_on = self.rewrites.drawn_on(out).filter(|grid| self.is_filled(*grid));
        let onto = match self.rewrites.form(out) {
            Some(forms::Form::Fits { within, .. }) => Some(within),
            _ => drawn_on,
        };
        let onto = onto.map(|grid| self.see(grid, parent));
        let base = frame.base.filter(|_| self.leasts[run.frame.index()]);
        let least = base.map(|base| self.base(base, parent, None));
        let counted = run.nested.iter().filter(|one| fixed(self.battery, **one).is_none());
        let nested: Vec<SlotId> = counted.copied().collect();
        Step::Close(Box::new(CloseStep {
            form,
            onto,
            heap: self.rewrites.is_heap(out),
            most: self.drawn.most(out).unwrap_or(u32::MAX),
            least,
            out,
            prim,
            frame: run.frame,
            parent,
            exact: self.nests.is_whole(out),
            container: self.see(container, parent),
            over: self.seen(&over, parent),
            extra: extra.map(|e| self.see(e, parent)),
            guards: self.seen(&run.guards, parent),
            body: self.see(run.body, run.frame),
            element: element.map(|slot| self.see(slot, run.frame)),
            fixed: run.nested.iter().filter_map(|one| fixed(self.battery, *one)).sum(),
            nested: self.count(&nested, run.frame),
        }))
    }

    /// A base, as a frame whose rows it has again is opened in `parent`.
    fn base(&mut self, frame: FrameId, parent: FrameId, whole: Option<Seen>) -> Base {
        let outside = self.battery.frames().get(frame).parent;
        Base { frame, outer: self.place(parent, outside), outside, whole }
    }

    /// Whether a slot has its values before the steps so far end.
    fn is_filled(&self, slot: SlotId) -> bool {
        self.filled[slot.index()]
            || matches!(self.battery.def(slot), Def::Input(_) | Def::Value(_) | Def::Element { .. })
    }

    fn repeat(&mut self, out: SlotId, block: &[Instr]) -> Step {
        let refused = self.rewrites.how(out) == How::Refused;
        let (Def::Repeat { start, times, run }, false) = (self.battery.def(out), refused) else {
            return Step::HandBack { out, frame: self.battery.slot(out).frame };
        };
        let parent = self.battery.frames().get(run.frame).parent;
        self.blocks += 1;
        let block = self.steps(block);
        self.blocks -= 1;
        Step::Repeat(Box::new(RepeatStep {
            out,
            frame: run.frame,
            parent,
            start: self.see(*start, parent),
            times: self.see(*times, parent),
            guards: self.seen(&run.guards, parent),
            current: self.battery.element(run.frame, 0),
            body: self.see(run.body, run.frame),
            nested: self.count(&run.nested, run.frame),
            inner: self.nests.inner(run.frame),
            block: nest(self.battery, block),
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
        } else if here.root != there.root || (there.depth == 0 && there.root != Root::Sample) {
            Via::One
        } else {
            Via::Up(self.place(frame, home) as u8 + 1)
        };
        Seen { slot, via }
    }

    /// Which of the frames that a frame sees another one is; its rows are to know that.
    fn place(&mut self, frame: FrameId, other: FrameId) -> usize {
        // A battery that is run as it was dealt reads only what it sees.
        let at = self.battery.frames().place(frame, other).unwrap_or(0);
        self.above[frame.index()] |= 1 << at;
        at
    }
}

/// The defaults and constants that a worker converts once.
pub fn constants(battery: &Battery) -> impl Iterator<Item = (SlotId, &Value)> {
    (0..battery.slot_count() as u32).map(SlotId).filter_map(|id| match battery.def(id) {
        Def::Value(value) | Def::OrElse { default: value, .. } => Some((id, value)),
        _ => None,
    })
}

#[cfg(test)]
pub mod tests {
    use batt_lang::card::{Card, Options};
    use batt_lang::program::Definition;
    use batt_lang::text;

    use super::*;
    use crate::engine::Phase;

    /// Some programs as a battery.
    pub fn dealt(source: &str, options: Options) -> Battery {
        let mut card = Card::new(options);
        for definition in text::parse(source).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        card.deal()
    }

    /// The steps that some programs take for every sample.
    pub fn sample_steps(source: &str) -> Vec<Step> {
        let battery = dealt(source, Options::default());
        let [.., steps] =
            Plan::new(&battery, Phase::Outputs.pass(&battery), Set::Portable, &Refused::default())
                .steps;
        steps
    }
}
