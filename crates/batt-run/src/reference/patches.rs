//! patches

use batt_lang::{Fault, Value};

use super::Out;

pub fn height(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn width(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn shape(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn portrait(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn ulcorner(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn urcorner(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn llcorner(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn lrcorner(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn toindices(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn shift(_patch: &Value, _directions: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn normalize(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn uppermost(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn lowermost(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn leftmost(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn rightmost(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn square(_piece: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vline(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hline(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hmatching(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vmatching(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn manhattan(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn adjacent(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn bordering(_patch: &Value, _grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn centerofmass(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn center(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn position(_a: &Value, _b: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn corners(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn backdrop(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn delta(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn gravitate(_source: &Value, _destination: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn inbox(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn outbox(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn r#box(_patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn hperiod(_obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn vperiod(_obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn corner(_patch: &Value, _which: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn col_row(_patch: &Value, _which: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
