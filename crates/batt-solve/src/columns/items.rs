//! Items of a scene: what its grids are made of, the item that every cell is in, and numbers of items.

use batt_lang::Value;

use super::{ALONE, Columns, Container, Parts};
use crate::library::{AttributeTwin, ItemKind};
use crate::native::{Context, Item, ItemsOf, Picture};
use crate::scene::{Extent, each_cell};

impl Columns<'_> {
    /// The items that values of a container hold.
    pub(super) fn parts_of(&self, values: &[&Value]) -> Option<Parts> {
        let of_grid = |((value, extent), picture): ((&&Value, &Extent), &Picture)| {
            let of_item = |item: &Value| {
                let mut cells = Vec::new();
                each_cell(item, *extent, |cell| {
                    let at = (cell - extent.start) as i32;
                    let color = picture.cells[cell - extent.start];
                    cells.push((color, at / picture.width, at % picture.width));
                })?;
                Item::new(cells)
            };
            value.elements_of()?.iter().map(of_item).collect::<Option<Vec<Item>>>()
        };
        let grids = values.iter().zip(&self.scene.extents).zip(&self.pictures);
        self.labelled(grids.map(of_grid).collect::<Option<_>>()?)
    }

    /// Items with the cells that they hold; `None` where two of them share a cell.
    pub(super) fn labelled(&self, items: Vec<Vec<Item>>) -> Option<Parts> {
        let mut label = vec![ALONE; self.scene.words * 64];
        for (items, extent) in items.iter().zip(&self.scene.extents) {
            for (at, item) in items.iter().enumerate() {
                for (_, i, j) in &item.cells {
                    let cell = extent.start + *i as usize * extent.width + *j as usize;
                    if std::mem::replace(&mut label[cell], at as u32) != ALONE {
                        return None;
                    }
                }
            }
        }
        Some(Parts { items, label })
    }

    /// The items of a container, by its place in the library.
    pub(super) fn parts(&mut self, container: usize) -> Option<&Parts> {
        if matches!(self.parts[container], Container::Unasked) {
            let kind = &self.library.containers[container];
            let parts = if kind.items == ItemKind::Cell {
                let mut label = vec![ALONE; self.scene.words * 64];
                for extent in &self.scene.extents {
                    (0..extent.area()).for_each(|at| label[extent.start + at] = at as u32);
                }
                Some(Parts { items: Vec::new(), label })
            } else {
                let items = |of: ItemsOf| {
                    let items = self.pictures.iter().map(|picture| of.items(picture));
                    items.collect::<Vec<Vec<Item>>>()
                };
                // A grid that has no panels is an error in a program.
                let there = |items: &Vec<Vec<Item>>| {
                    kind.twin != Some(ItemsOf::Panels) || items.iter().all(|all| !all.is_empty())
                };
                let items = kind.twin.map(items).filter(there);
                items.and_then(|items| self.labelled(items))
            };
            self.parts[container] = Container::Asked(parts);
        }
        self.asked(container)
    }

    /// The items of a container that were asked for.
    pub(super) fn asked(&self, container: usize) -> Option<&Parts> {
        match &self.parts[container] {
            Container::Asked(parts) => parts.as_ref(),
            Container::Unasked => None,
        }
    }

    /// The number of every item, by grid.
    pub(super) fn numbers_of(&mut self, at: usize) -> Option<Vec<Vec<i32>>> {
        let attribute = &self.library.attributes[at];
        match attribute.twin {
            None => self.evaluated.get(&at).cloned(),
            Some(AttributeTwin::Location(of)) => {
                self.pictures.iter().map(|picture| of.values(picture)).collect()
            }
            Some(AttributeTwin::Item(of)) => {
                self.parts(usize::from(attribute.container.0))?;
                let parts = self.asked(usize::from(attribute.container.0))?;
                let grids = parts.items.iter().zip(&self.pictures);
                grids.map(|(items, picture)| of(&Context { picture, items })).collect()
            }
        }
    }
}
