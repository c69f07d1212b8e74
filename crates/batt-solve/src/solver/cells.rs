//! Cell rules: which grids they are learnt on, with which features, and how they become candidates.

use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;

use super::frame::Frame;
use super::told::Told;
use super::{Solver, hiding};
use crate::answer::Candidate;
use crate::cells::scan::{Order, Scanned, learn_scans};
use crate::cells::{Learnt, Rules, learn_rules};
use crate::columns::{Columns, Features};
use crate::library::{GroupId, Groups, Root};
use crate::part::{Found, Part, Problem, View};
use crate::scene::Scene;
use crate::store::{Given, Store};
use crate::views::Section;
use crate::write::Writer;

/// As many views whose grids have the outputs' sizes are learnt on, tier by tier.
const MAX_SCENES: [usize; 3] = [24, 8, 4];

/// As many frames are learnt on, tier by tier; on the others only where nothing is trusted.
const MAX_FRAMES: [usize; 3] = [8, 8, 2];

/// As many other views are planes of a scene.
const MAX_PLANES: usize = 40;

/// On so many of the grids of an enumeration a decision is learnt cell by cell.
const MAX_CHOICES: usize = 2;

/// As many tiers of families are tried there,
const CHOICE_TIERS: usize = 3;

/// and on what object rules began.
const AFTER_TIERS: usize = 1;

/// On so many of the views rules are learnt that look at what they have written.
const MAX_SCANNED: usize = 3;

/// What a rule that looks at what it has written is worth less.
const SCAN: f64 = 40.0;

/// Where still fewer may be spent, only so many tiers of families are asked, on so many views and
/// frames, and no windows.
const MODEST: u64 = 1_000_000;
const MODEST_TIERS: usize = 2;
const MODEST_SCENES: usize = 10;
const MODEST_FRAMES: usize = 4;

/// As many turned frames are looked at as a whole, views and all, where sizes differ, besides one in other
/// colours.
const MAX_TURNED: usize = 2;

/// What an answer in such a frame is worth less.
const FRAME: f64 = 100.0;

/// What takes long and answers few tasks is left out where fewer row evaluations may be spent.
const DEAR: u64 = 10_000_000;

/// What a cell rule on what object rules began is worth less.
const AFTER: f64 = 100.0;

