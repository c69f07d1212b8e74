//! Devices: what there is, and the engine that a name means.

use batt::cuda::driver::{self, Info};
use batt::run::engine::cuda::Room;
use batt::run::engine::{self, Engine};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors;

/// The engine of a device's name: auto, cpu, reference, cuda, cuda:0,1, cuda:all, emulator.
pub fn open(py: Python<'_>, name: &str) -> PyResult<Box<dyn Engine>> {
    py.detach(|| engine::open(name, Room::default())).map_err(|error| errors::device(py, &error))
}

/// The GPUs there are, the CPU first.
#[pyfunction]
pub fn devices(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let cpu = PyDict::new(py);
    cpu.set_item("device", "cpu")?;
    cpu.set_item("cores", std::thread::available_parallelism().map_or(1, usize::from))?;
    let all = PyList::new(py, [cpu])?;
    // That there are none is no error.
    for Info { number, name, capability, processors, memory, .. } in
        py.detach(driver::devices).unwrap_or_default()
    {
        let gpu = PyDict::new(py);
        gpu.set_item("device", format!("cuda:{number}"))?;
        gpu.set_item("name", name)?;
        gpu.set_item("capability", capability)?;
        gpu.set_item("processors", processors)?;
        gpu.set_item("memory", memory)?;
        gpu.set_item("usable", capability >= driver::LEAST)?;
        all.append(gpu)?;
    }
    Ok(all)
}
