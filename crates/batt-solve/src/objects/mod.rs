//! Object rules: what becomes of the objects of a grid, and what is drawn for them.
//!
//! An output is the input, or what is left of it without its objects, with layers drawn over it. A layer is
//! one action (`library/actions.txt`) for those objects of a kind that a small tree chooses. Outputs of other
//! sizes are made of one object that a tree chooses (`library/crops.txt`). Reading order:
//!
//! - [`kinds`]: kinds of objects, their attributes and actions, read from text
//! - [`items`]: the objects of a task, and what may be asked of them, as bits
//! - [`layers`]: what actions draw, and where that is right
//! - [`patterns`]: what the demos show beside all objects
//! - [`select`]: trees that choose objects
//! - [`search`]: layers put over each other
//! - [`crops`]: outputs made of one object
//! - [`write`]: all of it as programs

pub mod crops;
pub mod items;
pub mod kinds;
pub mod layers;
mod lesson;
pub mod patterns;
pub mod search;
pub mod select;
mod write;

use batt_lang::Value;
use batt_run::engine::Engine;
use batt_run::stop::Stop;
use batt_run::tasks::Grid;

use self::items::Items;
use self::kinds::{Action, Kind, Kinds};
use self::layers::{Canvas, Easel, Ink, Layers, What};
use self::lesson::{Lesson, fresh_colors};
use self::patterns::Pattern;
use self::search::Search;
use self::select::Namer;
use crate::answer::Candidate;
use crate::evaluate::{Ready, Sheet};
use crate::library::Library;
use crate::part::{Found, Problem, View};

/// What is the same for all tasks.
#[derive(Debug)]
pub struct ObjectSheets {
    kinds: Kinds,
    containers: Sheet,
    by_kind: Vec<KindSheets<Sheet>>,
}

/// What is evaluated for a kind.
#[derive(Debug)]
struct KindSheets<S> {
    attributes: S,
    actions: S,
    dear: S,
    towards: Vec<S>,
    crops: S,
}

impl ObjectSheets {
    /// Deals the batteries of all kinds.
    pub fn new(library: &Library) -> Result<ObjectSheets, String> {
        let kinds = Kinds::new(library).map_err(|error| error.to_string())?;
        let body = kinds.store.body();
        let containers = Sheet::new(body, kinds.kinds.iter().map(|kind| kind.items).collect());
        let sheet = |all: &[Action]| Sheet::new(body, all.iter().map(|a| a.values).collect());
        let sheets = |kind: &Kind| KindSheets {
            attributes: sheet(&kind.attributes),
            actions: sheet(&kind.actions[..kind.cheap]),
            dear: sheet(&kind.actions[kind.cheap..]),
            towards: kind.towards.iter().map(|all| sheet(all)).collect(),
            crops: sheet(&kind.crops),
        };
        let by_kind = kinds.kinds.iter().map(sheets).collect();
        Ok(ObjectSheets { kinds, containers, by_kind })
    }

    /// Readies an engine for them.
    pub fn load<'a>(&'a self, engine: &'a dyn Engine, stop: &'a Stop) -> ObjectRules<'a> {
        let load = |sheets: &'a KindSheets<Sheet>| KindSheets {
            attributes: sheets.attributes.load(engine, stop),
            actions: sheets.actions.load(engine, stop),
            dear: sheets.dear.load(engine, stop),
            towards: sheets.towards.iter().map(|sheet| sheet.load(engine, stop)).collect(),
            crops: sheets.crops.load(engine, stop),
        };
        ObjectRules {
            kinds: &self.kinds,
            containers: self.containers.load(engine, stop),
            by_kind: self.by_kind.iter().map(load).collect(),
        }
    }
}

/// Learns object rules on one engine.
pub struct ObjectRules<'a> {
    kinds: &'a Kinds,
    containers: Ready<'a>,
    by_kind: Vec<KindSheets<Ready<'a>>>,
}

/// What was begun so often is looked at once more.
const MAX_STAGES: usize = 2;
/// What a rule that begins with what another one made is worth less.
const STAGE: f64 = 100.0;

