//! The canonical total order, equality and hashing.
//!
//! null < int (bool as 0 or 1) < tuple < set < function. Ints ascend; tuples compare item by item,
//! a proper prefix first; sets compare as their ascending item sequences; functions by their
//! canonical text.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::Value;

impl Value {
    fn rank(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Bool(_) | Value::Int(_) => 1,
            Value::Pair(..) | Value::Cell(..) | Value::Tuple(_) => 2,
            Value::Set(_) => 3,
            Value::Function(_) => 4,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Pair(a, b), Value::Pair(c, d)) => (a, b).cmp(&(c, d)),
            (Value::Cell(a, b, c), Value::Cell(d, e, f)) => (a, b, c).cmp(&(d, e, f)),
            (Value::Tuple(a), Value::Tuple(b)) | (Value::Set(a), Value::Set(b)) => {
                a.iter().cmp(b.iter())
            }
            (Value::Function(a), Value::Function(b)) => a.cmp(b),
            _ => {
                self.rank().cmp(&other.rank()).then_with(|| match (self.as_int(), other.as_int()) {
                    (Some(a), Some(b)) => a.cmp(&b),
                    _ => match (self.elements_of(), other.elements_of()) {
                        (Some(a), Some(b)) => a.iter().cmp(b.iter()),
                        _ => Ordering::Equal,
                    },
                })
            }
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Pair(a, b), Value::Pair(c, d)) => (a, b) == (c, d),
            (Value::Cell(a, b, c), Value::Cell(d, e, f)) => (a, b, c) == (d, e, f),
            (Value::Tuple(a), Value::Tuple(b)) | (Value::Set(a), Value::Set(b)) => {
                match (a.cells(), b.cells()) {
                    (Some(a), Some(b)) => a == b,
                    _ => a[..] == b[..],
                }
            }
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Null, Value::Null) => true,
            _ => match (self.as_int(), other.as_int()) {
                (Some(a), Some(b)) => a == b,
                // Normal form: a pair or a cell is never equal to a `Tuple`.
                _ => false,
            },
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Value::Null => {}
            Value::Bool(b) => i32::from(*b).hash(state),
            Value::Int(n) => n.hash(state),
            Value::Pair(i, j) => (i, j).hash(state),
            Value::Cell(c, i, j) => (c, i, j).hash(state),
            Value::Tuple(items) | Value::Set(items) => items.hash(state),
            Value::Function(f) => f.hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_rank_null_int_tuple_set() {
        let ascending = [
            Value::Null,
            Value::Int(-1),
            Value::Bool(false),
            Value::Int(1),
            Value::empty_tuple(),
            Value::Pair(0, 0),
            Value::tuple(vec![Value::Int(0), Value::Int(0), Value::Int(0)]),
            Value::Cell(0, 0, 0),
            Value::Pair(1, -5),
            Value::empty_set(),
            Value::set(vec![Value::Int(0)]),
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(a.cmp(b), i.cmp(&j), "{a} against {b}");
                assert_eq!(a == b, i == j, "{a} against {b}");
            }
        }
    }

    #[test]
    fn a_grid_of_cells_is_the_tuple_of_its_rows() {
        for (width, height) in [(1, 1), (1, 3), (2, 1), (2, 2), (3, 2), (5, 4)] {
            let colors: Vec<u8> = (0..width * height).map(|n| (n % 10) as u8).collect();
            let rows: Vec<Vec<i32>> =
                colors.chunks(width).map(|r| r.iter().map(|c| i32::from(*c)).collect()).collect();
            let (cells, plain) =
                (Value::of_cells(width, colors.into()).unwrap(), Value::grid(&rows));
            assert_eq!(cells.grid_rows(), Some(rows));
            assert_eq!(cells.elements(), plain.elements());
            assert_eq!((cells.depth(), cells.weight()), (plain.depth(), plain.weight()));
            assert_eq!(cells, plain);
            assert_eq!(plain, cells);
            assert_eq!(cells, cells.clone());
            assert_eq!(cells.cmp(&plain), Ordering::Equal);
            let hash = |value: &Value| {
                let mut hasher = std::hash::DefaultHasher::new();
                value.hash(&mut hasher);
                hasher.finish()
            };
            assert_eq!(hash(&cells), hash(&plain));
            assert_eq!(cells.to_string(), plain.to_string());
        }
        assert!(Value::of_cells(2, vec![1, 2, 3].into()).is_none());
        assert!(Value::of_cells(0, vec![].into()).is_none());
    }

    #[test]
    fn true_is_one_everywhere() {
        assert_eq!(Value::Bool(true), Value::Int(1));
        assert_eq!(
            Value::set(vec![Value::Bool(true), Value::Int(1), Value::Bool(false)]),
            Value::set(vec![Value::Int(0), Value::Int(1)])
        );
        assert_eq!(Value::tuple(vec![Value::Bool(true), Value::Int(2)]), Value::Pair(1, 2));
    }
}
