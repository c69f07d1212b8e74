//! Columns: the values that a variable has on all samples, kept as the engine has them between calls.

use batt::lang::Value;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::value;

/// A value for every sample; None where there is none.
#[pyclass(frozen, module = "batt")]
pub struct Column {
    values: Vec<Option<Value>>,
}

impl Column {
    /// A column of these values.
    pub fn of(values: Vec<Option<Value>>) -> Column {
        Column { values }
    }

    /// Its values.
    pub fn values(&self) -> &[Option<Value>] {
        &self.values
    }
}

/// The rows of columns as tuples of at least three, so that none is a pair or a cell: which rows are whole, and
/// what they hold.
pub fn rows(columns: &[Py<Column>]) -> PyResult<(Vec<usize>, Vec<Value>)> {
    let columns: Vec<&[Option<Value>]> =
        columns.iter().map(|column| column.get().values()).collect();
    let length = columns.first().map_or(0, |column| column.len());
    if columns.iter().any(|column| column.len() != length) {
        return Err(PyValueError::new_err("the columns of a call are not equally long"));
    }
    let row = |at: usize| {
        let values: Option<Vec<Value>> = columns.iter().map(|column| column[at].clone()).collect();
        let mut values = values?;
        values.resize(values.len().max(3), Value::Null);
        Some((at, Value::tuple(values)))
    };
    Ok((0..length).filter_map(row).unzip())
}

#[pymethods]
impl Column {
    /// A column of Python values; None stands for a missing one.
    #[new]
    fn new(values: &Bound<'_, PyAny>) -> PyResult<Column> {
        let one = |item: PyResult<Bound<'_, PyAny>>| {
            let item = item?;
            if item.is_none() { Ok(None) } else { value::read(&item).map(Some) }
        };
        Ok(Column { values: values.try_iter()?.map(one).collect::<PyResult<_>>()? })
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: isize) -> PyResult<Bound<'py, PyAny>> {
        let length = self.values.len();
        let place = if at < 0 { at + length as isize } else { at };
        let found = usize::try_from(place).ok().and_then(|place| self.values.get(place));
        match found {
            Some(Some(found)) => value::write(py, found),
            Some(None) => Ok(py.None().into_bound(py)),
            None => {
                Err(PyIndexError::new_err(format!("a column of {length} values has none at {at}")))
            }
        }
    }

    fn __eq__(&self, other: &Column) -> bool {
        self.values == other.values
    }

    fn __repr__(&self) -> String {
        let missing = self.values.iter().filter(|value| value.is_none()).count();
        format!("<batt.Column of {} values, {missing} missing>", self.values.len())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let values = slf.get().values.iter().map(|value| match value {
            Some(value) => value::write(py, value),
            None => Ok(py.None().into_bound(py)),
        });
        let values = PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?;
        Ok((slf.get_type().into_any(), (values,).into_pyobject(py)?))
    }
}
