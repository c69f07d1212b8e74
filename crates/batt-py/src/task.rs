//! Tasks and data sets.

use std::path::Path;
use std::sync::Arc;

use batt::run::tasks::{self, Dataset, Example};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::errors;
use crate::grid;

/// A task: demo pairs, and tests to solve.
#[pyclass(frozen, eq, module = "batt")]
#[derive(Clone, PartialEq)]
pub struct Task {
    task: Arc<tasks::Task>,
}

impl Task {
    /// A task.
    pub fn of(task: tasks::Task) -> Task {
        Task { task: Arc::new(task) }
    }

    /// The task.
    pub fn get(&self) -> &tasks::Task {
        &self.task
    }
}

/// A pair as Python gives it: an input, and an output or None.
fn example(from: &Bound<'_, PyAny>, place: &str) -> PyResult<Example> {
    let named =
        |error: PyErr| PyValueError::new_err(format!("{place}: {}", error.value(from.py())));
    let (input, output): (Bound<'_, PyAny>, Bound<'_, PyAny>) = from.extract().map_err(|_| {
        PyValueError::new_err(format!(
            "{place}: a pair (input, output) is needed; an unknown output is None"
        ))
    })?;
    let output = if output.is_none() { None } else { Some(grid::grid(&output).map_err(named)?) };
    Ok(Example { input: grid::grid(&input).map_err(named)?, output })
}

fn examples(from: &Bound<'_, PyAny>, id: &str, kind: &str) -> PyResult<Vec<Example>> {
    let items = from.try_iter()?.enumerate();
    items.map(|(n, item)| example(&item?, &format!("task {id}, {kind}{n}"))).collect()
}

/// Examples as `batt.Example` has them.
fn listed<'py>(py: Python<'py>, examples: &[Example]) -> PyResult<Bound<'py, PyList>> {
    let class = py.import("batt.types")?.getattr("Example")?;
    let one = |example: &Example| {
        let output = example.output.as_ref().map(|output| grid::array(py, output));
        class.call1((grid::array(py, &example.input), output))
    };
    PyList::new(py, examples.iter().map(one).collect::<PyResult<Vec<_>>>()?)
}

#[pymethods]
impl Task {
    #[new]
    #[pyo3(signature = (id, demos, tests=None))]
    fn new(
        id: String,
        demos: &Bound<'_, PyAny>,
        tests: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Task> {
        let demos = examples(demos, &id, "demo")?;
        if let Some(at) = demos.iter().position(|demo| demo.output.is_none()) {
            return Err(PyValueError::new_err(format!(
                "task {id}, demo{at}: a demo's output must be known"
            )));
        }
        let tests = tests.map_or(Ok(Vec::new()), |tests| examples(tests, &id, "test"))?;
        Ok(Task::of(tasks::Task { id, demos, tests }))
    }

    /// The task's id.
    #[getter]
    fn id(&self) -> &str {
        &self.task.id
    }

    /// How many demos and how many tests there are.
    #[getter]
    fn counts(&self) -> (usize, usize) {
        (self.task.demos.len(), self.task.tests.len())
    }

    /// The demo pairs.
    #[getter]
    fn demos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.task.demos)
    }

    /// The tests; an output that is not known is None.
    #[getter]
    fn tests<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.task.tests)
    }

    /// Draws it as a matplotlib figure.
    fn plot<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("batt.pictures")?.call_method1("task_plot", (slf,))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("batt.pictures")?.call_method1("task_html", (slf,))
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("batt.pictures")?.call_method1("task_text", (slf,))
    }

    fn __repr__(&self) -> String {
        let tasks::Task { id, demos, tests } = &*self.task;
        format!("<batt.Task {id}: {} demos, {} tests>", demos.len(), tests.len())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.task.id.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, task) = (slf.py(), slf.get());
        let args = (task.id(), task.demos(py)?, task.tests(py)?).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), args))
    }
}

/// Tasks in a stable order, by id or by place.
#[pyclass(frozen, module = "batt")]
#[derive(Clone)]
pub struct Tasks {
    set: Arc<Dataset>,
}

