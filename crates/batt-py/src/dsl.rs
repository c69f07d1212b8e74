//! The DSL's own functions, called from Python one at a time.

use batt::lang::Value;
use batt::lang::constants::ConstId;
use batt::lang::ops::{Prim, Role};
use batt::lang::value::Function as Made;
use batt::run::reference::Machine;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::{errors, value};

/// A function of the DSL: a primitive, or what `compose`, `fork`, `lbind` and kin made.
#[pyclass(frozen, eq, hash, subclass, dict, module = "batt")]
#[derive(Clone)]
pub struct Function {
    value: Value,
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.value == other.value
    }
}

impl std::hash::Hash for Function {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.to_string().hash(state);
    }
}

impl Function {
    /// A function that is a value.
    pub fn of(value: Value) -> Function {
        Function { value }
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    fn made(&self) -> Option<&Made> {
        match &self.value {
            Value::Function(made) => Some(made),
            _ => None,
        }
    }

    fn prim(&self) -> Option<Prim> {
        match self.made() {
            Some(Made::Prim(prim)) => Some(*prim),
            _ => None,
        }
    }
}

#[pymethods]
impl Function {
    /// The primitive of a name.
    #[new]
    fn new(name: &str) -> PyResult<Function> {
        primitive(name)
    }

    #[pyo3(signature = (*args, **named))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut given: Vec<Value> =
            args.iter_borrowed().map(|arg| value::read(&arg)).collect::<PyResult<_>>()?;
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            self.add_named(&mut given, named)?;
        }
        if let Some(arity) = self.made().and_then(Made::arity)
            && arity != given.len()
        {
            let message = format!("{}() takes {arity} arguments, not {}", self.value, given.len());
            return Err(PyTypeError::new_err(message));
        }
        let out = Machine::default().call(&self.value, &given);
        match out {
            Ok(out) => value::write(py, &out),
            Err(fault) => Err(errors::fault(py, fault, None)),
        }
    }

    #[getter]
    fn __name__(&self) -> PyResult<String> {
        let prim = self.prim().map(|prim| prim.to_string());
        prim.ok_or_else(|| PyAttributeError::new_err("a function that was made has no name"))
    }

    /// What it does, its kinds and an example.
    #[getter]
    fn doc(&self) -> Option<String> {
        let info = self.prim()?.info();
        let params: Vec<String> =
            info.params.iter().map(|param| format!("{}: {}", param.name, param.kind)).collect();
        Some(format!(
            "{}({}) -> {}\n\n{}\n\nExample: {}",
            info.name,
            params.join(", "),
            info.result,
            info.doc,
            info.example
        ))
    }

    fn __repr__(&self) -> String {
        self.value.to_string()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let module = py.import("batt._batt")?;
        match this.made() {
            Some(Made::Made { maker, args, .. }) => {
                let args: Vec<_> =
                    args.iter().map(|arg| value::write(py, arg)).collect::<PyResult<_>>()?;
                let maker =
                    Bound::new(py, Function::of(Value::function(Made::Prim(Prim::from(*maker)))))?;
                Ok((maker.into_any(), PyTuple::new(py, args)?))
            }
            _ => Ok((module.getattr("primitive")?, (this.value.to_string(),).into_pyobject(py)?)),
        }
    }
}

impl Function {
    /// Puts named arguments in their places.
    fn add_named(&self, given: &mut Vec<Value>, named: &Bound<'_, PyDict>) -> PyResult<()> {
        let Some(prim) = self.prim() else {
            return Err(PyTypeError::new_err("a function that was made takes no named arguments"));
        };
        for param in prim.info().params.iter().skip(given.len()) {
            match named.get_item(param.name)? {
                Some(arg) => given.push(value::read(&arg)?),
                None => break,
            }
        }
        for name in named.keys() {
            let name: String = name.extract()?;
            if !prim.info().params.iter().any(|param| param.name == name) {
                return Err(PyTypeError::new_err(format!(
                    "{prim}() has no argument called {name}"
                )));
            }
        }
        Ok(())
    }
}

/// The primitive of a name.
#[pyfunction]
pub fn primitive(name: &str) -> PyResult<Function> {
    let found = Prim::named(name).map(|prim| Function::of(Value::function(Made::Prim(prim))));
    found.ok_or_else(|| PyAttributeError::new_err(format!("the DSL has no function called {name}")))
}

/// A name, its arguments with their kinds, the kind of its result, whether it runs functions, and its doc line.
type Row = (String, Vec<(String, String)>, String, bool, String);

/// Every name of a primitive: its kinds, whether it runs functions, and what it does.
#[pyfunction]
pub fn primitives() -> Vec<Row> {
    let mut all: Vec<_> = Prim::names()
        .map(|(name, prim)| {
            let info = prim.info();
            let params = info
                .params
                .iter()
                .map(|param| (param.name.to_string(), param.kind.to_string()))
                .collect();
            (
                name.to_string(),
                params,
                info.result.to_string(),
                info.role == Role::Runs,
                info.doc.to_string(),
            )
        })
        .collect();
    all.sort();
    all
}

/// The named constants.
#[pyfunction]
pub fn constants(py: Python<'_>) -> PyResult<Vec<(String, Py<PyAny>)>> {
    let all = (0..).map_while(ConstId::at);
    all.map(|id| Ok((id.get().name.clone(), value::write(py, id.value())?.unbind()))).collect()
}
