//! grids

use batt_lang::{Fault, Value};

use super::Out;

pub fn crop(_grid: &Value, _start: &Value, _dims: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn rot90(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn rot180(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn rot270(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hmirror(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vmirror(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn dmirror(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn cmirror(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn fill(_grid: &Value, _value: &Value, _patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn paint(_grid: &Value, _obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn underfill(_grid: &Value, _value: &Value, _patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn underpaint(_grid: &Value, _obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hupscale(_grid: &Value, _factor: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vupscale(_grid: &Value, _factor: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn upscale(_element: &Value, _factor: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn downscale(_grid: &Value, _factor: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hconcat(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vconcat(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn subgrid(_patch: &Value, _grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hsplit(_grid: &Value, _n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vsplit(_grid: &Value, _n: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn cellwise(_a: &Value, _b: &Value, _fallback: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn replace(_grid: &Value, _replacee: &Value, _replacer: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn switch(_grid: &Value, _a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn index(_grid: &Value, _loc: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn canvas(_value: &Value, _dimensions: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn cover(_grid: &Value, _patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn trim(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn r#move(_grid: &Value, _obj: &Value, _offset: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn tophalf(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn bottomhalf(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn lefthalf(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn righthalf(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn compress(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn mir_rot_t(_grid: &Value, _orientation: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn mir_rot_f(_patch: &Value, _orientation: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
