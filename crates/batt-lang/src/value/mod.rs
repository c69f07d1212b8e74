//! Values, as the reference engine and everything around it hold them.
//!
//! There is one normal form for every value, so equality is structural: a tuple of two ints is
//! always a [`Value::Pair`], a tuple of an int and a pair always a [`Value::Cell`], and a set is
//! kept in canonical order without repeats. Build tuples and sets with [`Value::tuple`] and
//! [`Value::set`], which see to that. Bools inside pairs and cells are kept as 0 and 1: they are
//! equal to those ints, so nobody can tell.

mod function;
mod order;
mod text;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

pub use function::Function;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// What `index` gives outside the grid.
    Null,
    /// Truth; equal to 0 or 1.
    Bool(bool),
    /// A 32-bit int.
    Int(i32),
    /// A tuple of two ints.
    Pair(i32, i32),
    /// A tuple of a colour and a location: (colour, (row, column)).
    Cell(i32, i32, i32),
    /// Any other tuple. A grid is a tuple of rows.
    Tuple(Items),
    /// A set, in canonical order.
    Set(Items),
    /// A function.
    Function(Arc<Function>),
}

/// The items of a tuple or a set, with what the limits need to know of them.
#[derive(Clone, Debug)]
pub struct Items(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The items; those of a grid that is kept as cells once somebody looks at one.
    items: OnceLock<Vec<Value>>,
    cells: Option<Cells>,
    elements: u32,
    depth: u32,
    weight: u32,
}

/// The cells of a grid row by row. Engines take and give grids; as values their cells would be as many
/// allocations as they have rows, which takes longer than what most programs do with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    width: usize,
    colors: Box<[u8]>,
}

impl Cells {
    /// How many columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows.
    pub fn height(&self) -> usize {
        self.colors.len() / self.width
    }

    /// The cells, row by row.
    pub fn colors(&self) -> &[u8] {
        &self.colors
    }

    /// The rows as values.
    fn rows(&self) -> Vec<Value> {
        let row = |row: &[u8]| {
            Value::tuple(row.iter().map(|color| Value::Int(i32::from(*color))).collect())
        };
        self.colors.chunks_exact(self.width).map(row).collect()
    }
}

impl Items {
    fn new(items: Vec<Value>) -> Items {
        let mut elements: u32 = 0;
        let (mut depth, mut weight) = (0, 0_u32);
        for item in &items {
            elements = elements.saturating_add(item.elements().max(1));
            depth = depth.max(item.depth());
            weight = weight.saturating_add(item.weight());
        }
        let items = OnceLock::from(items);
        Items(Arc::new(Inner { items, cells: None, elements, depth: depth + 1, weight }))
    }

    fn of_cells(cells: Cells) -> Items {
        // A row of two is a pair, which counts one and holds nothing.
        let (elements, depth) =
            if cells.width == 2 { (cells.height(), 1) } else { (cells.colors.len(), 2) };
        let (items, elements) = (OnceLock::new(), elements as u32);
        Items(Arc::new(Inner { items, cells: Some(cells), elements, depth, weight: 0 }))
    }

    /// The cells, where it is a grid that is kept that way.
    pub fn cells(&self) -> Option<&Cells> {
        self.0.cells.as_ref()
    }

    /// Where it is, as long as it is held: the same for copies of it.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl Deref for Items {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        self.0.items.get_or_init(|| self.0.cells.as_ref().map_or_else(Vec::new, Cells::rows))
    }
}

/// The items of any container, pairs and cells included.
pub enum Elements<'a> {
    /// Borrowed from a tuple or a set.
    Slice(&'a [Value]),
    /// The two halves of a pair or a cell.
    Two([Value; 2]),
}

impl Deref for Elements<'_> {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        match self {
            Elements::Slice(items) => items,
            Elements::Two(items) => items,
        }
    }
}

impl Value {
    /// A tuple, in normal form.
    pub fn tuple(items: Vec<Value>) -> Value {
        if let [a, b] = items.as_slice()
            && let Some(a) = a.as_int()
        {
            match b {
                Value::Pair(i, j) => return Value::Cell(a, *i, *j),
                _ => {
                    if let Some(b) = b.as_int() {
                        return Value::Pair(a, b);
                    }
                }
            }
        }
        Value::Tuple(Items::new(items))
    }

    /// A set: sorts and drops repeats.
    pub fn set(mut items: Vec<Value>) -> Value {
        // Most sets are built in order already; checking costs less than sorting.
        if !items.is_sorted_by(|a, b| a < b) {
            items.sort();
            items.dedup();
        }
        Value::Set(Items::new(items))
    }

