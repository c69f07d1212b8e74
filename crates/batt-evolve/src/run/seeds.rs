//! What a run starts from.

use std::sync::Arc;

use batt_lang::program::Definition;
use batt_lang::{Program, text};
use batt_run::{programs, random};

use crate::bytes::Out;
use crate::pool::Genome;

/// A program to start from, and the task it is for, if any.
pub type Seed = (Option<String>, Arc<Genome>);

/// A program as a seed.
pub fn of(program: &Program) -> Seed {
    (program.task.clone(), Arc::new(Genome::read(program)))
}

/// The embedded programs.
pub fn embedded() -> Vec<Seed> {
    let definitions =
        programs::embedded().iter().flat_map(|(_, source)| text::parse(source).definitions);
    let programs = definitions.filter_map(|definition| match definition {
        Definition::Program(program) => Some(of(&program)),
        Definition::Generated(_) => None,
    });
    programs.collect()
}

/// Random programs; the same for the same seed.
pub fn random(seed: u64, count: usize) -> Vec<Seed> {
    let mut rng = random::rng(seed);
    let options = random::Options {
        least: 2,
        most: 8,
        ill_typed: 0,
        nesting: 1,
        ..random::Options::default()
    };
    (0..count)
        .map(|_| (None, Arc::new(Genome::read(&random::program(&mut rng, &options)))))
        .collect()
}

/// The program that gives the input as it is: a run always has something to start from.
pub fn input() -> Seed {
    let program = match text::parse("def solve(I):\n    return I\n").definitions.pop() {
        Some(Definition::Program(program)) => Genome::read(&program),
        _ => Genome::default(),
    };
    (None, Arc::new(program))
}

/// The hash of seeds, in their order.
pub(super) fn hash(seeds: &[Seed]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (task, genome) in seeds {
        let mut out = Out::default();
        out.bytes(task.as_deref().unwrap_or("").as_bytes());
        genome.write(&mut out);
        hasher.update(&out.0);
    }
    hasher.finalize().to_hex()[..16].to_string()
}
