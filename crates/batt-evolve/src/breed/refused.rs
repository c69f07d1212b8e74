//! What the interpreter did not confirm, counted by reason.

use serde::Serialize;

use crate::bytes::{In, Out};

/// How often something was refused, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The interpreter gives a program's outputs otherwise than the engine marked them: there should
    /// be none.
    pub disagreements: u64,
    /// Two programs had the same digests and give different outputs: there should be none.
    pub collisions: u64,
    /// A program that reads S solves a demo only with that demo's own pair in S.
    pub own_pair: u64,
    /// With all of S a program that reads S is worth nothing.
    pub worthless: u64,
}

impl Refused {
    /// Adds what else was refused.
    pub fn add(&mut self, other: &Refused) {
        self.disagreements += other.disagreements;
        self.collisions += other.collisions;
        self.own_pair += other.own_pair;
        self.worthless += other.worthless;
    }

    /// All of them.
    pub fn all(&self) -> u64 {
        self.disagreements + self.collisions + self.own_pair + self.worthless
    }

    /// Writes it.
    pub fn write(&self, out: &mut Out) {
        out.numbers([self.disagreements, self.collisions, self.own_pair, self.worthless]);
    }

    /// Reads what was written.
    pub fn read(bytes: &mut In) -> Option<Refused> {
        Some(Refused {
            disagreements: bytes.number()?,
            collisions: bytes.number()?,
            own_pair: bytes.number()?,
            worthless: bytes.number()?,
        })
    }
}
