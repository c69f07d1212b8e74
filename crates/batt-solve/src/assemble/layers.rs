//! Layers: what a value would draw on the demos, and where that is right.

use batt_core::arena::Cx;
use batt_core::grid::{Grid, Planes};
use batt_core::patch::planes;
use batt_core::{Array, Tag, Val};

use crate::enumerate::bank::{Bank, ValueId};
use crate::enumerate::sort::Sort;

/// What a layer draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// An object, as it is.
    Object(ValueId),
    /// A colour on the cells of a mask or of an object.
    Mask(ValueId, ValueId),
}

/// The outputs of the demos, row by row: a word for each row of each demo, a bit for each column.
pub struct Targets {
    /// Height and width of each demo.
    pub sizes: Vec<(u32, u32)>,
    /// The word with which each demo begins.
    pub starts: Vec<usize>,
    /// For each row the bits of its colours.
    colors: Vec<[u32; 4]>,
    /// For each row its columns.
    pub cells: Vec<u32>,
}

impl Targets {
    /// The outputs, where planes hold all of them.
    pub fn new(cx: Cx, outputs: &[Val]) -> Option<Targets> {
        let (mut sizes, mut starts) = (Vec::new(), Vec::new());
        let (mut colors, mut cells) = (Vec::new(), Vec::new());
        for output in outputs {
            let grid = Grid::<Array>::load(cx, *output)?;
            sizes.push((grid.height, grid.width));
            starts.push(cells.len());
            for row in 0..grid.height as usize {
                colors.push(grid.planes.0.map(|plane| plane.0[row]));
                cells.push(columns(grid.width));
            }
        }
        Some(Targets { sizes, starts, colors, cells })
    }

    /// How many words there are.
    pub fn words(&self) -> usize {
        self.cells.len()
    }

    /// The words of a demo.
    pub fn of_demo(&self, demo: usize) -> std::ops::Range<usize> {
        let start = self.starts[demo];
        start..start + self.sizes[demo].0 as usize
    }

    /// Where the outputs have a colour, which may be another one in each demo.
    fn of_color(&self, color: &[Val]) -> Vec<u32> {
        let mut out = Vec::with_capacity(self.words());
        for (demo, color) in (0..self.sizes.len()).zip(color) {
            let color = color.x();
            for at in self.of_demo(demo) {
                let side = |k: usize| self.colors[at][k] ^ (color >> k & 1).wrapping_sub(1);
                out.push(self.cells[at] & side(0) & side(1) & side(2) & side(3));
            }
        }
        out
    }

    /// Where a grid is not as it should be; nothing where it has another size.
    pub fn wrong(&self, cx: Cx, vals: &[Val]) -> Option<Vec<u32>> {
        let mut out = Vec::with_capacity(self.words());
        if vals.iter().zip(&self.sizes).any(|(val, size)| !val.is(Tag::Grid) || val.dims() != *size)
        {
            return None;
        }
        for (demo, val) in (0..self.sizes.len()).zip(vals) {
            let grid = Grid::<Array>::load(cx, *val)?;
            for (row, at) in self.of_demo(demo).enumerate() {
                let differs = |k: usize| grid.planes.0[k].0[row] ^ self.colors[at][k];
                out.push(differs(0) | differs(1) | differs(2) | differs(3));
            }
        }
        Some(out)
    }

    /// Adds what a patch draws, and where its own colours are right.
    fn draw(&self, cx: Cx, vals: &[Val], drawn: &mut Vec<u32>, right: &mut Vec<u32>) {
        for (demo, val) in (0..self.sizes.len()).zip(vals) {
            let words = self.of_demo(demo);
            if val.is_empty_set() {
                drawn.resize(drawn.len() + words.len(), 0);
                right.resize(right.len() + words.len(), 0);
                continue;
            }
            let mask: Array = cx.load(val.a());
            let colors: Option<Planes<Array>> = val.is(Tag::Object).then(|| planes(cx, *val));
            let (i, j) = val.origin();
            for (row, at) in words.enumerate() {
                let from = usize::try_from(row as i32 - i).ok().filter(|from| *from < 32);
                let Some(from) = from else {
                    drawn.push(0);
                    right.push(0);
                    continue;
                };
                let place = |row: u32| match j {
                    0..32 => row << j,
                    -31..0 => row >> -j,
                    _ => 0,
                };
                let cells = place(mask.0[from]) & self.cells[at];
                drawn.push(cells);
                right.push(colors.as_ref().map_or(0, |planes| {
                    let differs = |k: usize| place(planes.0[k].0[from]) ^ self.colors[at][k];
                    cells & !(differs(0) | differs(1) | differs(2) | differs(3))
                }));
            }
        }
    }
}

fn columns(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

/// Layers, each with what it draws and where that is right, one after the other.
pub struct Layers {
    /// What each draws.
    pub paints: Vec<Paint>,
    /// What each costs.
    pub costs: Vec<u16>,
    words: usize,
    drawn: Vec<u32>,
    right: Vec<u32>,
}

/// As many layers are kept.
const MAX_LAYERS: usize = 30_000;
/// A layer of which less than one part in so many is right is none.
const RIGHT_PART: u32 = 3;

impl Layers {
    /// The layers that the values of a bank make, the cheapest first as they come.
    pub fn new(cx: Cx, bank: &Bank, targets: &Targets, demos: usize) -> Layers {
        let words = targets.words();
        let mut layers = Layers {
            paints: Vec::new(),
            costs: Vec::new(),
            words,
            drawn: Vec::new(),
            right: Vec::new(),
        };
        let colors: Vec<(ValueId, Vec<u32>)> = bank
            .of_sort(Sort::Color)
            .map(|color| (color, targets.of_color(&bank.vals(color)[..demos])))
            .filter(|(_, cells)| cells.iter().any(|word| *word != 0))
            .take(16)
            .collect();
        let (mut drawn, mut right) = (Vec::new(), Vec::new());
        for id in (0..bank.len() as u32).map(ValueId) {
            if layers.paints.len() >= MAX_LAYERS {
                break;
            }
            let held = bank.held(id);
            if held.sort != Sort::Mask && held.sort != Sort::Object {
                continue;
            }
            drawn.clear();
            right.clear();
            targets.draw(cx, &bank.vals(id)[..demos], &mut drawn, &mut right);
            let all = count(&drawn);
            if all == 0 {
                continue;
            }
            if held.sort == Sort::Object {
                layers.add(Paint::Object(id), held.cost, &drawn, &right, all);
            }
            for (color, cells) in &colors {
                for ((right, drawn), cells) in right.iter_mut().zip(&drawn).zip(cells) {
                    *right = drawn & cells;
                }
                let cost = held.cost + bank.held(*color).cost;
                layers.add(Paint::Mask(id, *color), cost, &drawn, &right, all);
            }
        }
        layers
    }

    fn add(&mut self, paint: Paint, cost: u16, drawn: &[u32], right: &[u32], all: u32) {
        if count(right) * RIGHT_PART >= all {
            self.paints.push(paint);
            self.costs.push(cost);
            self.drawn.extend_from_slice(drawn);
            self.right.extend_from_slice(right);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.paints.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.paints.is_empty()
    }

    /// What a layer draws, and where that is right.
    #[inline]
    pub fn words(&self, layer: usize) -> (&[u32], &[u32]) {
        let at = layer * self.words;
        (&self.drawn[at..at + self.words], &self.right[at..at + self.words])
    }
}

/// How many bits are set.
pub fn count(words: &[u32]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}
