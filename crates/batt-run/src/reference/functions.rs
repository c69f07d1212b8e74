//! Combinators: primitives that make functions, and what running those functions means.

use batt_lang::limits::{MAX_FUNCTION, MAX_NESTING, MAX_POWER};
use batt_lang::value::Function;
use batt_lang::{Fault, FaultKind, Op, Value};

use super::{Machine, Out, int};

/// What `maker` makes of `args`. Nothing is run, so arguments that are no functions go unnoticed
/// until the result is called.
fn made(maker: Op, args: &[&Value], arity: usize) -> Out {
    let function = Function::made(maker, args.iter().copied().cloned().collect(), arity);
    if function.weight() > MAX_FUNCTION || function.depth() > MAX_NESTING {
        return Err(Fault::size("a function is too large"));
    }
    Ok(Value::function(function))
}

pub fn compose(outer: &Value, inner: &Value) -> Out {
    made(Op::Compose, &[outer, inner], 1)
}

pub fn chain(h: &Value, g: &Value, f: &Value) -> Out {
    made(Op::Chain, &[h, g, f], 1)
}

pub fn matcher(function: &Value, target: &Value) -> Out {
    made(Op::Matcher, &[function, target], 1)
}

/// How many arguments are left once one is bound. Python's version looks for 2 and 3 and takes
/// every other function for one of 4.
fn bound_arity(function: &Value) -> Result<usize, Fault> {
    let Value::Function(f) = function else {
        return Err(Fault::new(FaultKind::AttributeError, "only functions can be bound"));
    };
    Ok(match f.arity() {
        Some(2) | None => 1,
        Some(3) => 2,
        Some(_) => 3,
    })
}

pub fn rbind(function: &Value, fixed: &Value) -> Out {
    made(Op::Rbind, &[function, fixed], bound_arity(function)?)
}

pub fn lbind(function: &Value, fixed: &Value) -> Out {
    made(Op::Lbind, &[function, fixed], bound_arity(function)?)
}

pub fn power(function: &Value, n: &Value) -> Out {
    match int(n)? {
        ..1 => Err(Fault::new(FaultKind::RecursionError, "power needs a count of at least 1")),
        1 => Ok(function.clone()),
        n if n > MAX_POWER => Err(Fault::size("power runs too often")),
        n => made(Op::Power, &[function, &Value::Int(n)], 1),
    }
}

pub fn fork(outer: &Value, a: &Value, b: &Value) -> Out {
    made(Op::Fork, &[outer, a, b], 1)
}

/// Runs a function that a combinator made.
pub fn run_made(machine: &mut Machine, maker: Op, made_of: &[Value], args: &[Value]) -> Out {
    match (maker, made_of) {
        (Op::Compose, [outer, inner]) => {
            let x = machine.call(inner, args)?;
            machine.call(outer, &[x])
        }
        (Op::Chain, [h, g, f]) => {
            let x = machine.call(f, args)?;
            let x = machine.call(g, &[x])?;
            machine.call(h, &[x])
        }
        (Op::Matcher, [function, target]) => {
            Ok(Value::Bool(machine.call(function, args)? == *target))
        }
        (Op::Rbind, [function, fixed]) => {
            let all = [args, std::slice::from_ref(fixed)].concat();
            machine.call(function, &all)
        }
        (Op::Lbind, [function, fixed]) => {
            let all = [std::slice::from_ref(fixed), args].concat();
            machine.call(function, &all)
        }
        (Op::Power, [function, n]) => run_power(machine, function, int(n)?, args),
        (Op::Fork, [outer, a, b]) => {
            let both = [machine.call(a, args)?, machine.call(b, args)?];
            machine.call(outer, &both)
        }
        _ => Err(Fault::wrong_kind("not a function that a combinator makes")),
    }
}

fn run_power(machine: &mut Machine, function: &Value, n: i32, args: &[Value]) -> Out {
    machine.higher_order(|m| {
        let first = m.body(function, args)?;
        (1..n).try_fold(first, |x, _| m.body(function, &[x]))
    })
}

#[cfg(test)]
mod tests {
    use batt_lang::Prim;

    use super::*;

    fn prim(name: &str) -> Value {
        Value::function(Function::Prim(Prim::named(name).unwrap()))
    }

    fn call(f: &Value, args: &[i32]) -> Out {
        let args: Vec<Value> = args.iter().map(|&n| Value::Int(n)).collect();
        Machine::default().call(f, &args)
    }

    #[test]
    fn made_functions_run() {
        let (inc, double) = (prim("increment"), prim("double"));
        let n = |n| Ok(Value::Int(n));
        assert_eq!(call(&compose(&double, &inc).unwrap(), &[3]), n(8));
        assert_eq!(call(&chain(&inc, &double, &inc).unwrap(), &[3]), n(9));
        assert_eq!(call(&fork(&prim("subtract"), &double, &inc).unwrap(), &[3]), n(2));
        assert_eq!(call(&power(&double, &Value::Int(5)).unwrap(), &[3]), n(96));
        let (sub, ten) = (prim("subtract"), Value::Int(10));
        assert_eq!(call(&rbind(&sub, &ten).unwrap(), &[3]), n(-7));
        assert_eq!(call(&lbind(&sub, &ten).unwrap(), &[3]), n(7));
        let eight = matcher(&double, &Value::Int(8)).unwrap();
        assert_eq!(call(&eight, &[4]), Ok(Value::Bool(true)));
    }

    #[test]
    fn mistakes_show_when_the_function_runs() {
        let broken = compose(&Value::Int(3), &prim("double")).unwrap();
        assert!(call(&broken, &[1]).is_err());
        assert!(call(&broken, &[1, 2]).is_err());
        assert_eq!(power(&Value::Int(3), &Value::Bool(true)), Ok(Value::Int(3)));
        let kind = |out: Out| out.unwrap_err().kind;
        assert_eq!(kind(rbind(&Value::Int(3), &Value::Int(3))), FaultKind::AttributeError);
        assert_eq!(kind(power(&prim("double"), &Value::Int(0))), FaultKind::RecursionError);
        assert_eq!(kind(power(&prim("double"), &Value::Int(1000))), FaultKind::Size);
    }

    #[test]
    fn a_function_that_calls_itself_ends_in_an_error() {
        let call_itself = fork(&prim("rapply"), &prim("initset"), &prim("identity")).unwrap();
        let out = Machine::default().call(&call_itself, std::slice::from_ref(&call_itself));
        assert_eq!(out.unwrap_err().kind, FaultKind::Size);
    }

    #[test]
    fn functions_do_not_nest_without_end() {
        let wrap = rbind(&prim("compose"), &prim("identity")).unwrap();
        let many = power(&power(&wrap, &Value::Int(999)).unwrap(), &Value::Int(999)).unwrap();
        let out = Machine::default().call(&many, &[prim("identity")]);
        assert_eq!(out.unwrap_err().kind, FaultKind::Size);
        // Nor when each sits in a container inside the next.
        let wrap = compose(&lbind(&prim("rbind"), &prim("rapply")).unwrap(), &prim("initset"));
        let many = power(&wrap.unwrap(), &Value::Int(999)).unwrap();
        let out = Machine::default().call(&many, &[prim("identity")]);
        assert_eq!(out.unwrap_err().kind, FaultKind::Size);
    }
}