impl Solver<'_> {
    /// Cell rules on the input and on views of it, and on frames where sizes differ.
    pub(super) fn cells(&self, problem: &Problem, found: &mut Found) {
        let before = found.candidates.len();
        if self.cells_of(problem, found)
            || problem.left() < DEAR
            || problem.views.is_empty()
            || !Section::Other.is_for(&problem.inputs[0], problem.outputs[0])
        {
            return;
        }
        if found.candidates[before..].iter().any(|candidate| candidate.trust >= 1.0) {
            return;
        }
        let frames = Frame::all(problem, &mut found.store);
        // Some of either kind.
        let (turned, other): (Vec<&Frame>, Vec<&Frame>) =
            frames.iter().partition(|frame| frame.is_turned());
        for frame in other.into_iter().take(1).chain(turned.into_iter().take(MAX_TURNED)) {
            let targets = frame.targets.iter().collect();
            let mut within = Problem::new(frame.grids.clone(), targets, DEAR);
            let mut there = Found::default();
            within.views = self.views(&within, &mut there.store);
            self.cells_of(&within, &mut there);
            for candidate in there.candidates {
                let Some(tests) = frame.back(&candidate.tests) else { continue };
                let given = Given::grid(frame.node);
                let made = found.store.graft(there.store.body(), candidate.node, given);
                let node = frame.written_back(&mut found.store, made);
                let score = candidate.score - FRAME - 8.0 * frame.place as f64;
                let how = format!("frame{}: {}", frame.place, candidate.how);
                found.candidates.push(Candidate { tests, score, how, node, ..candidate });
            }
        }
    }

    /// Cell rules on the input and on views of it, and the views that are the output themselves; whether
    /// one of them is sure.
    fn cells_of(&self, problem: &Problem, found: &mut Found) -> bool {
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
        let Found { store, .. } = found;
        let frames = Frame::all(problem, store);
        let told = self.told(inputs, store);
        // Turns of the input are planes; there is nothing else to be learnt on them.
        let own = fitting.first().is_some_and(|view| view.node == Store::INPUT);
        let many = if problem.left() < MODEST { MODEST_SCENES } else { MAX_SCENES[0] };
        let most = if own { 1 } else { many };
        let mut spots: Vec<Spot> = Vec::new();
        for (place, view) in fitting.iter().take(most).enumerate() {
            spots.extend(Scene::new(&view.grids, outputs).map(|scene| Spot {
                scene,
                node: view.node,
                grids: &view.grids,
                frame: None,
                place,
                calls: view.calls,
            }));
        }
        let modest = problem.left() < MODEST;
        for frame in frames.iter().filter(|f| own && (!modest || f.place < MODEST_FRAMES)) {
            let targets: Vec<&Grid> = frame.targets.iter().collect();
            spots.extend(Scene::new(&frame.grids, &targets).map(|scene| Spot {
                scene,
                node: frame.node,
                grids: &frame.grids,
                frame: Some(frame),
                place: 0,
                calls: 2 + 2 * frame.place,
            }));
        }
        let features: Vec<OnView> = spots.iter().map(|spot| self.features(spot, store)).collect();
        let mut columns: Vec<Columns> = Vec::new();
        for (spot, features) in spots.iter().zip(&features) {
            columns.push(self.columns(spot, features, &fitting, &told, store));
        }
        let tiers = if problem.left() < MODEST { MODEST_TIERS } else { MAX_SCENES.len() };
        let tiers = self.prepared.library.tiers.iter().zip(MAX_SCENES).take(tiers);
        let mut any_sure = false;
        for (at, (tier, most)) in tiers.enumerate() {
            let is_asked = |spot: &Spot| match spot.frame {
                None => spot.place < most,
                Some(frame) => frame.place < MAX_FRAMES[at],
            };
            for (spot, columns) in spots.iter().zip(&mut columns).filter(|(s, _)| is_asked(s)) {
                let sure = self.learn(spot, tier, columns, found);
                // Views that are alike on the demos may differ on the tests; all have their say.
                if sure && own {
                    return true;
                }
                any_sure |= sure;
            }
            if any_sure {
                return true;
            }
        }
        if !own && problem.left() >= MODEST && self.windows(problem, found) {
            return true;
        }
        let rich = problem.left() >= DEAR;
        if rich && found.candidates.iter().all(|candidate| candidate.trust < 1.0) {
            let dear = spots.iter().zip(&mut columns);
            for (spot, columns) in
                dear.filter(|(s, _)| s.frame.is_some_and(|f| f.place >= MAX_FRAMES[2]))
            {
                for tier in self.prepared.library.tiers.iter().skip(2) {
                    if self.learn(spot, tier, columns, found) {
                        return true;
                    }
                }
            }
        }
        let unframed = spots.iter().zip(&mut columns).filter(|(spot, _)| spot.frame.is_none());
        for (spot, columns) in unframed.take(if rich { MAX_SCANNED } else { 1 }) {
            self.scans(spot, columns, found);
        }
        false
    }

    /// Rules that look at what they have written, on a spot.
    fn scans(&self, spot: &Spot, columns: &mut Columns, found: &mut Found) {
        let library = &self.prepared.library;
        let written = library.written();
        for family in &library.scans {
            columns.tests_of(family.without(Groups::default().with(written)));
        }
        let (planes, tests) = (columns.planes.len(), columns.tests.len());
        for order in 0..Order::COUNT {
            for step in Order::at(order).before() {
                columns.add_written(step, written);
            }
            for scanned in learn_scans(&spot.scene, columns, &library.scans, order) {
                let Scanned { rule, times, leaves, trusted, family, tests, .. } = scanned;
                let Found { store, .. } = found;
                let mut writer = Writer { store, library, columns, grid: spot.node };
                let Some(node) = writer.repeated(&rule, times) else { continue };
                let trust = trusted as f64 / spot.scene.demos as f64;
                let score = 1000.0 * trust
                    - 60.0 * leaves as f64
                    - 15.0 * f64::from(family.count())
                    - 30.0 * spot.place as f64
                    - 4.0 * spot.calls as f64
                    - SCAN;
                let how = format!(
                    "scan {order} {} {leaves} leaves, {trusted}/{}",
                    library.family_name(family),
                    spot.scene.demos
                );
                let part = Part::Cells;
                found.candidates.push(Candidate { part, tests, score, trust, how, node });
            }
            columns.truncate(planes, tests);
        }
    }

    /// Cell rules on what object rules began.
    pub(super) fn cells_after(&self, problem: &Problem, view: &View, found: &mut Found) {
        let input = View { node: Store::INPUT, grids: problem.inputs.clone(), calls: 0 };
        let before = found.candidates.len();
        self.learn_on(problem, &[view, &input], (0, AFTER_TIERS), &Told::default(), found);
        for candidate in &mut found.candidates[before..] {
            candidate.part = Part::Objects;
            candidate.score -= AFTER;
            candidate.how = format!("objects, then {}", candidate.how);
        }
    }

    /// Cell rules that choose between grids that an enumeration made.
    pub(super) fn cells_of_choices(&self, problem: &Problem, choices: &[View], found: &mut Found) {
        let before = found.candidates.len();
        let choices: Vec<&View> = choices.iter().collect();
        let told = self.told_colors(&problem.inputs, &mut found.store);
        let mut places = 0..choices.len().min(MAX_CHOICES);
        places.any(|at| self.learn_on(problem, &choices, (at, CHOICE_TIERS), &told, found));
        for candidate in &mut found.candidates[before..] {
            candidate.part = Part::Enumeration;
            candidate.how = format!("choice of {}", candidate.how);
        }
    }

    /// Cell rules of so many tiers on one of some views; whether one of them is sure.
    fn learn_on(
        &self,
        problem: &Problem,
        views: &[&View],
        (place, tiers): (usize, usize),
        told: &Told,
        found: &mut Found,
    ) -> bool {
        let View { node, grids, calls } = views[place];
        let Some(scene) = Scene::new(grids, &problem.outputs) else { return false };
        let spot = Spot { scene, node: *node, grids, frame: None, place, calls: *calls };
        let Found { store, .. } = found;
        let features = self.features(&spot, store);
        let mut columns = self.columns(&spot, &features, views, told, store);
        let mut tiers = self.prepared.library.tiers.iter().take(tiers);
        tiers.any(|tier| self.learn(&spot, tier, &mut columns, found))
    }

    /// What the features of a group that have no twin give on some grids.
    pub(super) fn evaluate(
        &self,
        group: GroupId,
        grids: &[Grid],
    ) -> Vec<(Root, Vec<Option<Value>>)> {
        let at = usize::from(group.0);
        let roots = &self.prepared.features[at].0;
        if roots.is_empty() {
            return Vec::new();
        }
        roots.iter().copied().zip(self.features[at].values(grids)).collect()
    }

    /// What may be asked on a spot, with the colours that may hide something there.
    fn features<'a>(&'a self, spot: &'a Spot, store: &mut Store) -> OnView<'a> {
        let targets = spot.scene.targets();
        let targets: Vec<&Grid> = targets.iter().collect();
        let hiding = std::iter::once(0).chain(hiding(spot.grids, &targets));
        OnView::new(self, spot.grids, spot.node, hiding, store)
    }

    /// The columns of a spot, with the other views and the input's colours as planes.
    fn columns<'a>(
        &'a self,
        spot: &'a Spot,
        features: &'a OnView,
        fitting: &[&View],
        told: &Told,
        store: &mut Store,
    ) -> Columns<'a> {
        let library = &self.prepared.library;
        let mut columns = Columns::new(&spot.scene, library, features);
        if spot.frame.is_none() {
            for other in fitting.iter().take(MAX_PLANES).filter(|other| other.node != spot.node) {
                columns.add_view(other.node, &other.grids, library.views());
            }
            if spot.node != Store::INPUT {
                for (node, values) in &told.colors {
                    let values: Vec<&Value> = values.iter().collect();
                    columns.add_own(*node, &values, library.planes[0].group);
                }
                self.add_counts(spot, told, store, &mut columns);
                if spot.place < MAX_SCENES[1] {
                    self.add_lists(spot, told, store, &mut columns);
                }
            }
        }
        columns
    }

    /// Learns the rules of a tier on a spot; whether one of them is sure.
    fn learn(
        &self,
        spot: &Spot,
        tier: &[Groups],
        columns: &mut Columns,
        found: &mut Found,
    ) -> bool {
        let Found { store, candidates, near: found_near, .. } = found;
        let library = &self.prepared.library;
        let Rules { right: rules, near } = learn_rules(&spot.scene, columns, tier);
        if let Some(rule) = near.filter(|_| spot.frame.is_none()) {
            let mut writer = Writer { store, library, columns, grid: spot.node };
            found_near.push(writer.rule(&rule));
        }
        let sure = rules.iter().any(|rule| rule.is_sure(spot.scene.demos));
        for learnt in rules {
            let Learnt { rule, leaves, trusted, family, learner, tests } = learnt;
            let mut writer = Writer { store, library, columns, grid: spot.node };
            let node = writer.rule(&rule);
            let (node, tests) = match spot.frame {
                None => (node, tests),
                Some(frame) => {
                    let Some(tests) = frame.back(&tests) else { continue };
                    (frame.written_back(store, node), tests)
                }
            };
            let trust = trusted as f64 / spot.scene.demos as f64;
            let score = 1000.0 * trust
                - 60.0 * leaves as f64
                - 15.0 * f64::from(family.count())
                - 30.0 * (spot.place as f64).min(5.0)
                - 4.0 * spot.calls as f64;
            let how = format!(
                "cells {}{} {} {learner:?} {leaves} leaves, {trusted}/{}",
                if spot.frame.is_some() { "frame" } else { "view" },
                spot.frame.map_or(spot.place, |frame| frame.place),
                library.family_name(family),
                spot.scene.demos
            );
            candidates.push(Candidate { part: Part::Cells, tests, score, trust, how, node });
        }
        sure
    }
}

