//! Columns of ints and locations, one or two values in a vector.
//!
//! Where all values of a column are of one kind, their first halves are all the same, and a primitive
//! is a few instructions on the second halves. Anything else is left to others: every function says
//! whether it computed the column. Machines other than x86-64 leave
//! everything to others.

#![allow(unsafe_code)]

use core::arch::x86_64::__m128i;
pub use core::arch::x86_64::__m256i as Two;

use batt_core::{Tag, Val};

use crate::kernels::{Operand, Task};
use crate::words::{Words, kind};

/// One value in a vector.
pub type One = __m128i;

/// Where an argument is read.
trait Source: Copy {
    fn at<W: Words>(self, row: usize) -> W;
}

#[derive(Clone, Copy)]
struct All([i32; 4]);
#[derive(Clone, Copy)]
struct Same<'a>(&'a [Val]);
#[derive(Clone, Copy)]
struct Via<'a>(&'a [Val], &'a [u32]);

impl Source for All {
    #[inline(always)]
    fn at<W: Words>(self, _row: usize) -> W {
        W::words(self.0)
    }
}

impl Source for Same<'_> {
    #[inline(always)]
    fn at<W: Words>(self, row: usize) -> W {
        W::read(self.0, row)
    }
}

impl Source for Via<'_> {
    #[inline(always)]
    fn at<W: Words>(self, row: usize) -> W {
        W::gather(self.0, self.1, row)
    }
}

/// A primitive of one argument.
trait Single: Copy {
    /// What it gives.
    fn of<W: Words>(self, v: W) -> W;
    /// Bits where the argument is not of its kind.
    fn odd<W: Words>(self, v: W) -> W;
}

/// A primitive of two arguments.
trait Double: Copy {
    /// What it gives, and a vector whose last two words have their highest bits where it does not.
    fn of<W: Words>(self, a: W, b: W) -> (W, W);
}

/// Some rows that are computed.
type Room<'a> = &'a mut [core::mem::MaybeUninit<Val>];

/// Whether nothing was odd: no bit of the first two words is set, and not the highest of the others.
#[inline(always)]
fn is_even<W: Words>(odd: W) -> bool {
    let some = odd.equal(W::words([0; 4])).xor(W::words([-1; 4]));
    some.signs() & 0b0011 | odd.signs() & 0b1100 == 0
}

/// Room for some rows: those that are whole vectors, and the others.
#[inline(always)]
fn room<W: Words>(rows: usize, out: &mut Vec<Val>) -> Option<(Room<'_>, Room<'_>)> {
    out.clear();
    out.reserve(rows);
    let room = out.spare_capacity_mut().get_mut(..rows)?;
    Some(room.split_at_mut(rows - rows % W::VALS))
}

/// Computes some rows from one on, as many as are whole vectors.
#[inline(always)]
fn singles<W: Words>(a: impl Source, from: usize, room: Room<'_>, f: impl Single) -> bool {
    let mut odd = W::words([0; 4]);
    for (k, vals) in room.chunks_exact_mut(W::VALS).enumerate() {
        let a: W = a.at(from + k * W::VALS);
        odd = odd.or(f.odd(a));
        f.of(a).write(vals);
    }
    is_even(odd)
}

/// The same of two arguments.
#[inline(always)]
fn doubles<W: Words>(
    (a, b): (impl Source, impl Source),
    from: usize,
    kinds: [Tag; 2],
    room: Room<'_>,
    f: impl Double,
) -> bool {
    let (high, kinds) = (W::words([0, 0, -1, -1]), [kind::<W>(kinds[0]), kind(kinds[1])]);
    let mut odd = W::words([0; 4]);
    for (k, vals) in room.chunks_exact_mut(W::VALS).enumerate() {
        let row = from + k * W::VALS;
        let (a, b): (W, W) = (a.at(row), b.at(row));
        let (result, over) = f.of(a, b);
        odd = odd.or(over.and(high)).or(unlike(a, kinds[0]).or(unlike(b, kinds[1])));
        result.write(vals);
    }
    is_even(odd)
}

#[inline(always)]
fn fill_one<W: Words>(a: impl Source, rows: usize, out: &mut Vec<Val>, f: impl Single) -> bool {
    let Some((whole, rest)) = room::<W>(rows, out) else { return false };
    let from = whole.len();
    let even = singles::<W>(a, 0, whole, f) & singles::<One>(a, from, rest, f);
    if even {
        // SAFETY: there is room for so many rows, and each was written: a result is a value.
        unsafe { out.set_len(rows) };
    }
    even
}

