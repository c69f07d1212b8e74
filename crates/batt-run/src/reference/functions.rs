//! functions

use batt_lang::{Fault, Op, Value};

use super::{Machine, Out};

pub fn compose(_outer: &Value, _inner: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn chain(_h: &Value, _g: &Value, _f: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn matcher(_function: &Value, _target: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn rbind(_function: &Value, _fixed: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn lbind(_function: &Value, _fixed: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn power(_function: &Value, _n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn fork(_outer: &Value, _a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

/// Runs a function that a combinator made.
pub fn run_made(_machine: &mut Machine, _maker: Op, _made_of: &[Value], _args: &[Value]) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
