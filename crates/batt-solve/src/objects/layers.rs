//! Layers: what one action draws for the items of a kind, and where that is right.

use batt_lang::Value;
use batt_run::tasks::Grid;
use rustc_hash::{FxHashSet as HashSet, FxHasher};
use std::hash::{Hash, Hasher};

use super::items::Items;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An action of the kind, by its place there.
    Action(usize),
    /// An action of the kind with regard to a colour, by its place there.
    Towards(u8, usize),
    /// A pattern of the task, by its place among them.
    Pattern(usize),
}

/// In which colours an action is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// As it is, where it has colours.
    Own,
    /// In one colour.
    Color(u8),
    /// In the colour of the item's first cell.
    Item,
    /// In a colour that an attribute of the kind tells, by its place there.
    Attribute(usize),
}

/// Cells with colours, by their places in their grid.
pub type Drawing = Vec<(u16, u8)>;

/// What an action draws for every item.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The action.
    pub what: What,
    /// The colours.
    pub ink: Ink,
    /// Whether it draws only where what was drawn so far shows the background.
    pub behind: bool,
    /// By item, what is drawn.
    pub drawings: Vec<Drawing>,
    /// How many cells it mends at best.
    pub gain: usize,
    /// How many cells of the base it mends for items for which it spoils none.
    pub sound: usize,
}

impl Layer {
    /// How many cells of a canvas are mended by what is drawn for an item; `None` where it spoils one.
    pub fn mends(&self, item: usize, drawn: &Canvas, wanted: &Canvas) -> Option<usize> {
        drawing_gain(&self.drawings[item], self.behind, drawn, wanted, false)
    }

    /// Draws what belongs to several items, as a program does: cells in the order of their colours.
    pub fn draw(&self, items: impl Iterator<Item = usize>, canvas: &mut Canvas) {
        let mut cells: Vec<(u8, u16)> = items
            .flat_map(|item| &self.drawings[item])
            .map(|(place, color)| (*color, *place))
            .collect();
        cells.retain(|(_, place)| !self.behind || canvas.cells[usize::from(*place)] == 0);
        cells.sort_unstable();
        for (color, place) in cells {
            canvas.cells[usize::from(place)] = color;
        }
    }
}

/// How many cells a drawing mends; `None` where it spoils one, unless that is forgiven.
fn drawing_gain(
    drawing: &Drawing,
    behind: bool,
    drawn: &Canvas,
    wanted: &Canvas,
    forgiven: bool,
) -> Option<usize> {
    let mut gain = 0;
    for (place, color) in drawing {
        let place = usize::from(*place);
        let (was, is) = (drawn.cells[place], wanted.cells[place]);
        if behind && was != 0 {
            continue;
        }
        if is == *color {
            gain += usize::from(was != is);
        } else if !forgiven {
            return None;
        }
    }
    Some(gain)
}

/// Grids on which is drawn, as rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Columns.
    pub width: usize,
    /// The cells.
    pub cells: Vec<u8>,
}

impl Canvas {
    /// The canvas of a grid.
    pub fn of(grid: &Grid) -> Canvas {
        Canvas { width: grid.width(), cells: grid.rows().flatten().copied().collect() }
    }

    /// The grid of a canvas.
    pub fn grid(&self) -> Option<Grid> {
        Grid::from_rows(&self.cells.chunks(self.width).collect::<Vec<_>>())
    }

    /// The place of a cell within it.
    pub fn place(&self, row: i32, column: i32) -> Option<u16> {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        let inside = column < self.width && row * self.width < self.cells.len();
        inside.then_some((row * self.width + column) as u16)
    }
}

/// What layers are drawn on, and what the demos should become.
#[derive(Clone, Debug)]
pub struct Easel {
    /// The grids, demos first.
    pub base: Vec<Canvas>,
    /// What the demos should become.
    pub wanted: Vec<Canvas>,
}

/// What an action gives for every item: locations with a colour where they have one.
pub struct Shapes {
    /// By item, the cells.
    pub places: Vec<Vec<(u16, Option<u8>)>>,
    /// Whether all have colours.
    pub colored: bool,
}

impl Easel {
    /// Reads what an action gives; `None` where that is no patch.
    pub fn shapes(&self, items: &Items, values: &[Option<Value>]) -> Option<Shapes> {
        let mut places = vec![Vec::new(); items.words * 64];
        let mut colored = true;
        for ((value, span), canvas) in values.iter().zip(&items.spans).zip(&self.base) {
            let elements = value.as_ref()?.elements_of()?;
            if elements.len() != span.len() {
                return None;
            }
            for (patch, item) in elements.iter().zip(span.clone()) {
                let cells = patch.elements_of()?;
                for cell in cells.iter() {
                    let (row, column, color) = match cell {
                        Value::Pair(row, column) => (*row, *column, None),
                        Value::Cell(c, row, column) => {
                            let color = u8::try_from(*c).ok().filter(|c| *c <= 9)?;
                            (*row, *column, Some(color))
                        }
                        _ => return None,
                    };
                    colored &= color.is_some();
                    places[item].extend(canvas.place(row, column).map(|place| (place, color)));
                }
            }
        }
        Some(Shapes { places, colored })
    }