/// Where rules are learnt: grids, and what they should become.
pub(super) struct Spot<'a> {
    scene: Scene,
    pub(super) node: NodeId,
    pub(super) grids: &'a [Grid],
    frame: Option<&'a Frame>,
    /// How many simpler views there are.
    place: usize,
    calls: usize,
}

/// The features that are evaluated on the grids of a view.
pub(super) struct OnView<'a> {
    solver: &'a Solver<'a>,
    grids: &'a [Grid],
    /// Colours that may hide what is below them, and the planes that depend on them.
    hidden: Vec<(usize, Vec<NodeId>)>,
}

impl<'a> OnView<'a> {
    /// The features of the grids that an expression gives, where some colours may hide others.
    pub(super) fn new(
        solver: &'a Solver,
        grids: &'a [Grid],
        node: NodeId,
        hiding: impl Iterator<Item = u8>,
        store: &mut Store,
    ) -> OnView<'a> {
        let hidden = hiding.map(|color| {
            let (own, _, roots) = &solver.prepared.hidden[usize::from(color)];
            let nodes = roots.iter().map(|root| store.graft(own.body(), *root, Given::grid(node)));
            (usize::from(color), nodes.collect())
        });
        OnView { solver, grids, hidden: hidden.collect() }
    }
}

impl Features for OnView<'_> {
    fn evaluate(&self, group: GroupId) -> Vec<(Root, Vec<Option<Value>>)> {
        let mut out = self.solver.evaluate(group, self.grids);
        if self.solver.prepared.library.hidden.first().is_some_and(|first| first.group == group) {
            for (color, nodes) in &self.hidden {
                let values = self.solver.hidden[*color].values(self.grids);
                out.extend(nodes.iter().map(|node| Root::Own(*node)).zip(values));
            }
        }
        out
    }
}
