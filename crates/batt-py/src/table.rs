//! Tables for other libraries, through the Arrow C stream interface: columns are the NumPy arrays themselves.

use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::builder::BooleanBuilder;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::UInt32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, LargeListArray, PrimitiveArray, RecordBatch, RecordBatchIterator,
    StringArray, types,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

/// The memory of a one-dimensional array, which lives as long as the buffer.
#[allow(unsafe_code)]
fn buffer<T: numpy::Element>(from: &Bound<'_, PyAny>) -> PyResult<(Buffer, usize)> {
    let array = from
        .cast::<PyArray1<T>>()
        .map_err(|_| PyTypeError::new_err("a column has another type than it is said to"))?;
    let readonly: PyReadonlyArray1<'_, T> = array.try_readonly()?;
    let slice =
        readonly.as_slice().map_err(|_| PyValueError::new_err("a column must be contiguous"))?;
    let (length, bytes) = (slice.len(), size_of_val(slice));
    let Some(start) = NonNull::new(slice.as_ptr().cast_mut().cast::<u8>()) else {
        return Ok((Buffer::from_vec(Vec::<u8>::new()), 0));
    };
    let owner: Arc<dyn arrow_buffer::alloc::Allocation> =
        Arc::new(Owner(array.clone().into_any().unbind()));
    // SAFETY: the memory is the array's, which the owner keeps alive; who changes an array after it was
    // handed over as a table changes the table, as with every NumPy view.
    let buffer = unsafe { Buffer::from_custom_allocation(start, bytes, owner) };
    Ok((buffer, length))
}

/// Keeps an array alive.
struct Owner(#[allow(dead_code, reason = "it is there to be dropped")] Py<PyAny>);

// Nothing is done with the array but to drop it, which a panic elsewhere does not disturb.
impl std::panic::RefUnwindSafe for Owner {}

fn numbers<T: types::ArrowPrimitiveType>(
    from: &Bound<'_, PyAny>,
    nulls: Option<NullBuffer>,
) -> PyResult<ArrayRef>
where
    T::Native: numpy::Element,
{
    let (buffer, length) = buffer::<T::Native>(from)?;
    let array = PrimitiveArray::<T>::try_new(ScalarBuffer::new(buffer, 0, length), nulls);
    Ok(Arc::new(array.map_err(invalid)?))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn invalid(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// One column: its kind and what it is made of.
fn column(kind: &str, parts: &Bound<'_, PyTuple>) -> PyResult<ArrayRef> {
    let first = parts.get_item(0)?;
    Ok(match kind {
        // Codes and the words they stand for; a code past the words is no word.
        "words" => {
            let words: Vec<String> = parts.get_item(1)?.extract()?;
            let (codes, length) = buffer::<u32>(&first)?;
            let codes: ScalarBuffer<u32> = ScalarBuffer::new(codes, 0, length);
            let most = words.len() as u32;
            let has_nulls = codes.iter().any(|code| *code >= most);
            let nulls =
                has_nulls.then(|| codes.iter().map(|code| *code < most).collect::<NullBuffer>());
            let keys = PrimitiveArray::<UInt32Type>::try_new(codes, nulls).map_err(invalid)?;
            Arc::new(
                DictionaryArray::try_new(keys, Arc::new(StringArray::from(words)))
                    .map_err(invalid)?,
            )
        }
        // 1 and 0; anything else is not known.
        "truth" => {
            let truths: PyReadonlyArray1<'_, i8> = first.extract()?;
            let truths = truths
                .as_slice()
                .map_err(|_| PyValueError::new_err("a column must be contiguous"))?;
            let mut column = BooleanBuilder::with_capacity(truths.len());
            for truth in truths {
                column.append_option((0..=1).contains(truth).then_some(*truth == 1));
            }
            Arc::new(column.finish())
        }
        "uint8" => numbers::<types::UInt8Type>(&first, None)?,
        "uint32" => numbers::<UInt32Type>(&first, None)?,
        "int64" => numbers::<types::Int64Type>(&first, None)?,
        "float64" => numbers::<types::Float64Type>(&first, None)?,
        // Numbers below zero are not known.
        "score" => {
            let (scores, length) = buffer::<i32>(&first)?;
            let scores: ScalarBuffer<i32> = ScalarBuffer::new(scores, 0, length);
            let nulls = scores
                .iter()
                .any(|score| *score < 0)
                .then(|| scores.iter().map(|score| *score >= 0).collect::<NullBuffer>());
            numbers::<types::Int32Type>(&first, nulls)?
        }
        // Offsets and bytes.
        "bytes" => {
            let (offsets, length) = buffer::<i64>(&first)?;
            let offsets = OffsetBuffer::new(ScalarBuffer::new(offsets, 0, length));
            let cells = numbers::<types::UInt8Type>(&parts.get_item(1)?, None)?;
            let field = Arc::new(Field::new("item", DataType::UInt8, false));
            Arc::new(LargeListArray::try_new(field, offsets, cells, None).map_err(invalid)?)
        }
        kind => {
            return Err(PyValueError::new_err(format!("there is no column of the kind {kind}")));
        }
    })
}

/// A table as an Arrow stream: columns by name, kind and parts.
#[pyfunction]
pub fn stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, String, Bound<'py, PyTuple>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, kind, parts) in columns {
        let array = column(&kind, &parts)?;
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(invalid)?;
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
