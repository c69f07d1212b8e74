//! Windows: parts of the inputs that have the size of the outputs.
//!
//! A rule that is learnt on a window knows all of the grid: it is learnt where the window is, written for the
//! whole grid, and the window is cut out of what it makes.

use batt_lang::program::NodeId;
use batt_lang::{Op, Value};
use batt_run::tasks::Grid;

use crate::library::Library;
use crate::native::{Item, Picture, commonest, rarest};
use crate::part::Problem;
use crate::store::{Given, Store};
use crate::views::Views;

/// The first row and column of a part of a grid, and its height and width.
pub type Part = (i32, i32, i32, i32);

/// A part of every input, and how it is cut out.
#[derive(Clone, Debug)]
pub struct Window {
    /// The part, by sample.
    pub parts: Vec<Part>,
    cut: Cut,
}

/// A way to cut a window out of a grid.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// The box of a patch.
    Box(NodeId),
    /// What is within it.
    Within(NodeId),
    /// It and what is around it.
    Around(NodeId),
    /// So many rows and columns from a corner on.
    Crop(NodeId, NodeId),
}

/// A corner of a window, by the rows and the columns that are free.
type Corner = fn(i32, i32) -> (i32, i32);

/// As many windows of a task are looked at.
const MOST: usize = 8;

const FOREGROUND: &str = "mfilter(partition(I), compose(flip, matcher(color, ZERO)))";

impl Window {
    /// The windows of a task, the simplest first.
    pub fn all(
        problem: &Problem,
        views: &Views,
        library: &Library,
        store: &mut Store,
    ) -> Vec<Window> {
        let mut found = Search { problem, windows: Vec::new() };
        let pictures: Vec<Picture> = problem.inputs.iter().map(Picture::of).collect();
        let all = |is: &dyn Fn(&Picture) -> Option<Vec<u8>>| -> Option<Vec<Part>> {
            let part = |picture: &Picture| extent(picture, &is(picture)?);
            pictures.iter().map(part).collect()
        };
        let colors = (0..10).map(|color| {
            let parts = all(&|_| Some(vec![color]));
            (format!("ofcolor(I, {color})"), parts)
        });
        let without_zero = |picture: &Picture| {
            let mut counts = picture.counts();
            counts[0] = 0;
            counts
        };
        let mut patches = vec![(FOREGROUND.to_string(), all(&|_| Some((1..10).collect())))];
        patches.extend(colors);
        patches.push((
            format!("ofcolor(I, leastcolor({FOREGROUND}))"),
            all(&|picture| Some(vec![rarest(&without_zero(picture))?])),
        ));
        patches.push((
            format!("ofcolor(I, mostcolor({FOREGROUND}))"),
            all(&|picture| Some(vec![commonest(&without_zero(picture))?])),
        ));
        for (text, parts) in patches {
            if let Some(parts) = parts
                && let Ok(node) = store.read(&text, Given::grid(Store::INPUT))
            {
                found.add_patch(&parts, node);
            }
        }
        found.add_corners(&pictures, store);
        for (node, items) in views.chosen(library, &pictures) {
            let part = |item: &Item| (item.top, item.left, item.height(), item.width());
            let parts: Vec<Part> = items.iter().map(part).collect();
            if found.windows.len() < MOST && found.fits_somehow(&parts) {
                let node = store.graft(views.store.body(), node, Given::grid(Store::INPUT));
                found.add_patch(&parts, node);
            }
        }
        found.windows.truncate(MOST);
        found.windows
    }

    /// The window cut out of a grid.
    pub fn cut(&self, store: &mut Store, made: NodeId) -> NodeId {
        match self.cut {
            Cut::Box(patch) => store.call(Op::Subgrid, &[patch, made]),
            Cut::Within(patch) => {
                let around = store.call(Op::Subgrid, &[patch, made]);
                store.call(Op::Trim, &[around])
            }
            Cut::Around(patch) => {
                let around = store.call(Op::Outbox, &[patch]);
                store.call(Op::Subgrid, &[around, made])
            }
            Cut::Crop(corner, size) => store.call(Op::Crop, &[made, corner, size]),
        }
    }

    /// The window of a sample in a grid that a rule made.
    pub fn of(&self, sample: usize, grid: &Grid) -> Option<Grid> {
        let (top, left, height, width) = self.parts[sample];
        let rows = grid.rows().skip(top as usize).take(height as usize);
        let rows = rows.map(|row| &row[left as usize..(left + width) as usize]);
        Grid::from_rows(&rows.collect::<Vec<_>>())
    }
}

/// The box of the cells of some colours.
fn extent(picture: &Picture, colors: &[u8]) -> Option<Part> {
    let cells = picture.locations().zip(&picture.cells);
    let cells = cells.filter(|(_, color)| colors.contains(color)).map(|(place, _)| place);
    let (top, left, bottom, right) = cells
        .map(|(i, j)| (i, j, i, j))
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))?;
    Some((top, left, bottom - top + 1, right - left + 1))
}

