//! Planes: what a cell sees, what mirrors it, which boxes it lies in.

use rustc_hash::FxHashMap as HashMap;

use super::{Item, ItemsOf, Picture, STEPS, Said, commonest, rarest};
use crate::columns::Shape;
use crate::scene::NONE;

/// A plane that is computed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneOf {
    /// The grid itself.
    Own,
    /// The colour so many rows and columns away.
    Away(i32, i32),
    /// The first colour that is not 0 in a direction.
    Ray(i32, i32),
    /// The colour that two opposite rays agree on.
    Between(i32, i32),
    /// The grid turned.
    Turned(Turn),
    /// The colour at the end of the row or the column: of rows or columns, and of the last or the first.
    Edge(bool, bool),
    /// The colour that both ends agree on, of rows or columns.
    Edges(bool),
    /// Rows, or columns, that hold a colour; any but 0 if none is named.
    Crossed(bool, Option<u8>),
    /// The box of a colour, or of all but 0.
    BoxOf(Option<u8>),
    /// The cells from which a colour is seen in a direction.
    Sees(u8, i32, i32),
    /// The cells of a figure drawn for every item.
    Figures(ItemsOf, Figure),
    /// A figure drawn for every item in a colour of the item.
    Painted(ItemsOf, Figure, Pick),
    /// Items turned in their boxes.
    TurnedItems(Turn),
    /// The cells other than 0 turned about the centre of a box.
    About(Center, About),
    /// The first of four neighbours, from this one on, that is neither 0 nor its own colour; 0 if none is.
    Beside(usize),
    /// The same of what is seen in four directions.
    Seen(usize),
    /// Whether a cell is in a square of so many: of one colour, or of any but 0.
    InSquare(i32, bool),
    /// Whether rows and columns add up to an even number, as 2 or 1.
    Parity,
    /// The same of the cell that is seen in a direction.
    ParitySeen(i32, i32),
    /// The grid where all cells other than 0 have moved until they are stopped.
    Fallen(i32, i32),
    /// The cells other than 0 repeated: how far apart in rows, and in columns.
    Repeated(Option<Step>, Option<Step>),
}

/// How far apart what is repeated is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// By its period.
    Period,
    /// By its size.
    Size,
    /// By its size and one more.
    Spaced,
}

/// A turn or a mirroring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Left to right.
    Columns,
    /// Upside down.
    Rows,
    /// By half.
    Half,
    /// Rows become columns.
    Transposed,
    /// The same about the other diagonal.
    OtherTransposed,
    /// By a quarter.
    Quarter,
    /// By a quarter the other way.
    OtherQuarter,
}

/// A figure that belongs to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The rim of its box.
    Box,
    /// Its box.
    Backdrop,
    /// What is free of its box.
    Delta,
    /// What it encloses.
    Interior,
    /// The rim around its box.
    Outbox,
    /// The rim within its box.
    Inbox,
    /// The corners of its box.
    Corners,
    /// The middle of its box.
    Center,
    /// The first corner of its box.
    UpperLeft,
    /// The neighbours of its cells.
    Around,
    /// The straight neighbours of its cells.
    StraightAround,
}

/// Which colour of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first, which is its own where it has one.
    First,
    /// The commonest.
    Commonest,
    /// The rarest.
    Rarest,
}

/// Whose centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Center {
    /// The smallest object.
    Smallest,
    /// The largest object.
    Largest,
    /// The rarest colour.
    Rarest,
    /// The commonest colour but 0.
    Commonest,
    /// All cells but those of 0.
    All,
}

/// What is done about a centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// One turn.
    One(Turn),
    /// Mirrored both ways.
    Folded,
    /// Turned all ways.
    AllTurned,
}

