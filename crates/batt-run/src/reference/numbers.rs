//! numbers

use batt_lang::{Fault, Value};

use super::Out;

pub fn identity(_x: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn add(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn subtract(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn multiply(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn divide(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn invert(_n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn even(_n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn double(_n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn halve(_n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn flip(_b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn equality(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn greater(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn both(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn either(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn increment(_x: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn decrement(_x: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn crement(_x: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn sign(_x: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn positive(_x: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn toivec(_i: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn tojvec(_j: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn astuple(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn branch(_condition: &Value, _a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn ascell(_ij: &Value, _color: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn toij(_cell: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn astriple(_i: &Value, _j: &Value, _color: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn is_no_grid(_x: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
