//! What a higher-order primitive makes of the results of its bodies.
//!
//! The interpreter runs a body for each item and hands the results over one by one; the engine for
//! batteries has them in a column. Both end here, so a loop means the same merged and alone.

use std::cmp::Ordering;

use batt_lang::limits::MAX_KEYS;
use batt_lang::{Fault, FaultKind, Op, Value};

use super::gather::Gather;
use super::ranks::place;
use super::{Out, items, keys, like};

/// The results of the bodies, in the order of the items.
pub type Results<'a> = &'a mut dyn Iterator<Item = Out>;

/// Closes a loop over `container`. `extra` is the rank of the `get_…` primitives, and what `valmax`
/// and `valmin` give for an empty container.
pub fn close(op: Op, container: &Value, results: Results, extra: Option<&Value>) -> Out {
    if by_keys(op) {
        return by_key(op, container, results, extra);
    }
    let generated: Results = &mut results.map(|result| result.map_err(in_generator));
    match op {
        Op::Apply | Op::Rapply => gather(container, generated),
        Op::Papply => gather(&Value::empty_tuple(), generated),
        Op::Prapply => gather(&Value::empty_set(), generated),
        Op::Mapply => merge(container, generated),
        Op::Mpapply => merge(&Value::empty_tuple(), generated),
        Op::Sfilter => Ok(like(container, holding(container, generated)?)),
        Op::Mfilter => merge(container, &mut holding(container, generated)?.into_iter().map(Ok)),
        Op::Extract => extract(container, generated),
        _ => Err(Fault::wrong_kind("not a loop")),
    }
}

/// Whether the results of a loop's bodies are keys to choose or sort by.
fn by_keys(op: Op) -> bool {
    matches!(
        op,
        Op::Order
            | Op::Argmax
            | Op::Argmin
            | Op::Valmax
            | Op::Valmin
            | Op::GetNthByKeyT
            | Op::GetNthByKeyF
            | Op::GetArgRank
            | Op::GetValRank
    )
}

/// Python runs these bodies inside a generator expression: a `StopIteration` there surfaces as a
/// `RuntimeError`.
fn in_generator(fault: Fault) -> Fault {
    match fault.kind {
        FaultKind::StopIteration => Fault::new(FaultKind::RuntimeError, fault.what),
        _ => fault,
    }
}

fn gather(model: &Value, results: Results) -> Out {
    let mut all = Gather::like(model);
    for result in results {
        all.push(result?)?;
    }
    Ok(all.finish())
}

fn merge(model: &Value, results: Results) -> Out {
    let mut all = Gather::like(model);
    for result in results {
        all.extend(&result?)?;
    }
    Ok(all.finish())
}

fn holding(container: &Value, results: Results) -> Result<Vec<Value>, Fault> {
    let mut kept = Vec::new();
    for (item, holds) in items(container)?.iter().zip(results) {
        if holds?.truth() {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

/// Decided by the first item whose condition is true or an error; the rest is not asked.
fn extract(container: &Value, results: Results) -> Out {
    for (item, holds) in items(container)?.iter().zip(results) {
        if holds?.truth() {
            return Ok(item.clone());
        }
    }
    Err(Fault::new(FaultKind::StopIteration, "no item fits"))
}

fn collect_keys(results: Results) -> Result<Vec<Value>, Fault> {
    let (mut keys, mut elements) = (Vec::new(), 0);
    for result in results {
        let key = result?;
        elements += key.elements();
        if elements > MAX_KEYS {
            return Err(Fault::size("the keys are too large"));
        }
        keys.push(key);
    }
    Ok(keys)
}

fn by_key(op: Op, container: &Value, results: Results, extra: Option<&Value>) -> Out {
    let keys = &collect_keys(results)?;
    let items = items(container)?;
    let ranked = |places: Vec<usize>, from: &[Value]| {
        let rank = extra.ok_or(Fault::wrong_kind("a rank is needed"))?;
        Ok(from[places[place(places.len(), rank)?]].clone())
    };
    let extreme = |side| keys::extremum(keys, side);
    let nothing = Fault::empty("no item to choose from");
    match op {
        Op::Order => {
            let places = keys::ascending(keys)?;
            Ok(Value::tuple(places.into_iter().map(|at| items[at].clone()).collect()))
        }
        Op::Argmax => extreme(Ordering::Greater)?.map(|at| items[at].clone()).ok_or(nothing),
        Op::Argmin => extreme(Ordering::Less)?.map(|at| items[at].clone()).ok_or(nothing),
        Op::Valmax => {
            extreme(Ordering::Greater)?.map(|at| keys[at].clone()).or(extra.cloned()).ok_or(nothing)
        }
        Op::Valmin => {
            extreme(Ordering::Less)?.map(|at| keys[at].clone()).or(extra.cloned()).ok_or(nothing)
        }
        Op::GetNthByKeyT | Op::GetNthByKeyF => ranked(keys::ascending(keys)?, &items),
        Op::GetArgRank => ranked(keys::descending(keys)?, &items),
        Op::GetValRank => ranked(keys::ascending(keys)?, keys),
        _ => Err(Fault::wrong_kind("not a loop")),
    }
}
