//! Plans and crops written down as expressions.

use batt_lang::Op;
use batt_lang::program::NodeId;

use super::items::Items;
use super::layers::{Ink, Layer, What};
use super::patterns::Pattern;
use super::search::Step;
use super::select::Namer;
use crate::tree::Tree;

impl Namer<'_> {
    /// The grid without the items.
    pub fn erased(&mut self) -> NodeId {
        let (items, toindices) = (self.items(), self.store.prim(Op::Toindices));
        let cells = self.store.call(Op::Mapply, &[toindices, items]);
        let zero = self.store.int(0);
        self.store.call(Op::Fill, &[self.grid, zero, cells])
    }

    /// What a plan makes of a grid.
    pub fn plan(
        &mut self,
        steps: &[Step],
        (layers, patterns): (&[Layer], &[Pattern]),
        items: &Items,
        base: NodeId,
    ) -> NodeId {
        let mut made = base;
        for Step { layer, tree, .. } in steps {
            let chosen = self.chosen(tree, items);
            let layer = &layers[*layer];
            let function = match layer.what {
                What::Action(at) => self.here(self.kind.actions[at].function),
                What::Towards(color, at) => {
                    self.here(self.kind.towards[usize::from(color) - 1][at].function)
                }
                What::Pattern(at) => patterns[at].write(self.store),
            };
            made = self.draw(layer, function, chosen, made);
        }
        made
    }

    fn draw(&mut self, layer: &Layer, function: NodeId, chosen: NodeId, onto: NodeId) -> NodeId {
        let free = layer.behind.then(|| {
            let zero = self.store.int(0);
            self.store.call(Op::Ofcolor, &[onto, zero])
        });
        if let Ink::Color(color) = layer.ink {
            let toindices = self.store.prim(Op::Toindices);
            let function = self.store.call(Op::Compose, &[toindices, function]);
            let mut cells = self.store.call(Op::Mapply, &[function, chosen]);
            if let Some(free) = free {
                cells = self.store.call(Op::Intersection, &[free, cells]);
            }
            let color = self.store.int(i32::from(color));
            return self.store.call(Op::Fill, &[onto, color, cells]);
        }
        let recolor = self.store.prim(Op::Recolor);
        let function = match layer.ink {
            Ink::Own | Ink::Color(_) => function,
            Ink::Item => {
                let color = self.store.prim(Op::Color);
                self.store.call(Op::Fork, &[recolor, color, function])
            }
            Ink::Attribute(at) => {
                let color = self.here(self.kind.attributes[at].function);
                self.store.call(Op::Fork, &[recolor, color, function])
            }
        };
        let mut cells = self.store.call(Op::Mapply, &[function, chosen]);
        if let Some(free) = free {
            let contained = self.store.prim(Op::Contained);
            let is_free = self.store.call(Op::Rbind, &[contained, free]);
            let last = self.store.prim(Op::Last);
            let is_free = self.store.call(Op::Compose, &[is_free, last]);
            cells = self.store.call(Op::Sfilter, &[cells, is_free]);
        }
        self.store.call(Op::Paint, &[onto, cells])
    }

    /// What one item becomes.
    pub fn crop(&mut self, function: NodeId, tree: &Tree, items: &Items) -> NodeId {
        let function = self.here(function);
        let chosen = self.chosen(tree, items);
        let first = self.store.call(Op::First, &[chosen]);
        self.call_of(function, first)
    }

    /// What a function gives for a value.
    fn call_of(&mut self, function: NodeId, value: NodeId) -> NodeId {
        use batt_lang::program::{Callee, Expr};
        self.store.add(Expr::Call { callee: Callee::Node(function), args: vec![value] })
    }
}
