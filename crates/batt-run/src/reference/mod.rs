//! The reference interpreter: plain, slow, and right by inspection. It is the specification; every
//! other engine is judged by it.
//!
//! One function per primitive, named as the table names it. [`Machine::run`] is expanded from the
//! table, so a primitive without a function does not compile.

// Every primitive has the same shape, whether it can fail or not.
#![allow(clippy::unnecessary_wraps)]

pub(crate) mod close;
mod colors;
mod containers;
pub mod eval;
mod functions;
mod gather;
mod grids;
mod keys;
mod lines;
mod loops;
mod numbers;
mod objects;
mod patches;
mod ranks;
mod regions;
mod restore;
mod samples;
mod shapes;

use batt_lang::limits::{MAX_BODIES, MAX_DEPTH, MAX_ELEMENTS, MAX_NESTING};
use batt_lang::ops::{Meaning, Reading};
use batt_lang::value::{Elements, Function};
use batt_lang::{Fault, Op, Prim, Value, for_each_op};

use crate::stop::Stop;

/// What a primitive gives.
pub type Out = Result<Value, Fault>;

/// Runs primitives and functions, and counts the bodies that they run.
#[derive(Debug, Default)]
pub struct Machine {
    /// How many higher-order calls are open.
    nesting: u32,
    /// How many bodies the outermost of them has run.
    bodies: u32,
    /// How many calls of functions are open.
    calls: u32,
    /// How many bodies were run since the machine was made.
    run: u64,
    /// Says when to run no more primitives.
    stop: Stop,
}

/// What everything becomes once a machine was told to stop. Whoever told it asks for no results.
const STOPPED: Fault = Fault::size("stopped");

macro_rules! dispatch {
    ($(
        #[doc = $doc:literal]
        $name:ident $variant:ident ( $($arg:ident : $kind:ty),* ) -> $result:ty, $role:ident, $example:literal
        $(, on $guard:ident)* $(, also $alias:ident)* ;
    )*) => {
        impl Machine {
            /// Runs a primitive that takes these arguments, without checks around it.
            fn dispatch(&mut self, op: Op, args: &[Value]) -> Out {
                // The argument S keeps its name in the table.
                #[allow(non_snake_case)]
                match op {
                    $(Op::$variant => match args {
                        [$($arg),*] => dispatch!(@call $role self $name ($($arg),*)),
                        _ => Err(Fault::wrong_kind("wrong number of arguments")),
                    },)*
                }
            }
        }
    };
    (@call pure $machine:ident $name:ident ($($arg:ident),*)) => { all::$name($($arg),*) };
    (@call makes $machine:ident $name:ident ($($arg:ident),*)) => { all::$name($($arg),*) };
    (@call runs $machine:ident $name:ident ($($arg:ident),*)) => { all::$name($machine, $($arg),*) };
}
for_each_op!(dispatch);

/// Every primitive's function under one roof.
mod all {
    pub(super) use super::colors::*;
    pub(super) use super::containers::*;
    pub(super) use super::functions::*;
    pub(super) use super::grids::*;
    pub(super) use super::lines::*;
    pub(super) use super::loops::*;
    pub(super) use super::numbers::*;
    pub(super) use super::objects::*;
    pub(super) use super::patches::*;
    pub(super) use super::ranks::*;
    pub(super) use super::regions::*;
    pub(super) use super::restore::*;
    pub(super) use super::samples::*;
}

impl Machine {
    /// A machine that runs no more primitives once it was told to stop: what it gives then means nothing.
    pub fn until(stop: &Stop) -> Machine {
        Machine { stop: stop.clone(), ..Machine::default() }
    }

    /// Calls a primitive: reads its arguments as its suffix says, runs it, checks the result's size.
    pub fn prim(&mut self, prim: Prim, args: &[Value]) -> Out {
        if self.stop.fired() {
            return Err(STOPPED);
        }
        if prim.is_plain() {
            return within_limits(self.dispatch(prim.op, args)?);
        }
        let args = args.iter().enumerate().map(|(at, arg)| read_as(prim.reading(at), arg));
        let args = args.collect::<Result<Vec<Value>, Fault>>()?;
        let result = match prim.meaning() {
            Meaning::Plain(op) => self.dispatch(op, &args),
            Meaning::Keep(key) => self.keep(key, &args),
        };
        within_limits(result?)
    }

