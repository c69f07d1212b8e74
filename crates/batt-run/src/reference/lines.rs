//! lines

use batt_lang::{Fault, Value};

use super::Out;

pub fn dneighbors(_loc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn ineighbors(_loc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn neighbors(_loc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn connect(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vfrontier(_location: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hfrontier(_location: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn shoot(_start: &Value, _direction: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
