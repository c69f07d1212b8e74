//! Higher-order primitives: they run a body for each item, and [`close`] makes the result.

use std::slice::from_ref;

use batt_lang::{Op, Value};

use super::close::close;
use super::{Machine, Out, items};

impl Machine {
    /// Runs a body for each item of a container and closes the loop.
    fn each(&mut self, op: Op, container: &Value, function: &Value, extra: Option<&Value>) -> Out {
        let items = items(container)?;
        self.higher_order(|m| {
            // Which items are asked for is known only then.
            if op != Op::Extract {
                Machine::foresee(items.len(), function)?;
            }
            close(
                op,
                container,
                &mut items.iter().map(|item| m.body(function, from_ref(item))),
                extra,
            )
        })
    }

    /// Runs a body for each item of two tuples side by side.
    fn along(&mut self, op: Op, function: &Value, a: &Value, b: &Value) -> Out {
        let (first, second) = (items(a)?, items(b)?);
        self.higher_order(|m| {
            Machine::foresee(first.len().min(second.len()), function)?;
            let pairs = first.iter().zip(second.iter());
            close(op, a, &mut pairs.map(|(i, j)| m.body(function, &[i.clone(), j.clone()])), None)
        })
    }

    /// An extreme key; for an empty container the key of 0, as in Python.
    fn extreme_key(&mut self, op: Op, container: &Value, key: &Value) -> Out {
        if items(container)?.is_empty() {
            return self.higher_order(|m| m.body(key, &[Value::Int(0)]));
        }
        self.each(op, container, key, None)
    }
}

pub fn order(machine: &mut Machine, container: &Value, compfunc: &Value) -> Out {
    machine.each(Op::Order, container, compfunc, None)
}

pub fn valmax(machine: &mut Machine, container: &Value, compfunc: &Value) -> Out {
    machine.extreme_key(Op::Valmax, container, compfunc)
}

pub fn valmin(machine: &mut Machine, container: &Value, compfunc: &Value) -> Out {
    machine.extreme_key(Op::Valmin, container, compfunc)
}

pub fn argmax(machine: &mut Machine, container: &Value, compfunc: &Value) -> Out {
    machine.each(Op::Argmax, container, compfunc, None)
}

pub fn argmin(machine: &mut Machine, container: &Value, compfunc: &Value) -> Out {
    machine.each(Op::Argmin, container, compfunc, None)
}

pub fn sfilter(machine: &mut Machine, container: &Value, condition: &Value) -> Out {
    machine.each(Op::Sfilter, container, condition, None)
}

pub fn mfilter(machine: &mut Machine, container: &Value, function: &Value) -> Out {
    machine.each(Op::Mfilter, container, function, None)
}

pub fn extract(machine: &mut Machine, container: &Value, condition: &Value) -> Out {
    machine.each(Op::Extract, container, condition, None)
}

pub fn apply(machine: &mut Machine, function: &Value, container: &Value) -> Out {
    machine.each(Op::Apply, container, function, None)
}

pub fn mapply(machine: &mut Machine, function: &Value, container: &Value) -> Out {
    machine.each(Op::Mapply, container, function, None)
}

pub fn rapply(machine: &mut Machine, functions: &Value, value: &Value) -> Out {
    let items = items(functions)?;
    machine.higher_order(|m| {
        close(Op::Rapply, functions, &mut items.iter().map(|f| m.body(f, from_ref(value))), None)
    })
}

pub fn papply(machine: &mut Machine, function: &Value, a: &Value, b: &Value) -> Out {
    machine.along(Op::Papply, function, a, b)
}

pub fn mpapply(machine: &mut Machine, function: &Value, a: &Value, b: &Value) -> Out {
    machine.along(Op::Mpapply, function, a, b)
}

pub fn prapply(machine: &mut Machine, function: &Value, a: &Value, b: &Value) -> Out {
    let (first, second) = (items(a)?, items(b)?);
    machine.higher_order(|m| {
        Machine::foresee(first.len() * second.len(), function)?;
        let pairs = second.iter().flat_map(|j| first.iter().map(move |i| [i.clone(), j.clone()]));
        close(Op::Prapply, a, &mut pairs.map(|pair| m.body(function, &pair)), None)
    })
}

pub fn get_nth_by_key_t(
    machine: &mut Machine,
    container: &Value,
    rank: &Value,
    key: &Value,
) -> Out {
    machine.each(Op::GetNthByKeyT, container, key, Some(rank))
}

pub fn get_nth_by_key_f(
    machine: &mut Machine,
    container: &Value,
    rank: &Value,
    key: &Value,
) -> Out {
    machine.each(Op::GetNthByKeyF, container, key, Some(rank))
}

pub fn get_arg_rank(machine: &mut Machine, container: &Value, f: &Value, rank: &Value) -> Out {
    machine.each(Op::GetArgRank, container, f, Some(rank))
}

pub fn get_val_rank(machine: &mut Machine, container: &Value, f: &Value, rank: &Value) -> Out {
    machine.each(Op::GetValRank, container, f, Some(rank))
}
