//! The solver: one task after the other through views, features and rules.

use std::sync::Mutex;

use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::engine::Engine;
use batt_run::stop::Stop;
use batt_run::tasks::{Grid, Task};
use rustc_hash::FxHashSet as HashSet;

use crate::answer::{Answer, Candidate, confirm, rank};
use crate::cells::{Learnt, learn_rules};
use crate::columns::Columns;
use crate::enumerate;
use crate::enumerate::operations::Operations;
use crate::enumerate::rows::Machine;
use crate::evaluate::{Ready, Sheet, grid_of};
use crate::library::{Feature, Library};
use crate::part::{Config, Found, Part, Problem, View};
use crate::scene::Scene;
use crate::store::{Given, Store};
use crate::views::{self, Views};
use crate::write::Writer;

/// What is the same for all tasks.
#[derive(Debug)]
pub struct Prepared {
    library: Library,
    views: Views,
    features: Sheet,
    grids: Sheet,
    /// For every colour, the planes that it hides.
    hidden: Vec<(Store, Sheet, Vec<NodeId>)>,
    operations: Operations,
    /// What an enumeration begins with besides the views: what the library says of a grid.
    seeds: Sheet,
}

impl Prepared {
    /// Reads the library and deals its batteries.
    pub fn new() -> Result<Prepared, String> {
        let library = Library::embedded().map_err(|error| error.to_string())?;
        let views = Views::new(&library)?;
        let features = Sheet::new(library.store.body(), library.roots());
        let grids = Sheet::new(views.store.body(), views.nodes.clone());
        let hidden = (0..10).map(|color| {
            let mut store = Store::default();
            let color = store.int(color);
            let given = Given { input: Store::INPUT, container: Some(color) };
            let body = library.store.body();
            let roots: Vec<NodeId> =
                library.hidden.iter().map(|plane| store.graft(body, plane.node, given)).collect();
            let sheet = Sheet::new(store.body(), roots.clone());
            (store, sheet, roots)
        });
        let hidden = hidden.collect();
        let operations = Operations::embedded()?;
        let seeds = Sheet::new(library.store.body(), library.seeds());
        Ok(Prepared { library, views, features, grids, hidden, operations, seeds })
    }
}

/// Solves tasks on one engine.
pub struct Solver<'a> {
    prepared: &'a Prepared,
    engine: &'a dyn Engine,
    stop: &'a Stop,
    features: Ready<'a>,
    grids: Ready<'a>,
    hidden: Vec<Ready<'a>>,
    seeds: Ready<'a>,
    /// What enumerations that ended have worked in.
    machines: Mutex<Vec<Machine>>,
}

/// On so many of the grids of an enumeration a decision is learnt cell by cell.
const MAX_CHOICE_SCENES: usize = 2;

/// An enumeration's values take so many bytes at most.
const MACHINE_BYTES: usize = 512 << 20;

/// A view of the input is learnt on where its grids have the outputs' sizes; so many of them at most.
const MAX_SCENES: usize = 8;

/// As many other views are planes of a scene.
const MAX_PLANES: usize = 40;

