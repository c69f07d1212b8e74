//! Columns of ints and locations, a value in a vector.
//!
//! Where all values of a column are of one kind, their first halves are all the same, and a primitive
//! is a few instructions on the second halves. Anything else is left to others: every function says
//! whether it computed the column. These instructions are there on every x86-64 machine; other
//! machines leave everything to others.

#![allow(unsafe_code)]

use batt_core::{Tag, Val};

use crate::kernels::{Operand, Task};
use crate::sse::{
    __m128i, above, and, down, equal, last_twice, minus, or, plus, second_last, sign, signs, times,
    up, vector, words, write, xor,
};

/// A value without anything but its kind.
#[inline(always)]
fn kind(tag: Tag) -> __m128i {
    words([tag as i32, 0, 0, 0])
}

/// Where an argument is read.
trait Source: Copy {
    fn at(self, row: usize) -> __m128i;
}

#[derive(Clone, Copy)]
struct One(__m128i);
#[derive(Clone, Copy)]
struct Same<'a>(&'a [Val]);
#[derive(Clone, Copy)]
struct Via<'a>(&'a [Val], &'a [u32]);

impl Source for One {
    #[inline(always)]
    fn at(self, _row: usize) -> __m128i {
        self.0
    }
}

impl Source for Same<'_> {
    #[inline(always)]
    fn at(self, row: usize) -> __m128i {
        self.0.get(row).map_or(kind(Tag::Back), vector)
    }
}

impl Source for Via<'_> {
    #[inline(always)]
    fn at(self, row: usize) -> __m128i {
        let val = self.1.get(row).and_then(|row| self.0.get(*row as usize));
        val.map_or(kind(Tag::Back), vector)
    }
}

/// A primitive of one argument.
trait Single: Copy {
    /// What it gives.
    fn of(self, v: __m128i) -> __m128i;
    /// Bits where the argument is not of its kind.
    fn odd(self, v: __m128i) -> __m128i;
}

/// A primitive of two arguments.
trait Double: Copy {
    /// What it gives, and a vector whose last two words have their highest bits where it does not.
    fn of(self, a: __m128i, b: __m128i) -> (__m128i, __m128i);
}

/// Whether nothing was odd: no bit of the first two words is set, and not the highest of the others.
#[inline(always)]
fn is_even(odd: __m128i) -> bool {
    signs(equal(odd, words([0; 4]))) & 0b0011 == 0b0011 && signs(odd) & 0b1100 == 0
}

#[inline(always)]
fn fill_one(a: impl Source, rows: usize, out: &mut Vec<Val>, f: impl Single) -> bool {
    out.clear();
    out.reserve(rows);
    let Some(room) = out.spare_capacity_mut().get_mut(..rows) else { return false };
    let mut odd = words([0; 4]);
    for (row, val) in room.iter_mut().enumerate() {
        let a = a.at(row);
        odd = or(odd, f.odd(a));
        write(val, f.of(a));
    }
    let even = is_even(odd);
    if even {
        // SAFETY: there is room for so many rows, and each was written: a result is a value.
        unsafe { out.set_len(rows) };
    }
    even
}

#[inline(always)]
fn fill_two(
    a: impl Source,
    b: impl Source,
    rows: usize,
    kinds: [__m128i; 2],
    out: &mut Vec<Val>,
    f: impl Double,
) -> bool {
    out.clear();
    out.reserve(rows);
    let Some(room) = out.spare_capacity_mut().get_mut(..rows) else { return false };
    let high = words([0, 0, -1, -1]);
    let mut odd = words([0; 4]);
    for (row, val) in room.iter_mut().enumerate() {
        let (a, b) = (a.at(row), b.at(row));
        let (result, over) = f.of(a, b);
        odd = or(odd, and(over, high));
        odd = or(odd, or(unlike(a, kinds[0]), unlike(b, kinds[1])));
        write(val, result);
    }
    let even = is_even(odd);
    if even {
        // SAFETY: there is room for so many rows, and each was written: a result is a value.
        unsafe { out.set_len(rows) };
    }
    even
}

/// The second half of a vector, and the first of another.
#[inline(always)]
fn with_kind(v: __m128i, kind: __m128i) -> __m128i {
    or(and(v, words([0, 0, -1, -1])), kind)
}

/// The last word of a vector as an int.
#[inline(always)]
fn int(v: __m128i) -> __m128i {
    or(and(v, words([0, 0, 0, -1])), kind(Tag::Int))
}

/// Whether the last word of a vector, which has all bits or none, has them.
#[inline(always)]
fn truth(v: __m128i) -> __m128i {
    or(and(v, words([0, 0, 0, 1])), kind(Tag::Int))
}

