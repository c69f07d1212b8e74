//! A part of another program.

use batt_lang::Input;

use super::{Draft, Proposal};
use crate::pool::{Gene, Head, KindId, Node};

impl Draft<'_> {
    /// Takes a part of another program, or runs one program on what the other gives.
    pub(super) fn crossover(&mut self) -> Proposal {
        let Some(donor) = self.pick(self.donors) else { return Proposal::Nothing };
        if self.chance(15)
            && let Some(made) = self.after(donor)
        {
            return made;
        }
        for _ in 0..6 {
            let Some(edge) = self.edge(|pool, edge| pool.kind(edge.arg) != KindId::ANY) else {
                break;
            };
            let kind = self.pool.kind(edge.arg);
            let fits: Vec<Gene> = donor
                .iter()
                .copied()
                .filter(|gene| {
                    self.pool.kind(*gene) == kind && *gene != edge.arg && self.node(*gene).is_call()
                })
                .collect();
            if let Some(part) = self.pick(&fits) {
                return self.set(edge, part);
            }
        }
        Proposal::Nothing
    }

    /// This program on the other's output.
    fn after(&mut self, donor: &[Gene]) -> Option<Proposal> {
        let output = *donor.last()?;
        let input = self.pool.add(Node::leaf(Head::Input(Input::I)))?;
        if !self.parts.contains(&input) || self.pool.kind(output) != KindId::GRID {
            return None;
        }
        Some(self.everywhere(input, output))
    }
}