impl<'a> Solver<'a> {
    /// Readies an engine.
    pub fn new(prepared: &'a Prepared, engine: &'a dyn Engine, stop: &'a Stop) -> Solver<'a> {
        let features = prepared.features.load(engine, stop);
        let grids = prepared.grids.load(engine, stop);
        let hidden = prepared.hidden.iter().map(|(_, sheet, _)| sheet.load(engine, stop)).collect();
        let seeds = prepared.seeds.load(engine, stop);
        let machines = Mutex::default();
        Solver { prepared, engine, stop, features, grids, hidden, seeds, machines }
    }

    /// Answers a task. What its tests should give is never looked at.
    pub fn solve(&self, task: &Task, config: &Config) -> Answer {
        let outputs: Option<Vec<&Grid>> = task.demos.iter().map(|d| d.output.as_ref()).collect();
        let Some(outputs) = outputs.filter(|outputs| !outputs.is_empty()) else {
            return Answer::default();
        };
        let inputs = task.demos.iter().chain(&task.tests).map(|example| example.input.clone());
        let mut found = Found::default();
        let mut problem = Problem::new(inputs.collect(), outputs, config.budget);
        problem.views = self.views(&problem, &mut found.store);
        for part in Part::ALL.into_iter().filter(|part| config.parts.contains(part)) {
            if found.sure {
                break;
            }
            match part {
                Part::Cells => self.cells(&problem, &mut found),
                Part::Objects => {}
                Part::Enumeration => self.enumerate(&problem, &mut found),
            }
        }
        let ranked = rank(found.candidates);
        confirm(task, &found.store, ranked, config.attempts)
    }

    /// Expressions built bottom-up, and what can be put together from them.
    fn enumerate(&self, problem: &Problem, found: &mut Found) {
        let waiting = self.machines.lock().ok().and_then(|mut machines| machines.pop());
        let mut machine = waiting.unwrap_or_else(|| Machine::new(MACHINE_BYTES));
        let Prepared { library, operations, .. } = self.prepared;
        let values = self.seeds.values(&problem.inputs);
        let seed = |(node, values): (NodeId, Vec<Option<Value>>)| {
            let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
            let node = found.store.graft(library.store.body(), node, Given::grid(Store::INPUT));
            Some((node, values))
        };
        let seeds: Vec<_> = library.seeds().into_iter().zip(values).filter_map(seed).collect();
        let (_, choices) = enumerate::find(operations, &mut machine, problem, &seeds, found);
        if let Ok(mut machines) = self.machines.lock() {
            machines.push(machine);
        }
        let first = found.candidates.len();
        let choices: Vec<&View> = choices.iter().collect();
        let constants = self.constants(&problem.inputs, &mut found.store);
        for (at, view) in choices.iter().enumerate().take(MAX_CHOICE_SCENES) {
            let Some(scene) = Scene::new(&view.grids, &problem.outputs) else { continue };
            if self.learn(&scene, at, &choices, &constants, found) {
                break;
            }
        }
        for candidate in &mut found.candidates[first..] {
            candidate.part = Part::Enumeration;
            candidate.how = format!("choice of {}", candidate.how);
        }
    }

    /// Cell rules on the input and on views of it, and the views that are the output themselves.
    fn cells(&self, problem: &Problem, found: &mut Found) {
        let Problem { inputs, outputs, views, .. } = problem;
        for view in views {
            if view.grids.iter().zip(outputs).all(|(grid, output)| grid == *output) {
                found.candidates.push(Candidate {
                    part: Part::Cells,
                    tests: view.grids[outputs.len()..].to_vec(),
                    score: 940.0 - 4.0 * view.calls as f64,
                    trust: 1.0,
                    how: "view".to_string(),
                    node: view.node,
                });
            }
        }
        let fits = |view: &&View| {
            let same = |(a, b): (&Grid, &&Grid)| a.height() == b.height() && a.width() == b.width();
            view.grids.iter().zip(outputs).all(same)
        };
        let fitting: Vec<&View> = views.iter().filter(fits).collect();
        let constants = self.constants(inputs, &mut found.store);
        for (at, view) in fitting.iter().enumerate().take(MAX_SCENES) {
            let Some(scene) = Scene::new(&view.grids, outputs) else { continue };
            found.sure = self.learn(&scene, at, &fitting, &constants, found);
            if found.sure {
                break;
            }
        }
    }

    /// What the views make of the inputs, each distinct row of grids once.
    fn views(&self, problem: &Problem, store: &mut Store) -> Vec<View> {
        let (inputs, outputs) = (&problem.inputs[..], &problem.outputs[..]);
        let values = self.grids.values(inputs);
        let mut known: HashSet<Vec<Grid>> = HashSet::default();
        let mut seen = Vec::new();
        let views = &self.prepared.views;
        let common = views.nodes.iter().map(|node| (views.store.body(), *node)).zip(&values);
        // Those that are for outputs of this size.
        let mut own = Store::default();
        let mut nodes = views::of_size(&mut own, outputs);
        for color in hiding(inputs, outputs) {
            nodes.extend(views::below(&mut own, color));
        }
        let sheet = Sheet::new(own.body(), nodes.clone());
        let of_size = sheet.load(self.engine, self.stop).values(inputs);
        let of_size = nodes.iter().map(|node| (own.body(), *node)).zip(&of_size);
        for ((body, node), values) in common.chain(of_size) {
            let grids = values.iter().map(|value| grid_of(value.as_ref()?));
            let Some(grids) = grids.collect::<Option<Vec<Grid>>>() else { continue };
            if known.insert(grids.clone()) {
                let node = store.graft(body, node, Given::grid(Store::INPUT));
                let calls = store.calls(node);
                seen.push(View { node, grids, calls });
            }
        }
        seen
    }

    /// The colours that features tell of the inputs, for rules that look at something else.
    fn constants(&self, inputs: &[Grid], store: &mut Store) -> Vec<(NodeId, Vec<Value>)> {
        let library = &self.prepared.library;
        let values = self.features.values(inputs);
        let planes = library.planes.iter().zip(values);
        let constant = |(plane, values): (&Feature, Vec<Option<Value>>)| {
            let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
            let all = values.iter().all(|value| matches!(value, Value::Int(_)));
            let given = Given::grid(Store::INPUT);
            all.then(|| (store.graft(library.store.body(), plane.node, given), values))
        };
        planes.filter_map(constant).collect()
    }

    /// Learns rules on a view; whether one of them is sure.
    fn learn(
        &self,
        scene: &Scene,
        at: usize,
        fitting: &[&View],
        constants: &[(NodeId, Vec<Value>)],
        found: &mut Found,
    ) -> bool {
        let Found { store, candidates, .. } = found;
        let (library, view) = (&self.prepared.library, fitting[at]);
        let own_group = library.planes[0].group;
        let targets: Vec<Grid> = scene.targets();
        let targets: Vec<&Grid> = targets.iter().collect();
        let hiding: Vec<u8> = std::iter::once(0).chain(hiding(&view.grids, &targets)).collect();
        let values = self.features.values(&view.grids);
        let mut columns = Columns::new(scene, library, &values);
        for other in fitting.iter().take(MAX_PLANES).filter(|other| other.node != view.node) {
            let values: Vec<Value> = other.grids.iter().map(Grid::to_value).collect();
            let values: Vec<&Value> = values.iter().collect();
            columns.add_own(other.node, &values, library.views());
        }
        for color in hiding {
            let (own, _, roots) = &self.prepared.hidden[usize::from(color)];
            let values = self.hidden[usize::from(color)].values(&view.grids);
            for ((plane, root), values) in library.hidden.iter().zip(roots).zip(&values) {
                let values: Option<Vec<&Value>> = values.iter().map(Option::as_ref).collect();
                if let Some(values) = values {
                    let node = store.graft(own.body(), *root, Given::grid(view.node));
                    columns.add_own(node, &values, plane.group);
                }
            }
        }
        if view.node != Store::INPUT {
            for (node, values) in constants {
                columns.add_own(*node, &values.iter().collect::<Vec<_>>(), own_group);
            }
        }
        let mut rules = Vec::new();
        let mut sure = false;
        for tier in &library.tiers {
            rules.extend(learn_rules(scene, &mut columns, tier));
            sure = rules.iter().any(|rule: &Learnt| rule.is_sure(scene.demos));
            if sure {
                break;
            }
        }
        for learnt in rules {
            let Learnt { rule, leaves, trusted, family, learner, tests } = learnt;
            let mut writer = Writer { store, library, columns: &columns, grid: view.node };
            let node = writer.rule(&rule);
            let trust = trusted as f64 / scene.demos as f64;
            let score = 1000.0 * trust
                - 60.0 * leaves as f64
                - 15.0 * f64::from(family.count())
                - 30.0 * (at as f64).min(5.0)
                - 4.0 * view.calls as f64;
            let how = format!(
                "cells view{at} {} {learner:?} {leaves} leaves, {trusted}/{}",
                library.family_name(family),
                scene.demos
            );
            candidates.push(Candidate { part: Part::Cells, tests, score, trust, how, node });
        }
        sure
    }
}

/// The colours that may hide what is below them: those that all inputs have and no output has.
fn hiding(inputs: &[Grid], outputs: &[&Grid]) -> Vec<u8> {
    let has = |grid: &Grid, color: u8| grid.rows().flatten().any(|cell| *cell == color);
    let hides = |color: &u8| {
        inputs[..outputs.len()].iter().all(|input| has(input, *color))
            && !outputs.iter().any(|output| has(output, *color))
    };
    (1..10).filter(hides).collect()
}
