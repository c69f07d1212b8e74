//! Lines that are only drawn on the input, and never looked at otherwise: which they are. Of those, only what
//! the input shows need be made ([`batt_core::forms::shot_onto`]).

use batt_lang::Value;
use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::{Def, FrameKind, Shape, SlotId};
use batt_lang::ops::{Guard, Op};
use batt_lang::program::Input;
use rustc_hash::FxHashMap as HashMap;

use super::readers::Readers;

/// As many lines have no more cells than a value may hold, whatever their colours are.
pub const MOST_LINES: u32 = 65_536 / 43;

/// What is drawn: locations, or cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Places,
    /// The cells of one line at most, for each item of the loop around it if there is one.
    Cells,
    /// The cells of many lines.
    ManyCells,
}

/// Slots that hold lines which are only drawn on the input.
pub struct Drawn {
    input: Option<SlotId>,
    kinds: HashMap<SlotId, Kind>,
}

impl Drawn {
    /// Nothing is looked for.
    #[cfg(test)]
    pub fn nothing() -> Drawn {
        Drawn { input: None, kinds: HashMap::default() }
    }

    /// Looks at every slot of a pass.
    pub fn new(battery: &Battery, pass: &Pass) -> Drawn {
        let input = battery.input(Input::I);
        let slots = || (0..battery.slot_count() as u32).map(SlotId).filter(|s| pass.needs(*s));
        let mut drawn = Drawn { input, kinds: HashMap::default() };
        // What is read comes first.
        let home = input.map(|input| battery.slot(input).frame);
        let sees = |slot: &SlotId| {
            home.is_some_and(|i| battery.frames().sees(battery.slot(*slot).frame, i))
        };
        for slot in slots().filter(sees) {
            if let Some(kind) = drawn.kind(battery, slot) {
                drawn.kinds.insert(slot, kind);
            }
        }
        let readers = Readers::new(battery, pass);
        // Whoever reads lines must hold some, or draw them.
        loop {
            let used = |slot: &SlotId| {
                readers.of(*slot).iter().any(|reader| !drawn.may_read(battery, *reader, *slot))
                    || !drawn.is_made(battery, *slot)
            };
            let wrong: Vec<SlotId> = drawn.kinds.keys().copied().filter(used).collect();
            if wrong.is_empty() {
                return drawn;
            }
            for slot in &wrong {
                drawn.kinds.remove(slot);
            }
        }
    }

    /// The grid that a slot's lines are only drawn on.
    pub fn on(&self, slot: SlotId) -> Option<SlotId> {
        self.input.filter(|_| self.kinds.contains_key(&slot))
    }

    /// How many bodies a loop may run whose results are such lines; more are handed back.
    pub fn most(&self, slot: SlotId) -> Option<u32> {
        (self.kinds.get(&slot) == Some(&Kind::ManyCells)).then_some(MOST_LINES)
    }