#[inline(always)]
fn fill_two<W: Words>(
    both: (impl Source, impl Source),
    rows: usize,
    kinds: [Tag; 2],
    out: &mut Vec<Val>,
    f: impl Double,
) -> bool {
    let Some((whole, rest)) = room::<W>(rows, out) else { return false };
    let from = whole.len();
    let even = doubles::<W>(both, 0, kinds, whole, f) & doubles::<One>(both, from, kinds, rest, f);
    if even {
        // SAFETY: there is room for so many rows, and each was written: a result is a value.
        unsafe { out.set_len(rows) };
    }
    even
}

/// The second half of a vector, and the first of another.
#[inline(always)]
fn with_kind<W: Words>(v: W, kind: W) -> W {
    v.and(W::words([0, 0, -1, -1])).or(kind)
}

/// The last word of a vector as an int.
#[inline(always)]
fn int<W: Words>(v: W) -> W {
    v.and(W::words([0, 0, 0, -1])).or(kind(Tag::Int))
}

/// Whether the last word of a vector, which has all bits or none, has them.
#[inline(always)]
fn truth<W: Words>(v: W) -> W {
    v.and(W::words([0, 0, 0, 1])).or(kind(Tag::Int))
}

/// Which bits of a first half differ from those of a kind.
#[inline(always)]
fn unlike<W: Words>(v: W, kind: W) -> W {
    v.xor(kind).and(W::words([-1, -1, 0, 0]))
}

/// Every bit that is not set.
#[inline(always)]
fn not<W: Words>(v: W) -> W {
    v.xor(W::words([-1; 4]))
}

/// Which words are zero.
#[inline(always)]
fn zero<W: Words>(v: W) -> W {
    v.equal(W::words([0; 4]))
}

macro_rules! singles {
    ($($variant:ident ( $v:ident ) => $result:expr, $odd:expr;)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $variant;

            impl Single for $variant {
                #[inline(always)]
                fn of<W: Words>(self, $v: W) -> W {
                    $result
                }

                #[inline(always)]
                fn odd<W: Words>(self, $v: W) -> W {
                    $odd
                }
            }
        )*
    };
}
singles! {
    First(v) => int(v.up()), unlike(v, kind(Tag::Pair));
    Last(v) => int(v), unlike(v, kind(Tag::Pair));
    Color(v) => int(v.second_last()), no_cell(v);
    Place(v) => with_kind(v, kind(Tag::Pair)), no_cell(v);
    Even(v) => truth(zero(v.and(W::words([0, 0, 0, 1])))), unlike(v, kind(Tag::Int));
    Positive(v) => truth(v.above(W::words([0; 4]))), unlike(v, kind(Tag::Int));
    Flip(v) => truth(zero(v)), unlike(v, kind(Tag::Int));
}

/// Bits where a vector is not a cell, whose second word is its colour.
#[inline(always)]
fn no_cell<W: Words>(v: W) -> W {
    v.xor(kind(Tag::Cell)).and(W::words([-1, 0, 0, 0]))
}

macro_rules! doubles {
    ($($variant:ident ( $a:ident, $b:ident ) => $result:expr, $odd:expr;)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $variant;

            impl Double for $variant {
                #[inline(always)]
                fn of<W: Words>(self, $a: W, $b: W) -> (W, W) {
                    ($result, $odd)
                }
            }
        )*
    };
}
doubles! {
    Equality(a, b) => truth(a.equal(b).and(a.equal(b).up())), W::words([0; 4]);
    Greater(a, b) => truth(a.above(b)), W::words([0; 4]);
    Both(a, b) => int(b.and(not(zero(a)))), W::words([0; 4]);
    Either(a, b) => int(a.or(b.and(zero(a)))), W::words([0; 4]);
    // Both are of one sign, and the sum is of the other.
    Sum(a, b) => a.plus(b), a.xor(a.plus(b)).and(b.xor(a.plus(b)));
    Difference(a, b) => a.minus(b), a.xor(b).and(a.xor(a.minus(b)));
    Product(a, b) => int(product(a, b).up()), past(a, b, product(a, b));
    Products(a, b) => products(a, b), past(a, b, product(a, b)).or(past(a.up(), b.up(), product(a.up(), b.up())));
    Location(a, b) => with_kind(a.down().or(b), kind(Tag::Pair)), W::words([0; 4]);
    Steps(a, b) => int(gap(a, b).plus(gap(a, b).up())), W::words([0; 4]);
}

