//! Picking by rank: from 0, negative from the end.

use batt_lang::{Fault, FaultKind, Value};

use super::containers::counts;
use super::{Out, int, items, keys};

/// The place that a rank means among `len` items.
pub fn place(len: usize, rank: &Value) -> Result<usize, Fault> {
    let rank = i64::from(int(rank)?);
    let at = if rank < 0 { len as i64 + rank } else { rank };
    usize::try_from(at)
        .ok()
        .filter(|at| *at < len)
        .ok_or(Fault::new(FaultKind::IndexError, "no item at this rank"))
}

fn tuple_only(container: &Value) -> Result<(), Fault> {
    if container.is_tuple() { Ok(()) } else { Err(Fault::wrong_kind("a tuple is needed")) }
}

fn nth(container: &Value, rank: &Value) -> Out {
    let items = items(container)?;
    Ok(items[place(items.len(), rank)?].clone())
}

pub fn get_nth_t(container: &Value, rank: &Value) -> Out {
    tuple_only(container)?;
    nth(container, rank)
}

pub fn get_nth_f(container: &Value, rank: &Value) -> Out {
    nth(container, rank)
}

pub fn get_rank(ints: &Value, rank: &Value) -> Out {
    let items = items(ints)?;
    items.iter().try_for_each(|item| int(item).map(|_| ()))?;
    let places = keys::descending(&items)?;
    Ok(items[places[place(items.len(), rank)?]].clone())
}

pub fn get_common_rank(container: &Value, rank: &Value) -> Out {
    let items = items(container)?;
    let mut counted = counts(&items);
    counted.sort_by_key(|(_, count)| *count);
    Ok(counted[place(counted.len(), rank)?].0.clone())
}

#[cfg(test)]
mod tests {
    use batt_lang::value::Function;
    use batt_lang::{Op, Prim};

    use super::super::Machine;
    use super::super::loops::{get_arg_rank, get_nth_by_key_t, get_val_rank};
    use super::*;

    fn ints(ints: &[i32]) -> Value {
        Value::tuple(ints.iter().map(|&n| Value::Int(n)).collect())
    }

    fn n(n: i32) -> Value {
        Value::Int(n)
    }

    #[test]
    fn ranks_count_from_both_ends() {
        let t = ints(&[5, 6, 7]);
        assert_eq!(get_nth_t(&t, &n(0)), Ok(n(5)));
        assert_eq!(get_nth_t(&t, &n(-1)), Ok(n(7)));
        assert_eq!(get_nth_t(&t, &n(-3)), Ok(n(5)));
        for out_of_range in [3, -4] {
            let fault = get_nth_t(&t, &n(out_of_range)).unwrap_err();
            assert_eq!(fault.kind, FaultKind::IndexError);
        }
        assert_eq!(get_nth_f(&t, &n(0)), Ok(n(5)));
        assert!(get_nth_t(&Value::set(vec![n(5)]), &n(0)).is_err());
    }

    #[test]
    fn ranks_by_value_key_and_count() {
        let m = &mut Machine::default();
        assert_eq!(get_rank(&ints(&[3, 9, 4]), &n(0)), Ok(n(9)));
        assert!(get_rank(&Value::tuple(vec![Value::Pair(1, 1)]), &n(0)).is_err());
        let even = Value::function(Function::Prim(Prim::from(Op::Even)));
        let t = ints(&[1, 2, 3, 4]);
        assert_eq!(get_arg_rank(m, &t, &even, &n(0)), Ok(n(2)));
        assert_eq!(get_arg_rank(m, &t, &even, &n(2)), Ok(n(1)));
        assert_eq!(get_val_rank(m, &t, &even, &n(0)), Ok(Value::Bool(false)));
        assert_eq!(get_nth_by_key_t(m, &t, &n(1), &even), Ok(n(3)));
        let t = ints(&[8, 7, 8, 5]);
        assert_eq!(get_common_rank(&t, &n(0)), Ok(n(5)));
        assert_eq!(get_common_rank(&t, &n(-1)), Ok(n(8)));
    }
}
