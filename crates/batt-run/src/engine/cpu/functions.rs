//! Functions between the two kinds of values.

use batt_core::function::{self, Maker};
use batt_core::{Cx, Val};
use batt_lang::ops::Guard;
use batt_lang::value::Function;
use batt_lang::{Op, Prim, Value};

use super::convert;

/// Every primitive's number is below this; what follows is what its suffix asks for.
const OPS: u32 = 256;
const GUARDS: [Guard; 5] = [Guard::None, Guard::Tuple, Guard::Set, Guard::Indices, Guard::Object];
/// The code of what stands in for a function that could not be made.
const NOTHING: u32 = GUARDS.len() as u32 * OPS;

const MAKERS: [(Maker, Op); 7] = [
    (Maker::Compose, Op::Compose),
    (Maker::Chain, Op::Chain),
    (Maker::Matcher, Op::Matcher),
    (Maker::Rbind, Op::Rbind),
    (Maker::Lbind, Op::Lbind),
    (Maker::Power, Op::Power),
    (Maker::Fork, Op::Fork),
];

/// A function in the arena; `BACK` if it cannot be held there.
pub fn to_val(cx: Cx, f: &Function) -> Val {
    match f {
        Function::Nothing => function::primitive(NOTHING, function::ANY),
        Function::Prim(prim) => {
            let guard = GUARDS.iter().position(|guard| *guard == prim.guard).unwrap_or(0);
            function::primitive(guard as u32 * OPS + prim.op as u32, prim.arity() as u32)
        }
        Function::Made { maker, args, arity, .. } => {
            let mut parts = [Val::NULL; 3];
            for (part, arg) in parts.iter_mut().zip(args) {
                *part = convert::to_val(cx, arg);
            }
            if let Some(bad) = parts.iter().find(|part| part.is_bad()) {
                return *bad;
            }
            match MAKERS.iter().find(|(_, op)| op == maker) {
                Some((maker, _)) => {
                    function::made(cx, *maker, *arity as u32, parts, args.len() as u32)
                }
                None => Val::BACK,
            }
        }
    }
}

/// The function that an arena's value stands for.
pub fn to_value(cx: Cx, val: Val) -> Option<Value> {
    let code = function::code(val);
    if val.x() > 0 {
        let (_, maker) = MAKERS.iter().find(|(maker, _)| *maker as u32 == code)?;
        let parts = (0..val.x()).map(|k| convert::to_value(cx, cx.val(val.a(), k)));
        let arity = function::arity(val) as usize;
        let made = Function::made(*maker, parts.collect::<Option<_>>()?, arity);
        return Some(Value::function(made));
    }
    if code == NOTHING {
        return Some(Value::function(Function::Nothing));
    }
    let op = *Op::ALL.get((code % OPS) as usize)?;
    let guard = *GUARDS.get((code / OPS) as usize)?;
    Some(Value::function(Function::Prim(Prim { op, guard })))
}
