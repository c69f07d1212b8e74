//! ranks

use batt_lang::{Fault, Value};

use super::{Machine, Out};

pub fn get_nth_t(_container: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_nth_f(_container: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_nth_by_key_t(
    _machine: &mut Machine,
    _container: &Value,
    _rank: &Value,
    _key: &Value,
) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_nth_by_key_f(
    _machine: &mut Machine,
    _container: &Value,
    _rank: &Value,
    _key: &Value,
) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_rank(_ints: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_arg_rank(_machine: &mut Machine, _container: &Value, _f: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_val_rank(_machine: &mut Machine, _container: &Value, _f: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}

pub fn get_common_rank(_container: &Value, _rank: &Value) -> Out {
    Err(Fault::wrong_kind("not written yet"))
}