/// Which bits of a first half differ from those of a kind.
#[inline(always)]
fn unlike(v: __m128i, kind: __m128i) -> __m128i {
    and(xor(v, kind), words([-1, -1, 0, 0]))
}

macro_rules! singles {
    ($($variant:ident ( $v:ident ) => $result:expr, $odd:expr;)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $variant;

            impl Single for $variant {
                #[inline(always)]
                fn of(self, $v: __m128i) -> __m128i {
                    $result
                }

                #[inline(always)]
                fn odd(self, $v: __m128i) -> __m128i {
                    $odd
                }
            }
        )*
    };
}
singles! {
    First(v) => int(up(v)), unlike(v, kind(Tag::Pair));
    Last(v) => int(v), unlike(v, kind(Tag::Pair));
    Color(v) => int(second_last(v)), no_cell(v);
    Place(v) => with_kind(v, kind(Tag::Pair)), no_cell(v);
}

/// Bits where a vector is not a cell, whose second word is its colour.
#[inline(always)]
fn no_cell(v: __m128i) -> __m128i {
    and(xor(v, kind(Tag::Cell)), words([-1, 0, 0, 0]))
}

macro_rules! doubles {
    ($($variant:ident ( $a:ident, $b:ident ) => $result:expr, $odd:expr;)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $variant;

            impl Double for $variant {
                #[inline(always)]
                fn of(self, $a: __m128i, $b: __m128i) -> (__m128i, __m128i) {
                    ($result, $odd)
                }
            }
        )*
    };
}
doubles! {
    Equality(a, b) => truth(and(equal(a, b), up(equal(a, b)))), words([0; 4]);
    Greater(a, b) => truth(above(a, b)), words([0; 4]);
    // Both are of one sign, and the sum is of the other.
    Sum(a, b) => plus(a, b), and(xor(a, plus(a, b)), xor(b, plus(a, b)));
    Difference(a, b) => minus(a, b), and(xor(a, b), xor(a, minus(a, b)));
    Product(a, b) => int(up(product(a, b))), past(a, b, product(a, b));
    Location(a, b) => with_kind(or(down::<32>(a), b), kind(Tag::Pair)), words([0; 4]);
    Steps(a, b) => int(plus(gap(a, b), up(gap(a, b)))), words([0; 4]);
}

/// The product of the last words as if they had no signs: its lower word is that of ints, too.
#[inline(always)]
fn product(a: __m128i, b: __m128i) -> __m128i {
    times(down::<32>(a), down::<32>(b))
}

/// Whether the product of two ints does not fit: its upper word is not the sign of the lower one.
#[inline(always)]
fn past(a: __m128i, b: __m128i, product: __m128i) -> __m128i {
    let upper = minus(minus(product, and(sign(a), b)), and(sign(b), a));
    let fits = equal(upper, sign(up(product)));
    and(xor(fits, words([-1; 4])), words([0, 0, 0, -1]))
}

/// How far apart words are.
#[inline(always)]
fn gap(a: __m128i, b: __m128i) -> __m128i {
    let gap = minus(a, b);
    minus(xor(gap, sign(gap)), sign(gap))
}

/// A sum or difference of a kind; an int meets both halves of a location.
#[derive(Clone, Copy)]
struct Spread<F, const FIRST: bool, const SECOND: bool>(F, __m128i);

impl<F: Double, const FIRST: bool, const SECOND: bool> Double for Spread<F, FIRST, SECOND> {
    #[inline(always)]
    fn of(self, a: __m128i, b: __m128i) -> (__m128i, __m128i) {
        let (a, b) =
            (if FIRST { last_twice(a) } else { a }, if SECOND { last_twice(b) } else { b });
        let (result, odd) = self.0.of(a, b);
        (with_kind(result, self.1), odd)
    }
}

/// -1, 0 or 1 by sign, of ints or locations: what is of a kind stays of it.
#[derive(Clone, Copy)]
struct Sign(__m128i);

impl Single for Sign {
    #[inline(always)]
    fn of(self, v: __m128i) -> __m128i {
        let zero = words([0; 4]);
        with_kind(minus(above(zero, v), above(v, zero)), self.0)
    }

    #[inline(always)]
    fn odd(self, v: __m128i) -> __m128i {
        unlike(v, self.0)
    }
}

/// The signs of ints or locations.
#[inline(always)]
pub fn signs_of(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match task.operands.first().map(|a| a.get(0).tag()) {
        Some(tag @ (Tag::Int | Tag::Pair)) => one(task, out, Sign(kind(tag))),
        _ => false,
    }
}

