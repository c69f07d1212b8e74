//! Loops whose result is found without running their bodies.
//!
//! A patch in many places, and the lines between all pairs of two sets, are among what programs ask
//! for most. Nearly all that their bodies make is covered by what others make, or is made twice; of the
//! distances from a place to all items, only the least counts; and cells of one colour stay or go
//! together. The result is the same as that of the
//! bodies, in the same form; where no short way is known, the bodies run one by one.

mod colored;
mod copies;
mod fits;
mod larger;
mod lines;
mod nearest;
mod onto;
mod seen;
mod shots;
mod turns;

pub use colored::{of_color, of_colors};
pub use copies::copies;
pub use fits::fits;
pub use larger::larger;
pub use nearest::nearest;
pub use seen::shot_onto;
pub use shots::{shots, shots_onto};

use crate::arena::Cx;
use crate::close;
use crate::gather::{self, flat};
use crate::grid::Planes;
use crate::lanes::Lanes;
use crate::mask::{self, Bounds};
use crate::ops::{connect, first, product, shift};
use crate::patch::{self, Patch, mono, planes};
use crate::seq::{item, len};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// The most bodies that run one by one where lanes would wait for each other.
const FEW: u32 = 1 << 15;

/// `mapply` of `shift`: what a patch covers, moved by every item of a container. Errors of a body
/// begin at its slot.
#[inline(always)]
pub fn stamps<V: Lanes>(cx: Cx, patch: Val, places: Val, body: u32) -> Val {
    stamps_onto::<V>(cx, patch, places, Val::NULL, body)
}

/// As [`stamps`], where the result will only be drawn on a grid: what lies beside it may be left out, and of
/// several colours at one place all but the one that is drawn last. Null stands for no grid.
#[inline(always)]
pub fn stamps_onto<V: Lanes>(cx: Cx, patch: Val, places: Val, grid: Val, body: u32) -> Val {
    let Some(n) = len(places) else { return Val::error(Fault::Type) };
    if n > 0 && patch.is_bad() {
        return patch;
    }
    if n == 1 && places.is_set() && patch.is_set() {
        let there = shift::<V>(cx, patch, first::<V>(cx, places));
        return if there.is_bad() { there.began_at(body) } else { there };
    }
    let short = if places.is(Tag::Set) && !V::APART {
        match onto::seen::<V>(cx, patch, places, grid) {
            Some(seen) => Some(seen),
            None => gather::stamped_widely::<V::Out>(cx, patch, places),
        }
    } else if places.is(Tag::Tuple) && !V::APART {
        match onto::seen::<V>(cx, patch, places, grid) {
            Some(seen) => Some(seen),
            None => turns::in_turn::<V>(cx, patch, places),
        }
    } else {
        match Patch::<V>::load(cx, places) {
            Some(bits) if places.is(Tag::Mask) => stamped(cx, patch, places, bits, grid),
            None if matches!(places.tag(), Tag::Set | Tag::Tuple) => {
                onto::seen::<V>(cx, patch, places, grid)
            }
            _ => None,
        }
    };
    match short {
        Some(v) => v,
        None => stamped_singly::<V::Out>(cx, patch, places, body),
    }
}

#[inline(always)]
fn stamped<V: Lanes>(cx: Cx, patch: Val, places: Val, bits: Patch<V>, grid: Val) -> Option<Val> {
    if let Some(v) = stamped_bits(cx, patch, bits) {
        return Some(v);
    }
    match onto::seen::<V>(cx, patch, places, grid) {
        Some(seen) => Some(seen),
        None => gather::stamped(cx, patch, bits),
    }
}

/// The stamps of a patch that is held as bits; `None` where no window holds them all, or where one
/// place has two colours.
#[inline(always)]
fn stamped_bits<V: Lanes>(cx: Cx, patch: Val, places: Patch<V>) -> Option<Val> {
    let own = Patch::<V>::load(cx, patch)?;
    let (a, b) = (own.bounds(), places.bounds());
    let all = Bounds {
        top: a.top + b.top,
        bottom: a.bottom + b.bottom,
        left: a.left + b.left,
        right: a.right + b.right,
    };
    let origin = all.window()?;
    let by = (own.origin.0 + places.origin.0 - origin.0, own.origin.1 + places.origin.1 - origin.1);
    if patch.is(Tag::Mask) {
        return Some(mask::make(cx, sum(own.mask, places.mask, by), origin));
    }
    if let Some(color) = mono(patch) {
        return Some(patch::make_mono(cx, sum(own.mask, places.mask, by), color, origin));
    }
    let theirs = planes::<V>(cx, patch);
    let (mut covered, mut colors) = (V::splat(0), Planes::splat(0));
    let mut palette = theirs.palette(own.mask);
    while palette != 0 {
        let color = palette.trailing_zeros();
        palette &= palette - 1;
        let bits = sum(theirs.eq(color, own.mask), places.mask, by);
        if (covered & bits).any() {
            return None;
        }
        covered = covered | bits;
        colors = colors.painted(bits, Planes::splat(color));
    }
    Some(patch::make(cx, covered, colors, origin))
}