impl Tasks {
    /// The data set.
    pub fn get(&self) -> &Dataset {
        &self.set
    }
}

#[pymethods]
impl Tasks {
    #[new]
    #[pyo3(signature = (tasks, name="tasks"))]
    fn new(tasks: Vec<Py<Task>>, name: &str) -> PyResult<Tasks> {
        let tasks = tasks.iter().map(|task| task.get().get().clone()).collect();
        let set = Dataset::new(name, None, vec![("train", tasks)])
            .map_err(|id| PyValueError::new_err(format!("two tasks have the id {id}")))?;
        Ok(Tasks { set: Arc::new(set) })
    }

    /// What the data set is called.
    #[getter]
    fn name(&self) -> &str {
        &self.set.name
    }

    /// Its version, where that is known.
    #[getter]
    fn version(&self) -> Option<&str> {
        self.set.version.as_deref()
    }

    /// The hash of its content: the same for every file format and order.
    #[getter]
    fn hash(&self) -> String {
        self.set.hash.to_string()
    }

    /// The names of its splits.
    #[getter]
    fn splits(&self) -> Vec<&'static str> {
        self.set.splits().iter().map(|split| split.name).collect()
    }

    /// Every sample: its task, and a number that counts the task's demos first.
    fn samples(&self, py: Python<'_>) -> PyResult<Vec<(Py<Task>, usize)>> {
        let mut all = Vec::new();
        for task in self.set.tasks() {
            let count = task.demos.len() + task.tests.len();
            let task = Py::new(py, Task::of(task.clone()))?;
            all.extend((0..count).map(|at| (task.clone_ref(py), at)));
        }
        Ok(all)
    }

    /// A part: a split's name, or ids with commas between them.
    fn select(&self, py: Python<'_>, part: &str) -> PyResult<Tasks> {
        let set = self.set.select(part).map_err(|error| errors::data(py, &error))?;
        Ok(Tasks { set: Arc::new(set) })
    }

    fn __len__(&self) -> usize {
        self.set.tasks().len()
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Task> {
        if let Ok(id) = key.extract::<&str>() {
            let found = self.set.find(id).map_err(|error| {
                let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
                PyKeyError::new_err(format!("{error}{hint}"))
            })?;
            return Ok(Task::of(found.clone()));
        }
        let at: isize = key.extract()?;
        let tasks = self.set.tasks();
        let place = if at < 0 { at + tasks.len() as isize } else { at };
        let found = usize::try_from(place).ok().and_then(|place| tasks.get(place));
        let _ = py;
        found.map(|task| Task::of(task.clone())).ok_or_else(|| {
            PyIndexError::new_err(format!("there are {} tasks, and none at {at}", tasks.len()))
        })
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        key.extract::<&str>().is_ok_and(|id| self.set.find(id).is_ok())
    }

    /// The ids, in order.
    #[getter]
    fn ids(&self) -> Vec<&str> {
        self.set.tasks().iter().map(|task| task.id.as_str()).collect()
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("batt.pictures")?.call_method1("tasks_html", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<batt.Tasks {}: {} tasks>", self.set.name, self.set.tasks().len())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, set) = (slf.py(), slf.get());
        let tasks: Vec<Task> = set.set.tasks().iter().cloned().map(Task::of).collect();
        Ok((slf.get_type().into_any(), (tasks, set.name()).into_pyobject(py)?))
    }
}

/// Reads a data set: a name (`arc1:train`), a file or a folder; without one, the embedded tasks.
#[pyfunction]
#[pyo3(signature = (what=None))]
pub fn load(py: Python<'_>, what: Option<&str>) -> PyResult<Tasks> {
    let read = || match what {
        None => Ok(tasks::embedded()),
        Some(what) if Path::new(what).exists() => tasks::load_path(Path::new(what)),
        Some(what) => tasks::load(what),
    };
    let set = py.detach(read).map_err(|error| errors::data(py, &error))?;
    Ok(Tasks { set: Arc::new(set) })
}
