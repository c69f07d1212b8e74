//! What a generation changed of a unit, as bytes: a copy elsewhere follows by it.
//!
//! A unit's state is mostly what it met, and grows with every generation; what one generation adds to it
//! does not.

use std::collections::HashMap;
use std::sync::Arc;

use super::state::Head;
use super::{Population, Unit};
use crate::breed::{Individual, seen};
use crate::bytes::{In, Out};

/// A change of a unit.
#[derive(Debug)]
pub struct Change {
    head: Head,
    graphs: seen::Change,
    behaviours: seen::Change,
    population: Vec<Member>,
}

/// A program of the population after a generation.
#[derive(Debug)]
enum Member {
    /// One that was there, by its place then.
    Stayed(usize),
    /// One that came.
    Came(Individual),
}

impl Unit {
    /// Writes what the last generation changed; it must not have been undone.
    pub fn write_change(&self, out: &mut Out) {
        self.head().write(out);
        self.graphs.write_change(out);
        self.behaviours.write_change(out);
        // Whoever stays is never changed, and keeps the very genome that it had.
        let before = self.before.population.all().iter().map(|one| Arc::as_ptr(&one.genome));
        let places: HashMap<_, usize> = before.enumerate().map(|(at, one)| (one, at)).collect();
        out.count(self.population.all().len());
        for one in self.population.all() {
            if let Some(place) = places.get(&Arc::as_ptr(&one.genome)) {
                out.count(place + 1);
            } else {
                out.number(0);
                one.write(out);
            }
        }
    }

    /// Changes a unit that is what the changed one was; nothing if the change is none of it.
    pub fn follow(&mut self, change: Change) -> Option<()> {
        let Change { head, graphs, behaviours, population } = change;
        let old = self.population.all();
        let all = population.into_iter().map(|member| match member {
            Member::Stayed(place) => old.get(place).cloned(),
            Member::Came(one) => Some(one),
        });
        let all: Option<Vec<Individual>> = all.collect();
        self.population = Population::of(all?);
        (self.rates, self.kept, self.solved) = (head.rates, head.kept, head.solved);
        self.graphs.follow(graphs);
        self.behaviours.follow(behaviours);
        Some(())
    }
}

impl Change {
    /// Reads what was written.
    pub fn read(bytes: &mut In) -> Option<Change> {
        let head = Head::read(bytes)?;
        let (graphs, behaviours) = (seen::Change::read(bytes)?, seen::Change::read(bytes)?);
        let member = |bytes: &mut In| {
            Some(match bytes.count()? {
                0 => Member::Came(Individual::read(bytes)?),
                place => Member::Stayed(place - 1),
            })
        };
        let population: Option<Vec<Member>> = (0..bytes.count()?).map(|_| member(bytes)).collect();
        Some(Change { head, graphs, behaviours, population: population? })
    }
}
