//! samples

use batt_lang::{Fault, Value};

use super::{Machine, Out};

pub fn dedupe_pair_tuple(_s: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn c_iz(_machine: &mut Machine, _s: &Value, _f: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn c_zo(_machine: &mut Machine, _s: &Value, _f: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn c_iz_n(_machine: &mut Machine, _s: &Value, _f: &Value, _pick: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn c_zo_n(_machine: &mut Machine, _s: &Value, _f: &Value, _pick: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn a_mr(_s: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