/// Every bit of one moved by every bit of the other, and by an offset.
#[inline(always)]
fn sum<V: Lanes>(a: V, b: V, by: (i32, i32)) -> V {
    let (few, many) = if a.count() < b.count() { (a, b) } else { (b, a) };
    let (mut all, mut rows) = (V::splat(0), few.ballot());
    while rows != 0 {
        let row = rows.trailing_zeros();
        rows &= rows - 1;
        let mut word = few.get(row);
        while word != 0 {
            let column = word.trailing_zeros() as i32;
            word &= word - 1;
            all = all | mask::place(many, by.0 + row as i32, by.1 + column);
        }
    }
    all
}

#[inline(never)]
fn stamped_singly<V: Lanes>(cx: Cx, patch: Val, places: Val, body: u32) -> Val {
    match Bodies::run::<V>(cx, places, body, |by| shift::<V>(cx, patch, by)) {
        Ok(all) => close::merge::<V>(cx, places.is_set(), all.n, |k| all.result(cx, k)),
        Err(bad) => bad,
    }
}

/// The bodies of a loop, run one by one.
struct Bodies {
    items: u32,
    results: u32,
    n: u32,
}

impl Bodies {
    /// What `f` gives for every item of a container; the first bad one, which begins at the body's slot.
    #[inline(always)]
    fn run<V: Lanes>(
        cx: Cx,
        container: Val,
        body: u32,
        f: impl Fn(Val) -> Val,
    ) -> Result<Bodies, Val> {
        let (items, n) = flat::<V>(cx, container)?;
        if V::APART && n > FEW {
            return Err(Val::BACK);
        }
        let results = cx.take_vals(n).ok_or(Val::BACK)?;
        let mut k = 0;
        while k < n {
            let v = f(cx.val(items, k));
            if v.is_bad() {
                return Err(v.began_at(body));
            }
            cx.put(results, k, v);
            k += 1;
        }
        Ok(Bodies { items, results, n })
    }

    #[inline(always)]
    fn item(&self, cx: Cx, k: u32) -> Val {
        cx.val(self.items, k)
    }

    #[inline(always)]
    fn result(&self, cx: Cx, k: u32) -> Val {
        cx.val(self.results, k)
    }
}

/// `prapply` of `connect`: the lines between every item of one container and every item of the other.
/// Errors of a body begin at its slot.
#[inline(always)]
pub fn lines<V: Lanes>(cx: Cx, a: Val, b: Val, body: u32) -> Val {
    let (Some(m), Some(n)) = (len(a), len(b)) else { return Val::error(Fault::Type) };
    if m == 0 || n == 0 {
        return Val::EMPTY_SET;
    }
    let both = if a.is(Tag::Mask) && b.is(Tag::Mask) {
        Patch::<V>::load(cx, a).zip(Patch::<V>::load(cx, b))
    } else {
        None
    };
    match both.and_then(|(x, y)| lines::between(cx, x, y, m * n)) {
        Some(v) => v,
        None => lines_singly::<V::Out>(cx, a, b, body),
    }
}

/// `apply` of `connect` of `first` and `last` over `product`: the lines between every item of one set and
/// every item of the other. Errors of a body begin at its slot.
#[inline(always)]
pub fn pair_lines<V: Lanes>(cx: Cx, a: Val, b: Val, body: u32) -> Val {
    let (Some(m), Some(n)) = (len(a), len(b)) else { return Val::error(Fault::Type) };
    if !a.is(Tag::Mask) || !b.is(Tag::Mask) {
        return pair_lines_singly::<V::Out>(cx, a, b, body);
    }
    // A pair of locations counts as two elements of the product.
    if u64::from(m) * u64::from(n) * 2 > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    lines::<V>(cx, a, b, body)
}

#[inline(never)]
fn pair_lines_singly<V: Lanes>(cx: Cx, a: Val, b: Val, body: u32) -> Val {
    let pairs = product::<V>(cx, a, b);
    if pairs.is_bad() {
        return pairs;
    }
    let line = |pair: Val| connect::<V>(cx, item::<V>(cx, pair, 0), item::<V>(cx, pair, 1));
    match Bodies::run::<V>(cx, pairs, body, line) {
        Ok(all) => close::apply::<V>(cx, true, all.n, |k| all.result(cx, k)),
        Err(bad) => bad,
    }
}

#[inline(never)]
fn lines_singly<V: Lanes>(cx: Cx, a: Val, b: Val, body: u32) -> Val {
    let ((a, m), (b, n)) = match (flat::<V>(cx, a), flat::<V>(cx, b)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(bad), _) | (_, Err(bad)) => return bad,
    };
    if V::APART && m * n > FEW {
        return Val::BACK;
    }
    let Some(results) = cx.take_vals(m * n) else { return Val::BACK };
    // The first container varies fastest.
    let (mut y, mut k) = (0, 0);
    while y < n {
        let mut x = 0;
        while x < m {
            let v = connect::<V>(cx, cx.val(a, x), cx.val(b, y));
            if v.is_bad() {
                return v.began_at(body);
            }
            cx.put(results, k, v);
            k += 1;
            x += 1;
        }
        y += 1;
    }
    close::apply::<V>(cx, true, k, |k| cx.val(results, k))
}
