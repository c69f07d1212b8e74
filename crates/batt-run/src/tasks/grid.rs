//! Grids.

use batt_lang::Value;

/// A grid as ARC has it: 1×1 to 30×30 cells of the colours 0 to 9.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    width: usize,
    cells: Vec<u8>,
}

impl Grid {
    /// A grid from its rows; `None` unless they make one.
    pub fn from_rows<R: AsRef<[u8]>>(rows: &[R]) -> Option<Grid> {
        let width = rows.first()?.as_ref().len();
        let fits = (1..=30).contains(&rows.len())
            && (1..=30).contains(&width)
            && rows.iter().all(|r| r.as_ref().len() == width && r.as_ref().iter().all(|c| *c <= 9));
        fits.then(|| Grid { width, cells: rows.iter().flat_map(AsRef::as_ref).copied().collect() })
    }

    /// How many rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// How many columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The rows, top to bottom.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.cells.chunks_exact(self.width)
    }

    /// The grid as a value.
    pub fn to_value(&self) -> Value {
        let row = |r: &[u8]| Value::tuple(r.iter().map(|&c| Value::Int(i32::from(c))).collect());
        Value::tuple(self.rows().map(row).collect())
    }
}
