//! A unit as bytes.

use std::cmp::Reverse;

use super::{Before, Population, Quality, Rates, Seen, Unit};
use crate::breed::Individual;
use crate::bytes::{In, Out};

impl Unit {
    /// Writes everything that its next generation depends on.
    pub fn write(&self, out: &mut Out) {
        self.head().write(out);
        self.graphs.write(out);
        self.behaviours.write(out);
        out.count(self.population.all().len());
        self.population.all().iter().for_each(|one| one.write(out));
    }

    /// Reads what was written.
    pub fn read(task: usize, island: u32, bytes: &mut In) -> Option<Unit> {
        let Head { rates, kept, solved } = Head::read(bytes)?;
        let (graphs, behaviours) = (Seen::read(bytes)?, Seen::read(bytes)?);
        let count = bytes.count()?;
        let all: Option<Vec<Individual>> = (0..count).map(|_| Individual::read(bytes)).collect();
        let population = Population::of(all?);
        Some(Unit {
            task,
            island,
            population,
            rates,
            graphs,
            behaviours,
            kept,
            solved,
            parents: Vec::new(),
            before: Before::default(),
        })
    }
}

/// What is small of a unit, and always written whole.
#[derive(Debug)]
pub(super) struct Head {
    pub rates: Rates,
    pub kept: Option<Quality>,
    pub solved: bool,
}

impl Unit {
    pub(super) fn head(&self) -> Head {
        Head { rates: self.rates.clone(), kept: self.kept, solved: self.solved }
    }
}

impl Head {
    pub(super) fn write(&self, out: &mut Out) {
        out.numbers(self.rates.weights().map(u64::from));
        match self.kept {
            Some((exact, points, Reverse(size))) => {
                out.numbers([1, u64::from(exact), u64::from(points), size as u64]);
            }
            None => out.number(0),
        }
        out.number(u64::from(self.solved));
    }

    pub(super) fn read(bytes: &mut In) -> Option<Head> {
        let mut weights = Rates::default().weights();
        for weight in &mut weights {
            *weight = u32::try_from(bytes.number()?).ok()?;
        }
        let kept = match bytes.number()? {
            0 => None,
            _ => Some((
                u16::try_from(bytes.number()?).ok()?,
                u32::try_from(bytes.number()?).ok()?,
                Reverse(bytes.count()?),
            )),
        };
        Some(Head { rates: Rates::of(weights), kept, solved: bytes.number()? == 1 })
    }
}