    /// What a slot holds, if it is lines.
    fn kind(&self, battery: &Battery, slot: SlotId) -> Option<Kind> {
        let known = |slot: &SlotId| self.kinds.get(slot).copied();
        match battery.def(slot) {
            Def::Call { prim, args } if prim.guard == Guard::None => match (prim.op, &args[..]) {
                (Op::Shoot, [_, direction]) if is_step(battery, *direction) => Some(Kind::Places),
                (Op::Recolor, [color, lines]) if color != lines => {
                    let one = is_shot(battery, *lines) && known(lines) == Some(Kind::Places);
                    one.then_some(Kind::Cells)
                }
                (Op::Combine, [a, b]) => {
                    let both = [known(a), known(b)] == [Some(Kind::Places); 2];
                    both.then_some(Kind::Places)
                }
                _ => None,
            },
            Def::Close { prim, container, run, .. } if prim.guard == Guard::None => {
                let frame = battery.frames().get(run.frame);
                let sets = frame.kind == FrameKind::Each([*container])
                    && battery.slot(*container).shape.within(Shape::SET)
                    && battery.slot(run.body).frame == run.frame;
                match known(&run.body) {
                    Some(Kind::Places) if prim.op == Op::Mapply && sets => Some(Kind::Places),
                    Some(Kind::Cells) if prim.op == Op::Mapply && sets => Some(Kind::ManyCells),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether what a slot is made of is still known to be lines.
    fn is_made(&self, battery: &Battery, slot: SlotId) -> bool {
        self.kind(battery, slot) == self.kinds.get(&slot).copied()
    }

    /// Whether a reader of a slot holds lines in turn, or draws them on the input.
    fn may_read(&self, battery: &Battery, reader: SlotId, slot: SlotId) -> bool {
        if reader == slot {
            return false;
        }
        if let Def::Close { run, container, .. } = battery.def(reader) {
            let body = run.body == slot && *container != slot && !run.guards.contains(&slot);
            return body && self.kinds.contains_key(&reader);
        }
        let Def::Call { prim, args } = battery.def(reader) else { return false };
        let cells = self.kinds.get(&slot).is_some_and(|kind| *kind != Kind::Places);
        let drawn = |grid: SlotId, patch: SlotId, color: Option<SlotId>| {
            patch == slot && color != Some(slot) && self.is_input(battery, grid)
        };
        prim.guard == Guard::None
            && match (prim.op, &args[..]) {
                (Op::Fill | Op::Underfill, [grid, color, patch]) => {
                    drawn(*grid, *patch, Some(*color))
                }
                // Locations cannot be painted.
                (Op::Paint | Op::Underpaint, [grid, patch]) => cells && drawn(*grid, *patch, None),
                _ => self.kinds.contains_key(&reader),
            }
    }

    /// Whether a slot is the input, or that with something drawn on it.
    fn is_input(&self, battery: &Battery, slot: SlotId) -> bool {
        if self.input == Some(slot) {
            return true;
        }
        match battery.def(slot) {
            Def::Call { prim, args } if prim.guard == Guard::None => {
                let draws = [Op::Fill, Op::Underfill, Op::Paint, Op::Underpaint, Op::Replace];
                draws.contains(&prim.op)
                    && args.first().is_some_and(|grid| self.is_input(battery, *grid))
            }
            _ => false,
        }
    }
}

/// Whether a slot is known to be the step to a neighbour. Lines in other directions may be long.
fn is_step(battery: &Battery, slot: SlotId) -> bool {
    let one = |n: i32| (-1..=1).contains(&n);
    matches!(battery.def(slot), Def::Value(Value::Pair(i, j)) if one(*i) && one(*j))
}

/// Whether a slot is one line.
fn is_shot(battery: &Battery, slot: SlotId) -> bool {
    matches!(battery.def(slot), Def::Call { prim, .. } if prim.op == Op::Shoot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::plan::tests::dealt;
    use batt_lang::card::Options;

    /// How many slots hold lines that are only drawn.
    fn found(lines: &str) -> usize {
        let source = format!("def solve_a(I):\n{lines}    return O\n");
        let battery = dealt(&source, Options::default());
        Drawn::new(&battery, battery.outputs()).kinds.len()
    }

    #[test]
    fn lines_that_are_only_drawn_are_found() {
        let line = "    x0 = shape(I)\n    x1 = shoot(x0, UNITY)\n";
        assert_eq!(found(&format!("{line}    O = fill(I, ONE, x1)\n")), 1);
        assert_eq!(found(&format!("{line}    O = fill(hmirror(I), ONE, x1)\n")), 0);
        assert_eq!(found(&format!("{line}    O = paint(I, x1)\n")), 0);
        assert_eq!(found(&format!("{line}    O = x1\n")), 0);
        let far = line.replace("UNITY", "TWO_BY_TWO");
        assert_eq!(found(&format!("{far}    O = fill(I, ONE, x1)\n")), 0);
        let twice = "    x2 = fill(I, ONE, x1)\n    O = fill(x2, size(x1), x1)\n";
        assert_eq!(found(&format!("{line}{twice}")), 0);
        let both = "    x2 = shoot(x0, DOWN)\n    x3 = combine(x1, x2)\n    \
                    x4 = replace(I, ONE, TWO)\n    O = underfill(x4, ONE, x3)\n";
        assert_eq!(found(&format!("{line}{both}")), 3);
    }

    #[test]
    fn lines_of_loops_are_found() {
        let objects = "    x1 = objects(I, T, F, T)\n    x2 = compose(rbind(shoot, DOWN), center)\n    \
                       x3 = fork(recolor, color, x2)\n    x4 = mapply(x3, x1)\n";
        assert_eq!(found(&format!("{objects}    O = paint(I, x4)\n")), 3);
        assert_eq!(found(&format!("{objects}    O = paint(I, shift(x4, DOWN))\n")), 0);
    }
}
