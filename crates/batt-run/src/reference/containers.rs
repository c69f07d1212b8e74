//! containers

use batt_lang::{Fault, Value};

use super::{Machine, Out};

pub fn contained(_value: &Value, _container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn combine(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn intersection(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn difference(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn dedupe(_tup: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn order(_machine: &mut Machine, _container: &Value, _compfunc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn repeat(_item: &Value, _num: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn size(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn merge(_containers: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn maximum(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn minimum(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn valmax(_machine: &mut Machine, _container: &Value, _compfunc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn valmin(_machine: &mut Machine, _container: &Value, _compfunc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn argmax(_machine: &mut Machine, _container: &Value, _compfunc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn argmin(_machine: &mut Machine, _container: &Value, _compfunc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn mostcommon(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn leastcommon(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn initset(_value: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn sfilter(_machine: &mut Machine, _container: &Value, _condition: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn mfilter(_machine: &mut Machine, _container: &Value, _function: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn extract(_machine: &mut Machine, _container: &Value, _condition: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn totuple(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn first(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn last(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn insert(_value: &Value, _container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn remove(_value: &Value, _container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn other(_container: &Value, _value: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn interval(_start: &Value, _stop: &Value, _step: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn product(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn pair(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn apply(_machine: &mut Machine, _function: &Value, _container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn rapply(_machine: &mut Machine, _functions: &Value, _value: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn mapply(_machine: &mut Machine, _function: &Value, _container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn papply(_machine: &mut Machine, _function: &Value, _a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn mpapply(_machine: &mut Machine, _function: &Value, _a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn prapply(_machine: &mut Machine, _function: &Value, _a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn sizefilter(_container: &Value, _n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn second(_container: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn difference_tuple(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
