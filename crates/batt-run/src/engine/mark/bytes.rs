//! Values as bytes that digests are made of: two values have the same bytes exactly when they are
//! equal.

use batt_lang::value::Function;
use batt_lang::{Prim, Value};

/// The bytes before a grid's rows.
pub(super) const HEAD: usize = 4;
/// The bytes of a row: four planes of 32 bits.
pub(super) const ROW: usize = 16;
/// The bytes of the largest grid.
pub(super) const GRID_BYTES: usize = HEAD + 32 * ROW;

/// How the bytes of a value begin. What begins alike is read alike, so no value's bytes are the
/// beginning of another's.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Kind {
    Grid = 1,
    Null,
    Int,
    Tuple,
    Set,
    Prim,
    Made,
    Nothing,
}

/// How a grid of up to 32 by 32 cells begins.
pub(super) fn head(height: u32, width: u32) -> [u8; HEAD] {
    [Kind::Grid as u8, height as u8, width as u8, 0]
}

/// The bytes of a value that is no grid. Equal values have equal bytes, so a bool is its int, and a
/// pair or a cell is its tuple.
pub(super) fn of(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(Kind::Null as u8),
        Value::Bool(b) => int(i32::from(*b), out),
        Value::Int(n) => int(*n, out),
        Value::Pair(..) | Value::Cell(..) | Value::Tuple(_) => items(Kind::Tuple, value, out),
        Value::Set(_) => items(Kind::Set, value, out),
        Value::Function(function) => match &**function {
            Function::Prim(prim) => primitive(Kind::Prim, *prim, out),
            Function::Made { maker, args, arity, .. } => {
                primitive(Kind::Made, (*maker).into(), out);
                count(*arity, out);
                count(args.len(), out);
                for arg in args {
                    write(arg, out);
                }
            }
            Function::Nothing => out.push(Kind::Nothing as u8),
        },
    }
}

fn int(n: i32, out: &mut Vec<u8>) {
    out.push(Kind::Int as u8);
    out.extend(n.to_le_bytes());
}

fn count(n: usize, out: &mut Vec<u8>) {
    out.extend((n as u64).to_le_bytes());
}

fn items(kind: Kind, value: &Value, out: &mut Vec<u8>) {
    let items = value.elements_of();
    let items = items.as_deref().unwrap_or_default();
    out.push(kind as u8);
    count(items.len(), out);
    for item in items {
        write(item, out);
    }
}

fn primitive(kind: Kind, prim: Prim, out: &mut Vec<u8>) {
    out.push(kind as u8);
    out.extend((prim.op as u16).to_le_bytes());
    out.push(prim.guard as u8);
}