    /// The items of the first argument for which a primitive gives the second.
    fn keep(&mut self, key: Op, args: &[Value]) -> Out {
        let [container, wanted] = args else {
            return Err(Fault::wrong_kind("wrong number of arguments"));
        };
        let key = Value::function(Function::Prim(key.into()));
        let condition = functions::matcher(&key, wanted)?;
        self.dispatch(Op::Sfilter, &[container.clone(), condition])
    }

    /// Calls a function value.
    pub fn call(&mut self, function: &Value, args: &[Value]) -> Out {
        if self.calls >= MAX_NESTING {
            return Err(Fault::size("calls nest too deep"));
        }
        self.calls += 1;
        let result = self.enter(function, args);
        self.calls -= 1;
        result
    }

    fn enter(&mut self, function: &Value, args: &[Value]) -> Out {
        let Value::Function(f) = function else {
            return Err(Fault::wrong_kind("only functions can be called"));
        };
        match &**f {
            Function::Prim(prim) => self.prim(*prim, args),
            Function::Made { maker, args: made_of, arity, .. } => {
                if args.len() != *arity {
                    return Err(Fault::wrong_kind("wrong number of arguments"));
                }
                functions::run_made(self, *maker, made_of, args)
            }
            Function::Nothing => Ok(Value::empty_tuple()),
        }
    }

    /// Opens a higher-order call around `run`: the bodies that it runs are counted together, those
    /// of calls nested in it included.
    fn higher_order<T>(
        &mut self,
        run: impl FnOnce(&mut Machine) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.nesting == 0 {
            self.bodies = 0;
        }
        self.nesting += 1;
        let result = run(self);
        self.nesting -= 1;
        result
    }

    /// Runs one body of a higher-order call.
    fn body(&mut self, function: &Value, args: &[Value]) -> Out {
        self.bodies += 1;
        self.run += 1;
        if self.bodies > MAX_BODIES {
            return Err(Fault::size("too many bodies run"));
        }
        self.call(function, args)
    }

    /// How many bodies were run since the machine was made.
    pub fn bodies_run(&self) -> u64 {
        self.run
    }
}

/// An argument as a suffixed name reads it.
fn read_as(reading: Reading, value: &Value) -> Out {
    match reading {
        Reading::Tuple => containers::totuple(value),
        Reading::Set => containers::toset(value),
        Reading::AsIs => Ok(value.clone()),
    }
}

/// A set or a tuple of some values, within the limits.
pub(crate) fn gather_items(set: bool, items: Vec<Value>) -> Out {
    let model = if set { Value::empty_set() } else { Value::empty_tuple() };
    let value = close::close(Op::Apply, &model, &mut items.into_iter().map(Ok), None)?;
    within_limits(value)
}

/// The value, unless it is too large to be one.
pub(crate) fn within_limits(value: Value) -> Out {
    if value.elements() > MAX_ELEMENTS || value.depth() > MAX_DEPTH {
        return Err(Fault::size("a value is too large"));
    }
    Ok(value)
}

/// The items of a container.
fn items(value: &Value) -> Result<Elements<'_>, Fault> {
    value.elements_of().ok_or(Fault::wrong_kind("a container is needed"))
}

/// The int that a value is.
fn int(value: &Value) -> Result<i32, Fault> {
    value.as_int().ok_or(Fault::wrong_kind("an int is needed"))
}

/// The pair of ints that a value is.
fn ij(value: &Value) -> Result<(i32, i32), Fault> {
    value.as_pair().ok_or(Fault::wrong_kind("a pair of ints is needed"))
}

/// An int that was computed in 64 bits.
fn narrow(n: i64) -> Result<i32, Fault> {
    i32::try_from(n).map_err(|_| Fault::overflow())
}

/// Refuses to build what could not be a value, before any memory is taken for it.
fn room(elements: i64) -> Result<(), Fault> {
    if elements > i64::from(MAX_ELEMENTS) {
        Err(Fault::size("a value is too large"))
    } else {
        Ok(())
    }
}

/// A container like `model`: a tuple for a tuple, a set for a set.
fn like(model: &Value, items: Vec<Value>) -> Value {
    if model.is_set() { Value::set(items) } else { Value::tuple(items) }
}
