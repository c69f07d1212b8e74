//! Runs a whole program on one sample.

use batt_lang::program::{Body, Callee, Expr};
use batt_lang::value::Function;
use batt_lang::{Fault, Input, NodeId, Program, Value};

use super::{Machine, Out};
use crate::stop::{NEVER, Stop};

pub use batt_lang::card::Policy;

/// What a program may read.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The demo pairs of the task.
    pub s: &'a Value,
    /// The input grid.
    pub i: &'a Value,
    /// The grid that differs compare with.
    pub c: Option<&'a Value>,
}

/// An error and the place where it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The error.
    pub fault: Fault,
    /// The node that failed first.
    pub node: NodeId,
    /// The source line of that node.
    pub line: u32,
}

/// What a node gives.
pub type Outcome = Result<Value, Trouble>;

/// Runs a program and gives its output.
pub fn run(program: &Program, inputs: &Inputs, policy: Policy) -> Outcome {
    output(program, inputs, policy, &NEVER)
}

/// Runs a program and gives its output, unless the work is stopped before.
pub fn run_until(
    program: &Program,
    inputs: &Inputs,
    policy: Policy,
    stop: &Stop,
) -> Option<Outcome> {
    let output = output(program, inputs, policy, stop);
    // Whatever was computed after that is not to be trusted.
    (!stop.fired()).then_some(output)
}

fn output(program: &Program, inputs: &Inputs, policy: Policy, stop: &Stop) -> Outcome {
    let mut outcomes = outcomes(&program.body, &[program.output], inputs, policy, stop);
    outcomes[program.output.index()].take().unwrap_or_else(|| {
        let line = program.body.node(program.output).line;
        Err(Trouble { fault: OUT_OF_ORDER, node: program.output, line })
    })
}

/// Runs a program and gives what every node that its output needs gave, in order.
pub fn trace(program: &Program, inputs: &Inputs, policy: Policy) -> Vec<(NodeId, Outcome)> {
    let outcomes = evaluate(&program.body, &[program.output], inputs, policy);
    let ids = (0..).map(NodeId);
    ids.zip(outcomes).filter_map(|(id, outcome)| Some((id, outcome?))).collect()
}

const OUT_OF_ORDER: Fault = Fault::wrong_kind("an argument comes after its user");

/// What every node that `roots` need gives; `None` for the others.
pub fn evaluate(
    body: &Body,
    roots: &[NodeId],
    inputs: &Inputs,
    policy: Policy,
) -> Vec<Option<Outcome>> {
    outcomes(body, roots, inputs, policy, &NEVER)
}

fn outcomes(
    body: &Body,
    roots: &[NodeId],
    inputs: &Inputs,
    policy: Policy,
    stop: &Stop,
) -> Vec<Option<Outcome>> {
    let mut outcomes: Vec<Option<Outcome>> = Vec::with_capacity(body.nodes.len());
    let mut machine = Machine::until(stop);
    for (at, needed) in body.needed(roots).into_iter().enumerate() {
        let id = NodeId(at as u32);
        let outcome = needed.then(|| node(&mut machine, body, id, &outcomes, inputs, policy));
        outcomes.push(outcome);
    }
    outcomes
}

fn node(
    machine: &mut Machine,
    body: &Body,
    id: NodeId,
    known: &[Option<Outcome>],
    inputs: &Inputs,
    policy: Policy,
) -> Outcome {
    let node = body.node(id);
    let here = |out: Out| out.map_err(|fault| Trouble { fault, node: id, line: node.line });
    match &node.expr {
        Expr::Input(input) => here(read(*input, inputs)),
        Expr::Const(constant) => Ok(constant.value().clone()),
        Expr::Literal(value) => Ok(value.clone()),
        Expr::Prim(prim) => Ok(Value::function(Function::Prim(*prim))),
        Expr::Call { callee, args } => {
            let get = |arg: &NodeId| match known.get(arg.index()) {
                Some(Some(outcome)) => outcome.clone(),
                _ => here(Err(OUT_OF_ORDER)),
            };
            let outcome = match callee {
                Callee::Prim(prim) => {
                    arguments(args, get).and_then(|a| here(machine.prim(*prim, &a)))
                }
                Callee::Node(f) => get(f).and_then(|f| {
                    let args = arguments(args, get)?;
                    here(machine.call(&f, &args))
                }),
            };
            match (outcome, policy, callee) {
                (Err(_), Policy::Safe, Callee::Prim(prim)) => Ok(prim.default_value()),
                (Err(_), Policy::Safe, Callee::Node(_)) => Ok(Value::empty_tuple()),
                (outcome, ..) => outcome,
            }
        }
    }
}

