//! Answers for ARC tasks that nobody wrote a program for.
//!
//! A [`Solver`] learns rules from a task's demos and writes them down as ordinary programs; what it hands out
//! has been run by the reference interpreter. Reading order, which is also the order in which data flows:
//!
//! - [`library`]: features of cells, read from text files that anybody can extend
//! - [`store`], [`evaluate`]: expressions, and what they give on a task's grids
//! - [`native`]: features that are computed without an engine
//! - [`scene`], [`columns`], [`numbers`], [`reach`], [`bits`]: what the features say of every cell, as bits
//! - [`tree`], [`split`], [`cells`]: rules learnt from them, and how far each is trusted
//! - [`views`], [`sizes`], [`windows`]: other grids that rules may look at, those of the outputs' sizes, and
//!   parts of the inputs that rules make
//! - [`write`], [`function`]: a rule as a program, once or repeated
//! - [`objects`]: rules about objects, and what is drawn for them
//! - [`enumerate`]: expressions built bottom-up, each distinct value once
//! - [`assemble`]: outputs put together from what they give
//! - [`part`]: what the parts of a solver look at, and what they found
//! - [`answer`]: candidates ranked, confirmed and handed out
//! - [`measure`]: how many tasks are answered, and the CPU time that takes

pub mod answer;
pub mod assemble;
pub mod bits;
pub mod cells;
pub mod columns;
pub mod enumerate;
pub mod evaluate;
pub mod function;
pub mod library;
pub mod measure;
pub mod native;
pub mod numbers;
pub mod objects;
pub mod part;
pub mod reach;
pub mod scene;
pub mod sizes;
pub mod solver;
pub mod split;
pub mod store;
pub mod tree;
pub mod views;
pub mod windows;
pub mod write;

pub use answer::{Answer, Attempt, Refusal, Tried};
pub use part::{Config, Part};
pub use solver::{Prepared, Solver};

/// The version of the search. It changes when a task may get other attempts than before.
pub const VERSION: u32 = 2;
