//! Loops whose result is found without running their bodies ([`batt_core::forms`]): which they are.

use batt_lang::Prim;
use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::{Def, FrameId, FrameKind, Loop, Shape, SlotId};
use batt_lang::ops::{Guard, Op};
use rustc_hash::FxHashMap as HashMap;

use super::drawn::Drawn;

/// What a loop computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A patch moved by every item.
    Stamps {
        /// The patch, which is the same for all items.
        patch: SlotId,
    },
    /// A patch moved by every item, each copy for itself.
    Copies {
        /// The patch, which is the same for all items.
        patch: SlotId,
    },
    /// The lines between all items of two containers.
    Lines,
    /// The same, where the loop runs over the pairs of two sets.
    PairLines {
        /// The first set,
        a: SlotId,
        /// and the second one.
        b: SlotId,
    },
    /// The item that lies nearest to a patch.
    Nearest {
        /// The patch, which is the same for all items.
        from: SlotId,
    },
    /// The lines from all items in a direction.
    Shots {
        /// The direction, which is the same for all items.
        direction: SlotId,
    },
    /// The items by which a patch lies within another one.
    Fits {
        /// The patch, which is the same for all items,
        patch: SlotId,
        /// and so is the other one.
        within: SlotId,
    },
    /// The items that begin with a value.
    OfColor {
        /// The value, which is the same for all items.
        color: SlotId,
    },
    /// The items that begin with a value of several.
    OfColors {
        /// The values, which are the same for all items.
        colors: SlotId,
    },
}

impl Form {
    /// What is read beside the containers.
    pub fn reads(self) -> impl Iterator<Item = SlotId> {
        let both = match self {
            Form::Stamps { patch } | Form::Copies { patch } => [Some(patch), None],
            Form::Nearest { from } => [Some(from), None],
            Form::Shots { direction } => [Some(direction), None],
            Form::OfColor { color } => [Some(color), None],
            Form::OfColors { colors } => [Some(colors), None],
            Form::Fits { patch, within } => [Some(patch), Some(within).filter(|w| *w != patch)],
            Form::PairLines { a, b } => [Some(a), Some(b).filter(|b| *b != a)],
            Form::Lines => [None; 2],
        };
        both.into_iter().flatten()
    }

    /// What a loop of this form does not read, though it is written there: its body, and pairs that are
    /// not made.
    pub fn left_out(self, battery: &Battery, slot: SlotId) -> [Option<SlotId>; 2] {
        let Def::Close { container, run, .. } = battery.def(slot) else { return [None; 2] };
        let pairs = matches!(self, Form::PairLines { .. }).then_some(*container);
        [Some(run.body), pairs]
    }
}

/// The loops of a pass that have a form.
pub struct Forms {
    by_slot: HashMap<SlotId, Form>,
    /// The grids that stamps are drawn on, where nothing else is done with them.
    drawn_on: HashMap<SlotId, SlotId>,
}

impl Forms {
    /// Looks at every loop of a pass. `drawn` are the lines that are only drawn,
    /// and `two` says whether a form may read two values beside the containers.
    pub fn new(battery: &Battery, pass: &Pass, drawn: &Drawn, two: bool) -> Forms {
        let frames = battery.frames();
        let slots = (0..battery.slot_count() as u32).map(SlotId);
        let needed = slots.filter(|slot| pass.needs(*slot));
        let mut by_slot = HashMap::default();
        let mut uses = vec![0u32; battery.slot_count()];
        for slot in needed.clone() {
            battery.def(slot).for_each_arg(frames, |arg| uses[arg.index()] += 1);
        }
        for slot in needed.clone() {
            if let Def::Close { prim, container, run, .. } = battery.def(slot)
                && let Some(form) = form(battery, *prim, *container, run)
                && uses[run.body.index()] == 1
                && (two || !matches!(form, Form::Fits { .. }))
            {
                by_slot.insert(slot, form);
            }
        }
        pass.roots().iter().for_each(|slot| uses[slot.index()] += 1);
        let drawn_on = needed
            .clone()
            .filter_map(|slot| drawing(battery, slot))
            .filter(|(stamps, _)| uses[stamps.index()] == 1)
            .filter(|(stamps, _)| matches!(by_slot.get(stamps), Some(Form::Stamps { .. })));
        let shots = |slot: &SlotId| matches!(by_slot.get(slot), Some(Form::Shots { .. }));
        let lines = needed.filter(shots).filter_map(|slot| Some((slot, drawn.on(slot)?)));
        let drawn_on = drawn_on.chain(lines).collect();
        Forms { by_slot, drawn_on }
    }

    /// The form of a loop, if it has one.
    pub fn of(&self, slot: SlotId) -> Option<Form> {
        self.by_slot.get(&slot).copied()
    }

    /// The grid on which alone a loop's stamps are drawn, as the loop's own frame sees it.
    pub fn drawn_on(&self, slot: SlotId) -> Option<SlotId> {
        self.drawn_on.get(&slot).copied()
    }
}

