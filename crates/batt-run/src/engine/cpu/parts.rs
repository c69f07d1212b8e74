//! Which rows of a loop another one has that runs over a part of its container.

use batt_core::order::equal;
use batt_core::seq::len;
use batt_core::{Array, Cx, Val};
use batt_cpu::Set;

use super::loops::push_items;

/// Where the items of a part are among those of the whole.
pub struct Places {
    set: Set,
    /// The places.
    pub at: Vec<u32>,
    /// The first place of the whole where there is none.
    pub gap: u32,
    /// The part and the whole, and whether all of its items were found.
    of: Option<([Val; 2], bool)>,
    items: [Vec<Val>; 2],
}

impl Places {
    pub fn new(set: Set) -> Places {
        Places { set, at: Vec::new(), gap: 0, of: None, items: Default::default() }
    }

    /// The places of all items; none if one was not found. Rows beside each other most often have the
    /// same containers, so the last ones are kept.
    pub fn of(&mut self, cx: Cx, part: Val, whole: Val) -> Option<&Places> {
        let both = [part, whole];
        let found = match self.of {
            Some((last, found)) if last == both => found,
            _ => self.find(cx, both),
        };
        self.of = Some((both, found));
        found.then_some(self)
    }

    /// Both are in canonical order, so the next item of the part is further on in the whole.
    fn find(&mut self, cx: Cx, both: [Val; 2]) -> bool {
        for (container, items) in both.into_iter().zip(&mut self.items) {
            items.clear();
            push_items(self.set, cx, container, len(container).unwrap_or(0) as usize, items);
        }
        self.at.clear();
        let [part, whole] = &self.items;
        let mut rest = (0..).zip(whole);
        let found = part.iter().all(|item| {
            let place = rest.find(|(_, one)| equal::<Array>(cx, *item, **one) == Some(true));
            self.at.extend(place.map(|(at, _)| at));
            place.is_some()
        });
        self.gap = (0..).zip(&self.at).take_while(|(k, at)| k == *at).count() as u32;
        found
    }
}

#[cfg(test)]
mod tests {
    use batt_lang::Value;

    use super::super::convert::to_val;
    use super::super::memory::Memory;
    use super::*;

    #[test]
    fn items_are_found_by_what_they_are() {
        let mut memory = Memory::new(1 << 10);
        let cx = memory.cx();
        let places = |part: Value, whole: Value| {
            let mut places = Places::new(Set::detect());
            let (part, whole) = (to_val(cx, &part), to_val(cx, &whole));
            places.of(cx, part, whole).map(|places| (places.at.clone(), places.gap))
        };
        let ints = |ints: &[i32]| Value::tuple(ints.iter().map(|n| Value::Int(*n)).collect());
        let rows = |all: &[&[i32]]| Value::set(all.iter().map(|row| ints(row)).collect());
        let whole = rows(&[&[1, 2, 3], &[4, 5, 6], &[7, 8, 9]]);
        // Each is written anew, so the items lie elsewhere.
        assert_eq!(places(rows(&[&[1, 2, 3], &[7, 8, 9]]), whole.clone()), Some((vec![0, 2], 1)));
        assert_eq!(places(rows(&[]), whole.clone()), Some((vec![], 0)));
        assert_eq!(places(rows(&[&[4, 5, 7]]), whole), None);
        let cells = |cells: &[[i32; 2]]| Value::set(cells.iter().map(|c| ints(c)).collect());
        let whole = cells(&[[0, 0], [0, 9], [1, 1], [3, 0]]);
        assert_eq!(places(cells(&[[0, 9], [3, 0]]), whole), Some((vec![1, 3], 0)));
    }

    #[test]
    fn other_containers_are_looked_at_again() {
        let mut memory = Memory::new(1 << 10);
        let cx = memory.cx();
        let colors =
            |ints: &[i32]| to_val(cx, &Value::set(ints.iter().map(|n| Value::Int(*n)).collect()));
        let (whole, one, two) = (colors(&[1, 2, 3]), colors(&[2]), colors(&[5]));
        let mut places = Places::new(Set::detect());
        let mut at = |part: Val| places.of(cx, part, whole).map(|places| places.at.clone());
        assert_eq!(at(one), Some(vec![1]));
        assert_eq!(at(one), Some(vec![1]));
        assert_eq!(at(two), None);
        assert_eq!(at(two), None);
        assert_eq!(at(whole), Some(vec![0, 1, 2]));
        assert_eq!(places.gap, 3);
    }
}
