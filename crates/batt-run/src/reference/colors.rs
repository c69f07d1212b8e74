//! colors

use batt_lang::{Fault, Value};

use super::Out;

pub fn mostcolor(_element: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn leastcolor(_element: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn colorcount(_element: &Value, _value: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn colorfilter(_objs: &Value, _value: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn recolor(_value: &Value, _patch: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn palette(_element: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn numcolors(_element: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn color(_obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn p_g(_grid: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn p_o(_obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn p_f(_obj: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_color_rank_t(_grid: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_color_rank_f(_obj: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