    /// The layer of an action in some ink; `color` tells the colour of an item.
    pub fn layer(
        &self,
        items: &Items,
        shapes: &Shapes,
        (what, ink, behind): (What, Ink, bool),
        color: &dyn Fn(usize) -> u8,
    ) -> Layer {
        let mut drawings: Vec<Drawing> = vec![Vec::new(); items.words * 64];
        for span in &items.spans {
            for item in span.clone() {
                let ink_of = |own: Option<u8>| match ink {
                    Ink::Own => own.unwrap_or(0),
                    Ink::Color(color) => color,
                    Ink::Item | Ink::Attribute(_) => color(item),
                };
                let cells = shapes.places[item].iter();
                drawings[item] = cells.map(|(place, own)| (*place, ink_of(*own))).collect();
            }
        }
        let gain = self.gain(items, &drawings, behind, behind);
        let sound = if behind { self.gain(items, &drawings, behind, false) } else { gain };
        Layer { what, ink, behind, drawings, gain, sound }
    }

    /// How many cells could be mended, whether or not others are spoilt.
    fn gain(&self, items: &Items, drawings: &[Drawing], behind: bool, forgiven: bool) -> usize {
        let canvases = self.base.iter().zip(&self.wanted).zip(&items.spans);
        let of = |((base, wanted), span): ((&Canvas, &Canvas), &std::ops::Range<usize>)| {
            let of = |drawing: &Drawing| drawing_gain(drawing, behind, base, wanted, forgiven);
            drawings[span.clone()].iter().filter_map(of).sum::<usize>()
        };
        canvases.map(of).sum()
    }

    /// Whether what is right of some layers covers all that is to change.
    pub fn covered(&self, items: &Items, layers: &[Layer]) -> bool {
        let canvases = self.base.iter().zip(&self.wanted);
        items.spans.iter().zip(canvases).all(|(span, (base, wanted))| {
            let mut made = base.clone();
            for layer in layers {
                for drawing in &layer.drawings[span.clone()] {
                    let right = |(p, c): &&(u16, u8)| wanted.cells[usize::from(*p)] == *c;
                    if layer.behind || drawing.iter().all(|cell| right(&cell)) {
                        for (place, color) in drawing.iter().filter(right) {
                            made.cells[usize::from(*place)] = *color;
                        }
                    }
                }
            }
            made == *wanted
        })
    }
}

/// Layers that differ from each other.
#[derive(Default)]
pub struct Layers {
    /// The layers.
    pub all: Vec<Layer>,
    seen: HashSet<u64>,
}

impl Layers {
    /// Keeps a layer that gains something and that there is not.
    pub fn add(&mut self, layer: Layer) {
        if layer.gain == 0 {
            return;
        }
        let mut hasher = FxHasher::default();
        (layer.behind, &layer.drawings).hash(&mut hasher);
        if self.seen.insert(hasher.finish()) {
            self.all.push(layer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas(cells: &[u8]) -> Canvas {
        Canvas { width: cells.len(), cells: cells.to_vec() }
    }

    fn layer(behind: bool, drawing: &[(u16, u8)]) -> Layer {
        let what = What::Action(0);
        let drawings = vec![drawing.to_vec()];
        Layer { what, ink: Ink::Own, behind, drawings, gain: 0, sound: 0 }
    }

    #[test]
    fn what_is_drawn_behind_neither_spoils_nor_hides_what_is_there() {
        let (drawn, wanted) = (canvas(&[0, 7, 0, 0]), canvas(&[2, 7, 2, 0]));
        let line = [(0, 2), (1, 2), (2, 2)];
        assert_eq!(layer(false, &line).mends(0, &drawn, &wanted), None);
        assert_eq!(layer(true, &line).mends(0, &drawn, &wanted), Some(2));
        let mut made = drawn.clone();
        layer(true, &line).draw(0..1, &mut made);
        assert_eq!(made, wanted);
    }

    #[test]
    fn of_two_colours_in_one_place_the_larger_stays() {
        let mut made = canvas(&[0, 0]);
        layer(false, &[(0, 5), (0, 3)]).draw(0..1, &mut made);
        assert_eq!(made, canvas(&[5, 0]));
    }
}