impl PlaneOf {
    /// What it says of a grid; `None` where its expression is an error.
    pub fn say(self, picture: &Picture) -> Option<Said> {
        let plane = |shape, of: &dyn Fn(i32, i32) -> Option<u8>| {
            let says = picture.locations().map(|(i, j)| of(i, j).unwrap_or(NONE)).collect();
            Some(Said::Plane(shape, says))
        };
        let (h, w) = (picture.height, picture.width);
        match self {
            PlaneOf::Own => Some(Said::Plane(Shape::Grid, picture.cells.clone())),
            PlaneOf::Away(di, dj) => plane(Shape::Object, &|i, j| picture.at(i + di, j + dj)),
            PlaneOf::Ray(di, dj) => Some(Said::Plane(Shape::Object, ray(picture, di, dj))),
            PlaneOf::Between(di, dj) => {
                let (a, b) = (ray(picture, di, dj), ray(picture, -di, -dj));
                let both = a.iter().zip(&b).map(|(a, b)| if a == b { *a } else { NONE });
                Some(Said::Plane(Shape::Object, both.collect()))
            }
            PlaneOf::Turned(turn) => plane(Shape::Grid, &|i, j| {
                let (a, b) = turn.back(i, j, h, w);
                picture.at(a, b)
            }),
            PlaneOf::Edge(of_rows, last) => plane(Shape::Grid, &|i, j| {
                let along = |n: i32| if last { n - 1 } else { 0 };
                if of_rows { picture.at(i, along(w)) } else { picture.at(along(h), j) }
            }),
            PlaneOf::Edges(of_rows) => plane(Shape::Object, &|i, j| {
                let ends = if of_rows { [(i, 0), (i, w - 1)] } else { [(0, j), (h - 1, j)] };
                let [a, b] = ends.map(|(i, j)| picture.at(i, j));
                a.filter(|_| a == b)
            }),
            PlaneOf::Crossed(of_rows, color) => {
                let is = |c: u8| color.map_or(c != 0, |color| c == color);
                let mut lines = vec![false; if of_rows { h } else { w } as usize];
                for ((i, j), c) in picture.locations().zip(&picture.cells) {
                    lines[if of_rows { i } else { j } as usize] |= is(*c);
                }
                Some(chosen(picture, |i, j| lines[if of_rows { i } else { j } as usize]))
            }
            PlaneOf::BoxOf(color) => {
                let item = select(picture, |c| color.map_or(c != 0, |color| c == color));
                Some(chosen(picture, |i, j| item.as_ref().is_some_and(|item| within(item, i, j))))
            }
            PlaneOf::Sees(color, di, dj) => {
                let mut sees = vec![false; picture.cells.len()];
                for (i, j) in outward(picture, di, dj) {
                    let at = picture.place(i, j);
                    let further = picture.holds(i + di, j + dj);
                    let next = further && sees[picture.place(i + di, j + dj)];
                    sees[at] = picture.cells[at] == color || next;
                }
                Some(Said::Chosen(sees))
            }
            PlaneOf::Figures(items, figure) => {
                let mut taken = vec![false; picture.cells.len()];
                for item in items.items(picture) {
                    figure.each(&item, |i, j| {
                        if picture.holds(i, j) {
                            taken[picture.place(i, j)] = true;
                        }
                    });
                }
                Some(Said::Chosen(taken))
            }
            PlaneOf::Painted(items, figure, pick) => {
                let mut says = vec![NONE; picture.cells.len()];
                let mut clash = false;
                for item in items.items(picture) {
                    let color = match pick {
                        Pick::First => item.cells[0].0,
                        Pick::Commonest => commonest(&item.counts())?,
                        Pick::Rarest => rarest(&item.counts())?,
                    };
                    figure.each(&item, |i, j| clash |= !put(picture, &mut says, i, j, color));
                }
                (!clash).then_some(Said::Plane(Shape::Object, says))
            }
            PlaneOf::TurnedItems(turn) => {
                let mut says = vec![NONE; picture.cells.len()];
                let mut clash = false;
                for item in MIXED.items(picture) {
                    for (color, i, j) in &item.cells {
                        let (a, b) = (i - item.top, j - item.left);
                        let (a, b) = turn.onto(a, b, item.height(), item.width());
                        clash |= !put(picture, &mut says, a + item.top, b + item.left, *color);
                    }
                }
                (!clash).then_some(Said::Plane(Shape::Object, says))
            }
            PlaneOf::About(center, about) => {
                let item = center.item(picture)?;
                let turns: &[Turn] = match &about {
                    About::One(turn) => std::slice::from_ref(turn),
                    About::Folded => &[Turn::Columns, Turn::Rows, Turn::Half],
                    About::AllTurned => &[Turn::Quarter, Turn::OtherQuarter, Turn::Half],
                };
                let mut says = vec![NONE; picture.cells.len()];
                let mut clash = false;
                for turn in turns {
                    let (di, dj) = turn.shift_about(&item, h, w);
                    for ((i, j), color) in picture.locations().zip(&picture.cells) {
                        if *color != 0 {
                            let (a, b) = turn.onto(i, j, h, w);
                            clash |= !put(picture, &mut says, a + di, b + dj, *color);
                        }
                    }
                }
                (!clash).then_some(Said::Plane(Shape::Object, says))
            }
            PlaneOf::Beside(from) => plane(Shape::Grid, &|i, j| {
                let own = picture.at(i, j)?;
                let near = STEPS[from..from + 4].iter();
                let mut near = near.filter_map(|(di, dj)| picture.at(i + di, j + dj));
                near.find(|color| *color != 0 && *color != own).or(Some(0))
            }),
            PlaneOf::Seen(from) => {
                let rays: Vec<Vec<u8>> =
                    STEPS[from..from + 4].iter().map(|(di, dj)| ray(picture, *di, *dj)).collect();
                plane(Shape::Grid, &|i, j| {
                    let at = picture.place(i, j);
                    let own = picture.cells[at];
                    let mut seen = rays.iter().map(|ray| ray[at]);
                    seen.find(|color| *color != NONE && *color != own).or(Some(0))
                })
            }
            PlaneOf::InSquare(size, one_color) => {
                let mut inside = vec![false; picture.cells.len()];
                for (i, j) in picture.locations() {
                    let first = picture.cells[picture.place(i, j)];
                    let mut all = (0..size).flat_map(|a| (0..size).map(move |b| (i + a, j + b)));
                    let fits = |color: u8| if one_color { color == first } else { color != 0 };
                    if all.clone().all(|(a, b)| picture.at(a, b).is_some_and(fits)) {
                        all.by_ref().for_each(|(a, b)| inside[picture.place(a, b)] = true);
                    }
                }
                Some(Said::Chosen(inside))
            }
            PlaneOf::Parity => plane(Shape::Grid, &|i, j| Some(parity(i, j))),
            PlaneOf::ParitySeen(di, dj) => {
                let cells = picture.locations().zip(&picture.cells);
                let cells = cells.map(|((i, j), c)| if *c == 0 { 0 } else { parity(i, j) });
                let coloured = Picture { height: h, width: w, cells: cells.collect() };
                Some(Said::Plane(Shape::Object, ray(&coloured, di, dj)))
            }
            PlaneOf::Fallen(di, dj) => Some(Said::Plane(Shape::Grid, fallen(picture, di, dj))),
            PlaneOf::Repeated(down, across) => {
                let all = select(picture, |color| color != 0)?;
                let of = |step: Step, size: i32, period: i32| match step {
                    Step::Period => period,
                    Step::Size => size,
                    Step::Spaced => size + 1,
                };
                let down = down.map(|step| of(step, all.height(), period(&all, true)));
                let across = across.map(|step| of(step, all.width(), period(&all, false)));
                let places = |at: i32, step: Option<i32>, n: i32| {
                    let step = step.unwrap_or(n.max(1));
                    (at.rem_euclid(step)..n).step_by(step as usize).collect::<Vec<i32>>()
                };
                let mut says = vec![NONE; picture.cells.len()];
                let mut clash = false;
                for (color, i, j) in &all.cells {
                    for a in places(*i, down, h) {
                        for b in places(*j, across, w) {
                            clash |= !put(picture, &mut says, a, b, *color);
                        }
                    }
                }
                (!clash).then_some(Said::Plane(Shape::Object, says))
            }
        }
    }
}

