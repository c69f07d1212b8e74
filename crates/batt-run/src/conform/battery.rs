//! Any engine as a subject: every record becomes a battery of one program.

use std::sync::atomic::{AtomicUsize, Ordering};

use batt_lang::card::{Card, Options, Policy};
use batt_lang::program::{Body, Callee, Expr, Node, NodeId};
use batt_lang::value::Function;
use batt_lang::{Fault, Prim, Program, Value};

use super::{Asked, Given, Subject};
use crate::engine::{Cell, Engine, Phase, Sample, Setup};
use crate::reference::Out;
use crate::reference::eval::{self, Inputs};
use crate::stop::NEVER;

/// An engine under test. What it hands back the interpreter decides, and that is counted.
pub struct OnEngine<'a> {
    engine: &'a dyn Engine,
    handed_back: AtomicUsize,
}

impl<'a> OnEngine<'a> {
    /// The engine as a subject.
    pub fn new(engine: &'a dyn Engine) -> OnEngine<'a> {
        OnEngine { engine, handed_back: AtomicUsize::new(0) }
    }

    /// How many records the engine handed back.
    pub fn handed_back(&self) -> usize {
        self.handed_back.load(Ordering::Relaxed)
    }

    /// Runs a call that reads nothing.
    fn call(&self, mut body: Body, callee: Callee, args: &[Value]) -> Out {
        let args = args.iter().map(|arg| write(&mut body, arg)).collect();
        let output = push(&mut body, Expr::Call { callee, args });
        let program = Program { name: "record".to_string(), task: None, line: 1, body, output };
        let nothing = Value::empty_tuple();
        let inputs = Inputs { s: &nothing, i: &nothing, c: None };
        let asked =
            Asked { program: &program, with: &[], inputs, policy: Policy::Strict, target: None };
        self.run(&asked, false).out
    }

    /// Runs a program, and the programs that are merged with it before it.
    fn run(&self, asked: &Asked, marked: bool) -> Given {
        let Asked { program, with, inputs, policy, target } = *asked;
        let mut card = Card::new(Options { policy, fuse: true });
        with.iter().chain([program]).for_each(|program| {
            card.add(program);
        });
        let battery = card.deal();
        let tasks = [inputs.s.clone()];
        let sample = [Sample {
            task: 0,
            input: inputs.i.clone(),
            compared: inputs.c.cloned(),
            expected: target.cloned(),
        }];
        let setup = Setup {
            battery: &battery,
            phase: Phase::Outputs,
            tasks: &tasks,
            timed: false,
            verdicts: false,
            stop: &NEVER,
        };
        let loaded = self.engine.load(setup);
        let (rows, _) = loaded.run(&sample);
        let out = match rows.into_iter().flatten().last() {
            Some(Cell::Value(value)) => Ok(value),
            Some(Cell::Error(fault, _)) => Err(fault),
            Some(Cell::HandBack | Cell::Stopped | Cell::Verdict(_)) => {
                self.handed_back.fetch_add(1, Ordering::Relaxed);
                eval::run(program, &inputs, policy).map_err(|trouble| trouble.fault)
            }
            None => Err(Fault::wrong_kind("the engine gave no answer")),
        };
        let marks = marked.then(|| loaded.marks(&sample).0);
        let mark = marks.and_then(|marks| marks.into_iter().flatten().last().flatten());
        Given { out, mark }
    }
}

impl Subject for OnEngine<'_> {
    fn primitive(&self, prim: Prim, args: &[Value]) -> Out {
        self.call(Body::default(), Callee::Prim(prim), args)
    }

    fn invoke(&self, function: &Value, args: &[Value]) -> Out {
        let mut body = Body::default();
        let function = write(&mut body, function);
        self.call(body, Callee::Node(function), args)
    }

    fn program(&self, asked: &Asked) -> Given {
        self.run(asked, true)
    }
}

/// Writes a value as nodes: functions as the calls that make them, so that engines see their bodies.
fn write(body: &mut Body, value: &Value) -> NodeId {
    let expr = match value {
        Value::Function(function) => match &**function {
            Function::Prim(prim) => Expr::Prim(*prim),
            Function::Made { maker, args, .. } => {
                let args = args.iter().map(|arg| write(body, arg)).collect();
                Expr::Call { callee: Callee::Prim((*maker).into()), args }
            }
            Function::Nothing => Expr::Literal(value.clone()),
        },
        plain => Expr::Literal(plain.clone()),
    };
    push(body, expr)
}

fn push(body: &mut Body, expr: Expr) -> NodeId {
    let id = NodeId(body.nodes.len() as u32);
    body.nodes.push(Node { expr, line: 1 });
    id
}
