//! Numbers, pairs of numbers, truth and branching.

use std::cmp::Ordering;

use batt_lang::{Fault, FaultKind, Value};

use super::{Out, ij, int, keys, narrow};

/// Runs `f` on the ints of two numbers; an int meets both halves of a pair.
fn broadcast(a: &Value, b: &Value, f: impl Fn(i64, i64) -> Result<i32, Fault>) -> Out {
    let f = |a: i32, b: i32| f(i64::from(a), i64::from(b));
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Ok(Value::Int(f(a, b)?)),
        (Some(a), None) => {
            let (i, j) = ij(b)?;
            Ok(Value::Pair(f(a, i)?, f(a, j)?))
        }
        (None, Some(b)) => {
            let (i, j) = ij(a)?;
            Ok(Value::Pair(f(i, b)?, f(j, b)?))
        }
        (None, None) => {
            let ((i, j), (k, l)) = (ij(a)?, ij(b)?);
            Ok(Value::Pair(f(i, k)?, f(j, l)?))
        }
    }
}

/// Runs `f` on an int or on both halves of a pair.
fn each(x: &Value, f: impl Fn(i64) -> i64) -> Out {
    broadcast(x, &Value::Int(0), |n, _| narrow(f(n)))
}

pub fn identity(x: &Value) -> Out {
    Ok(x.clone())
}

pub fn add(a: &Value, b: &Value) -> Out {
    broadcast(a, b, |a, b| narrow(a + b))
}

pub fn subtract(a: &Value, b: &Value) -> Out {
    broadcast(a, b, |a, b| narrow(a - b))
}

pub fn multiply(a: &Value, b: &Value) -> Out {
    broadcast(a, b, |a, b| narrow(a * b))
}

pub fn divide(a: &Value, b: &Value) -> Out {
    broadcast(a, b, |a, b| {
        if b == 0 {
            return Err(Fault::new(FaultKind::ZeroDivisionError, "division by zero"));
        }
        let rounds_up = a % b != 0 && (a < 0) != (b < 0);
        narrow(a / b - i64::from(rounds_up))
    })
}

pub fn invert(n: &Value) -> Out {
    each(n, |n| -n)
}

pub fn even(n: &Value) -> Out {
    Ok(Value::Bool(int(n)? % 2 == 0))
}

pub fn double(n: &Value) -> Out {
    each(n, |n| n * 2)
}

pub fn halve(n: &Value) -> Out {
    each(n, |n| n.div_euclid(2))
}

pub fn flip(b: &Value) -> Out {
    Ok(Value::Bool(!b.truth()))
}

pub fn equality(a: &Value, b: &Value) -> Out {
    Ok(Value::Bool(a == b))
}

pub fn greater(a: &Value, b: &Value) -> Out {
    Ok(Value::Bool(keys::compare(a, b)? == Ordering::Greater))
}

pub fn both(a: &Value, b: &Value) -> Out {
    Ok(if a.truth() { b.clone() } else { a.clone() })
}

pub fn either(a: &Value, b: &Value) -> Out {
    Ok(if a.truth() { a.clone() } else { b.clone() })
}

pub fn increment(x: &Value) -> Out {
    each(x, |n| n + 1)
}

pub fn decrement(x: &Value) -> Out {
    each(x, |n| n - 1)
}

pub fn crement(x: &Value) -> Out {
    each(x, |n| n + n.signum())
}

pub fn sign(x: &Value) -> Out {
    each(x, i64::signum)
}

pub fn positive(x: &Value) -> Out {
    Ok(Value::Bool(int(x)? > 0))
}

pub fn toivec(i: &Value) -> Out {
    astuple(i, &Value::Int(0))
}

pub fn tojvec(j: &Value) -> Out {
    astuple(&Value::Int(0), j)
}

pub fn astuple(a: &Value, b: &Value) -> Out {
    Ok(Value::tuple(vec![a.clone(), b.clone()]))
}

pub fn branch(condition: &Value, a: &Value, b: &Value) -> Out {
    Ok(if condition.truth() { a.clone() } else { b.clone() })
}

pub fn ascell(location: &Value, color: &Value) -> Out {
    let (i, j) = ij(location)?;
    Ok(Value::Cell(int(color)?, i, j))
}

pub fn toij(cell: &Value) -> Out {
    match cell {
        Value::Cell(_, i, j) => Ok(Value::Pair(*i, *j)),
        Value::Pair(..) => Ok(cell.clone()),
        // What `astriple` makes begins with a location.
        Value::Tuple(items) if items.len() > 1 => Ok(Value::Pair(int(&items[0])?, int(&items[1])?)),
        _ => Err(Fault::wrong_kind("a cell is needed")),
    }
}

pub fn astriple(i: &Value, j: &Value, color: &Value) -> Out {
    let ints = [int(i)?, int(j)?, int(color)?];
    Ok(Value::tuple(ints.map(Value::Int).to_vec()))
}

pub fn is_no_grid(x: &Value) -> Out {
    let tuple_of = |value: &Value, test: &dyn Fn(&Value) -> bool| {
        value.is_tuple() && value.elements_of().is_some_and(|items| items.iter().all(test))
    };
    let row = |row: &Value| tuple_of(row, &|cell| cell.as_int().is_some());
    Ok(Value::Bool(!tuple_of(x, &row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_stay_within_32_bits() {
        let (max, min) = (Value::Int(i32::MAX), Value::Int(i32::MIN));
        let overflow = Err(Fault::overflow());
        assert_eq!(increment(&max), overflow);
        assert_eq!(invert(&min), overflow);
        assert_eq!(divide(&min, &Value::Int(-1)), overflow);
        assert_eq!(multiply(&Value::Pair(1, i32::MAX), &Value::Int(2)), overflow);
    }

    #[test]
    fn division_rounds_down() {
        for (a, b, quotient) in [(-7, 2, -4), (7, -2, -4), (-7, -2, 3), (6, 3, 2), (-6, 3, -2)] {
            assert_eq!(divide(&Value::Int(a), &Value::Int(b)), Ok(Value::Int(quotient)));
        }
        assert_eq!(halve(&Value::Pair(-3, 3)), Ok(Value::Pair(-2, 1)));
    }

    #[test]
    fn grids_are_tuples_of_tuples_of_ints() {
        let no_grid = |v: &Value| is_no_grid(v).unwrap().truth();
        assert!(!no_grid(&Value::grid(&[[1, 2], [3, 4]])));
        assert!(!no_grid(&Value::empty_tuple()));
        assert!(no_grid(&Value::Pair(1, 2)));
        assert!(no_grid(&Value::empty_set()));
        assert!(no_grid(&Value::tuple(vec![Value::Cell(1, 1, 1)])));
    }
}