/// 2 where rows and columns add up to an even number, else 1.
fn parity(i: i32, j: i32) -> u8 {
    if (i + j) % 2 == 0 { 2 } else { 1 }
}

/// After how many rows, or columns, the cells of an item come again.
fn period(item: &Item, of_rows: bool) -> i32 {
    let size = if of_rows { item.height() } else { item.width() };
    let cells: HashMap<(i32, i32), u8> =
        item.cells.iter().map(|(color, i, j)| ((*i, *j), *color)).collect();
    let first = if of_rows { item.top } else { item.left };
    let repeats = |step: &i32| {
        item.cells.iter().all(|(color, i, j)| {
            let (along, before) = if of_rows { (*i, (i - step, *j)) } else { (*j, (*i, j - step)) };
            along - first < *step || cells.get(&before) == Some(color)
        })
    };
    (1..size).find(repeats).unwrap_or(size)
}

pub(super) const SHAPES4: ItemsOf = ItemsOf::OneColor { diagonal: false, zero: false };
pub(super) const SHAPES8: ItemsOf = ItemsOf::OneColor { diagonal: true, zero: false };
pub(super) const MIXED: ItemsOf = ItemsOf::Mixed(true);

/// Puts a colour at a location, if it is within the grid; whether no other was there.
fn put(picture: &Picture, says: &mut [u8], i: i32, j: i32, color: u8) -> bool {
    if !picture.holds(i, j) {
        return true;
    }
    let at = picture.place(i, j);
    let free = says[at] == NONE || says[at] == color;
    says[at] = color;
    free
}

