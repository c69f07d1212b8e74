//! Batteries: programs and differs merged once, run on any samples.

use std::sync::{Mutex, PoisonError};

use batt::battery::{self, Options, Output, Place, Sample, Sink};
use batt::lang::battery::file;
use batt::lang::card::{Merge, Options as CardOptions};
use batt::lang::{FaultKind, Program as Source, Value};
use batt::run::run::outcome::SampleId;
use batt::run::tasks::{self, Example};
use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::column::{self, Column};
use crate::program::{Program, is_differ, policy};
use crate::task::Task;
use crate::work::Progress;
use crate::{device, errors, grid, value, work};

/// Programs and differs, merged so that no expression is computed twice.
#[pyclass(frozen, subclass, module = "batt")]
pub struct Battery {
    battery: battery::Battery,
}

/// The names of errors, by the number that results hold; the first is none.
const ERRORS: [FaultKind; 11] = [
    FaultKind::ValueError,
    FaultKind::StopIteration,
    FaultKind::RuntimeError,
    FaultKind::IndexError,
    FaultKind::ZeroDivisionError,
    FaultKind::TypeError,
    FaultKind::AttributeError,
    FaultKind::KeyError,
    FaultKind::RecursionError,
    FaultKind::Overflow,
    FaultKind::Size,
];
/// A pair that was not run.
const MISSING: u8 = 255;

fn sources(programs: &[Py<Program>]) -> Vec<Source> {
    programs.iter().map(|program| program.get().get().clone()).collect()
}

#[pymethods]
impl Battery {
    #[new]
    #[pyo3(signature = (programs, differs=vec![], fuse=true, on_error="strict"))]
    fn new(
        py: Python<'_>,
        programs: Vec<Py<Program>>,
        differs: Vec<Py<Program>>,
        fuse: bool,
        on_error: &str,
    ) -> PyResult<Battery> {
        let options = CardOptions { policy: policy(py, on_error)?, fuse };
        let (programs, differs) = (sources(&programs), sources(&differs));
        if let Some(differ) = programs.iter().find(|program| is_differ(program)) {
            let message = format!("{} reads C and is no program", differ.name);
            return Err(errors::option(
                py,
                &message,
                "C is for differs: Battery(programs, differs=[…])",
            ));
        }
        let battery =
            work::quiet(py, None, |_| battery::Battery::with(programs, differs, options))?;
        Ok(Battery { battery })
    }

    /// The programs, in the order of the outputs.
    #[getter]
    fn programs(&self) -> Vec<Program> {
        self.battery.programs().iter().cloned().map(Program::of).collect()
    }

    /// The differs, in the order of the scores.
    #[getter]
    fn differs(&self) -> Vec<Program> {
        self.battery.differs().iter().cloned().map(Program::of).collect()
    }

    /// The battery as one generated function, which `batt run` and `batt card --from` read.
    #[getter]
    fn source(&self) -> String {
        let mut merge = Merge::default();
        let places: Vec<usize> =
            self.battery.programs().iter().map(|program| merge.add(program, false)).collect();
        for place in places {
            for differ in self.battery.differs() {
                merge.add_score(differ, Some(place));
            }
        }
        file::write(&merge.finish())
    }

    /// What it computes, slot by slot.
    #[getter]
    fn listing(&self) -> String {
        self.battery.merged().disassemble()
    }

    /// A picture of it.
    #[getter]
    fn svg(&self) -> String {
        self.battery.merged().to_svg()
    }

