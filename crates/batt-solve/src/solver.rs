//! The solver: one task after the other through views, features and rules.

use std::sync::Mutex;

use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::engine::Engine;
use batt_run::stop::Stop;
use batt_run::tasks::{Grid, Task};
use rustc_hash::FxHashSet as HashSet;

use crate::answer::{Answer, Tried, confirm, rank};
use crate::enumerate;
use crate::enumerate::costs::Costs;
use crate::enumerate::operations::Operations;
use crate::enumerate::rows::Machine;
use crate::evaluate::{Ready, Sheet, grid_of};
use crate::library::{GroupId, Library, Root};
use crate::objects::{ObjectRules, ObjectSheets};
use crate::part::{Config, Found, Part, Problem, View};
use crate::sizes::Sizes;
use crate::store::{Given, Store};
use crate::views::{self, Section, Views};

mod cells;
mod frame;
mod told;
mod windows;

/// What is the same for all tasks.
#[derive(Debug)]
pub struct Prepared {
    library: Library,
    views: Views,
    /// By group, the features that have no twin.
    features: Vec<(Vec<Root>, Sheet)>,
    /// The views of every section.
    grids: Vec<Sheet>,
    /// For every colour, the planes that it hides.
    hidden: Vec<(Store, Sheet, Vec<NodeId>)>,
    sizes: Sizes,
    /// The numbers and lists that sizes are made of.
    sized: Sheet,
    objects: ObjectSheets,
    operations: Operations,
    /// What an enumeration begins with besides the views: what the library says of a grid.
    seeds: Sheet,
}

impl Prepared {
    /// Reads the library and deals its batteries.
    pub fn new() -> Result<Prepared, String> {
        Prepared::with(Library::embedded().map_err(|error| error.to_string())?)
    }

    /// Deals the batteries of a library.
    pub fn with(library: Library) -> Result<Prepared, String> {
        let views = Views::new(&library)?;
        let of_group = |at: usize| {
            let (roots, nodes) = library.roots(GroupId(at as u8)).into_iter().unzip();
            (roots, Sheet::new(library.store.body(), nodes))
        };
        let features = (0..library.group_count()).map(of_group).collect();
        let sheet = |nodes: &Vec<(NodeId, usize)>| {
            Sheet::new(views.store.body(), nodes.iter().map(|(node, _)| *node).collect())
        };
        let grids = views.sections.iter().map(sheet).collect();
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
        let sizes = Sizes::new()?;
        let nodes = sizes.numbers.iter().chain(&sizes.lists).copied().collect();
        let sized = Sheet::new(sizes.store.body(), nodes);
        let objects = ObjectSheets::new(&library)?;
        let operations = Operations::embedded()?;
        let seeds = Sheet::new(library.store.body(), library.seeds());
        Ok(Prepared {
            library,
            views,
            features,
            grids,
            hidden,
            sizes,
            sized,
            objects,
            operations,
            seeds,
        })
    }

    /// Gives the operations of the enumeration other costs.
    pub fn set_costs(&mut self, costs: &Costs) -> Result<(), String> {
        self.operations.set_costs(costs)
    }
}

/// Solves tasks on one engine.
pub struct Solver<'a> {
    prepared: &'a Prepared,
    engine: &'a dyn Engine,
    stop: &'a Stop,
    features: Vec<Ready<'a>>,
    grids: Vec<Ready<'a>>,
    hidden: Vec<Ready<'a>>,
    sized: Ready<'a>,
    objects: ObjectRules<'a>,
    seeds: Ready<'a>,
    /// What enumerations that ended have worked in.
    machines: Mutex<Vec<Machine>>,
}

