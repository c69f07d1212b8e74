//! The solver: one task after the other through views, features and rules.

use batt_lang::program::NodeId;
use batt_run::engine::Engine;
use batt_run::stop::Stop;
use batt_run::tasks::{Grid, Task};
use rustc_hash::FxHashSet as HashSet;

use crate::answer::{Answer, Candidate, confirm, rank};
use crate::cells::{Learnt, learn_rules};
use crate::columns::Columns;
use crate::evaluate::{Ready, Sheet, grid_of};
use crate::library::Library;
use crate::scene::Scene;
use crate::store::{Given, Store};
use crate::views::Views;
use crate::write::Writer;

/// What is the same for all tasks.
#[derive(Debug)]
pub struct Prepared {
    library: Library,
    views: Views,
    features: Sheet,
    grids: Sheet,
}

impl Prepared {
    /// Reads the library and deals its batteries.
    pub fn new() -> Result<Prepared, String> {
        let library = Library::embedded().map_err(|error| error.to_string())?;
        let views = Views::new(&library)?;
        let features = Sheet::new(library.store.body(), library.roots());
        let grids = Sheet::new(views.store.body(), views.nodes.clone());
        Ok(Prepared { library, views, features, grids })
    }
}

/// Solves tasks on one engine.
pub struct Solver<'a> {
    prepared: &'a Prepared,
    features: Ready<'a>,
    grids: Ready<'a>,
}

/// A view of the input is learnt on where its grids have the outputs' sizes; so many of them at most.
const MAX_SCENES: usize = 8;

/// A grid for every demo and test, and the expression that makes it.
struct Seen {
    node: NodeId,
    grids: Vec<Grid>,
    calls: usize,
}

impl<'a> Solver<'a> {
    /// Readies an engine.
    pub fn new(prepared: &'a Prepared, engine: &'a dyn Engine, stop: &'a Stop) -> Solver<'a> {
        let features = prepared.features.load(engine, stop);
        let grids = prepared.grids.load(engine, stop);
        Solver { prepared, features, grids }
    }

    /// Answers a task. What its tests should give is never looked at.
    pub fn solve(&self, task: &Task, attempts: usize) -> Answer {
        let outputs: Option<Vec<&Grid>> = task.demos.iter().map(|d| d.output.as_ref()).collect();
        let Some(outputs) = outputs.filter(|outputs| !outputs.is_empty()) else {
            return Answer::default();
        };
        let inputs = task.demos.iter().chain(&task.tests).map(|example| example.input.clone());
        let inputs: Vec<Grid> = inputs.collect();
        let mut store = Store::default();
        let mut candidates = Vec::new();
        let views = self.views(&inputs, &mut store);
        for view in &views {
            if view.grids.iter().zip(&outputs).all(|(grid, output)| grid == *output) {
                candidates.push(Candidate {
                    tests: view.grids[outputs.len()..].to_vec(),
                    score: 940.0 - 4.0 * view.calls as f64,
                    trust: 1.0,
                    how: "view".to_string(),
                    node: view.node,
                });
            }
        }
        let fits = |view: &&Seen| {
            let same = |(a, b): (&Grid, &&Grid)| a.height() == b.height() && a.width() == b.width();
            view.grids.iter().zip(&outputs).all(same)
        };
        let fitting: Vec<&Seen> = views.iter().filter(fits).take(MAX_SCENES).collect();
        for (at, view) in fitting.into_iter().enumerate() {
            let Some(scene) = Scene::new(&view.grids, &outputs) else { continue };
            let sure = self.learn(&scene, view, at, &mut store, &mut candidates);
            if sure {
                break;
            }
        }
        let ranked = rank(candidates);
        confirm(task, &store, ranked, attempts)
    }

    /// What the views make of the inputs, each distinct row of grids once.
    fn views(&self, inputs: &[Grid], store: &mut Store) -> Vec<Seen> {
        let values = self.grids.values(inputs);
        let mut known: HashSet<Vec<Grid>> = HashSet::default();
        let mut seen = Vec::new();
        for (node, values) in self.prepared.views.nodes.iter().zip(&values) {
            let grids = values.iter().map(|value| grid_of(value.as_ref()?));
            let Some(grids) = grids.collect::<Option<Vec<Grid>>>() else { continue };
            if known.insert(grids.clone()) {
                let body = self.prepared.views.store.body();
                let node = store.graft(body, *node, Given::grid(Store::INPUT));
                let calls = store.calls(node);
                seen.push(Seen { node, grids, calls });
            }
        }
        seen
    }

    /// Learns rules on a view; whether one of them is sure.
    fn learn(
        &self,
        scene: &Scene,
        view: &Seen,
        at: usize,
        store: &mut Store,
        candidates: &mut Vec<Candidate>,
    ) -> bool {
        let library = &self.prepared.library;
        let values = self.features.values(&view.grids);
        let mut columns = Columns::new(scene, library, &values);
        let rules = learn_rules(scene, &mut columns, &library.families);
        let sure = rules.iter().any(|rule| rule.is_sure(scene.demos));
        for learnt in rules {
            let Learnt { rule, leaves, trusted, family, learner, tests } = learnt;
            let mut writer = Writer { store: &mut *store, library, columns: &columns, grid: view.node };
            let node = writer.rule(&rule);
            let trust = trusted as f64 / scene.demos as f64;
            let score = 1000.0 * trust
                - 60.0 * leaves as f64
                - 15.0 * f64::from(family.len())
                - 30.0 * (at as f64).min(5.0)
                - 4.0 * view.calls as f64;
            let how = format!(
                "cells view{at} {} {learner:?} {leaves} leaves, {trusted}/{}",
                library.family_name(family),
                scene.demos
            );
            candidates.push(Candidate { tests, score, trust, how, node });
        }
        sure
    }
}
