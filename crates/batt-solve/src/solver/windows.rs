//! Cell rules learnt on a window of the inputs, with what is known of all of the grid.

use batt_run::tasks::Grid;

use super::cells::OnView;
use super::{Solver, hiding};
use crate::answer::Candidate;
use crate::cells::{Learnt, learn_rules};
use crate::columns::Columns;
use crate::part::{Found, Part, Problem};
use crate::scene::Scene;
use crate::store::Store;
use crate::windows::Window;
use crate::write::Writer;

/// As many windows are learnt on, tier by tier.
const MAX_WINDOWS: [usize; 3] = [8, 4, 0];

/// What a rule on a window is worth less.
const WINDOW: f64 = 60.0;

impl Solver<'_> {
    /// Rules on windows; whether one of them is sure.
    pub(super) fn windows(&self, problem: &Problem, found: &mut Found) -> bool {
        let library = &self.prepared.library;
        let (inputs, outputs) = (&problem.inputs[..], &problem.outputs[..]);
        let windows = Window::all(problem, &self.prepared.views, library, &mut found.store);
        let demos: Vec<&Grid> = inputs[..outputs.len()].iter().collect();
        let Some(scene) = Scene::new(inputs, &demos).filter(|_| !windows.is_empty()) else {
            return false;
        };
        let hiding = std::iter::once(0).chain(hiding(inputs, outputs));
        let features = OnView::new(self, inputs, Store::INPUT, hiding, &mut found.store);
        let mut columns = Columns::new(&scene, library, &features);
        for (tier, most) in library.tiers.iter().zip(MAX_WINDOWS) {
            for (place, window) in windows.iter().enumerate().take(most) {
                let scene = scene.through(&window.parts, outputs);
                columns.aim(&scene.target);
                let rules = learn_rules(&scene, &mut columns, tier).right;
                let sure = rules.iter().any(|rule| rule.is_sure(scene.demos));
                for learnt in rules {
                    let Learnt { rule, leaves, trusted, family, learner, tests } = learnt;
                    let cut = (outputs.len()..).zip(&tests);
                    let cut = cut.map(|(sample, grid)| window.of(sample, grid));
                    let Some(tests) = cut.collect::<Option<Vec<Grid>>>() else { continue };
                    let store = &mut found.store;
                    let mut writer =
                        Writer { store, library, columns: &columns, grid: Store::INPUT };
                    let made = writer.rule(&rule);
                    let node = window.cut(store, made);
                    let trust = trusted as f64 / scene.demos as f64;
                    let score = 1000.0 * trust
                        - 60.0 * leaves as f64
                        - 15.0 * f64::from(family.count())
                        - 10.0 * place as f64
                        - WINDOW;
                    let how = format!(
                        "window{place} {} {learner:?} {leaves} leaves, {trusted}/{}",
                        library.family_name(family),
                        scene.demos
                    );
                    let part = Part::Cells;
                    found.candidates.push(Candidate { part, tests, score, trust, how, node });
                }
                if sure {
                    return true;
                }
            }
        }
        false
    }
}