/// The product of the last words as if they had no signs: its lower word is that of ints, too.
#[inline(always)]
fn product<W: Words>(a: W, b: W) -> W {
    a.down().times(b.down())
}

/// The products of the last two words each.
#[inline(always)]
fn products<W: Words>(a: W, b: W) -> W {
    let first = product(a.up(), b.up()).and(W::words([0, 0, -1, 0]));
    first.or(product(a, b).up().and(W::words([0, 0, 0, -1])))
}

/// Whether the product of two ints does not fit: its upper word is not the sign of the lower one.
#[inline(always)]
fn past<W: Words>(a: W, b: W, product: W) -> W {
    let upper = product.minus(a.sign().and(b)).minus(b.sign().and(a));
    not(upper.equal(product.up().sign())).and(W::words([0, 0, 0, -1]))
}

/// How far apart words are.
#[inline(always)]
fn gap<W: Words>(a: W, b: W) -> W {
    let gap = a.minus(b);
    gap.xor(gap.sign()).minus(gap.sign())
}

/// A sum or difference of a kind; an int meets both halves of a location.
#[derive(Clone, Copy)]
struct Spread<F, const FIRST: bool, const SECOND: bool>(F, Tag);

impl<F: Double, const FIRST: bool, const SECOND: bool> Double for Spread<F, FIRST, SECOND> {
    #[inline(always)]
    fn of<W: Words>(self, a: W, b: W) -> (W, W) {
        let (a, b) =
            (if FIRST { a.last_twice() } else { a }, if SECOND { b.last_twice() } else { b });
        let (result, odd) = self.0.of(a, b);
        (with_kind(result, kind(self.1)), odd)
    }
}

/// -1, 0 or 1 by sign, of ints or locations: what is of a kind stays of it.
#[derive(Clone, Copy)]
struct Sign(Tag);

impl Single for Sign {
    #[inline(always)]
    fn of<W: Words>(self, v: W) -> W {
        let zero = W::words([0; 4]);
        with_kind(zero.above(v).minus(v.above(zero)), kind(self.0))
    }

    #[inline(always)]
    fn odd<W: Words>(self, v: W) -> W {
        unlike(v, kind(self.0))
    }
}

/// The signs of ints or locations.
#[inline(always)]
pub fn signs_of<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match task.operands.first().map(|a| a.get(0).tag()) {
        Some(tag @ (Tag::Int | Tag::Pair)) => one::<W>(task, out, Sign(tag)),
        _ => false,
    }
}

/// The first items of locations or of cells.
#[inline(always)]
pub fn first<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match task.operands.first().map(|a| a.get(0).tag()) {
        Some(Tag::Pair) => one::<W>(task, out, First),
        Some(Tag::Cell) => one::<W>(task, out, Color),
        _ => false,
    }
}

/// The last items of locations or of cells.
#[inline(always)]
pub fn last<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match task.operands.first().map(|a| a.get(0).tag()) {
        Some(Tag::Pair) => one::<W>(task, out, Last),
        Some(Tag::Cell) => one::<W>(task, out, Place),
        _ => false,
    }
}

#[inline(always)]
fn one<W: Words>(task: Task<'_>, out: &mut Vec<Val>, f: impl Single) -> bool {
    let [a] = task.operands else { return false };
    let rows = task.rows;
    match *a {
        Operand::Same(a) if a.len() >= rows => fill_one::<W>(Same(&a[..rows]), rows, out, f),
        Operand::Via(a, at) if at.len() >= rows => fill_one::<W>(Via(a, &at[..rows]), rows, out, f),
        _ => false,
    }
}

/// Whether ints or locations are equal.
#[inline(always)]
pub fn equality<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    match tags(task) {
        Some([a, b]) if a == b => two::<W>(task, out, [a, a], Equality),
        _ => false,
    }
}

/// Which ints are greater.
#[inline(always)]
pub fn greater<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints::<W>(task, out, Greater)
}

/// Sums.
#[inline(always)]
pub fn add<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    spread::<W>(task, out, Sum)
}