fn form(battery: &Battery, prim: Prim, container: SlotId, run: &Loop) -> Option<Form> {
    let frames = battery.frames();
    let frame = frames.get(run.frame);
    let Def::Call { prim: called, args } = battery.def(run.body) else { return None };
    let over = frame.kind.containers().first() == Some(&container);
    let here = battery.slot(run.body).frame == run.frame;
    if !over || !here || called.guard != Guard::None {
        return None;
    }
    let (own, item) = (frame.base.is_none(), |which: u8| battery.element(run.frame, which));
    let outside = |slot: SlotId| frames.sees(frame.parent, battery.slot(slot).frame);
    let begins = |slot: SlotId| end_of_item(battery, run.frame, slot) == Some(Op::First);
    match (prim.op, &frame.kind, called.op, &args[..]) {
        (Op::Mapply, FrameKind::Each(_), Op::Shift, [patch, by]) if own => {
            let found = Some(*by) == item(0) && outside(*patch);
            found.then_some(Form::Stamps { patch: *patch })
        }
        (Op::Apply, FrameKind::Each(_), Op::Shift, [patch, by]) if own => {
            let found = Some(*by) == item(0) && outside(*patch);
            found.then_some(Form::Copies { patch: *patch })
        }
        (Op::Prapply, FrameKind::Product(_), Op::Connect, [a, b]) if own => {
            let both = [Some(*a), Some(*b)];
            let items = both == [item(0), item(1)] || both == [item(1), item(0)];
            items.then_some(Form::Lines)
        }
        (Op::Apply, FrameKind::Each([pairs]), Op::Connect, [a, b]) if own => {
            let end = |slot: SlotId| end_of_item(battery, run.frame, slot);
            let ends = [end(*a)?, end(*b)?];
            let outermost = frame.depth == 1 && prim.guard == Guard::None;
            let [a, b] = pairs_of(battery, *pairs).filter(|_| outermost && ends[0] != ends[1])?;
            Some(Form::PairLines { a, b })
        }
        (Op::Mapply, FrameKind::Each(_), Op::Shoot, [from, direction]) if own => {
            let found = Some(*from) == item(0) && outside(*direction);
            found.then_some(Form::Shots { direction: *direction })
        }
        (Op::Sfilter, FrameKind::Each(_), Op::Equality, [a, b]) if own => {
            match (begins(*a) && outside(*b), begins(*b) && outside(*a)) {
                (true, _) => Some(Form::OfColor { color: *b }),
                (_, true) => Some(Form::OfColor { color: *a }),
                _ => {
                    let [patch, within] = fitting(battery, run.frame, [*a, *b])?;
                    (outside(patch) && outside(within)).then_some(Form::Fits { patch, within })
                }
            }
        }
        (Op::Sfilter, FrameKind::Each(_), Op::Contained, [a, b]) if own => {
            (begins(*a) && outside(*b)).then_some(Form::OfColors { colors: *b })
        }
        (Op::Argmin, FrameKind::Each(_), Op::Manhattan, [a, b]) => {
            let single = |slot: SlotId| is_item_set(battery, run.frame, slot);
            let from = match (single(*a), single(*b)) {
                (true, false) => *b,
                (false, true) => *a,
                _ => return None,
            };
            outside(from).then_some(Form::Nearest { from })
        }
        _ => None,
    }
}

/// A patch and what it must lie within, where two slots are how much of it does not, moved by a loop's item,
/// and nothing.
fn fitting(battery: &Battery, frame: FrameId, [a, b]: [SlotId; 2]) -> Option<[SlotId; 2]> {
    let nothing =
        |slot: SlotId| matches!(battery.def(slot), Def::Value(v) if v.as_int() == Some(0));
    let size = if nothing(b) { a } else { Some(b).filter(|_| nothing(a))? };
    let [left] = called(battery, size, Op::Size)?[..] else { return None };
    let [there, within] = called(battery, left, Op::Difference)?[..] else { return None };
    let [patch, by] = called(battery, there, Op::Shift)?[..] else { return None };
    (Some(by) == battery.element(frame, 0)).then_some([patch, within])
}

/// The arguments of a plain call of a primitive.
fn called(battery: &Battery, slot: SlotId, op: Op) -> Option<&[SlotId]> {
    match battery.def(slot) {
        Def::Call { prim, args } if prim.op == op && prim.guard == Guard::None => Some(args),
        _ => None,
    }
}

/// What a slot draws, and the grid on which it does so, where both are in the same frame.
fn drawing(battery: &Battery, slot: SlotId) -> Option<(SlotId, SlotId)> {
    let Def::Call { prim, args } = battery.def(slot) else { return None };
    let (grid, patch) = match (prim.op, &args[..]) {
        (Op::Paint, [grid, patch]) | (Op::Fill, [grid, _, patch]) => (*grid, *patch),
        _ => return None,
    };
    let here = battery.slot(patch).frame == battery.slot(slot).frame;
    (here && prim.guard == Guard::None).then_some((patch, grid))
}