    /// A grid from rows of colours.
    pub fn grid<R: AsRef<[i32]>>(rows: &[R]) -> Value {
        let row = |r: &R| Value::tuple(r.as_ref().iter().map(|&c| Value::Int(c)).collect());
        Value::tuple(rows.iter().map(row).collect())
    }

    /// A grid from its cells, row by row; `None` unless they fill at least one row of this width.
    pub fn of_cells(width: usize, colors: Box<[u8]>) -> Option<Value> {
        let fits = width > 0 && !colors.is_empty() && colors.len().is_multiple_of(width);
        fits.then(|| Value::Tuple(Items::of_cells(Cells { width, colors })))
    }

    /// A function.
    pub fn function(f: Function) -> Value {
        Value::Function(Arc::new(f))
    }

    /// `()`.
    pub fn empty_tuple() -> Value {
        Value::Tuple(Items::new(Vec::new()))
    }

    /// The empty set.
    pub fn empty_set() -> Value {
        Value::Set(Items::new(Vec::new()))
    }

    /// The int that an int or a bool is.
    pub fn as_int(&self) -> Option<i32> {
        match self {
            Value::Int(n) => Some(*n),
            Value::Bool(b) => Some(i32::from(*b)),
            _ => None,
        }
    }

    /// The two ints of a pair.
    pub fn as_pair(&self) -> Option<(i32, i32)> {
        match self {
            Value::Pair(i, j) => Some((*i, *j)),
            _ => None,
        }
    }

    /// The items of a tuple or a set.
    pub fn elements_of(&self) -> Option<Elements<'_>> {
        match self {
            Value::Tuple(items) | Value::Set(items) => Some(Elements::Slice(items)),
            Value::Pair(i, j) => Some(Elements::Two([Value::Int(*i), Value::Int(*j)])),
            Value::Cell(c, i, j) => Some(Elements::Two([Value::Int(*c), Value::Pair(*i, *j)])),
            _ => None,
        }
    }

    /// Whether it is a tuple, pairs, cells and grids included.
    pub fn is_tuple(&self) -> bool {
        matches!(self, Value::Pair(..) | Value::Cell(..) | Value::Tuple(_))
    }

    /// Whether it is a set.
    pub fn is_set(&self) -> bool {
        matches!(self, Value::Set(_))
    }

    /// Python's truth: false, 0, null and empty containers are false.
    pub fn truth(&self) -> bool {
        match self {
            Value::Null => false,
            Value::Bool(b) => *b,
            Value::Int(n) => *n != 0,
            Value::Tuple(items) | Value::Set(items) => !items.is_empty(),
            Value::Pair(..) | Value::Cell(..) | Value::Function(_) => true,
        }
    }

    /// How many cells or elements it holds in all, as [`crate::limits::MAX_ELEMENTS`] counts them.
    pub fn elements(&self) -> u32 {
        match self {
            Value::Tuple(items) | Value::Set(items) => items.0.elements,
            _ => 1,
        }
    }

    /// How deep its containers and functions nest; pairs and cells count as items.
    pub fn depth(&self) -> u32 {
        match self {
            Value::Tuple(items) | Value::Set(items) => items.0.depth,
            Value::Function(f) => f.depth(),
            _ => 0,
        }
    }

    /// How many primitives the functions in it are built from.
    pub fn weight(&self) -> u32 {
        match self {
            Value::Tuple(items) | Value::Set(items) => items.0.weight,
            Value::Function(f) => f.weight(),
            _ => 0,
        }
    }

    /// The rows of a grid as ARC has them: rectangular, at least 1×1, ints only.
    pub fn grid_rows(&self) -> Option<Vec<Vec<i32>>> {
        if let Value::Tuple(items) = self
            && let Some(cells) = items.cells()
        {
            let row = |row: &[u8]| row.iter().map(|color| i32::from(*color)).collect();
            return Some(cells.colors.chunks_exact(cells.width).map(row).collect());
        }
        if !self.is_tuple() {
            return None;
        }
        let rows: Vec<Vec<i32>> = self
            .elements_of()?
            .iter()
            .map(|row| {
                let cells = row.elements_of().filter(|_| row.is_tuple())?;
                cells.iter().map(Value::as_int).collect::<Option<Vec<i32>>>()
            })
            .collect::<Option<_>>()?;
        let width = rows.first()?.len();
        (width > 0 && rows.iter().all(|r| r.len() == width)).then_some(rows)
    }
}
