//! What dealing costs: `cargo bench -p batt-lang --bench card`.
//!
//! Without `BATT_ARC_DSL`, a folder that holds arc-dsl's solvers.py, the programs are our own, many
//! times over with other constants.

use std::hint::black_box;

use batt_lang::card::dice::Dice;
use batt_lang::card::mutate::mutate;
use batt_lang::card::{Card, Options};
use batt_lang::program::{Definition, Program};
use batt_lang::text;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const OURS: [&str; 2] =
    [include_str!("../../../programs/solvers.py"), include_str!("../../../programs/over_demos.py")];

fn read(source: &str) -> Vec<Program> {
    let definitions = text::parse(source).definitions.into_iter();
    let program = |d| match d {
        Definition::Program(p) => Some(p),
        Definition::Generated(_) => None,
    };
    definitions.filter_map(program).collect()
}

fn programs() -> Vec<Program> {
    if let Ok(folder) = std::env::var("BATT_ARC_DSL") {
        let source = std::fs::read_to_string(format!("{folder}/solvers.py"));
        return read(&source.expect("BATT_ARC_DSL names a folder with solvers.py"));
    }
    let ours: Vec<Program> = OURS.iter().flat_map(|source| read(source)).collect();
    let mutant = |n: u64| ours.iter().map(move |p| mutate(p, 0.5, &mut Dice::new(n, 0)).0);
    (0..24).flat_map(mutant).collect()
}

fn deal(programs: &[Program]) -> Card {
    let mut card = Card::new(Options::default());
    for program in programs {
        card.add(program);
    }
    card
}

fn card(c: &mut Criterion) {
    let programs = programs();
    let (last, rest) = programs.split_last().expect("there are programs");
    let lines: usize = programs.iter().map(|p| p.body.bindings.len()).sum();
    let mut group = c.benchmark_group("card");
    group.throughput(Throughput::Elements(lines as u64));
    group.bench_function("add and deal, per line", |b| {
        b.iter(|| deal(black_box(&programs)).deal());
    });
    group.finish();
    let full = deal(rest);
    c.bench_function("card/add one program to many", |b| {
        b.iter_batched_ref(
            || full.clone(),
            |card| card.add(last),
            criterion::BatchSize::LargeInput,
        );
    });
    c.bench_function("card/deal", |b| b.iter(|| black_box(&full).deal()));
}

criterion_group!(benches, card);
criterion_main!(benches);
