//! The hot paths: finding objects, running a battery, reading programs.
//!
//! `cargo bench -p batt-run`

#![allow(missing_docs)]

use std::hint::black_box;

use batt_lang::program::Definition;
use batt_lang::{Op, Value, text};
use batt_run::bench::Work;
use batt_run::engine::Engine;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::reference::Reference;
use batt_run::reference::Machine;
use batt_run::{programs, random, tasks};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn objects(c: &mut Criterion) {
    let mut rng = random::rng(1);
    let grids: Vec<Value> = (0..50).map(|_| random::grid(&mut rng).to_value()).collect();
    let mut group = c.benchmark_group("objects");
    group.throughput(Throughput::Elements(grids.len() as u64));
    for mode in 0..8 {
        let flags = [4, 2, 1].map(|bit| Value::Bool(mode & bit != 0));
        group.bench_function(format!("mode {mode}"), |b| {
            b.iter(|| {
                for grid in &grids {
                    let args = [std::slice::from_ref(grid), flags.as_slice()].concat();
                    let _ = black_box(Machine::default().prim(Op::Objects.into(), &args));
                }
            });
        });
    }
    group.finish();
}

fn embedded() -> Work {
    let sources = programs::embedded().iter();
    let definitions = sources.flat_map(|(_, source)| text::parse(source).definitions);
    let programs = definitions.filter_map(|definition| match definition {
        Definition::Program(program) => Some(program),
        Definition::Generated(_) => None,
    });
    Work::new(programs.collect(), tasks::embedded().tasks(), 40)
}

fn battery(c: &mut Criterion) {
    let work = embedded();
    let battery = work.battery(true);
    let mut group = c.benchmark_group("battery");
    group.sample_size(10).throughput(Throughput::Elements(work.size() as u64));
    group.bench_function("deal", |b| b.iter(|| work.battery(true)));
    for engine in [&Reference as &dyn Engine, &Cpu::default()] {
        group.bench_function(format!("run/{}", engine.name()), |b| {
            b.iter(|| work.ready(engine, &battery, false).run(8));
        });
    }
    group.bench_function("alone", |b| b.iter(|| work.alone()));
    group.finish();
}

fn parse(c: &mut Criterion) {
    let source: String = programs::embedded().iter().map(|(_, text)| *text).collect();
    let mut group = c.benchmark_group("text");
    group.throughput(Throughput::Bytes(source.len() as u64));
    group.bench_function("parse", |b| b.iter(|| text::parse(black_box(&source))));
    group.finish();
}

criterion_group!(hot, objects, battery, parse);
criterion_main!(hot);
