//! Element operations: what the interpreter counts, as [`batt_lang::limits::MAX_WORK`] says.

use batt_lang::ops::size::{dear, looks, walks};
use batt_lang::value::Function;
use batt_lang::{Op, Value};

/// What a call of a primitive takes.
pub fn of_call(op: Op, args: &[Value]) -> u64 {
    let looked_up = match (op, args) {
        (Op::Contained, [_, container]) => container.is_set(),
        _ => !walks(op),
    };
    let elements = |arg: &Value| u64::from(arg.elements());
    if looked_up {
        return 1;
    }
    let all = args.iter().map(elements).sum::<u64>();
    1 + looks(op) * all + dear(op, |at| args.get(at).map_or(0, elements))
}

/// What every body of a function takes at least: what it has bound is read each time.
pub fn of_bound(function: &Value) -> u64 {
    let Value::Function(f) = function else { return 0 };
    let Function::Made { maker, args, .. } = &**f else { return 0 };
    match (maker, &args[..]) {
        (Op::Compose | Op::Chain | Op::Fork, functions) => functions.iter().map(of_bound).sum(),
        (Op::Matcher | Op::Power, [function, _]) => of_bound(function),
        (Op::Lbind | Op::Rbind, [function, fixed]) => match function {
            Value::Function(f) => match &**f {
                Function::Prim(prim) if walks(prim.op) && prim.op != Op::Contained => {
                    u64::from(fixed.elements())
                }
                _ => of_bound(function),
            },
            _ => 0,
        },
        _ => 0,
    }
}
