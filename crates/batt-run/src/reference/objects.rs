//! objects

use batt_lang::{Fault, Value};

use super::Out;

pub fn asindices(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn ofcolor(_grid: &Value, _value: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn objects(_grid: &Value, _univalued: &Value, _diagonal: &Value, _without_bg: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn partition(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn fgpartition(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn toobject(_patch: &Value, _grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn asobject(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn occurrences(_grid: &Value, _obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn frontiers(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn o_g(_grid: &Value, _mode: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn o_g_t(_grid: &Value, _mode: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn objects_t(_grid: &Value, _univalued: &Value, _diagonal: &Value, _without_bg: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