/// The windows that were found so far.
struct Search<'a> {
    problem: &'a Problem<'a>,
    windows: Vec<Window>,
}

/// A part with so many rows and columns more on every side.
fn grown((top, left, height, width): Part, by: i32) -> Part {
    (top - by, left - by, height + 2 * by, width + 2 * by)
}

impl Search<'_> {
    fn fits_somehow(&self, parts: &[Part]) -> bool {
        (-1..=1).any(|by| {
            let parts: Vec<Part> = parts.iter().map(|part| grown(*part, by)).collect();
            self.fits(&parts)
        })
    }

    /// Whether parts lie within the inputs and have the sizes of the outputs.
    fn fits(&self, parts: &[Part]) -> bool {
        let within = parts.iter().zip(&self.problem.inputs).all(|(part, input)| {
            let (top, left, height, width) = *part;
            let (rows, columns) = (input.height() as i32, input.width() as i32);
            top >= 0
                && left >= 0
                && height > 0
                && width > 0
                && top + height <= rows
                && left + width <= columns
        });
        within
            && parts.iter().zip(&self.problem.outputs).all(|((_, _, height, width), output)| {
                (*height as usize, *width as usize) == (output.height(), output.width())
            })
    }

    fn add_patch(&mut self, parts: &[Part], node: NodeId) {
        for (by, cut) in [(0, Cut::Box(node)), (-1, Cut::Within(node)), (1, Cut::Around(node))] {
            self.add(parts.iter().map(|part| grown(*part, by)).collect(), cut);
        }
    }

    fn add(&mut self, parts: Vec<Part>, cut: Cut) {
        if self.fits(&parts) && self.windows.iter().all(|window| window.parts != parts) {
            self.windows.push(Window { parts, cut });
        }
    }

    /// Parts of the outputs' size, where all have the same, in the corners and in the middle.
    fn add_corners(&mut self, pictures: &[Picture], store: &mut Store) {
        let Some(first) = self.problem.outputs.first() else { return };
        let (height, width) = (first.height() as i32, first.width() as i32);
        let size = store.value(Value::Pair(height, width));
        let corners: [(&str, Corner); 5] = [
            ("ORIGIN", |_, _| (0, 0)),
            ("tojvec(last({free}))", |_, j| (0, j)),
            ("toivec(first({free}))", |i, _| (i, 0)),
            ("{free}", |i, j| (i, j)),
            ("halve({free})", |i, j| (i / 2, j / 2)),
        ];
        for (text, corner) in corners {
            let part = |picture: &Picture| {
                let (top, left) = corner(picture.height - height, picture.width - width);
                (top, left, height, width)
            };
            let parts: Vec<Part> = pictures.iter().map(part).collect();
            let text = text.replace("{free}", &format!("subtract(shape(I), ({height}, {width}))"));
            if self.fits(&parts)
                && let Ok(corner) = store.read(&text, Given::grid(Store::INPUT))
            {
                self.add(parts, Cut::Crop(corner, size));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use batt_run::reference::eval::{self, Inputs, Policy};

    use super::*;
    use crate::evaluate::grid_of;

    #[test]
    fn windows_are_what_is_cut_out() {
        let grid = |rows: [[u8; 5]; 4]| Grid::from_rows(&rows).unwrap();
        let inputs = vec![
            grid([[0, 0, 0, 0, 0], [0, 3, 0, 1, 0], [0, 0, 2, 0, 0], [0, 0, 0, 0, 0]]),
            grid([[0, 3, 3, 4, 0], [0, 0, 0, 2, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]),
            grid([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 0, 7], [0, 0, 0, 2, 0]]),
        ];
        let output = Grid::from_rows(&[[0; 3]; 2]).unwrap();
        let library = Library::embedded().unwrap();
        let views = Views::new(&library).unwrap();
        let problem = Problem::new(inputs.clone(), vec![&output, &output], 0);
        let mut store = Store::default();
        let windows = Window::all(&problem, &views, &library, &mut store);
        // The box of all colours, and parts of that size in the corners and the middle.
        assert_eq!(windows[0].parts, [(1, 1, 2, 3), (0, 1, 2, 3), (2, 2, 2, 3)]);
        assert!(windows.len() > 4, "{windows:?}");
        for window in &windows {
            let node = window.cut(&mut store, Store::INPUT);
            let program = store.program(node, "own");
            for (sample, input) in inputs.iter().enumerate() {
                let (s, i) = (Value::empty_tuple(), input.to_value());
                let given = Inputs { s: &s, i: &i, c: None };
                let value = eval::run(&program, &given, Policy::Strict).unwrap();
                assert_eq!(grid_of(&value), window.of(sample, input), "{window:?}");
            }
        }
    }
}