fn chosen(picture: &Picture, is: impl Fn(i32, i32) -> bool) -> Said {
    Said::Chosen(picture.locations().map(|(i, j)| is(i, j)).collect())
}

fn within(item: &Item, i: i32, j: i32) -> bool {
    item.top <= i && i <= item.bottom && item.left <= j && j <= item.right
}

/// The cells of some colours, as one item.
fn select(picture: &Picture, is: impl Fn(u8) -> bool) -> Option<Item> {
    let cells = picture.locations().zip(&picture.cells).filter(|(_, color)| is(**color));
    Item::new(cells.map(|((i, j), color)| (*color, i, j)).collect())
}

/// All locations, each after the one that is a step further.
fn outward(picture: &Picture, di: i32, dj: i32) -> Vec<(i32, i32)> {
    let mut all: Vec<(i32, i32)> = picture.locations().collect();
    if (di, dj) > (0, 0) {
        all.reverse();
    }
    all
}

fn ray(picture: &Picture, di: i32, dj: i32) -> Vec<u8> {
    let mut seen = vec![NONE; picture.cells.len()];
    for (i, j) in outward(picture, di, dj) {
        if picture.holds(i + di, j + dj) {
            let next = picture.place(i + di, j + dj);
            let color = picture.cells[next];
            seen[picture.place(i, j)] = if color == 0 { seen[next] } else { color };
        }
    }
    seen
}

/// Every row or column with the cells other than 0 at the end that a direction leads to.
fn fallen(picture: &Picture, di: i32, dj: i32) -> Vec<u8> {
    let (h, w) = (picture.height, picture.width);
    let mut cells = vec![0; picture.cells.len()];
    let (lines, length) = if di == 0 { (h, w) } else { (w, h) };
    for line in 0..lines {
        // Places from the end that a direction leads to.
        let place = |n: i32| {
            let n = if di + dj > 0 { length - 1 - n } else { n };
            if di == 0 { picture.place(line, n) } else { picture.place(n, line) }
        };
        let coloured = (0..length).map(place).filter(|at| picture.cells[*at] != 0);
        for (to, from) in coloured.enumerate() {
            cells[place(to as i32)] = picture.cells[from];
        }
    }
    cells
}

impl Turn {
    /// The grid turned.
    pub fn of(self, picture: &Picture) -> Picture {
        let (h, w) = (picture.height, picture.width);
        let (height, width) = match self {
            Turn::Columns | Turn::Rows | Turn::Half => (h, w),
            _ => (w, h),
        };
        let mut turned = Picture { height, width, cells: vec![0; picture.cells.len()] };
        for ((i, j), color) in picture.locations().zip(&picture.cells) {
            let (i, j) = self.onto(i, j, h, w);
            let place = turned.place(i, j);
            turned.cells[place] = *color;
        }
        turned
    }

    /// Where a cell of a grid of so many rows and columns comes to.
    fn onto(self, i: i32, j: i32, h: i32, w: i32) -> (i32, i32) {
        match self {
            Turn::Columns => (i, w - 1 - j),
            Turn::Rows => (h - 1 - i, j),
            Turn::Half => (h - 1 - i, w - 1 - j),
            Turn::Transposed => (j, i),
            Turn::OtherTransposed => (w - 1 - j, h - 1 - i),
            Turn::Quarter => (j, h - 1 - i),
            Turn::OtherQuarter => (w - 1 - j, i),
        }
    }

