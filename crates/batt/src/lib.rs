//! The batt library: everything under one roof.
//!
//! - [`cuda`]: the kernels for GPUs, and the devices there are
//! - [`lang`]: the language as data: primitives, values, programs and their text
//! - [`run`]: tasks, the reference interpreter, runs and conformance
//! - [`evolve`]: archives of programs, and submissions
//! - [`solve`]: answers for tasks that nobody wrote a program for
//! - [`battery`]: a battery together with its programs: merged once, run on any samples
//! - [`steps`], [`generation`]: a program's intermediate values, and a run's generations
//! - [`svg`], [`terminal`]: grids as pictures
//! - [`command`]: the `batt` command, for programs that are started under other names
//!
//! ```
//! use batt::run::run::library::Library;
//! use batt::run::run::outcome::{Samples, evaluate};
//! use batt::run::{reference::eval::Policy, tasks};
//!
//! let mut library = Library::default();
//! library.add("mine.py", b"def solve_tent(I):\n    return I\n", false);
//! let data = tasks::embedded();
//! let task = data.find("tent").unwrap();
//! let outcome = evaluate(&library.entries[0].program, &Samples::of(task), Policy::Strict);
//! assert_eq!((outcome.demos.solved, outcome.demos.total), (0, 3));
//! ```

// Output goes through the context, messages through `tell!`: both know that a reader may leave.
#![warn(clippy::print_stdout, clippy::print_stderr)]

// The command's modules name the library as its users do.
extern crate self as batt;

pub mod battery;
mod cli;
pub mod command;
mod commands;
mod context;
mod draw;
mod failure;
pub mod generation;
mod output;
mod signals;
pub mod steps;
pub mod svg;
mod tell;
pub mod terminal;

pub use batt_cuda as cuda;
pub use batt_evolve as evolve;
pub use batt_lang as lang;
pub use batt_run as run;
pub use batt_solve as solve;