/// The values of all arguments, or the error of the first that has one.
fn arguments(args: &[NodeId], get: impl Fn(&NodeId) -> Outcome) -> Result<Vec<Value>, Trouble> {
    args.iter().map(get).collect()
}

fn read(input: Input, inputs: &Inputs) -> Out {
    match input {
        Input::S => Ok(inputs.s.clone()),
        Input::I => Ok(inputs.i.clone()),
        Input::C => inputs.c.cloned().ok_or(Fault::wrong_kind("there is no C here")),
    }
}

#[cfg(test)]
mod tests {
    use batt_lang::program::Node;
    use batt_lang::{FaultKind, Prim};

    use super::*;

    fn call(name: &str, args: &[u32]) -> Expr {
        let callee = Callee::Prim(Prim::named(name).unwrap());
        Expr::Call { callee, args: args.iter().map(|&n| NodeId(n)).collect() }
    }

    fn program(exprs: Vec<Expr>) -> Program {
        let output = NodeId(exprs.len() as u32 - 1);
        let node = |(at, expr)| Node { expr, line: at as u32 + 1 };
        let nodes = exprs.into_iter().enumerate().map(node).collect();
        let body = Body { nodes, bindings: Vec::new() };
        Program { name: "p".to_string(), task: None, line: 1, body, output }
    }

    fn run_on_empty(program: &Program, policy: Policy) -> Outcome {
        let empty = Value::empty_tuple();
        run(program, &Inputs { s: &empty, i: &empty, c: None }, policy)
    }

    #[test]
    fn an_error_keeps_its_origin() {
        // first(I) fails on line 2, last(I) on line 3; combine meets last's first.
        let p = program(vec![
            Expr::Input(Input::I),
            call("first", &[0]),
            call("last", &[0]),
            call("combine", &[2, 1]),
            call("size", &[3]),
        ]);
        let trouble = run_on_empty(&p, Policy::Strict).unwrap_err();
        assert_eq!((trouble.node, trouble.line), (NodeId(2), 3));
        assert_eq!(trouble.fault.kind, FaultKind::ValueError);
    }

    #[test]
    fn safe_calls_become_their_default() {
        let p = program(vec![Expr::Input(Input::C), call("size", &[0]), call("increment", &[1])]);
        assert!(run_on_empty(&p, Policy::Strict).is_err());
        assert_eq!(run_on_empty(&p, Policy::Safe), Ok(Value::Int(1)));
    }

    #[test]
    fn a_function_that_could_not_be_made_returns_nothing() {
        let p = program(vec![
            Expr::Literal(Value::Int(3)),
            call("rbind", &[0, 0]),
            Expr::Call { callee: Callee::Node(NodeId(1)), args: vec![NodeId(0)] },
        ]);
        let trouble = run_on_empty(&p, Policy::Strict).unwrap_err();
        assert_eq!(trouble.line, 2);
        assert_eq!(run_on_empty(&p, Policy::Safe), Ok(Value::empty_tuple()));
    }

    #[test]
    fn only_what_is_needed_is_evaluated() {
        let p = program(vec![Expr::Input(Input::I), call("first", &[0]), call("size", &[0])]);
        assert_eq!(run_on_empty(&p, Policy::Strict), Ok(Value::Int(0)));
        let empty = Value::empty_tuple();
        let inputs = Inputs { s: &empty, i: &empty, c: None };
        let nodes: Vec<u32> =
            trace(&p, &inputs, Policy::Strict).iter().map(|(id, _)| id.0).collect();
        assert_eq!(nodes, [0, 2]);
    }
}
