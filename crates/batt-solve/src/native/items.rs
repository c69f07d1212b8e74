//! What a grid is made of: objects, colours, rows and columns, in the order of the canonical values.

use super::{Picture, STEPS, commonest};

/// An object: coloured cells, ordered by colour, row and column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// Colour, row and column of each.
    pub cells: Vec<(u8, i32, i32)>,
    /// The first row.
    pub top: i32,
    /// The first column.
    pub left: i32,
    /// The last row.
    pub bottom: i32,
    /// The last column.
    pub right: i32,
}

impl Item {
    /// An object of cells; `None` for no cells.
    pub fn new(mut cells: Vec<(u8, i32, i32)>) -> Option<Item> {
        cells.sort_unstable();
        Some(Item {
            top: cells.iter().map(|cell| cell.1).min()?,
            left: cells.iter().map(|cell| cell.2).min()?,
            bottom: cells.iter().map(|cell| cell.1).max()?,
            right: cells.iter().map(|cell| cell.2).max()?,
            cells,
        })
    }

    /// Rows that it spans.
    pub fn height(&self) -> i32 {
        self.bottom - self.top + 1
    }

    /// Columns that it spans.
    pub fn width(&self) -> i32 {
        self.right - self.left + 1
    }

    /// How often every colour occurs.
    pub fn counts(&self) -> [u32; 10] {
        let mut counts = [0; 10];
        self.cells.iter().for_each(|cell| counts[usize::from(cell.0)] += 1);
        counts
    }

    /// Its locations from its upper left corner on, ordered.
    pub fn outline(&self) -> Vec<(i32, i32)> {
        let mut all: Vec<(i32, i32)> =
            self.cells.iter().map(|cell| (cell.1 - self.top, cell.2 - self.left)).collect();
        all.sort_unstable();
        all
    }

    /// Which cells of its box are taken, row by row.
    pub fn taken(&self) -> Vec<bool> {
        let mut taken = vec![false; (self.height() * self.width()) as usize];
        for (_, i, j) in &self.cells {
            taken[((i - self.top) * self.width() + j - self.left) as usize] = true;
        }
        taken
    }

    /// The free cells of its box from which free ones lead to no edge of it: how many regions they make,
    /// and which they are.
    pub fn enclosed(&self) -> (i32, Vec<(i32, i32)>) {
        let (h, w) = (self.height(), self.width());
        let mut seen = self.taken();
        let fill = |seen: &mut Vec<bool>, start: (i32, i32)| {
            let mut region = Vec::new();
            let mut open = vec![start];
            while let Some((i, j)) = open.pop() {
                let inside = 0 <= i && i < h && 0 <= j && j < w;
                if inside && !std::mem::replace(&mut seen[(i * w + j) as usize], true) {
                    region.push((i + self.top, j + self.left));
                    open.extend(STEPS[..4].iter().map(|(di, dj)| (i + di, j + dj)));
                }
            }
            region
        };
        for i in 0..h {
            fill(&mut seen, (i, 0));
            fill(&mut seen, (i, w - 1));
        }
        for j in 0..w {
            fill(&mut seen, (0, j));
            fill(&mut seen, (h - 1, j));
        }
        let (mut count, mut all) = (0, Vec::new());
        for i in 0..h {
            for j in 0..w {
                let region = fill(&mut seen, (i, j));
                count += i32::from(!region.is_empty());
                all.extend(region);
            }
        }
        (count, all)
    }
}

/// A container that is computed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemsOf {
    /// Connected cells of one colour: whether corners connect, and whether of 0 or of all else.
    OneColor {
        /// Whether corners connect.
        diagonal: bool,
        /// Whether those of 0 are meant.
        zero: bool,
    },
    /// Connected cells that differ from the commonest colour, and whether corners connect.
    Mixed(bool),
    /// All cells of a colour other than the commonest.
    Colors,
    /// Rows, or columns.
    Lines(bool),
    /// What lies between the full rows and columns of the commonest dividing colour.
    Panels,
}

impl ItemsOf {
    /// The twin of a container of the library.
    pub fn named(name: &str) -> Option<ItemsOf> {
        Some(match name {
            "shapes4" => ItemsOf::OneColor { diagonal: false, zero: false },
            "shapes8" => ItemsOf::OneColor { diagonal: true, zero: false },
            "gaps4" => ItemsOf::OneColor { diagonal: false, zero: true },
            "mixed8" => ItemsOf::Mixed(true),
            "mixed4" => ItemsOf::Mixed(false),
            "colours" => ItemsOf::Colors,
            "rows" => ItemsOf::Lines(true),
            "columns" => ItemsOf::Lines(false),
            "panels" => ItemsOf::Panels,
            _ => return None,
        })
    }

    /// The items of a grid, ordered; none where nothing divides it into panels.
    pub fn items(self, picture: &Picture) -> Vec<Item> {
        let mut items: Vec<Item> = match self {
            ItemsOf::OneColor { diagonal, zero } => {
                regions(picture, diagonal, |a| (a == 0) == zero, |a, b| a == b)
            }
            ItemsOf::Mixed(diagonal) => {
                let ground = commonest(&picture.counts()).unwrap_or(0);
                regions(picture, diagonal, |a| a != ground, |_, b| b != ground)
            }
            ItemsOf::Colors => {
                let ground = commonest(&picture.counts()).unwrap_or(0);
                let colors = (0..10).filter(|color| *color != ground);
                colors.filter_map(|color| Item::new(cells(picture, |c, _, _| c == color))).collect()
            }
            ItemsOf::Lines(true) => {
                let rows = (0..picture.height).map(|row| cells(picture, |_, i, _| i == row));
                rows.filter_map(Item::new).collect()
            }
            ItemsOf::Lines(false) => {
                let columns =
                    (0..picture.width).map(|column| cells(picture, |_, _, j| j == column));
                columns.filter_map(Item::new).collect()
            }
            ItemsOf::Panels => panels(picture),
        };
        items.sort_unstable();
        items
    }
}

