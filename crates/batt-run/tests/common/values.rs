//! Random values of every form, the same on every machine.

use batt_lang::Value;

/// A small generator of numbers, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn range(&mut self, from: i32, to: i32) -> i32 {
        from + self.below((to - from) as usize) as i32
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    pub fn some(&mut self, most: usize, mut make: impl FnMut(&mut Random) -> Value) -> Vec<Value> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    pub fn int(&mut self) -> Value {
        Value::Int(match self.below(12) {
            0 => self.pick(&[i32::MAX, i32::MIN, i32::MAX - 1, 31, 32, 33, 16, 15]),
            1 | 2 => self.range(-40, 60),
            _ => self.range(0, 10),
        })
    }

    /// A corner and a size for a patch: most within the grid, some elsewhere, some large.
    pub fn area(&mut self) -> (i32, i32, i32) {
        match self.below(10) {
            0 => (self.range(-60, 20), self.range(-60, 20), 90),
            1 => (self.range(-20, 40), self.range(-20, 40), 20),
            2 => self.pick(&[
                (32_760, 32_760, 20),
                (-32_780, 5, 30),
                (i32::MAX - 9, i32::MIN, 9),
                (0, 0, 3_000),
                (-2_000_000_000, 0, 2_000_000_000),
            ]),
            3 => (-5, -5, 40),
            _ => (0, 0, self.pick(&[3, 6, 30])),
        }
    }

    pub fn location(&mut self, (top, left, size): (i32, i32, i32)) -> (i32, i32) {
        (top + self.range(0, size), left + self.range(0, size))
    }

    pub fn mask(&mut self) -> Value {
        let area = self.area();
        let most = self.pick(&[1, 4, 30]);
        Value::set(self.some(most, |r| {
            let (i, j) = r.location(area);
            Value::Pair(i, j)
        }))
    }

    pub fn object(&mut self) -> Value {
        let area = self.area();
        let colors = self.pick(&[1, 1, 3, 10, 18]);
        let base = self.range(0, 3);
        let most = self.pick(&[1, 4, 30]);
        Value::set(self.some(most, |r| {
            let (i, j) = r.location(area);
            Value::Cell(base + r.range(0, colors), i, j)
        }))
    }

    pub fn grid(&mut self) -> Value {
        let (h, w) = (self.range(1, 6), self.range(1, 5));
        let colors = self.pick(&[2, 10]);
        let rows: Vec<Vec<i32>> =
            (0..h).map(|_| (0..w).map(|_| self.range(0, colors)).collect()).collect();
        Value::grid(&rows)
    }

    pub fn item(&mut self) -> Value {
        let area = self.area();
        let (i, j) = self.location(area);
        match self.below(8) {
            0 | 1 => self.int(),
            2 => Value::Pair(i, j),
            3 => Value::Cell(self.range(-1, 18), i, j),
            4 => self.mask(),
            5 => self.object(),
            6 => self.grid(),
            _ => self.pick(&[Value::Null, Value::empty_set(), Value::empty_tuple()]),
        }
    }

    /// A container or a plain value, of the kinds that programs make and of others.
    pub fn value(&mut self) -> Value {
        let area = self.area();
        let pair = |r: &mut Random| {
            let (i, j) = r.location(area);
            Value::Pair(i, j)
        };
        let cell = |r: &mut Random| {
            let (i, j) = r.location(area);
            Value::Cell(r.range(0, 4), i, j)
        };
        match self.below(17) {
            0 => self.item(),
            1 => Value::set(self.some(6, Random::int)),
            2 => Value::tuple(self.some(8, Random::int)),
            3 | 4 => self.mask(),
            5 | 6 => self.object(),
            7 => self.grid(),
            8 => Value::set(self.some(5, Random::object)),
            9 => Value::tuple(self.some(5, Random::object)),
            10 => Value::set(self.some(5, Random::mask)),
            11 => Value::tuple(self.some(8, pair)),
            12 => Value::tuple(self.some(8, cell)),
            13 => Value::tuple(self.some(4, Random::grid)),
            14 => {
                let n = self.range(0, 4);
                Value::set(self.some(4, |r| Value::tuple((0..n).map(|_| r.int()).collect())))
            }
            15 => Value::tuple(self.some(4, Random::item)),
            _ => Value::set(self.some(4, Random::item)),
        }
    }

    /// A value like another: some of its items, and some new ones.
    pub fn like(&mut self, other: &Value) -> Value {
        let Some(items) = other.elements_of() else { return self.value() };
        let mut items: Vec<Value> = items.iter().filter(|_| self.below(3) > 0).cloned().collect();
        for _ in 0..self.below(3) {
            items.push(match (items.first().cloned(), self.below(4)) {
                (Some(Value::Pair(i, j)), 1..) => {
                    Value::Pair(i.wrapping_add(self.range(-3, 9)), j.wrapping_sub(1))
                }
                (Some(Value::Cell(c, i, j)), 1..) => {
                    Value::Cell((c + self.range(0, 2)) % 16, i, j.wrapping_add(self.range(0, 2)))
                }
                (Some(item), 3) => item,
                _ => self.item(),
            });
        }
        if self.below(6) == 0 || !other.is_set() { Value::tuple(items) } else { Value::set(items) }
    }

    /// An item of a container, or another value.
    pub fn item_of(&mut self, container: &Value) -> Value {
        match container.elements_of() {
            Some(items) if !items.is_empty() && self.below(3) > 0 => {
                items[self.below(items.len())].clone()
            }
            _ => self.item(),
        }
    }
}