    /// Where what is at a location now comes from.
    fn back(self, i: i32, j: i32, h: i32, w: i32) -> (i32, i32) {
        match self {
            Turn::Quarter => (h - 1 - j, i),
            Turn::OtherQuarter => (j, w - 1 - i),
            Turn::OtherTransposed => (h - 1 - j, w - 1 - i),
            same => same.onto(i, j, h, w),
        }
    }

    /// How far a turned grid is shifted to be turned about the centre of an item.
    fn shift_about(self, item: &Item, h: i32, w: i32) -> (i32, i32) {
        let (rows, columns) = (item.top + item.bottom, item.left + item.right);
        let (below, right) = (rows - (h - 1), columns - (w - 1));
        match self {
            Turn::Columns => (0, right),
            Turn::Rows => (below, 0),
            Turn::Half => (below, right),
            Turn::Transposed | Turn::OtherTransposed => (0, 0),
            Turn::Quarter => {
                ((rows - columns).div_euclid(2), (rows + columns - 2 * (h - 1)).div_euclid(2))
            }
            Turn::OtherQuarter => {
                ((rows + columns - 2 * (w - 1)).div_euclid(2), (columns - rows).div_euclid(2))
            }
        }
    }
}

impl Center {
    /// The centre of a name.
    pub fn named(name: &str) -> Option<Center> {
        Some(match name {
            "smallest" => Center::Smallest,
            "largest" => Center::Largest,
            "rarest" => Center::Rarest,
            "commonest" => Center::Commonest,
            "all" => Center::All,
            _ => return None,
        })
    }

    /// What is meant in a grid, if it is there.
    pub fn item(self, picture: &Picture) -> Option<Item> {
        let first_best = |better: fn(usize, usize) -> bool| {
            let items = SHAPES8.items(picture).into_iter();
            items.reduce(|a, b| if better(b.cells.len(), a.cells.len()) { b } else { a })
        };
        let mut counts = picture.counts();
        counts[0] = 0;
        match self {
            Center::Smallest => first_best(|a, b| a < b),
            Center::Largest => first_best(|a, b| a > b),
            Center::Rarest => rarest(&counts).and_then(|color| select(picture, |c| c == color)),
            Center::Commonest => {
                commonest(&counts).and_then(|color| select(picture, |c| c == color))
            }
            Center::All => select(picture, |c| c != 0),
        }
    }
}

impl Figure {
    /// Calls back with its cells, which may lie outside the grid.
    fn each(self, item: &Item, mut see: impl FnMut(i32, i32)) {
        let &Item { top, left, bottom, right, .. } = item;
        let mut rim = |(top, left, bottom, right): (i32, i32, i32, i32)| {
            let (top, bottom) = (top.min(bottom), top.max(bottom));
            let (left, right) = (left.min(right), left.max(right));
            for j in left..=right {
                see(top, j);
                see(bottom, j);
            }
            for i in top..=bottom {
                see(i, left);
                see(i, right);
            }
        };
        match self {
            Figure::Box => rim((top, left, bottom, right)),
            Figure::Outbox => rim((top - 1, left - 1, bottom + 1, right + 1)),
            Figure::Inbox => rim((top + 1, left + 1, bottom - 1, right - 1)),
            Figure::Backdrop | Figure::Delta => {
                let taken = item.taken();
                let all = (top..=bottom).flat_map(|i| (left..=right).map(move |j| (i, j)));
                for ((i, j), taken) in all.zip(taken) {
                    if self == Figure::Backdrop || !taken {
                        see(i, j);
                    }
                }
            }
            Figure::Interior => item.enclosed().1.into_iter().for_each(|(i, j)| see(i, j)),
            Figure::Corners => {
                for i in [top, bottom] {
                    see(i, left);
                    see(i, right);
                }
            }
            Figure::Center => see(top + item.height() / 2, left + item.width() / 2),
            Figure::UpperLeft => see(top, left),
            Figure::Around | Figure::StraightAround => {
                let steps = if self == Figure::Around { &STEPS[..] } else { &STEPS[..4] };
                for (_, i, j) in &item.cells {
                    for (di, dj) in steps {
                        see(i + di, j + dj);
                    }
                }
            }
        }
    }
}
