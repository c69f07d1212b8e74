//! Program text: parser, diagnostics and printer.
//!
//! One tolerant grammar reads every dialect: `def solve_<id>(I):` with x-variables, verifiers with
//! annotations, `def name(S, I, C):` with t-variables, and the generated form with its lists `o` and
//! `s`. Data flows `lexer` → `module` (functions) → `header`, `function` and `generated`
//! (statements) → `expression` (nodes); `doubt` and `lambda` have what only the generated form may
//! hold, `hints` the words for what cannot be read.
//!
//! ```
//! use batt_lang::{program::Definition, text};
//!
//! let module = text::parse("def solve_a1(I):\n    O = fill(I, ONE, ofcolor(I, TWO))\n    return O\n");
//! let [Definition::Program(program)] = &module.definitions[..] else { panic!("one program") };
//! assert_eq!(
//!     text::print(program),
//!     "def solve_a1(I):\n    t1 = ofcolor(I, TWO)\n    t2 = fill(I, ONE, t1)\n    return t2\n"
//! );
//! ```

mod doubt;
mod expression;
mod function;
mod generated;
mod header;
mod hints;
mod lambda;
mod lexer;
mod module;
mod printer;
mod problem;

#[cfg(test)]
mod tests;

pub use doubt::Note;
pub use module::{Module, parse, parse_bytes, parse_expression};
pub use printer::{print, print_batched, print_generated, renumber};
pub use problem::{Problem, Span};

/// The primitive whose name is nearest to one that is none.
pub fn nearest_primitive(name: &str) -> Option<&'static str> {
    hints::closest(name, crate::ops::Prim::names().map(|(name, _)| name))
}

/// How deep brackets may nest in one expression.
pub const MAX_NESTING: usize = 200;