impl<'a> Solver<'a> {
    /// Readies an engine.
    pub fn new(prepared: &'a Prepared, engine: &'a dyn Engine, stop: &'a Stop) -> Solver<'a> {
        let features =
            prepared.features.iter().map(|(_, sheet)| sheet.load(engine, stop)).collect();
        let grids = prepared.grids.iter().map(|sheet| sheet.load(engine, stop)).collect();
        let hidden = prepared.hidden.iter().map(|(_, sheet, _)| sheet.load(engine, stop)).collect();
        let sized = prepared.sized.load(engine, stop);
        let objects = prepared.objects.load(engine, stop);
        let seeds = prepared.seeds.load(engine, stop);
        let machines = Mutex::default();
        Solver { prepared, engine, stop, features, grids, hidden, sized, objects, seeds, machines }
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
        let mut tried = Vec::new();
        for part in Part::ALL.into_iter().filter(|part| config.parts.contains(part)) {
            let (before, left) = (found.candidates.len(), problem.left());
            match part {
                Part::Cells => self.cells(&problem, &mut found),
                Part::Objects => {
                    if let Some(view) = self.objects.find(&problem, &mut found) {
                        self.cells_after(&problem, &view, &mut found);
                    }
                }
                Part::Enumeration => self.enumerate(&problem, config.memory, &mut found),
            }
            let candidates = found.candidates.len() - before;
            tried.push(Tried { part, candidates, rows: left - problem.left() });
        }
        let ranked = rank(found.candidates, config.seed);
        let mut answer = confirm(task, &found.store, ranked, config.attempts);
        if answer.attempts.is_empty() {
            found.near.truncate(config.attempts);
            let programs = found.near.iter().map(|node| found.store.program(*node, &task.id));
            answer.near = programs.collect();
        }
        Answer { tried, ..answer }
    }

    /// Expressions built bottom-up, and what can be put together from them.
    fn enumerate(&self, problem: &Problem, memory: usize, found: &mut Found) {
        let waiting = self.machines.lock().ok().and_then(|mut machines| machines.pop());
        let mut machine = waiting.unwrap_or_else(|| Machine::new(memory));
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
        self.cells_of_choices(problem, &choices, found);
    }

    /// What the views make of the inputs, each distinct row of grids once.
    fn views(&self, problem: &Problem, store: &mut Store) -> Vec<View> {
        let (inputs, outputs) = (&problem.inputs[..], &problem.outputs[..]);
        let mut known: HashSet<Vec<Grid>> = HashSet::default();
        let mut seen = Vec::new();
        let views = &self.prepared.views;
        let sections = Section::ALL.into_iter().zip(&views.sections).zip(&self.grids);
        let sections = sections.filter(|((section, _), _)| section.is_for(&inputs[0], outputs[0]));
        let common: Vec<(NodeId, usize, Vec<Option<Value>>)> = sections
            .flat_map(|((_, nodes), ready)| {
                let values = ready.values(inputs);
                nodes.iter().zip(values).map(|((node, calls), values)| (*node, *calls, values))
            })
            .collect();
        let common =
            common.iter().map(|(node, calls, values)| (views.store.body(), *node, *calls, values));
        // Those that are for outputs of this size.
        let mut own = Store::default();
        let mut nodes = views::of_size(&mut own, outputs);
        for color in std::iter::once(0).chain(hiding(inputs, outputs)) {
            nodes.extend(views::below(&mut own, color));
        }
        if Section::Other.is_for(&inputs[0], outputs[0]) {
            let values = self.sized.values(inputs);
            nodes.extend(self.prepared.sizes.grids(&values, inputs, outputs, &mut own));
        }
        let sheet = Sheet::new(own.body(), nodes.clone());
        let of_size = sheet.load(self.engine, self.stop).values(inputs);
        let of_size = nodes.iter().zip(&of_size);
        let of_size = of_size.map(|(node, values)| (own.body(), *node, own.calls(*node), values));
        let evaluated = common.chain(of_size).filter_map(|(body, node, calls, values)| {
            let grids = values.iter().map(|value| grid_of(value.as_ref()?));
            Some((body, node, calls, grids.collect::<Option<Vec<Grid>>>()?))
        });
        let parts = if Section::Other.is_for(&inputs[0], outputs[0]) {
            views.parts(&self.prepared.library, inputs)
        } else {
            Vec::new()
        };
        let parts = parts
            .into_iter()
            .map(|(node, grids)| (views.store.body(), node, views.store.calls(node), grids));
        let mut all: Vec<_> = evaluated.chain(parts).collect();
        all.sort_by_key(|(_, _, calls, _)| *calls);
        for (body, node, calls, grids) in all {
            if known.insert(grids.clone()) {
                let node = store.graft(body, node, Given::grid(Store::INPUT));
                seen.push(View { node, grids, calls });
            }
        }
        seen
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
