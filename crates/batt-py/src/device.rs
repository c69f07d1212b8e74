//! Devices: what there is, and the engine that a name means.

use std::sync::{Arc, Mutex, PoisonError};

use batt::cuda::driver::{self, Info};
use batt::run::engine::cuda::Room;
use batt::run::engine::{self, Engine};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors;

/// An engine that calls share.
type Shared = Arc<dyn Engine>;

/// The engines of this process by name: one that was used has its memory ready, and a device is started once.
static OPEN: Mutex<Vec<(u32, String, Shared)>> = Mutex::new(Vec::new());

/// The engine of a device's name: auto, cpu, reference, cuda, cuda:0,1, cuda:all, emulator.
pub fn open(py: Python<'_>, name: &str) -> PyResult<Shared> {
    // What a process has of a device is nothing to its forks.
    let process = std::process::id();
    let opened = py.detach(|| {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., engine)) =
            open.iter().find(|(of, known, _)| *of == process && known == name)
        {
            return Ok(engine.clone());
        }
        let engine: Shared = engine::open(name, Room::default())?.into();
        open.push((process, name.to_string(), engine.clone()));
        Ok(engine)
    });
    opened.map_err(|error| errors::device(py, &error))
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
