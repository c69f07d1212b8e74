//! A program and what it did on the demos.

use std::cmp::Reverse;
use std::sync::Arc;

use batt_run::engine::mark::FULL;

use crate::bytes::{In, Out};
use crate::pool::Genome;

/// A program of a population.
#[derive(Clone, Debug)]
pub struct Individual {
    /// The program.
    pub genome: Arc<Genome>,
    /// The hash of its graph.
    pub graph: u64,
    /// What it gave, as one number.
    pub behaviour: u64,
    /// By demo, how many cells match, of 1000.
    pub cells: Box<[u16]>,
    /// By demo, how alike the differs find it, of 1000.
    pub alike: Box<[u16]>,
    /// The generation it was born in.
    pub born: u32,
}

/// What decides between programs: more is better.
pub type Quality = (u16, u32, Reverse<usize>);

impl Individual {
    /// How many demos are exact.
    pub fn exact(&self) -> u16 {
        exact(&self.cells)
    }

    /// Whether all demos are.
    pub fn solves(&self) -> bool {
        self.cells.iter().all(|cells| *cells == FULL)
    }

    /// Exact demos first, then guidance, then the shorter program.
    pub fn quality(&self) -> Quality {
        (self.exact(), self.points(), Reverse(self.genome.len()))
    }

    /// Guidance: cells weigh nine times what differs do, as they do in the archive's scores.
    pub fn points(&self) -> u32 {
        let points = |(cells, alike): (&u16, &u16)| match *cells {
            FULL => u32::from(FULL),
            cells => ((9 * u32::from(cells) + u32::from(*alike)) / 10).min(u32::from(FULL) - 1),
        };
        self.cells.iter().zip(&self.alike).map(points).sum()
    }

    /// Writes it.
    pub fn write(&self, out: &mut Out) {
        self.genome.write(out);
        out.numbers([self.graph, self.behaviour, u64::from(self.born)]);
        out.count(self.cells.len());
        self.cells.iter().chain(&self.alike).for_each(|n| out.number(u64::from(*n)));
    }

    /// Reads what was written.
    pub fn read(bytes: &mut In) -> Option<Individual> {
        let genome = Arc::new(Genome::read_from(bytes)?);
        let (graph, behaviour) = (bytes.number()?, bytes.number()?);
        let born = u32::try_from(bytes.number()?).ok()?;
        let count = bytes.count()?;
        let mut list = || -> Option<Box<[u16]>> {
            (0..count).map(|_| u16::try_from(bytes.number()?).ok()).collect()
        };
        let (cells, alike) = (list()?, list()?);
        Some(Individual { genome, graph, behaviour, cells, alike, born })
    }
}

/// How many demos are exact.
pub fn exact(cells: &[u16]) -> u16 {
    cells.iter().filter(|cells| **cells == FULL).count() as u16
}
