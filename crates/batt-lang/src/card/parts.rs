//! Loops over a part of a container: their bodies run in a loop over all of it.

use super::{Card, LoopKey, rewrite};
use crate::graph::{Def, FrameId, FrameKind, Loop, SlotId};

impl Card {
    /// A loop over a part of a container, whose bodies a loop over all of it runs once for each item.
    pub(super) fn part_loop(
        &mut self,
        key: &LoopKey,
        guards: &[SlotId],
        parent: FrameId,
    ) -> Option<SlotId> {
        let [part] = key.over[..] else { return None };
        if !self.options.fuse {
            return None;
        }
        let (outer, whole) = rewrite::hoists::part(&self.graph, parent, part, guards)?;
        let (base, _) = self.frame(outer, FrameKind::Each([whole]));
        let (body, nested, work) = self.within(base, |card| {
            let elements = card.elements(base);
            card.body(key.function, &elements, key.given)
        });
        // What needs the item alone may live further out than the base, where the part's rows do not
        // lead to.
        let frames = &self.graph.frames;
        let found = |slot: &SlotId| {
            let home = self.graph.frame_of(*slot);
            home == base || frames.sees(outer, home)
        };
        if !found(&body) || !nested.iter().all(found) {
            return None;
        }
        let frame = self.graph.frames.share_part(parent, base, part);
        let run = Loop { frame, body, guards: guards.into(), nested };
        let (prim, extra) = (key.prim, key.extra);
        let slot = self.graph.intern(Def::Close { prim, container: part, extra, run });
        self.takes(slot, work);
        Some(slot)
    }
}
