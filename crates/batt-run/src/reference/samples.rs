//! What looks at S, the demo pairs of a task.

use batt_lang::{Fault, Value};

use super::containers::{difference_tuple, first_occurrences};
use super::gather::Gather;
use super::grids::mir_rot_t;
use super::{Machine, Out, items};

/// The inputs and the outputs of the demo pairs.
fn sides(s: &Value) -> Result<[Vec<Value>; 2], Fault> {
    let wrong = Fault::wrong_kind("a tuple of pairs is needed");
    if !s.is_tuple() {
        return Err(wrong);
    }
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for pair in items(s)?.iter() {
        match (pair.is_tuple(), &*items(pair)?) {
            (true, [input, output]) => {
                inputs.push(input.clone());
                outputs.push(output.clone());
            }
            _ => return Err(wrong),
        }
    }
    Ok([inputs, outputs])
}

pub fn dedupe_pair_tuple(s: &Value) -> Out {
    let [inputs, outputs] = sides(s)?;
    let pairs = items(s)?;
    let changed = (0..pairs.len()).filter(|&at| inputs[at] != outputs[at]);
    Ok(Value::tuple(changed.map(|at| pairs[at].clone()).collect()))
}

/// What f finds in some grids: merged, without repeats, as a tuple in the order of finding.
fn found(machine: &mut Machine, grids: &[Value], f: &Value) -> Out {
    let tuple = Value::empty_tuple();
    let mut all = Gather::like(&tuple);
    for grid in grids {
        all.extend(&machine.body(f, std::slice::from_ref(grid))?)?;
    }
    Ok(Value::tuple(first_occurrences(&items(&all.finish())?)))
}

/// What f finds in the inputs and in the outputs.
fn found_in_both(machine: &mut Machine, s: &Value, f: &Value) -> Result<[Value; 2], Fault> {
    let [inputs, outputs] = sides(s)?;
    let mut all = |grids: &[Value]| machine.higher_order(|m| found(m, grids, f));
    Ok([all(&inputs)?, all(&outputs)?])
}

pub fn c_iz(machine: &mut Machine, s: &Value, f: &Value) -> Out {
    let [inputs, outputs] = found_in_both(machine, s, f)?;
    difference_tuple(&inputs, &outputs)
}

pub fn c_zo(machine: &mut Machine, s: &Value, f: &Value) -> Out {
    let [inputs, outputs] = found_in_both(machine, s, f)?;
    difference_tuple(&outputs, &inputs)
}

pub fn c_iz_n(machine: &mut Machine, s: &Value, f: &Value, pick: &Value) -> Out {
    let choice = c_iz(machine, s, f)?;
    machine.higher_order(|m| m.body(pick, &[choice]))
}

pub fn c_zo_n(machine: &mut Machine, s: &Value, f: &Value, pick: &Value) -> Out {
    let choice = c_zo(machine, s, f)?;
    machine.higher_order(|m| m.body(pick, &[choice]))
}

pub fn a_mr(s: &Value) -> Out {
    let [inputs, outputs] = sides(s)?;
    'orientations: for orientation in (0..8).map(Value::Int) {
        for (input, output) in inputs.iter().zip(&outputs) {
            if mir_rot_t(input, &orientation)? != *output {
                continue 'orientations;
            }
        }
        return Ok(orientation);
    }
    Err(Fault::empty("no orientation maps the inputs to the outputs"))
}

#[cfg(test)]
mod tests {
    use batt_lang::value::Function;
    use batt_lang::{Op, Prim};

    use super::*;

    fn grid(rows: &[[i32; 3]]) -> Value {
        Value::grid(rows)
    }

    fn demos(pairs: &[(Value, Value)]) -> Value {
        let pair = |(i, o): &(Value, Value)| Value::tuple(vec![i.clone(), o.clone()]);
        Value::tuple(pairs.iter().map(pair).collect())
    }

    #[test]
    fn what_inputs_have_and_outputs_have_not() {
        let m = &mut Machine::default();
        let first = Value::function(Function::Prim(Prim::from(Op::First)));
        let s = demos(&[
            (grid(&[[4, 1, 1]]), grid(&[[1, 5, 1]])),
            (grid(&[[3, 4, 2]]), grid(&[[2, 2, 2]])),
        ]);
        assert_eq!(c_iz(m, &s, &first), Ok(Value::tuple(vec![Value::Int(4), Value::Int(3)])));
        assert_eq!(c_zo(m, &s, &first), Ok(Value::tuple(vec![Value::Int(5)])));
        assert_eq!(c_iz_n(m, &s, &first, &first), Ok(Value::Int(4)));
        assert!(c_iz(m, &Value::Pair(1, 2), &first).is_err());
    }

    #[test]
    fn pairs_that_change() {
        let (a, b) = (grid(&[[1, 2, 3]]), grid(&[[3, 2, 1]]));
        let s = demos(&[(a.clone(), a.clone()), (a.clone(), b.clone())]);
        assert_eq!(dedupe_pair_tuple(&s), Ok(demos(&[(a, b)])));
    }
}