impl ObjectRules<'_> {
    /// Looks for rules; where none is right, once more on what is right as far as it goes. What came
    /// closest is left for others to go on with.
    pub fn find(&self, problem: &Problem, found: &mut Found) -> Option<View> {
        let mut lesson = Lesson::new(problem, &mut found.store);
        let before = found.candidates.len();
        self.stage(problem, &mut lesson, found);
        let trusted = |candidate: &Candidate| candidate.trust >= 1.0;
        if found.candidates[before..].iter().any(trusted) {
            return None;
        }
        let mut partials = std::mem::take(&mut lesson.partials);
        partials.sort_by_key(|(wrong, _, _)| *wrong);
        partials.dedup_by(|a, b| a.2 == b.2);
        let wrong = lesson.wrong();
        let mut closest = None;
        for (left, node, made) in partials.into_iter().take(MAX_STAGES) {
            let grids: Option<Vec<Grid>> = made.iter().map(Canvas::grid).collect();
            if let Some(grids) = grids.filter(|_| left * 2 <= wrong) {
                closest.get_or_insert_with(|| lesson.view(&grids, node, &mut found.store));
                let mut next = lesson.after(grids, node);
                self.stage(problem, &mut next, found);
            }
        }
        closest.filter(|_| !found.candidates[before..].iter().any(trusted))
    }

    fn stage(&self, problem: &Problem, lesson: &mut Lesson, found: &mut Found) {
        let same = |(a, b): (&Grid, &Grid)| a.height() == b.height() && a.width() == b.width();
        let same = lesson.inputs.iter().zip(&lesson.outputs).all(same);
        let roots = self.kinds.kinds.len() * lesson.inputs.len();
        if !problem.spend(roots as u64) {
            return;
        }
        let containers = self.containers.values(&lesson.inputs);
        let mut seen: Vec<&Vec<Option<Value>>> = Vec::new();
        for (at, container) in containers.iter().enumerate() {
            // Another kind may have the same objects here.
            if seen.contains(&container) {
                continue;
            }
            seen.push(container);
            let Some(mut items) = Items::new(container, lesson.outputs.len()) else { continue };
            let kind = &self.kinds.kinds[at];
            let rows = kind.attributes.len() + kind.actions.len() + kind.crops.len();
            if !problem.spend((rows * lesson.inputs.len()) as u64) {
                return;
            }
            if same {
                self.layers(lesson, at, &mut items, found);
            } else {
                self.crops(lesson, at, &mut items, found);
            }
        }
    }

    /// Asks all attributes of a kind, and tells the colours among them.
    fn attributes(&self, lesson: &Lesson, at: usize, items: &mut Items) -> Vec<(usize, Vec<u8>)> {
        let values = self.by_kind[at].attributes.values(&lesson.inputs);
        let mut colors = Vec::new();
        for (place, values) in values.iter().enumerate() {
            items.ask(place, values);
            if self.kinds.kinds[at].attributes[place].is_color {
                colors.extend(items.colors(values).map(|colors| (place, colors)));
            }
        }
        items.tidy();
        colors
    }

    fn layers(&self, lesson: &mut Lesson, at: usize, items: &mut Items, found: &mut Found) {
        let colors = self.attributes(lesson, at, items);
        let drawn = self.drawn(lesson, at, items);
        let base: Vec<Canvas> = lesson.inputs.iter().map(Canvas::of).collect();
        let wanted: Vec<Canvas> = lesson.outputs.iter().map(Canvas::of).collect();
        let mut erased = base.clone();
        for (span, canvas) in items.spans.iter().zip(&mut erased) {
            for (row, column, _) in items.cells[span.clone()].iter().flatten() {
                if let Some(place) = canvas.place(*row, *column) {
                    canvas.cells[usize::from(place)] = 0;
                }
            }
        }
        let bases = [(false, base), (true, erased)];
        for (is_erased, base) in bases {
            let easel = Easel { base, wanted: wanted.clone() };
            let mut layers = self.layers_of(at, items, &easel, &drawn, &colors);
            let patterns = Pattern::all(items, &easel);
            for (at, pattern) in patterns.iter().enumerate() {
                let shapes = pattern.shapes(items, &easel);
                let drawn = (What::Pattern(at), Ink::Own, false);
                layers.add(easel.layer(items, &shapes, drawn, &|_| 0));
            }
            let complete = easel.covered(items, &layers.all);
            let layers = layers.all;
            let (plans, partial) = Search::run(&easel, items, &layers, complete);
            let kind = &self.kinds.kinds[at];
            if let Some(partial) = partial.filter(|_| plans.is_empty()) {
                let store = &mut found.store;
                let mut namer = Namer { store, kinds: self.kinds, kind, grid: lesson.grid };
                let base = if is_erased { namer.erased() } else { lesson.grid };
                let node = namer.plan(&partial.steps, (&layers, &patterns), items, base);
                lesson.partials.push((partial.wrong, node, partial.made));
            }
            for plan in plans {
                let tests = plan.made[items.demos..].iter().map(Canvas::grid);
                let Some(tests) = tests.collect::<Option<Vec<Grid>>>() else { continue };
                let store = &mut found.store;
                let mut namer = Namer { store, kinds: self.kinds, kind, grid: lesson.grid };
                let base = if is_erased { namer.erased() } else { lesson.grid };
                let node = namer.plan(&plan.steps, (&layers, &patterns), items, base);
                let trust = plan.trusted as f64 / items.demos as f64;
                let score = 1000.0 * trust
                    - 60.0 * plan.leaves() as f64
                    - 30.0 * plan.steps.len() as f64
                    - if is_erased { 20.0 } else { 0.0 }
                    - STAGE * lesson.stage as f64;
                let steps = plan.steps.iter().map(|step| {
                    let layer = &layers[step.layer];
                    let behind = if layer.behind { " behind" } else { "" };
                    let name = match layer.what {
                        What::Action(at) => kind.actions[at].name.as_str(),
                        What::Towards(color, at) => &kind.towards[usize::from(color) - 1][at].name,
                        What::Pattern(_) => "a pattern",
                    };
                    format!("{name} {:?}{behind}, {} leaves", layer.ink, step.tree.leaves())
                });
                let how = format!(
                    "objects {}{}{}: {}, {}/{}",
                    if lesson.stage > 0 { "after another rule " } else { "" },
                    kind.name,
                    if is_erased { " erased" } else { "" },
                    steps.collect::<Vec<_>>().join("; "),
                    plan.trusted,
                    items.demos
                );
                lesson.hand_out(found, tests, (score, trust), how, node);
            }
        }
    }

    /// What all actions give.
    fn drawn(&self, lesson: &Lesson, at: usize, items: &Items) -> Vec<(What, Vec<Option<Value>>)> {
        let sheets = &self.by_kind[at];
        let mut values = sheets.actions.values(&lesson.inputs);
        if items.are_few() {
            values.extend(sheets.dear.values(&lesson.inputs));
        }
        let values = values.into_iter().enumerate();
        let mut drawn: Vec<_> =
            values.map(|(action, values)| (What::Action(action), values)).collect();
        if !items.are_few() {
            return drawn;
        }
        for color in lesson.common_colors() {
            let sheet = &sheets.towards[usize::from(color) - 1];
            let values = sheet.values(&lesson.inputs).into_iter().enumerate();
            drawn.extend(values.map(|(action, values)| (What::Towards(color, action), values)));
        }
        drawn
    }

    /// The layers of all actions in all inks.
    fn layers_of(
        &self,
        at: usize,
        items: &Items,
        easel: &Easel,
        drawn: &[(What, Vec<Option<Value>>)],
        colors: &[(usize, Vec<u8>)],
    ) -> Layers {
        let mut layers = Layers::default();
        let fresh = fresh_colors(easel);
        let own = |item: usize| items.cells[item].first().map_or(0, |(_, _, color)| *color);
        for (what, values) in drawn {
            let Some(shapes) = easel.shapes(items, values) else { continue };
            let is_plain = match what {
                What::Action(action) => self.kinds.kinds[at].actions[*action].is_plain,
                What::Towards(..) | What::Pattern(_) => false,
            };
            for behind in [false, true] {
                let mut add = |ink: Ink, color: &dyn Fn(usize) -> u8| {
                    layers.add(easel.layer(items, &shapes, (*what, ink, behind), color));
                };
                if shapes.colored {
                    add(Ink::Own, &own);
                }
                if is_plain || !shapes.colored {
                    add(Ink::Item, &own);
                    for color in &fresh {
                        add(Ink::Color(*color), &own);
                    }
                }
                if is_plain {
                    for (place, colors) in colors {
                        add(Ink::Attribute(*place), &|item| colors[item]);
                    }
                }
            }
        }
        layers
    }

    fn crops(&self, lesson: &Lesson, at: usize, items: &mut Items, found: &mut Found) {
        let values = self.by_kind[at].crops.values(&lesson.inputs);
        let outputs: Vec<&Grid> = lesson.outputs.iter().collect();
        let kind = &self.kinds.kinds[at];
        let mut asked = false;
        for (action, values) in kind.crops.iter().zip(&values) {
            if !crops::possible(items, values, &outputs) {
                continue;
            }
            if !asked {
                self.attributes(lesson, at, items);
                asked = true;
            }
            let Some(crop) = crops::learn(items, values, &outputs) else { continue };
            let store = &mut found.store;
            let mut namer = Namer { store, kinds: self.kinds, kind, grid: lesson.grid };
            let node = namer.crop(action.function, &crop.tree, items);
            let trust = crop.trusted as f64 / items.demos as f64;
            let leaves = crop.tree.leaves();
            let score = 1000.0 * trust - 60.0 * leaves as f64 - 20.0;
            let how = format!(
                "objects {}: {} of one, {leaves} leaves, {}/{}",
                kind.name, action.name, crop.trusted, items.demos
            );
            lesson.hand_out(found, crop.tests, (score, trust), how, node);
        }
    }
}
