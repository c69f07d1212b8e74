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

    /// A grid from its cells, row by row; `None` unless they make one.
    pub fn from_cells(width: usize, cells: Vec<u8>) -> Option<Grid> {
        let height = cells.len().checked_div(width)?;
        let fits = (1..=30).contains(&width)
            && (1..=30).contains(&height)
            && height * width == cells.len()
            && cells.iter().all(|color| *color <= 9);
        fits.then_some(Grid { width, cells })
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[u8] {
        &self.cells
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

    /// The grid that a value is, if ARC would take it.
    pub fn of_value(value: &Value) -> Option<Grid> {
        if let Value::Tuple(items) = value
            && let Some(cells) = items.cells()
        {
            return Grid::from_cells(cells.width(), cells.colors().to_vec());
        }
        let rows = value.grid_rows()?;
        let byte = |cell: &i32| u8::try_from(*cell).ok();
        let rows = rows.iter().map(|row| row.iter().map(byte).collect::<Option<Vec<u8>>>());
        Grid::from_rows(&rows.collect::<Option<Vec<_>>>()?)
    }

    /// The grid as a value.
    pub fn to_value(&self) -> Value {
        // No grid is without cells.
        Value::of_cells(self.width, self.cells.clone().into()).unwrap_or(Value::Null)
    }
}
