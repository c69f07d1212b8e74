//! Who stays: one program for every behaviour; the best, and beside them those that differ.

use batt_lang::card::dice::Dice;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::Individual;

/// The programs of a task on an island, the best first.
#[derive(Clone, Debug, Default)]
pub struct Population {
    all: Vec<Individual>,
}

impl Population {
    /// The population of these; they are put in order.
    pub fn of(all: Vec<Individual>) -> Population {
        let mut population = Population { all };
        population.sort();
        population
    }

    /// Everyone, the best first.
    pub fn all(&self) -> &[Individual] {
        &self.all
    }

    /// The best.
    pub fn best(&self) -> Option<&Individual> {
        self.all.first()
    }

    fn sort(&mut self) {
        // The graph's hash makes the order total.
        self.all.sort_by(|a, b| b.quality().cmp(&a.quality()).then(a.graph.cmp(&b.graph)));
    }

    /// Takes newcomers in and lets `most` stay: of each behaviour the shortest; half of them the best,
    /// the others those whose demos come out unlike those of anyone kept, the youngest first.
    pub fn renew(&mut self, newcomers: Vec<Individual>, most: usize) {
        let mut by_behaviour: HashMap<u64, Individual> = HashMap::default();
        for one in self.all.drain(..).chain(newcomers) {
            match by_behaviour.entry(one.behaviour) {
                std::collections::hash_map::Entry::Occupied(mut known) => {
                    let key = |i: &Individual| (i.genome.len(), i.graph);
                    if key(&one) < key(known.get()) {
                        known.insert(one);
                    }
                }
                std::collections::hash_map::Entry::Vacant(free) => {
                    free.insert(one);
                }
            }
        }
        self.all = by_behaviour.into_values().collect();
        self.sort();
        if self.all.len() <= most {
            return;
        }
        let rest = self.all.split_off(most / 2);
        let mut known: HashSet<Vec<u16>> = self.all.iter().map(niche).collect();
        let (mut unlike, mut alike) = (Vec::new(), Vec::new());
        for one in rest {
            if known.insert(niche(&one)) { unlike.push(one) } else { alike.push(one) }
        }
        unlike.sort_by(|a, b| b.born.cmp(&a.born).then(a.graph.cmp(&b.graph)));
        let free = most - self.all.len();
        self.all.extend(unlike.into_iter().chain(alike).take(free));
        self.sort();
    }

    /// Draws a parent: mostly one of the better, sometimes anyone, sometimes who is best on one demo.
    pub fn draw(&self, dice: &mut Dice) -> Option<usize> {
        let n = self.all.len();
        if n == 0 {
            return None;
        }
        Some(match dice.below(8) {
            // The order is by quality, so the least of several places is the best of several.
            0..4 => (0..3).map(|_| dice.below(n)).min().unwrap_or(0),
            4 => dice.below(n.min(4)),
            5 => {
                let demo = dice.below(self.all[0].cells.len().max(1));
                let cells = |at: &usize| self.all[*at].cells.get(demo).copied().unwrap_or(0);
                let drawn: Vec<usize> = (0..8).map(|_| dice.below(n)).collect();
                drawn.into_iter().max_by_key(cells).unwrap_or(0)
            }
            _ => dice.below(n),
        })
    }
}

/// How the demos come out, roughly.
fn niche(one: &Individual) -> Vec<u16> {
    one.cells.iter().map(|cells| cells / 64).collect()
}
