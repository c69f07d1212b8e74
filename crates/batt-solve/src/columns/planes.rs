//! Planes of a scene: those of the library, of a task's own expressions and of what is written.

use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;

use super::{Ask, Columns, Container, Plane, Shape, Source};
use crate::bits::insert;
use crate::library::{GroupId, Groups, Root};
use crate::native::Said;
use crate::scene::NONE;

impl Columns<'_> {
    /// Sees to it that the groups of a family are there.
    pub(super) fn make_ready(&mut self, family: Groups) {
        for group in (0..self.library.group_count()).map(|at| GroupId(at as u8)) {
            if family.has(group) && !self.ready.has(group) {
                self.ready = self.ready.with(group);
                self.add_group(group);
            }
        }
    }

    pub(super) fn add_group(&mut self, group: GroupId) {
        let library = self.library;
        for (at, plane) in library.planes.iter().enumerate() {
            if let Some(twin) = plane.twin.filter(|_| plane.group == group) {
                let said = self.pictures.iter().map(|picture| twin.say(picture));
                if let Some(said) = said.collect::<Option<Vec<Said>>>() {
                    self.add_said(at, &said);
                }
            }
        }
        for (root, values) in self.features.evaluate(group) {
            let Some(values) = all(&values) else { continue };
            match root {
                Root::Plane(at) => self.add_feature(at, &values),
                Root::Container(at) => self.parts[at] = Container::Asked(self.parts_of(&values)),
                Root::Attribute(at) => {
                    let numbers = |value: &&Value| {
                        value.elements_of()?.iter().map(Value::as_int).collect::<Option<Vec<i32>>>()
                    };
                    if let Some(by_grid) = values.iter().map(numbers).collect() {
                        self.evaluated.insert(at, by_grid);
                    }
                }
                Root::Own(node) => self.add_own(node, &values, group),
            }
        }
        for (at, attribute) in library.attributes.iter().enumerate() {
            if attribute.is_color && attribute.group == group {
                self.add_colors(at);
            }
        }
    }

    /// Adds what a twin says of the grids.
    pub(super) fn add_said(&mut self, at: usize, said: &[Said]) {
        let scene = self.scene;
        let group = Groups::default().with(self.library.planes[at].group);
        let (mut says, mut yes, mut kind) = (vec![NONE; scene.words * 64], scene.none(), None);
        for (said, extent) in said.iter().zip(&scene.extents) {
            match said {
                Said::Plane(shape, cells) => {
                    kind = Some(*shape);
                    says[extent.start..extent.start + cells.len()].copy_from_slice(cells);
                }
                Said::Chosen(cells) => {
                    let chosen = cells.iter().enumerate().filter(|(_, chosen)| **chosen);
                    chosen.for_each(|(cell, _)| insert(&mut yes, extent.start + cell));
                }
            }
        }
        match kind {
            Some(shape) if says.iter().any(|color| *color != NONE) => {
                self.add_plane(Source::Plane(at), shape, says, group);
            }
            None if self.tells(&yes) => {
                let test = self.add_test(Ask::Chosen(at), yes, 1.0);
                self.chosen.push((at, group, test));
            }
            _ => {}
        }
    }

    pub(super) fn add_feature(&mut self, at: usize, values: &[&Value]) {
        let group = Groups::default().with(self.library.planes[at].group);
        let is_set = |value: &&&Value| value.is_set();
        let of_locations = |value: &&Value| match value {
            Value::Set(items) => matches!(items.first(), Some(Value::Pair(..))),
            _ => false,
        };
        if values.iter().filter(is_set).count() == values.len() && values.iter().any(of_locations) {
            if let Some(yes) = self.scene.chosen(values).filter(|yes| self.tells(yes)) {
                let test = self.add_test(Ask::Chosen(at), yes, 1.0);
                self.chosen.push((at, group, test));
            }
        } else if let Some(shape) = Shape::of(values)
            && let Some(says) = self.scene.plane(values)
            && says.iter().any(|color| *color != NONE)
        {
            self.add_plane(Source::Plane(at), shape, says, group);
        }
    }

    /// Adds a plane of an expression that the library does not have.
    pub fn add_own(&mut self, node: NodeId, values: &[&Value], group: GroupId) {
        if let Some(shape) = Shape::of(values)
            && let Some(says) = self.scene.plane(values)
            && says.iter().any(|color| *color != NONE)
        {
            self.add_plane(Source::Own(node), shape, says, Groups::default().with(group));
        }
    }

    /// Adds the grids of a view as a plane.
    pub fn add_view(&mut self, node: NodeId, grids: &[Grid], group: GroupId) {
        let mut says = vec![NONE; self.scene.words * 64];
        for (grid, extent) in grids.iter().zip(&self.scene.extents) {
            for (row, cells) in grid.rows().enumerate().take(extent.height) {
                for (column, color) in cells.iter().enumerate().take(extent.width) {
                    says[extent.start + row * extent.width + column] = *color;
                }
            }
        }
        self.add_plane(Source::Own(node), Shape::Grid, says, Groups::default().with(group));
    }

    /// Adds a plane that says 1 of the cells for which something is so of their grid and their location.
    pub fn add_marks(
        &mut self,
        node: NodeId,
        group: GroupId,
        is: impl Fn(usize, usize, usize) -> bool,
    ) {
        let mut says = vec![NONE; self.scene.words * 64];
        for (grid, extent) in self.scene.extents.iter().enumerate() {
            for at in 0..extent.area() {
                if is(grid, at / extent.width, at % extent.width) {
                    says[extent.start + at] = 1;
                }
            }
        }
        if says.contains(&1) {
            let group = Groups::default().with(group);
            self.add_plane(Source::Own(node), Shape::Object, says, group);
        }
    }

    /// Adds a plane of the colours that are told of a grid and a location.
    pub fn add_colors_by(
        &mut self,
        node: NodeId,
        group: GroupId,
        color: impl Fn(usize, usize, usize) -> u8,
    ) {
        let mut says = vec![NONE; self.scene.words * 64];
        for (grid, extent) in self.scene.extents.iter().enumerate() {
            for at in 0..extent.area() {
                says[extent.start + at] = color(grid, at / extent.width, at % extent.width);
            }
        }
        self.add_plane(Source::Own(node), Shape::Grid, says, Groups::default().with(group));
    }

    /// Adds what the demos should become so many rows and columns away, for rules that look at it; of the tests
    /// nothing is known.
    pub fn add_written(&mut self, (di, dj): (i32, i32), group: GroupId) {
        let scene = self.scene;
        let mut says = vec![NONE; scene.words * 64];
        for extent in &scene.extents[..scene.demos] {
            for at in 0..extent.area() {
                let (i, j) = ((at / extent.width) as i32, (at % extent.width) as i32);
                if let Some(there) = extent.cell(i + di, j + dj) {
                    says[extent.start + at] = scene.target[there];
                }
            }
        }
        let group = Groups::default().with(group);
        self.add_plane(Source::Written(di, dj), Shape::Object, says, group);
    }

    pub(super) fn add_plane(&mut self, source: Source, shape: Shape, says: Vec<u8>, group: Groups) {
        let scene = self.scene;
        let fill = |(says, own): (&u8, &u8)| if *says == NONE { *own } else { *says };
        let paints: Vec<u8> = says.iter().zip(&scene.own).map(fill).collect();
        let right = scene.cells_alike(&paints[..scene.demo_words * 64], &self.target);
        self.planes.push(Plane { source, shape, says, paints, right, group, tests: None });
    }

    pub(super) fn add_colors(&mut self, at: usize) {
        let (scene, attribute) = (self.scene, &self.library.attributes[at]);
        let Some(by_grid) = self.numbers_of(at) else { return };
        let Some(parts) = self.parts(usize::from(attribute.container.0)) else { return };
        let mut says = vec![NONE; scene.words * 64];
        for (extent, numbers) in scene.extents.iter().zip(&by_grid) {
            if numbers.iter().any(|n| !(0..=9).contains(n)) {
                return;
            }
            let cells = extent.start..extent.start + extent.area();
            for (says, label) in says[cells.clone()].iter_mut().zip(&parts.label[cells]) {
                if let Some(n) = numbers.get(*label as usize) {
                    *says = *n as u8;
                }
            }
        }
        if says.iter().any(|color| *color != NONE) {
            let group = Groups::default().with(attribute.group);
            self.add_plane(Source::Attribute(at), Shape::Object, says, group);
        }
    }
}

fn all(values: &[Option<Value>]) -> Option<Vec<&Value>> {
    values.iter().map(Option::as_ref).collect()
}
