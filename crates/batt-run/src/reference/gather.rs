//! Building a container item by item without ever holding much more than a value may.

use batt_lang::limits::MAX_ELEMENTS;
use batt_lang::{Fault, Value};

use super::{items, like};

/// A container that is being built: a set where `model` is one, else a tuple.
pub struct Gather<'a> {
    model: &'a Value,
    items: Vec<Value>,
    /// What the items count, repeats in a set included.
    elements: u64,
}

impl<'a> Gather<'a> {
    /// An empty container like `model`.
    pub fn like(model: &'a Value) -> Gather<'a> {
        Gather { model, items: Vec::new(), elements: 0 }
    }

    /// Adds an item.
    pub fn push(&mut self, item: Value) -> Result<(), Fault> {
        self.elements += u64::from(item.elements().max(1));
        self.items.push(item);
        let limit = u64::from(MAX_ELEMENTS);
        if !self.model.is_set() {
            return if self.elements > limit { Err(too_large()) } else { Ok(()) };
        }
        // Only now and then, so that dropping the repeats costs little.
        if self.elements > 4 * limit {
            self.items.sort();
            self.items.dedup();
            self.elements = self.items.iter().map(|v| u64::from(v.elements().max(1))).sum();
            if self.elements > limit {
                return Err(too_large());
            }
        }
        Ok(())
    }

    /// Adds the items of a container.
    pub fn extend(&mut self, container: &Value) -> Result<(), Fault> {
        items(container)?.iter().try_for_each(|item| self.push(item.clone()))
    }

    /// The container.
    pub fn finish(self) -> Value {
        like(self.model, self.items)
    }
}

fn too_large() -> Fault {
    Fault::size("a value is too large")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_do_not_count_in_a_set() {
        let model = Value::empty_set();
        let mut set = Gather::like(&model);
        for n in 0..1_000_000 {
            set.push(Value::Int(n % 10)).unwrap();
        }
        assert_eq!(set.finish().elements(), 10);
    }

    #[test]
    fn growth_ends_at_the_limit() {
        for model in [Value::empty_set(), Value::empty_tuple()] {
            let mut all = Gather::like(&model);
            let pushed = (0..1_000_000).take_while(|&n| all.push(Value::Int(n)).is_ok()).count();
            assert!(pushed < 5 * MAX_ELEMENTS as usize);
        }
    }
}
