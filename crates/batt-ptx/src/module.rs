//! A program that was read.

use std::collections::HashMap;

use crate::operation::{Instr, Part};
use crate::warp::{Grid, Ran, launch};
use crate::{Error, Memory, read};

/// Some functions and kernels.
#[derive(Debug)]
pub struct Module {
    pub(crate) functions: Vec<Function>,
    pub(crate) names: HashMap<String, usize>,
}

/// A function or a kernel.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it can be launched.
    pub is_kernel: bool,
    /// How many registers of any kind it has.
    pub registers: usize,
    /// Bytes of a lane's own memory that it needs.
    pub local: u64,
    /// Bytes of parameters, for kernels.
    pub parameters: u64,
    pub(crate) code: Vec<Instr>,
    /// Where lanes meet that an instruction parts.
    pub(crate) meets: Vec<u32>,
    /// The line of each instruction, for errors.
    pub(crate) lines: Vec<u32>,
    /// What it reads of its parameters.
    pub(crate) reads: Vec<Part>,
    /// What it returns.
    pub(crate) returns: Vec<Part>,
}

impl Module {
    /// Reads PTX. What it keeps in global memory is allocated.
    pub fn read(ptx: &str, memory: &mut Memory) -> Result<Module, Error> {
        read::module(ptx, memory)
    }

    /// The kernel of a name.
    pub fn kernel(&self, name: &str) -> Option<&Function> {
        self.names.get(name).map(|at| &self.functions[*at]).filter(|f| f.is_kernel)
    }

    /// The names of all kernels, in order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().filter(|f| f.is_kernel).map(|f| f.name.as_str())
    }

    /// Runs a kernel. `parameters` are its parameters as they lie in memory. Gives how many
    /// instructions the warp ran that ran the most.
    pub fn launch(
        &self,
        kernel: &str,
        grid: Grid,
        parameters: &[u8],
        memory: &mut Memory,
    ) -> Result<Ran, Error> {
        let at = self.names.get(kernel).filter(|at| self.functions[**at].is_kernel);
        let at = *at.ok_or_else(|| Error::new(format!("there is no kernel {kernel}")))?;
        let wants = self.functions[at].parameters;
        if wants != parameters.len() as u64 {
            let given = parameters.len();
            return Err(Error::new(format!(
                "{kernel} takes {wants} bytes of parameters, not {given}"
            )));
        }
        launch(self, at, grid, parameters, memory)
    }
}
