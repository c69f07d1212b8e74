//! Grids: NumPy arrays, lists and tuples of rows become grids, and grids become NumPy arrays.

use batt::lang::Value;
use batt::run::tasks::Grid;
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The rows of whatever is a grid to Python. What does not hold ints in rows is refused; what numbers they
/// are is for the caller to judge.
pub fn rows(from: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<i32>>> {
    macro_rules! of_array {
        ($($kind:ty)*) => {
            $(if let Ok(array) = from.extract::<PyReadonlyArray2<$kind>>() {
                let row = |row: numpy::ndarray::ArrayView1<$kind>| row.iter().map(|n| narrow(*n)).collect();
                return array.as_array().rows().into_iter().map(row).collect();
            })*
        };
    }
    if from.cast::<numpy::PyUntypedArray>().is_ok() {
        of_array!(u8 i64 i32 i8 i16 u16 u32 u64);
        let array = from.cast::<numpy::PyUntypedArray>()?;
        return Err(PyValueError::new_err(format!(
            "a grid is a two-dimensional array of ints, not one of {} dimensions and type {}",
            array.ndim(),
            array.dtype()
        )));
    }
    from.extract().map_err(|_| {
        PyValueError::new_err(
            "a grid is a two-dimensional NumPy array, or a list or tuple of rows of ints",
        )
    })
}

fn narrow<T>(n: T) -> PyResult<i32>
where
    i32: TryFrom<T>,
{
    i32::try_from(n).map_err(|_| PyValueError::new_err("a cell does not fit 32 bits"))
}

/// A grid as ARC has it.
pub fn grid(from: &Bound<'_, PyAny>) -> PyResult<Grid> {
    // Most arrays are of bytes or of NumPy's usual ints.
    if let Some(grid) = of_bytes::<u8>(from).or_else(|| of_bytes::<i64>(from)) {
        return Ok(grid);
    }
    let rows = rows(from)?;
    let colors =
        rows.iter().map(|row| row.iter().map(|c| u8::try_from(*c).unwrap_or(u8::MAX)).collect());
    let colors: Vec<Vec<u8>> = colors.collect();
    Grid::from_rows(&colors).ok_or_else(|| {
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let why = if rows.iter().any(|row| row.len() != width) {
            "its rows are not equally long".to_string()
        } else if !(1..=30).contains(&height) || !(1..=30).contains(&width) {
            format!("it is {height}x{width}")
        } else {
            "a cell is no colour".to_string()
        };
        PyValueError::new_err(format!(
            "not a grid: {why}; grids have 1 to 30 rows and columns and the colours 0 to 9"
        ))
    })
}

/// The grid that an array of this type is, if it is one.
fn of_bytes<T: numpy::Element + Copy>(from: &Bound<'_, PyAny>) -> Option<Grid>
where
    u8: TryFrom<T>,
{
    let array = from.cast::<PyArray2<T>>().ok()?.try_readonly().ok()?;
    let (shape, cells) = (array.shape(), array.as_slice().ok()?);
    let cells = cells.iter().map(|cell| u8::try_from(*cell).unwrap_or(u8::MAX)).collect();
    Grid::from_cells(shape[1], cells)
}

/// A grid as NumPy has it.
pub fn array<'py>(py: Python<'py>, grid: &Grid) -> Bound<'py, PyArray2<u8>> {
    of_cells(py, grid.cells().to_vec(), [grid.height(), grid.width()])
}

fn of_cells<T: numpy::Element>(
    py: Python<'_>,
    cells: Vec<T>,
    shape: [usize; 2],
) -> Bound<'_, PyArray2<T>> {
    let array = numpy::ndarray::Array2::from_shape_vec(shape, cells);
    PyArray2::from_owned_array(
        py,
        array.unwrap_or_else(|_| {
            numpy::ndarray::Array2::from_shape_simple_fn([0, 0], || {
                unreachable!("an empty array has no cells")
            })
        }),
    )
}

/// The array that a value is, if it is a grid.
pub fn array_of_value<'py>(py: Python<'py>, value: &Value) -> Option<Bound<'py, PyAny>> {
    let rows = value.grid_rows()?;
    let shape = [rows.len(), rows[0].len()];
    let cells: Vec<i32> = rows.into_iter().flatten().collect();
    if cells.iter().all(|cell| (0..=255).contains(cell)) {
        let cells = cells.into_iter().map(|cell| cell as u8).collect();
        return Some(of_cells::<u8>(py, cells, shape).into_any());
    }
    Some(of_cells(py, cells, shape).into_any())
}
