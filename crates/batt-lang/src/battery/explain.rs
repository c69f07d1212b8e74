//! What dealing did to a battery: shared, hoisted, folded, fused, and the batch patterns in it.

use std::collections::{BTreeMap, HashMap};

use super::Battery;
use crate::card::Rule;
use crate::graph::{Def, FrameKind, Root, SlotId};
use crate::ops::Op;
use crate::program::Input;

/// A grid whose objects are looked for in several modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modes {
    /// The grid.
    pub grid: SlotId,
    /// The searches.
    pub searches: Vec<SlotId>,
}

/// A container that several loops run over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The container.
    pub container: SlotId,
    /// The loops.
    pub loops: Vec<SlotId>,
    /// How many element frames they take: one where they are fused.
    pub frames: usize,
}

/// What dealing did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Slots that several programs use, with how many do; the most used first.
    pub shared: Vec<(SlotId, usize)>,
    /// Computed once per task.
    pub hoisted: Vec<SlotId>,
    /// Computed once per battery.
    pub folded: Vec<SlotId>,
    /// The uses of every fusing rule.
    pub fused: Vec<(Rule, Vec<SlotId>)>,
    /// Pattern: loops over the demo pairs.
    pub samples: Vec<SlotId>,
    /// Pattern: several modes of `objects` on one grid.
    pub modes: Vec<Modes>,
    /// Pattern: several loops over one container.
    pub repeated: Vec<Repeated>,
}

impl Battery {
    /// What dealing did to what the outputs and the scores need.
    pub fn explain(&self) -> Explanation {
        let at_root = |root: Root| {
            let slots = self.live().filter(|(_, slot)| {
                is_computed(&slot.def) && self.frames.get(slot.frame).root == root
            });
            slots.map(|(id, _)| id).collect()
        };
        let uses = |rule: Rule| {
            let mut slots: Vec<SlotId> =
                self.fusions().filter(|f| f.rule == rule).map(|f| f.slot).collect();
            slots.sort_unstable();
            slots.dedup();
            (rule, slots)
        };
        Explanation {
            shared: self.shared(),
            hoisted: at_root(Root::Task),
            folded: at_root(Root::Constant),
            fused: Rule::ALL.into_iter().map(uses).filter(|(_, slots)| !slots.is_empty()).collect(),
            samples: self.over_samples(),
            modes: self.modes(),
            repeated: self.repeated(),
        }
    }

    fn shared(&self) -> Vec<(SlotId, usize)> {
        let mut users = vec![0; self.slots.len()];
        // The program that saw a slot last, so that each counts once.
        let mut seen = vec![usize::MAX; self.slots.len()];
        let mut open = Vec::new();
        for (at, program) in self.programs.iter().enumerate() {
            open.push(program.output);
            while let Some(slot) = open.pop() {
                if std::mem::replace(&mut seen[slot.index()], at) != at {
                    users[slot.index()] += 1;
                    self.def(slot).for_each_arg(&self.frames, |arg| open.push(arg));
                }
            }
        }
        let ids = (0..).map(SlotId).zip(users);
        let mut shared: Vec<(SlotId, usize)> =
            ids.filter(|(id, n)| *n > 1 && is_computed(self.def(*id))).collect();
        shared.sort_by_key(|(id, n)| (std::cmp::Reverse(*n), *id));
        shared
    }

    fn over_samples(&self) -> Vec<SlotId> {
        let over_s = |container: SlotId| *self.def(container) == Def::Input(Input::S);
        let loops = self.live().filter(|(_, slot)| match &slot.def {
            Def::Close { run, .. } => {
                self.frames.get(run.frame).kind.containers().iter().any(|c| over_s(*c))
            }
            _ => false,
        });
        loops.map(|(id, _)| id).collect()
    }

    fn modes(&self) -> Vec<Modes> {
        let mut grids: BTreeMap<SlotId, Vec<SlotId>> = BTreeMap::new();
        for (id, slot) in self.live() {
            if let Def::Call { prim, args } = &slot.def
                && matches!(prim.op, Op::Objects | Op::ObjectsT | Op::OG | Op::OGT)
            {
                grids.entry(args[0]).or_default().push(id);
            }
        }
        let several = grids.into_iter().filter(|(_, searches)| searches.len() > 1);
        several.map(|(grid, searches)| Modes { grid, searches }).collect()
    }

    fn repeated(&self) -> Vec<Repeated> {
        let mut places: HashMap<SlotId, usize> = HashMap::new();
        let mut all: Vec<(Repeated, Vec<_>)> = Vec::new();
        for (id, slot) in self.live() {
            let Def::Close { run, .. } = &slot.def else { continue };
            let FrameKind::Each([container]) = self.frames.get(run.frame).kind else { continue };
            let at = *places.entry(container).or_insert_with(|| {
                all.push((Repeated { container, loops: Vec::new(), frames: 0 }, Vec::new()));
                all.len() - 1
            });
            all[at].0.loops.push(id);
            all[at].1.push(run.frame);
        }
        let several = all.into_iter().filter(|(r, _)| r.loops.len() > 1);
        several
            .map(|(mut repeated, mut frames)| {
                frames.sort_unstable();
                frames.dedup();
                repeated.frames = frames.len();
                repeated
            })
            .collect()
    }
}

fn is_computed(def: &Def) -> bool {
    !matches!(def, Def::Input(_) | Def::Value(_) | Def::Element { .. })
}

#[cfg(test)]
mod tests {
    use crate::battery::Battery;
    use crate::card::{Card, Options, Rule};
    use crate::program::Definition;
    use crate::text::parse;

    const TEXT: &str = "
def solve_a(S, I, C):
    t1 = apply(first, S)
    t2 = mapply(p_g, t1)
    t3 = first(t2)
    t4 = objects(I, T, F, T)
    t5 = o_g(I, R4)
    t6 = mapply(corners, t4)
    t7 = mapply(backdrop, t4)
    t8 = fill(I, t3, t6)
    t9 = fill(t8, ONE, t7)
    t10 = paint(t9, merge(t5))
    return t10
def solve_b(I):
    x1 = objects(I, T, F, T)
    x2 = canvas(ZERO, astuple(TWO, add(ONE, TWO)))
    O = paint(x2, merge(x1))
    return O
";

    fn battery(fuse: bool) -> Battery {
        let mut card = Card::new(Options { fuse, ..Options::default() });
        for definition in parse(TEXT).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        card.deal()
    }

    #[test]
    fn every_pattern_is_found() {
        for fuse in [true, false] {
            let battery = battery(fuse);
            let explained = battery.explain();
            let text = |slot| battery.expression(slot);
            let shared: Vec<_> = explained.shared.iter().map(|(s, n)| (text(*s), *n)).collect();
            assert_eq!(shared, [("objects(I, True, False, True)".to_string(), 2)]);
            assert_eq!(explained.modes.len(), 1);
            assert_eq!(explained.modes[0].searches.len(), 2);
            let repeated = &explained.repeated;
            assert_eq!(repeated.len(), 1);
            assert_eq!(
                (repeated[0].loops.len(), repeated[0].frames),
                (2, if fuse { 1 } else { 2 })
            );
            assert_eq!(explained.samples.len(), 1);
            // add, astuple and canvas.
            assert_eq!(explained.folded.len(), 3);
            assert!(!explained.hoisted.is_empty());
            let rules: Vec<Rule> = explained.fused.iter().map(|(rule, _)| *rule).collect();
            let all = [Rule::Frames, Rule::Samples, Rule::Modes];
            assert_eq!(rules, if fuse { &all[..] } else { &[] });
        }
    }
}