/// The panels of a grid.
fn panels(picture: &Picture) -> Vec<Item> {
    let (h, w) = (picture.height, picture.width);
    let is_full = |of_rows: bool, at: i32, color: u8| {
        if of_rows {
            (0..w).all(|j| picture.at(at, j) == Some(color))
        } else {
            (0..h).all(|i| picture.at(i, at) == Some(color))
        }
    };
    let mut counts = [0; 10];
    for color in 1..10 {
        let rows = (0..h).filter(|i| is_full(true, *i, color)).count();
        let columns = (0..w).filter(|j| is_full(false, *j, color)).count();
        // The only cell of a grid is one object, not two.
        counts[usize::from(color)] = if h * w == 1 { rows } else { rows + columns } as u32;
    }
    let Some(divider) = commonest(&counts) else { return Vec::new() };
    let runs = |of_rows: bool, n: i32| {
        let mut runs: Vec<(i32, i32)> = Vec::new();
        for at in (0..n).filter(|at| !is_full(of_rows, *at, divider)) {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == at => run.1 = at,
                _ => runs.push((at, at)),
            }
        }
        runs
    };
    let (down, across) = (runs(true, h), runs(false, w));
    let all = down.iter().flat_map(|rows| across.iter().map(move |columns| (*rows, *columns)));
    let panel = |((top, bottom), (left, right)): ((i32, i32), (i32, i32))| {
        cells(picture, |_, i, j| top <= i && i <= bottom && left <= j && j <= right)
    };
    all.map(panel).filter_map(Item::new).collect()
}

/// The cells of a grid that are so.
fn cells(picture: &Picture, is: impl Fn(u8, i32, i32) -> bool) -> Vec<(u8, i32, i32)> {
    let all = picture.locations().zip(&picture.cells).map(|((i, j), color)| (*color, i, j));
    all.filter(|(color, i, j)| is(*color, *i, *j)).collect()
}

/// Connected cells: which begin one, and which two go together.
fn regions(
    picture: &Picture,
    diagonal: bool,
    begins: impl Fn(u8) -> bool,
    joins: impl Fn(u8, u8) -> bool,
) -> Vec<Item> {
    let steps = if diagonal { &STEPS[..] } else { &STEPS[..4] };
    let mut seen = vec![false; picture.cells.len()];
    let mut out = Vec::new();
    for start in picture.locations() {
        let at = picture.place(start.0, start.1);
        if seen[at] || !begins(picture.cells[at]) {
            continue;
        }
        seen[at] = true;
        let (mut open, mut cells) = (vec![start], Vec::new());
        while let Some((i, j)) = open.pop() {
            let color = picture.cells[picture.place(i, j)];
            cells.push((color, i, j));
            for (di, dj) in steps {
                let (i, j) = (i + di, j + dj);
                let next = picture.at(i, j);
                if next.is_some_and(|next| joins(color, next)) {
                    let at = picture.place(i, j);
                    if !std::mem::replace(&mut seen[at], true) {
                        open.push((i, j));
                    }
                }
            }
        }
        out.extend(Item::new(cells));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(rows: &[&[u8]]) -> Picture {
        let (height, width) = (rows.len() as i32, rows[0].len() as i32);
        Picture { height, width, cells: rows.concat() }
    }

    #[test]
    fn items_are_connected_cells_in_order() {
        let picture = picture(&[&[0, 2, 0], &[2, 0, 1], &[0, 0, 1]]);
        let count = |name: &str| ItemsOf::named(name).unwrap().items(&picture).len();
        assert_eq!((count("shapes4"), count("shapes8"), count("gaps4")), (3, 2, 3));
        assert_eq!((count("mixed8"), count("colours"), count("rows")), (1, 2, 3));
        let shapes = ItemsOf::named("shapes8").unwrap().items(&picture);
        assert_eq!(shapes[0].cells, [(1, 1, 2), (1, 2, 2)]);
        assert_eq!((shapes[1].top, shapes[1].left, shapes[1].height()), (0, 0, 2));
    }

    #[test]
    fn panels_lie_between_full_lines() {
        let picture = picture(&[&[1, 5, 2], &[5, 5, 5], &[3, 5, 4]]);
        let panels = ItemsOf::Panels.items(&picture);
        assert_eq!(panels.iter().map(|panel| panel.cells[0].0).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(ItemsOf::Panels.items(&self::picture(&[&[0, 1]])).len(), 1);
    }

    #[test]
    fn what_is_enclosed_touches_no_edge() {
        let ring = (0..9).filter(|at| *at != 4).map(|at| (3, at / 3, at % 3)).collect();
        assert_eq!(Item::new(ring).unwrap().enclosed(), (1, vec![(1, 1)]));
        assert!(Item::new(Vec::new()).is_none());
    }
}
