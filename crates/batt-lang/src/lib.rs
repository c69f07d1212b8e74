//! The ARC-DSL as data: what programs are made of and how their text is read and written.
//!
//! Reading order, which is also the order in which data flows:
//!
//! - [`ops`]: the one table of primitives, with kinds, roles, docs and examples
//! - [`constants`]: the named constants and the kind that each name carries
//! - [`value`]: values, their canonical order, equality and text
//! - [`program`]: a program as a list of nodes, arguments first
//! - [`text`]: the parser for the dialects people have, its diagnostics, and the printer
//! - [`canonical`]: one text and one hash for every way to write the same graph
//!
//! ```
//! use batt_lang::value::Value;
//!
//! // Sets iterate in canonical order whatever order their items came in.
//! let palette = Value::set(vec![Value::Int(3), Value::Int(1), Value::Int(3)]);
//! assert_eq!(palette.to_string(), "{1, 3}");
//! ```

pub mod battery;
pub mod canonical;
pub mod card;
pub mod constants;
pub mod fault;
pub mod graph;
pub mod limits;
pub mod ops;
pub mod program;
pub mod text;
pub mod value;

pub use fault::{Fault, FaultKind};
pub use ops::{Guard, Kind, Op, Prim, Role};
pub use program::{Expr, Input, Node, NodeId, Program};
pub use value::Value;