    /// How many expressions its programs have, and how many slots are left of them.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        let written = self.battery.programs().iter().map(|program| program.body.nodes.len()).sum();
        (written, self.battery.merged().slot_count())
    }

    fn __len__(&self) -> usize {
        self.battery.programs().len()
    }

    /// Runs it on samples, each a task and a number that counts its demos first; the results are arrays.
    #[pyo3(signature = (samples, device, threads, values, progress))]
    fn run_raw<'py>(
        &self,
        py: Python<'py>,
        samples: Vec<(Py<Task>, usize)>,
        device: &str,
        threads: Option<usize>,
        values: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let engine = device::open(py, device)?;
        let tasks: Vec<&tasks::Task> = samples.iter().map(|(task, _)| task.get().get()).collect();
        let mut ids: Vec<(&tasks::Task, SampleId)> = Vec::with_capacity(samples.len());
        for (task, (_, at)) in tasks.iter().zip(&samples) {
            let demos = task.demos.len();
            if *at >= demos + task.tests.len() {
                return Err(PyValueError::new_err(format!("task {} has no sample {at}", task.id)));
            }
            ids.push((
                task,
                if *at < demos { SampleId::Demo(*at) } else { SampleId::Test(at - demos) },
            ));
        }
        let names: Vec<(&str, String)> =
            ids.iter().map(|(task, id)| (task.id.as_str(), id.to_string())).collect();
        let (programs, differs) = (self.battery.programs().len(), self.battery.differs().len());
        let pairs = programs * ids.len();
        let told = Progress::default();
        told.start("run", (pairs * (1 + differs)) as u64);
        let given = Mutex::new(Given::new(pairs, pairs * differs));
        let sink = Keep { given: &given, samples: ids.len(), differs, told: &told };
        let samples: Vec<Sample> = ids.iter().map(|(task, id)| Sample { task, id: *id }).collect();
        let ran = work::quiet(py, progress.map(|to| (&told, to)), |stop| {
            let options = Options { engine: &*engine, threads, stop, values };
            self.battery.run_into(&samples, &options, &sink).map(|()| {
                let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
                given.pack()
            })
        })?;
        let packed = ran.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let given = given.into_inner().unwrap_or_else(PoisonError::into_inner);
        let all = packed.hand_over(py, given)?;
        all.set_item("samples", names)?;
        Ok(all)
    }

    /// Runs it on grids and gives what its first program gives on each: a view of an array, another value, or
    /// None where it fails.
    #[pyo3(signature = (grids, device, threads))]
    fn map_raw<'py>(
        &self,
        py: Python<'py>,
        grids: Vec<Bound<'py, PyAny>>,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyList>> {
        let engine = device::open(py, device)?;
        let test =
            |grid: &Bound<'py, PyAny>| Ok(Example { input: grid::grid(grid)?, output: None });
        let tests: Vec<Example> = grids.iter().map(test).collect::<PyResult<_>>()?;
        drop(grids);
        let (pairs, told) = (tests.len(), Progress::default());
        let task = [tasks::Task { id: "grids".to_string(), demos: Vec::new(), tests }];
        let given = Mutex::new(Given::new(pairs, 0));
        let sink = Keep { given: &given, samples: pairs, differs: 0, told: &told };
        let ran = work::quiet(py, None, |stop| {
            let options = Options { engine: &*engine, threads, stop, values: true };
            let ran = self.battery.run_into(&Sample::all(&task), &options, &sink);
            ran.map(|()| given.lock().unwrap_or_else(PoisonError::into_inner).pack())
        })?;
        let packed = ran.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        packed.views(py, &given.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs its first program with its arguments from columns, which it reads as a tuple I; a row of which an
    /// argument is missing gives nothing.
    fn map_columns(
        &self,
        py: Python<'_>,
        columns: Vec<Py<Column>>,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        let engine = device::open(py, device)?;
        let (places, inputs) = column::rows(&columns)?;
        let length = columns.first().map_or(0, |column| column.get().values().len());
        let ran = work::quiet(py, None, |stop| {
            let options = Options { engine: &*engine, threads, stop, values: true };
            self.battery.map(inputs, &options)
        })?;
        let given = ran.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let mut values = vec![None; length];
        for (place, value) in places.into_iter().zip(given) {
            values[place] = value;
        }
        Ok(Column::of(values))
    }

    fn __repr__(&self) -> String {
        let (written, slots) = self.sizes();
        let (programs, differs) = (self.battery.programs().len(), self.battery.differs().len());
        format!(
            "<batt.Battery of {programs} programs and {differs} differs: {written} expressions in {slots} slots>"
        )
    }
}

/// What has come of a run so far, by pair.
struct Given {
    right: Vec<i8>,
    error: Vec<u8>,
    outputs: Vec<Option<Value>>,
    scores: Vec<i32>,
}

impl Given {
    fn new(pairs: usize, scores: usize) -> Given {
        Given {
            right: vec![-1; pairs],
            error: vec![MISSING; pairs],
            outputs: vec![None; pairs],
            scores: vec![-1; scores],
        }
    }

    /// Puts the cells of all grids one after the other; what is no grid stays where it is.
    fn pack(&mut self) -> Packed {
        let pairs = self.outputs.len();
        let mut packed = Packed {
            heights: vec![0; pairs],
            widths: vec![0; pairs],
            offsets: vec![0],
            cells: Vec::new(),
        };
        for (at, output) in self.outputs.iter_mut().enumerate() {
            if let Some((height, width)) =
                output.as_ref().and_then(|value| cells(value, &mut packed.cells))
            {
                (packed.heights[at], packed.widths[at]) = (height, width);
                *output = None;
            }
            packed.offsets.push(packed.cells.len() as i64);
        }
        packed
    }
}

