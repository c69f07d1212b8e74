//! Errors as values: what raises in Python is a [`Fault`] here.

use std::fmt;

/// The kind of an error, named as CPython names it where CPython has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An empty container where an item is needed, an unpack that does not fit.
    ValueError,
    /// No item that fits.
    StopIteration,
    /// A `StopIteration` inside a body that a higher-order primitive runs.
    RuntimeError,
    /// A row, column or rank that does not exist.
    IndexError,
    /// Division by zero.
    ZeroDivisionError,
    /// A value of the wrong kind, or a call with the wrong number of arguments.
    TypeError,
    /// A container of the wrong type.
    AttributeError,
    /// A value that is not among the known ones.
    KeyError,
    /// `power` with a count below one.
    RecursionError,
    /// An int outside 32 bits.
    Overflow,
    /// A value or a computation past the limits of [`crate::limits`].
    Size,
}

impl FaultKind {
    /// The name that reports and conformance records use.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::ValueError => "ValueError",
            FaultKind::StopIteration => "StopIteration",
            FaultKind::RuntimeError => "RuntimeError",
            FaultKind::IndexError => "IndexError",
            FaultKind::ZeroDivisionError => "ZeroDivisionError",
            FaultKind::TypeError => "TypeError",
            FaultKind::AttributeError => "AttributeError",
            FaultKind::KeyError => "KeyError",
            FaultKind::RecursionError => "RecursionError",
            FaultKind::Overflow => "Overflow",
            FaultKind::Size => "Size",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error value: its kind and what went wrong in a few words.
///
/// Kind and words are diagnostics. Engines are judged on *whether* a result is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of error.
    pub kind: FaultKind,
    /// What went wrong, in a few words.
    pub what: &'static str,
}

impl Fault {
    /// An error of some kind.
    pub const fn new(kind: FaultKind, what: &'static str) -> Fault {
        Fault { kind, what }
    }

    /// A value of the wrong kind.
    pub const fn wrong_kind(what: &'static str) -> Fault {
        Fault::new(FaultKind::TypeError, what)
    }

    /// An empty container where an item is needed.
    pub const fn empty(what: &'static str) -> Fault {
        Fault::new(FaultKind::ValueError, what)
    }

    /// A limit passed.
    pub const fn size(what: &'static str) -> Fault {
        Fault::new(FaultKind::Size, what)
    }

    /// An int outside 32 bits.
    pub const fn overflow() -> Fault {
        Fault::new(FaultKind::Overflow, "an int does not fit 32 bits")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.what)
    }
}

impl std::error::Error for Fault {}