/// Differences.
#[inline(always)]
pub fn subtract<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    spread::<W>(task, out, Difference)
}

/// Products.
#[inline(always)]
pub fn multiply<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints::<W>(task, out, Product) || spread::<W>(task, out, Products)
}

/// The first of two ints if it is zero, or the second.
#[inline(always)]
pub fn both<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints::<W>(task, out, Both)
}

/// The first of two ints unless it is zero, or the second.
#[inline(always)]
pub fn either<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints::<W>(task, out, Either)
}

/// Which ints are even.
#[inline(always)]
pub fn even<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    one::<W>(task, out, Even)
}

/// Which ints are above zero.
#[inline(always)]
pub fn positive<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    one::<W>(task, out, Positive)
}

/// Which ints are zero.
#[inline(always)]
pub fn flip<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    one::<W>(task, out, Flip)
}

/// One more.
#[inline(always)]
pub fn increment<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    let [a] = task.operands else { return false };
    add::<W>(Task { operands: &[*a, Operand::One(Val::int(1))], ..task }, out)
}

/// One less.
#[inline(always)]
pub fn decrement<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    let [a] = task.operands else { return false };
    subtract::<W>(Task { operands: &[*a, Operand::One(Val::int(1))], ..task }, out)
}

/// Twice.
#[inline(always)]
pub fn double<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    let [a] = task.operands else { return false };
    add::<W>(Task { operands: &[*a, *a], ..task }, out)
}

/// The negative.
#[inline(always)]
pub fn invert<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    let [a] = task.operands else { return false };
    subtract::<W>(Task { operands: &[Operand::One(Val::int(0)), *a], ..task }, out)
}

/// Locations of two ints.
#[inline(always)]
pub fn astuple<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    ints::<W>(task, out, Location)
}

/// The steps between locations, which are near enough that nothing overflows.
#[inline(always)]
pub fn steps<W: Words>(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    two::<W>(task, out, [Tag::Pair; 2], Steps)
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
fn ints<W: Words>(task: Task<'_>, out: &mut Vec<Val>, f: impl Double) -> bool {
    tags(task) == Some([Tag::Int; 2]) && two::<W>(task, out, [Tag::Int; 2], f)
}

/// Ints with ints, and locations with either.
#[inline(always)]
fn spread<W: Words>(task: Task<'_>, out: &mut Vec<Val>, f: impl Double) -> bool {
    match tags(task) {
        Some(both @ [Tag::Int, Tag::Pair]) => {
            two::<W>(task, out, both, Spread::<_, true, false>(f, Tag::Pair))
        }
        Some(both @ [Tag::Pair, Tag::Int]) => {
            two::<W>(task, out, both, Spread::<_, false, true>(f, Tag::Pair))
        }
        Some([tag, _]) => two::<W>(task, out, [tag; 2], Spread::<_, false, false>(f, tag)),
        None => false,
    }
}

/// Computes a column of two arguments that are of some kinds.
#[inline(always)]
fn two<W: Words>(task: Task<'_>, out: &mut Vec<Val>, kinds: [Tag; 2], f: impl Double) -> bool {
    let [a, b] = task.operands else { return false };
    let rows = task.rows;
    match *a {
        Operand::One(a) => {
            with::<W>(All(a.words().map(|word| word as i32)), *b, rows, kinds, out, f)
        }
        Operand::Same(a) if a.len() >= rows => with::<W>(Same(&a[..rows]), *b, rows, kinds, out, f),
        Operand::Via(a, at) if at.len() >= rows => {
            with::<W>(Via(a, &at[..rows]), *b, rows, kinds, out, f)
        }
        _ => false,
    }
}

#[inline(always)]
fn with<W: Words>(
    a: impl Source,
    b: Operand<'_>,
    rows: usize,
    kinds: [Tag; 2],
    out: &mut Vec<Val>,
    f: impl Double,
) -> bool {
    match b {
        Operand::One(b) => {
            fill_two::<W>((a, All(b.words().map(|word| word as i32))), rows, kinds, out, f)
        }
        Operand::Same(b) if b.len() >= rows => {
            fill_two::<W>((a, Same(&b[..rows])), rows, kinds, out, f)
        }
        Operand::Via(b, at) if at.len() >= rows => {
            fill_two::<W>((a, Via(b, &at[..rows])), rows, kinds, out, f)
        }
        _ => false,
    }
}
