//! Questions about the cells of a scene: what planes, items and what they reach tell apart.

use rustc_hash::FxHashSet as HashSet;

use super::{ALONE, Ask, Columns, FEW_PLANES, FIRST_PLANES, MAX_BASES, PlaneId, Test};
use crate::bits::{Bits, count, fingerprint, insert};
use crate::library::{Groups, ItemKind};
use crate::numbers::{self, PlaceIn, When};
use crate::reach::Reach;
use crate::scene::NONE;
use crate::tree::Price;

impl Columns<'_> {
    pub(super) fn add_test(&mut self, ask: Ask, yes: Bits, cost: f64) -> usize {
        let print = fingerprint(&yes[..self.scene.demo_words]);
        self.tests.push(Test { ask, yes, price: Price::of(cost), print });
        self.tests.len() - 1
    }

    /// Whether a test says yes of some cells of the demos and no of others.
    pub(super) fn tells(&self, yes: &[u64]) -> bool {
        let yes = count(&yes[..self.scene.demo_words]);
        yes > 0 && yes < self.all
    }

    /// The planes of a family, a cell's own colour first.
    pub fn planes_of(&mut self, family: Groups) -> Vec<PlaneId> {
        self.make_ready(family);
        let of = |at: &PlaneId| self.planes[*at].group.without(family) == Groups::default();
        let mut planes: Vec<PlaneId> = (0..self.planes.len()).filter(of).collect();
        planes.sort_by_key(|at| self.planes[*at].source);
        planes
    }

    /// The tests of a family, the simplest first and none that say the same of the demos.
    pub fn tests_of(&mut self, family: Groups) -> Vec<usize> {
        let planes = self.planes_of(family);
        let mut out = Vec::new();
        for plane in &planes {
            out.extend(self.tests_of_plane(*plane));
        }
        let chosen =
            self.chosen.iter().filter(|(_, group, _)| group.without(family) == Groups::default());
        out.extend(chosen.map(|(_, _, test)| *test));
        for at in 0..self.numbers.len() {
            if family.has(self.library.attributes[at].group) {
                out.extend(self.tests_of_numbers(at));
            }
        }
        for at in 0..self.library.within.len() {
            if family.has(self.library.within[at].0) {
                out.extend(self.tests_within(at));
            }
        }
        for at in 0..self.library.reach.len() {
            if family.has(self.library.reach[at].0) {
                out.extend(self.tests_of_reach(at));
            }
        }
        let few = planes.len() <= FEW_PLANES;
        for (later, a) in planes.iter().enumerate() {
            for (earlier, b) in planes[..later].iter().enumerate() {
                if few || later < FIRST_PLANES || earlier < FIRST_PLANES {
                    out.extend(self.test_of_pair(*a, *b));
                }
            }
        }
        let mut seen = HashSet::default();
        out.retain(|test| seen.insert(self.tests[*test].print));
        out
    }

    pub(super) fn tests_of_plane(&mut self, plane: PlaneId) -> Vec<usize> {
        if let Some(tests) = &self.planes[plane].tests {
            return tests.clone();
        }
        let mut by_color = vec![self.scene.none(); 11];
        let own = &self.scene.own;
        for (cell, color) in self.planes[plane].says.iter().enumerate() {
            // Nothing is also said of what lies between the grids.
            if own[cell] != NONE {
                insert(&mut by_color[usize::from((*color).min(10))], cell);
            }
        }
        let mut tests = Vec::new();
        for (color, yes) in by_color.into_iter().enumerate() {
            if self.tells(&yes) {
                let color = color as u8;
                let ask = if color > 9 { Ask::Nothing(plane) } else { Ask::Is(plane, color) };
                tests.push(self.add_test(ask, yes, 1.0));
            }
        }
        self.planes[plane].tests = Some(tests.clone());
        tests
    }

    pub(super) fn test_of_pair(&mut self, a: PlaneId, b: PlaneId) -> Option<usize> {
        if let Some(test) = self.pairs.get(&(a, b)) {
            return *test;
        }
        let yes = self.scene.cells_alike(&self.planes[a].says, &self.planes[b].says);
        let test = self.tells(&yes).then(|| self.add_test(Ask::Agree(a, b), yes, 1.3));
        self.pairs.insert((a, b), test);
        test
    }

    pub(super) fn tests_of_numbers(&mut self, at: usize) -> Vec<usize> {
        if let Some(tests) = &self.numbers[at] {
            return tests.clone();
        }
        let (scene, attribute) = (self.scene, &self.library.attributes[at]);
        let container = usize::from(attribute.container.0);
        let mut tests = Vec::new();
        if !attribute.is_color
            && let Some(by_grid) = self.numbers_of(at)
        {
            let is_cell = self.library.containers[container].items == ItemKind::Cell;
            let Some(parts) = self.parts(container) else { return tests };
            for (when, cost, yes) in numbers::sets(scene, &by_grid, &parts.label, is_cell) {
                if self.tells(&yes) {
                    tests.push(self.add_test(Ask::Item(at, when), yes, cost));
                }
            }
        }
        self.numbers[at] = Some(tests.clone());
        tests
    }

    /// The tests of where cells lie in the items of a container.
    pub(super) fn tests_within(&mut self, at: usize) -> Vec<usize> {
        if let Some(tests) = self.within.get(&at) {
            return tests.clone();
        }
        let (scene, container) = (self.scene, usize::from(self.library.within[at].1.0));
        let mut tests = Vec::new();
        if let Some(parts) = self.parts(container) {
            let mut label = vec![ALONE; scene.words * 64];
            let mut by_place: Vec<Vec<Vec<i32>>> = vec![Vec::new(); PlaceIn::ALL.len()];
            for (items, extent) in parts.items.iter().zip(&scene.extents) {
                let mut numbers = vec![vec![0; extent.area()]; PlaceIn::ALL.len()];
                for item in items {
                    for (_, i, j) in &item.cells {
                        let cell = *i as usize * extent.width + *j as usize;
                        label[extent.start + cell] = cell as u32;
                        for (place, numbers) in PlaceIn::ALL.iter().zip(&mut numbers) {
                            numbers[cell] = place.of(item, *i, *j);
                        }
                    }
                }
                by_place.iter_mut().zip(numbers).for_each(|(all, numbers)| all.push(numbers));
            }
            for (place, by_grid) in PlaceIn::ALL.iter().zip(&by_place) {
                for (when, cost, yes) in numbers::sets(scene, by_grid, &label, true) {
                    // Functions of one item say where it is so, not where it is not.
                    let said = place.of_one_item().is_none() || when == When::Is(1);
                    if said && self.tells(&yes) {
                        let ask = Ask::Within(container, *place, when);
                        tests.push(self.add_test(ask, yes, cost));
                    }
                }
            }
        }
        self.within.insert(at, tests.clone());
        tests
    }

    /// The tests of what the items of a container reach that have some attribute.
    pub(super) fn tests_of_reach(&mut self, at: usize) -> Vec<usize> {
        if let Some(tests) = self.reached.get(&at) {
            return tests.clone();
        }
        let (scene, library, container) = (self.scene, self.library, self.library.reach[at].1);
        let mut seen = HashSet::default();
        let mut bases: Vec<(usize, When, Bits)> = Vec::new();
        for (at, attribute) in library.attributes.iter().enumerate() {
            if attribute.container != container {
                continue;
            }
            for test in self.tests_of_numbers(at) {
                let test = &self.tests[test];
                if let Ask::Item(_, when) = test.ask
                    && !matches!(when, When::AtMost(_))
                    && bases.len() < MAX_BASES
                    && seen.insert(test.print)
                {
                    bases.push((at, when, test.yes.clone()));
                }
            }
        }
        let mut tests = Vec::new();
        for reach in Reach::ALL {
            for (at, when, yes) in &bases {
                let Some(parts) = self.parts(usize::from(container.0)) else { continue };
                let reached = reach.of(scene, yes, &parts.items);
                if self.tells(&reached) {
                    tests.push(self.add_test(Ask::Reached(*at, *when, reach), reached, 1.3));
                }
            }
        }
        self.reached.insert(at, tests.clone());
        tests
    }
}
