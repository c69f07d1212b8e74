//! Cell rules: which grids they are learnt on, with which features, and how they become candidates.

use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;

use super::{Solver, hiding};
use crate::answer::Candidate;
use crate::cells::{Learnt, learn_rules};
use crate::columns::{Columns, Features};
use crate::library::{GroupId, Root};
use crate::part::{Found, Part, Problem, View};
use crate::scene::Scene;
use crate::store::{Given, Store};
use crate::write::Writer;

/// A view of the input is learnt on where its grids have the outputs' sizes; so many of them at most.
const MAX_SCENES: usize = 8;

/// As many other views are planes of a scene.
const MAX_PLANES: usize = 40;

impl Solver<'_> {
    /// Cell rules on the input and on views of it, and the views that are the output themselves.
    pub(super) fn cells(&self, problem: &Problem, found: &mut Found) {
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

    /// The colours that features tell of the inputs, for rules that look at something else.
    fn constants(&self, inputs: &[Grid], store: &mut Store) -> Vec<(NodeId, Vec<Value>)> {
        let library = &self.prepared.library;
        let evaluated = self.evaluate(library.planes[0].group, inputs);
        let constant = |(root, values): (Root, Vec<Option<Value>>)| {
            let Root::Plane(at) = root else { return None };
            let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
            let all = values.iter().all(|value| matches!(value, Value::Int(_)));
            let given = Given::grid(Store::INPUT);
            let node = library.planes[at].node;
            all.then(|| (store.graft(library.store.body(), node, given), values))
        };
        evaluated.into_iter().filter_map(constant).collect()
    }

    /// What the features of a group that have no twin give on some grids.
    fn evaluate(&self, group: GroupId, grids: &[Grid]) -> Vec<(Root, Vec<Option<Value>>)> {
        let at = usize::from(group.0);
        let roots = &self.prepared.features[at].0;
        if roots.is_empty() {
            return Vec::new();
        }
        roots.iter().copied().zip(self.features[at].values(grids)).collect()
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
        let hidden = hiding.into_iter().map(|color| {
            let (own, _, roots) = &self.prepared.hidden[usize::from(color)];
            let given = Given::grid(view.node);
            let nodes = roots.iter().map(|root| store.graft(own.body(), *root, given));
            (usize::from(color), nodes.collect())
        });
        let features =
            OnView { solver: self, grids: &view.grids, hidden: hidden.collect::<Vec<_>>() };
        let mut columns = Columns::new(scene, library, &features);
        for other in fitting.iter().take(MAX_PLANES).filter(|other| other.node != view.node) {
            columns.add_view(other.node, &other.grids, library.views());
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

/// The features that are evaluated on the grids of a view.
struct OnView<'a> {
    solver: &'a Solver<'a>,
    grids: &'a [Grid],
    /// Colours that may hide what is below them, and the planes that depend on them.
    hidden: Vec<(usize, Vec<NodeId>)>,
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