/// Adds the cells of a grid that fits bytes, row by row; gives its height and width.
fn cells(value: &Value, to: &mut Vec<u8>) -> Option<(u8, u8)> {
    if let Value::Tuple(items) = value
        && let Some(cells) = items.cells()
    {
        let size = (u8::try_from(cells.height()).ok()?, u8::try_from(cells.width()).ok()?);
        to.extend_from_slice(cells.colors());
        return Some(size);
    }
    let start = to.len();
    let read = |to: &mut Vec<u8>| {
        let rows = value.elements_of().filter(|_| value.is_tuple())?;
        let height = u8::try_from(rows.len()).ok().filter(|height| *height > 0)?;
        let mut width = None;
        for row in rows.iter() {
            let items = row.elements_of().filter(|_| row.is_tuple())?;
            let columns = u8::try_from(items.len()).ok().filter(|width| *width > 0)?;
            if *width.get_or_insert(columns) != columns {
                return None;
            }
            for cell in items.iter() {
                // Truth is no colour: it would come back as an int.
                let Value::Int(cell) = cell else { return None };
                to.push(u8::try_from(*cell).ok()?);
            }
        }
        Some((height, width?))
    };
    let size = read(to);
    if size.is_none() {
        to.truncate(start);
    }
    size
}

/// The cells of all grids.
struct Packed {
    heights: Vec<u8>,
    widths: Vec<u8>,
    offsets: Vec<i64>,
    cells: Vec<u8>,
}

impl Packed {
    /// Every output by itself: grids are views of one array.
    #[allow(unsafe_code)]
    fn views<'py>(self, py: Python<'py>, given: &Given) -> PyResult<Bound<'py, PyList>> {
        let Packed { heights, widths, offsets, cells } = self;
        let all = cells.into_pyarray(py);
        let memory = all.try_readonly()?;
        let cells = memory.as_slice()?;
        let mut outputs = Vec::with_capacity(heights.len());
        for (at, (height, width)) in heights.into_iter().zip(widths).enumerate() {
            if height == 0 {
                let other = given.outputs[at].as_ref();
                outputs.push(
                    other.map_or(Ok(py.None().into_bound(py)), |value| value::write(py, value))?,
                );
                continue;
            }
            let of_pair = &cells[offsets[at] as usize..offsets[at + 1] as usize];
            let shape = (usize::from(height), usize::from(width));
            let view = ArrayView2::from_shape(shape, of_pair);
            let view = view.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            // SAFETY: the view's memory is that of the array, which the new array keeps alive.
            outputs.push(
                unsafe { PyArray2::borrow_from_array(&view, all.clone().into_any()) }.into_any(),
            );
        }
        PyList::new(py, outputs)
    }

    /// All of it as arrays, which own the memory from here on.
    fn hand_over(self, py: Python<'_>, given: Given) -> PyResult<Bound<'_, PyDict>> {
        let others = PyDict::new(py);
        for (at, output) in given.outputs.iter().enumerate() {
            if let Some(output) = output {
                others.set_item(at, value::write(py, output)?)?;
            }
        }
        let all = PyDict::new(py);
        all.set_item("right", given.right.into_pyarray(py))?;
        all.set_item("error", given.error.into_pyarray(py))?;
        all.set_item("errors", PyTuple::new(py, ERRORS.map(FaultKind::name))?)?;
        all.set_item("height", self.heights.into_pyarray(py))?;
        all.set_item("width", self.widths.into_pyarray(py))?;
        all.set_item("offset", self.offsets.into_pyarray(py))?;
        all.set_item("cells", self.cells.into_pyarray(py))?;
        all.set_item("others", others)?;
        all.set_item("scores", given.scores.into_pyarray(py))?;
        Ok(all)
    }
}

/// Keeps everything in its place.
struct Keep<'a> {
    given: &'a Mutex<Given>,
    samples: usize,
    differs: usize,
    told: &'a Progress,
}

impl Sink for Keep<'_> {
    fn output(&self, place: Place, output: Output, right: Option<bool>) {
        let at = place.program * self.samples + place.sample;
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.right[at] = right.map_or(-1, i8::from);
        given.error[at] = match &output {
            Output::Error(error) => {
                1 + ERRORS.iter().position(|kind| *kind == error.kind).unwrap_or(0) as u8
            }
            Output::Missing => MISSING,
            Output::Value(_) | Output::Right(_) => 0,
        };
        if let Output::Value(value) = output {
            given.outputs[at] = Some(value);
        }
        drop(given);
        self.told.more(1);
    }

    fn score(&self, place: Place, differ: usize, score: Option<i32>) {
        let at = (place.program * self.samples + place.sample) * self.differs + differ;
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.scores[at] = score.unwrap_or(-1);
        drop(given);
        self.told.more(1);
    }
}
