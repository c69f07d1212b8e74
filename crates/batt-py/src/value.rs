//! Values: Python's ints, bools, tuples, frozensets and arrays become values of the language, and back.

use batt::lang::Value;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFrozenSet, PyInt, PyList, PySet, PyTuple};

use crate::dsl::Function;
use crate::grid;

/// How deep Python's containers may nest here; values nest no deeper.
const DEEPEST: u32 = batt::lang::limits::MAX_DEPTH;

/// The value that a Python object is. Lists are tuples and sets frozensets, arrays are tuples of rows.
pub fn read(from: &Bound<'_, PyAny>) -> PyResult<Value> {
    read_at(from, 0)
}

fn read_at(from: &Bound<'_, PyAny>, depth: u32) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("containers nest deeper than {DEEPEST}")));
    }
    if let Ok(tuple) = from.cast::<PyTuple>() {
        return Ok(Value::tuple(
            tuple.iter_borrowed().map(|item| read_at(&item, depth + 1)).collect::<PyResult<_>>()?,
        ));
    }
    if let Ok(truth) = from.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if from.cast::<PyInt>().is_ok() {
        return int(from);
    }
    if let Ok(set) = from.cast::<PyFrozenSet>() {
        return Ok(Value::set(
            set.iter().map(|item| read_at(&item, depth + 1)).collect::<PyResult<_>>()?,
        ));
    }
    if let Ok(function) = from.cast::<Function>() {
        return Ok(function.get().value().clone());
    }
    if from.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(list) = from.cast::<PyList>() {
        return Ok(Value::tuple(
            list.iter().map(|item| read_at(&item, depth + 1)).collect::<PyResult<_>>()?,
        ));
    }
    if let Ok(set) = from.cast::<PySet>() {
        return Ok(Value::set(
            set.iter().map(|item| read_at(&item, depth + 1)).collect::<PyResult<_>>()?,
        ));
    }
    if from.cast::<numpy::PyUntypedArray>().is_ok() {
        if from.getattr("ndim")?.extract::<usize>()? == 2 {
            return Ok(Value::grid(&grid::rows(from)?));
        }
        return read_at(&from.call_method0("tolist")?, depth);
    }
    // NumPy's ints and bools, and whatever else stands for an int.
    if from.hasattr("__index__")? {
        return int(&from.call_method0("__index__")?);
    }
    if from.get_type().name()? == "bool" {
        return Ok(Value::Bool(from.is_truthy()?));
    }
    let kind = from.get_type().name()?;
    let what = if from.is_callable() {
        "a Python function is no value of the DSL; use its own functions: compose, fork, lbind, rbind, …".to_string()
    } else {
        format!(
            "{kind} is no value of the DSL; values are ints, bools, tuples, frozensets and arrays of ints"
        )
    };
    Err(PyTypeError::new_err(what))
}

fn int(from: &Bound<'_, PyAny>) -> PyResult<Value> {
    from.extract().map(Value::Int).map_err(|_| PyValueError::new_err("an int does not fit 32 bits"))
}

/// A value as Python has it.
pub fn write<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(truth) => truth.into_bound_py_any(py),
        Value::Int(n) => n.into_bound_py_any(py),
        Value::Pair(i, j) => (i, j).into_bound_py_any(py),
        Value::Cell(color, i, j) => (color, (i, j)).into_bound_py_any(py),
        Value::Tuple(items) => {
            let items: Vec<_> =
                items.iter().map(|item| write(py, item)).collect::<PyResult<_>>()?;
            Ok(PyTuple::new(py, items)?.into_any())
        }
        Value::Set(items) => {
            let items: Vec<_> =
                items.iter().map(|item| write(py, item)).collect::<PyResult<_>>()?;
            Ok(PyFrozenSet::new(py, items)?.into_any())
        }
        Value::Function(_) => Ok(Bound::new(py, Function::of(value.clone()))?.into_any()),
    }
}

/// A value as people want it: a grid as an array, anything else as [`write`] has it.
pub fn show<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match grid::array_of_value(py, value) {
        Some(array) => Ok(array),
        None => write(py, value),
    }
}
