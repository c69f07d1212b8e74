//! Items of one kind on all grids of a task, and what may be asked of them, as bits over the items.

use batt_lang::Value;
use rustc_hash::FxHashSet as HashSet;

use crate::bits::{Bits, count, fingerprint, insert};
use crate::numbers::When;
use crate::tree::Price;

/// A question about an item: an attribute of its kind, by its place there, and what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The attribute.
    pub attribute: usize,
    /// What it may be.
    pub when: When,
}

/// Items in one row, the demos' first; those of the tests begin at a word of their own.
#[derive(Clone, Debug)]
pub struct Items {
    /// By grid, the places of its items.
    pub spans: Vec<std::ops::Range<usize>>,
    /// How many grids are demos.
    pub demos: usize,
    /// How many words of a set the demos take.
    pub demo_words: usize,
    /// How many words a set has.
    pub words: usize,
    /// The questions, the simplest first and none that say the same of the demos.
    pub asks: Vec<(Ask, Bits, Price)>,
    /// By place, the cells of an item: row, column and colour. Nothing where no item is.
    pub cells: Vec<Vec<(i32, i32, u8)>>,
}

/// As many items of a grid are looked at.
const MAX_ITEMS: usize = 45;
/// As many cells of all items of a grid.
const MAX_CELLS: usize = 420;

/// As many items of a grid are few.
const FEW_ITEMS: usize = 36;
/// As many cells of all items of a grid are few.
const FEW_CELLS: usize = 180;

impl Items {
    /// The items that a container gives; `None` where they are none or too many.
    pub fn new(containers: &[Option<Value>], demos: usize) -> Option<Items> {
        let mut items = Items {
            spans: Vec::new(),
            demos,
            demo_words: 0,
            words: 0,
            asks: Vec::new(),
            cells: Vec::new(),
        };
        for (at, container) in containers.iter().enumerate() {
            if at == demos {
                items.demo_words = items.cells.len().div_ceil(64);
                items.cells.resize(items.demo_words * 64, Vec::new());
            }
            let container = container.as_ref()?;
            let elements = container.elements_of()?;
            let start = items.cells.len();
            let mut all = 0;
            for item in elements.iter() {
                let cells = cells_of(item)?;
                all += cells.len();
                items.cells.push(cells);
            }
            let many = elements.len() > MAX_ITEMS || all > MAX_CELLS;
            if elements.is_empty() || many {
                return None;
            }
            items.spans.push(start..items.cells.len());
        }
        items.words = items.cells.len().div_ceil(64);
        items.cells.resize(items.words * 64, Vec::new());
        if containers.len() == demos {
            items.demo_words = items.words;
        }
        Some(items)
    }

    /// Whether they are few enough for what takes long.
    pub fn are_few(&self) -> bool {
        self.spans.iter().all(|span| {
            let cells = self.cells[span.clone()].iter().map(Vec::len).sum::<usize>();
            span.len() <= FEW_ITEMS && cells <= FEW_CELLS
        })
    }

    /// The empty set.
    pub fn none(&self) -> Bits {
        vec![0; self.words]
    }

    /// The items of some grids.
    pub fn within(&self, mut grids: impl Iterator<Item = usize>) -> Bits {
        let mut bits = self.none();
        grids.by_ref().flat_map(|grid| self.spans[grid].clone()).for_each(|item| {
            insert(&mut bits, item);
        });
        bits
    }

    /// Numbers by grid, where a value holds one for each item of every grid.
    fn numbers(&self, values: &[Option<Value>]) -> Option<Vec<Vec<i32>>> {
        let of_grid = |(value, span): (&Option<Value>, &std::ops::Range<usize>)| {
            let elements = value.as_ref()?.elements_of()?;
            let numbers = elements.iter().map(Value::as_int).collect::<Option<Vec<i32>>>()?;
            (numbers.len() == span.len()).then_some(numbers)
        };
        values.iter().zip(&self.spans).map(of_grid).collect()
    }

    /// A colour for every item, where a value holds one.
    pub fn colors(&self, values: &[Option<Value>]) -> Option<Vec<u8>> {
        let mut colors = vec![0; self.words * 64];
        for (numbers, span) in self.numbers(values)?.iter().zip(&self.spans) {
            for (to, n) in colors[span.clone()].iter_mut().zip(numbers) {
                *to = u8::try_from(*n).ok().filter(|color| *color <= 9)?;
            }
        }
        Some(colors)
    }

    /// Adds what an attribute answers.
    pub fn ask(&mut self, attribute: usize, values: &[Option<Value>]) {
        let Some(by_grid) = self.numbers(values) else { return };
        let mut known: Vec<i32> = by_grid[..self.demos].iter().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        if known.len() < 2 {
            return;
        }
        let ends = [When::Largest, When::Smallest, When::Commonest, When::Rarest];
        let mut asks: Vec<(When, f64)> = ends.map(|when| (when, 1.0)).to_vec();
        if known.len() <= MAX_NUMBERS {
            let is = |n: &i32| (When::Is(*n), 1.0 + 0.02 * f64::from(n.abs().min(20)));
            asks.extend(known.iter().map(is));
            if known.len() > 2 {
                asks.extend(known[..known.len() - 1].iter().map(|n| (When::AtMost(*n), 1.2)));
            }
        }
        for (when, price) in asks {
            let mut yes = self.none();
            for (numbers, span) in by_grid.iter().zip(&self.spans) {
                let wanted = when.wanted(numbers);
                for (item, _) in span.clone().zip(numbers).filter(|(_, n)| when.means(wanted, **n))
                {
                    insert(&mut yes, item);
                }
            }
            self.asks.push((Ask { attribute, when }, yes, Price::of(price)));
        }
    }

    /// Forgets questions that say what others say of the demos, or nothing.
    pub fn tidy(&mut self) {
        let words = self.demo_words;
        let all = self.spans[..self.demos].iter().map(ExactSizeIterator::len).sum::<usize>();
        let mut seen = HashSet::default();
        self.asks.retain(|(_, yes, _)| {
            let yes = &yes[..words];
            let n = count(yes) as usize;
            n > 0 && n < all && seen.insert(fingerprint(yes))
        });
    }
}

/// As many different numbers of an attribute are asked for.
const MAX_NUMBERS: usize = 24;

/// The cells of an object.
fn cells_of(item: &Value) -> Option<Vec<(i32, i32, u8)>> {
    let Value::Set(cells) = item else { return None };
    let cell = |cell: &Value| match cell {
        Value::Cell(color, row, column) => Some((*row, *column, u8::try_from(*color).ok()?)),
        _ => None,
    };
    let cells = cells.iter().map(cell).collect::<Option<Vec<_>>>()?;
    (!cells.is_empty()).then_some(cells)
}