/// The two sets whose pairs a slot has.
pub fn pairs_of(battery: &Battery, slot: SlotId) -> Option<[SlotId; 2]> {
    let Def::Call { prim, args } = battery.def(slot) else { return None };
    let [a, b] = args[..] else { return None };
    let sets = [a, b].iter().all(|slot| battery.slot(*slot).shape.within(Shape::SET));
    let plain = prim.op == Op::Product && prim.guard == Guard::None;
    (sets && plain).then_some([a, b])
}

/// Which end of a loop's item, a pair, a slot is.
fn end_of_item(battery: &Battery, frame: FrameId, slot: SlotId) -> Option<Op> {
    let Def::Call { prim, args } = battery.def(slot) else { return None };
    let item = args.first().copied() == battery.element(frame, 0);
    let end = matches!(prim.op, Op::First | Op::Last) && prim.guard == Guard::None;
    (item && end).then_some(prim.op)
}

/// Whether a slot is the set of a loop's item alone.
fn is_item_set(battery: &Battery, frame: FrameId, slot: SlotId) -> bool {
    let items = battery.frames().items(frame);
    let Def::Call { prim, args } = battery.def(slot) else { return false };
    prim.op == Op::Initset
        && prim.guard == Guard::None
        && args.first().copied() == battery.element(items, 0)
}

#[cfg(test)]
mod tests {
    use batt_lang::card::{Card, Options};
    use batt_lang::program::Definition;
    use batt_lang::text;

    use super::*;

    fn battery(source: &str) -> Battery {
        let mut card = Card::new(Options::default());
        for definition in text::parse(source).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        card.deal()
    }

    fn found(source: &str) -> Vec<Form> {
        let battery = battery(source);
        let forms = Forms::new(&battery, battery.outputs(), &Drawn::nothing(), true);
        forms.by_slot.values().copied().collect()
    }

    #[test]
    fn pairs_that_are_only_joined_are_found() {
        let source = "def solve_a(I):\n    x1 = ofcolor(I, ONE)\n    x2 = product(x1, x1)\n    \
                      x3 = fork(connect, first, last)\n    O = apply(x3, x2)\n    return O\n";
        assert!(matches!(found(source)[..], [Form::PairLines { .. }]));
    }

    #[test]
    fn cells_of_a_color_are_found_together() {
        let source = |condition: &str| {
            format!(
                "def solve_a(I):\n    x1 = asobject(I)\n    x2 = {condition}\n    \
                 O = sfilter(x1, x2)\n    return O\n"
            )
        };
        assert!(matches!(found(&source("matcher(first, ONE)"))[..], [Form::OfColor { .. }]));
        let many = "compose(rbind(contained, UNITY), first)";
        assert!(matches!(found(&source(many))[..], [Form::OfColors { .. }]));
        assert!(found(&source("matcher(last, ORIGIN)")).is_empty());
    }

    #[test]
    fn copies_of_a_patch_are_made_together() {
        let source = "def solve_a(I):\n    x1 = ofcolor(I, ONE)\n    x2 = lbind(shift, x1)\n    \
                      O = apply(x2, x1)\n    return O\n";
        assert!(matches!(found(source)[..], [Form::Copies { .. }]));
    }

    #[test]
    fn stamps_that_are_only_drawn_are_told_on_what() {
        let source = |rest: &str| {
            format!(
                "def solve_a(I):\n    x1 = asobject(I)\n    x2 = lbind(shift, x1)\n    \
                 x3 = asindices(I)\n    x4 = mapply(x2, x3)\n    x5 = paint(I, x4)\n    {rest}\n    \
                 return O\n"
            )
        };
        let drawn = |rest: &str| {
            let battery = battery(&source(rest));
            Forms::new(&battery, battery.outputs(), &Drawn::nothing(), true).drawn_on.len()
        };
        assert_eq!(drawn("O = hmirror(x5)"), 1);
        assert_eq!(drawn("O = combine(x5, x4)"), 0);
        assert_eq!(drawn("O = x4"), 0);
    }

    #[test]
    fn lines_in_one_direction_are_found_together() {
        let source = "def solve_a(I):\n    x1 = ofcolor(I, ONE)\n    x2 = rbind(shoot, UNITY)\n    \
                      O = mapply(x2, x1)\n    return O\n";
        assert!(matches!(found(source)[..], [Form::Shots { .. }]));
    }

    #[test]
    fn the_nearest_item_needs_no_rows() {
        let source = "def solve_a(I):\n    x1 = asobject(I)\n    x2 = lbind(lbind, manhattan)\n    \
                      x3 = compose(rbind(compose, initset), x2)\n    \
                      x4 = chain(lbind(argmin, x1), x3, initset)\n    x5 = ofcolor(I, ONE)\n    \
                      O = apply(x4, x5)\n    return O\n";
        assert!(matches!(found(source)[..], [Form::Nearest { .. }]));
    }
}