/// The first items of locations or of cells.
#[inline(always)]
pub fn first(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match task.operands.first().map(|a| a.get(0).tag()) {
        Some(Tag::Pair) => one(task, out, First),
        Some(Tag::Cell) => one(task, out, Color),
        _ => false,
    }
}

/// The last items of locations or of cells.
#[inline(always)]
pub fn last(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match task.operands.first().map(|a| a.get(0).tag()) {
        Some(Tag::Pair) => one(task, out, Last),
        Some(Tag::Cell) => one(task, out, Place),
        _ => false,
    }
}

#[inline(always)]
fn one(task: Task<'_>, out: &mut Vec<Val>, f: impl Single) -> bool {
    let [a] = task.operands else { return false };
    let rows = task.rows;
    match *a {
        Operand::Same(a) if a.len() >= rows => fill_one(Same(&a[..rows]), rows, out, f),
        Operand::Via(a, at) if at.len() >= rows => fill_one(Via(a, &at[..rows]), rows, out, f),
        _ => false,
    }
}

/// Whether ints or locations are equal.
#[inline(always)]
pub fn equality(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match tags(task) {
        Some([a, b]) if a == b => two(task, out, a, a, Equality),
        _ => false,
    }
}

/// Which ints are greater.
#[inline(always)]
pub fn greater(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints(task, out, Greater)
}

/// Sums.
#[inline(always)]
pub fn add(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    spread(task, out, Sum)
}

/// Differences.
#[inline(always)]
pub fn subtract(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    spread(task, out, Difference)
}

/// Products of ints.
#[inline(always)]
pub fn multiply(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints(task, out, Product)
}

/// Locations of two ints.
#[inline(always)]
pub fn astuple(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints(task, out, Location)
}

/// The steps between locations, which are near enough that nothing overflows.
#[inline(always)]
pub fn steps(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    two(task, out, Tag::Pair, Tag::Pair, Steps)
}

/// The kinds of the first row's arguments, if both are ints or locations.
#[inline(always)]
fn tags(task: Task<'_>) -> Option<[Tag; 2]> {
    let [a, b] = task.operands else { return None };
    let [a, b] = [a.get(0).tag(), b.get(0).tag()];
    let known = matches!(a, Tag::Int | Tag::Pair) && matches!(b, Tag::Int | Tag::Pair);
    known.then_some([a, b])
}

#[inline(always)]
fn ints(task: Task<'_>, out: &mut Vec<Val>, f: impl Double) -> bool {
    tags(task) == Some([Tag::Int; 2]) && two(task, out, Tag::Int, Tag::Int, f)
}

/// Ints with ints, and locations with either.
#[inline(always)]
fn spread(task: Task<'_>, out: &mut Vec<Val>, f: impl Double) -> bool {
    match tags(task) {
        Some([Tag::Int, Tag::Pair]) => {
            let f = Spread::<_, true, false>(f, kind(Tag::Pair));
            two(task, out, Tag::Int, Tag::Pair, f)
        }
        Some([Tag::Pair, Tag::Int]) => {
            let f = Spread::<_, false, true>(f, kind(Tag::Pair));
            two(task, out, Tag::Pair, Tag::Int, f)
        }
        Some([tag, _]) => two(task, out, tag, tag, Spread::<_, false, false>(f, kind(tag))),
        None => false,
    }
}

/// Computes a column of two arguments that are of some kinds.
#[inline(always)]
fn two(task: Task<'_>, out: &mut Vec<Val>, first: Tag, second: Tag, f: impl Double) -> bool {
    let [a, b] = task.operands else { return false };
    let (rows, kinds) = (task.rows, [kind(first), kind(second)]);
    match *a {
        Operand::One(a) => with(One(vector(&a)), *b, rows, kinds, out, f),
        Operand::Same(a) if a.len() >= rows => with(Same(&a[..rows]), *b, rows, kinds, out, f),
        Operand::Via(a, at) if at.len() >= rows => {
            with(Via(a, &at[..rows]), *b, rows, kinds, out, f)
        }
        _ => false,
    }
}

#[inline(always)]
fn with(
    a: impl Source,
    b: Operand<'_>,
    rows: usize,
    kinds: [__m128i; 2],
    out: &mut Vec<Val>,
    f: impl Double,
) -> bool {
    match b {
        Operand::One(b) => fill_two(a, One(vector(&b)), rows, kinds, out, f),
        Operand::Same(b) if b.len() >= rows => fill_two(a, Same(&b[..rows]), rows, kinds, out, f),
        Operand::Via(b, at) if at.len() >= rows => {
            fill_two(a, Via(b, &at[..rows]), rows, kinds, out, f)
        }
        _ => false,
    }
}
