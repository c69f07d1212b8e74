//! Genomes as bytes, for the checkpoint.

use batt_lang::constants::ConstId;
use batt_lang::ops::Guard;
use batt_lang::{Input, Op, Prim, Value};

use super::{ARGS, Genome, Head, Node};
use crate::bytes::{In, Out};

const INPUTS: [Input; 3] = [Input::S, Input::I, Input::C];
const GUARDS: [Guard; 5] = [Guard::None, Guard::Tuple, Guard::Set, Guard::Indices, Guard::Object];

impl Genome {
    /// Writes it.
    pub fn write(&self, out: &mut Out) {
        out.count(self.literals.len());
        for literal in &self.literals {
            write_value(literal, out);
        }
        out.count(self.nodes.len());
        for node in &self.nodes {
            match node.head {
                Head::Input(input) => out.numbers([0, input as u64]),
                Head::Const(id) => out.numbers([1, id.index() as u64]),
                Head::Literal(at) => out.numbers([2, u64::from(at)]),
                Head::Prim(prim) => out.numbers([3, prim.op as u64, prim.guard as u64]),
                Head::Call(prim) => out.numbers([4, prim.op as u64, prim.guard as u64]),
                Head::Invoke => out.number(5),
            }
            out.count(node.len());
            node.args().for_each(|arg| out.number(u64::from(arg.0)));
        }
    }

    /// Reads what was written; `None` if it is not a genome.
    pub fn read_from(bytes: &mut In) -> Option<Genome> {
        let mut genome = Genome::default();
        for _ in 0..bytes.count()? {
            genome.literals.push(read_value(bytes, 0)?);
        }
        for at in 0..bytes.count()? {
            let head = match bytes.number()? {
                0 => Head::Input(*INPUTS.get(bytes.count()?)?),
                1 => Head::Const(ConstId::at(bytes.count()?)?),
                2 => {
                    let literal = bytes.count()?;
                    Head::Literal((literal < genome.literals.len()).then_some(literal as u32)?)
                }
                3 => Head::Prim(read_prim(bytes)?),
                4 => Head::Call(read_prim(bytes)?),
                5 => Head::Invoke,
                _ => return None,
            };
            let mut node = Node::leaf(head);
            node.len = u8::try_from(bytes.count()?).ok().filter(|n| usize::from(*n) <= ARGS)?;
            for arg in &mut node.args[..usize::from(node.len)] {
                let from = bytes.count()?;
                *arg = (from < at).then_some(from as u32)?;
            }
            genome.nodes.push(node);
        }
        (!genome.nodes.is_empty()).then_some(genome)
    }
}

fn read_prim(bytes: &mut In) -> Option<Prim> {
    let op = *Op::ALL.get(bytes.count()?)?;
    Some(Prim { op, guard: *GUARDS.get(bytes.count()?)? })
}

fn write_value(value: &Value, out: &mut Out) {
    match value {
        Value::Bool(b) => out.numbers([1, u64::from(*b)]),
        Value::Int(n) => out.numbers([2, signed(*n)]),
        Value::Pair(i, j) => out.numbers([3, signed(*i), signed(*j)]),
        Value::Cell(c, i, j) => out.numbers([4, signed(*c), signed(*i), signed(*j)]),
        Value::Tuple(items) => {
            out.number(5);
            out.count(items.len());
            items.iter().for_each(|item| write_value(item, out));
        }
        // Nothing else can be written as a literal.
        Value::Null | Value::Set(_) | Value::Function(_) => out.number(0),
    }
}

/// Literals nest no deeper than this in any program that the parser takes.
const DEEPEST: usize = 200;

fn read_value(bytes: &mut In, depth: usize) -> Option<Value> {
    Some(match bytes.number()? {
        0 => Value::Null,
        1 => Value::Bool(bytes.number()? != 0),
        2 => Value::Int(unsigned(bytes.number()?)?),
        3 => Value::Pair(unsigned(bytes.number()?)?, unsigned(bytes.number()?)?),
        4 => {
            let mut next = || unsigned(bytes.number()?);
            Value::Cell(next()?, next()?, next()?)
        }
        5 if depth < DEEPEST => {
            let count = bytes.count()?;
            let items: Option<Vec<Value>> =
                (0..count).map(|_| read_value(bytes, depth + 1)).collect();
            Value::tuple(items?)
        }
        _ => return None,
    })
}

fn signed(n: i32) -> u64 {
    u64::from(((n << 1) ^ (n >> 31)) as u32)
}

fn unsigned(n: u64) -> Option<i32> {
    let n = u32::try_from(n).ok()?;
    Some((n >> 1) as i32 ^ -((n & 1) as i32))
}
