//! Closing loops, for each instruction set.

#![allow(unsafe_code)]

use batt_core::{Array, Cx, Fault, Lanes, Tag, Val, close, forms};
use batt_lang::Op;

use crate::kernels::{Operand, Set};

/// A loop to close for some rows of its parent.
#[derive(Clone, Copy)]
pub struct Closing<'a> {
    /// The arena.
    pub cx: Cx,
    /// The higher-order primitive.
    pub op: Op,
    /// The slot, for errors that begin here.
    pub slot: u32,
    /// The first row of the parent.
    pub first: usize,
    /// For each row of the parent where its rows of the loop start and end.
    pub spans: &'a [(u32, u32)],
    /// The container, by row of the parent.
    pub container: Operand<'a>,
    /// The rank, the value for an empty container, or what a form needs, by row of the parent.
    pub extra: Operand<'a>,
    /// The grid on which alone the result will be drawn, by row of the parent; null where it may be read
    /// otherwise.
    pub onto: Operand<'a>,
    /// The items: by row of the loop, or by place.
    pub items: Operand<'a>,
    /// Whether the items are those of one container, by place.
    pub items_by_place: bool,
    /// Whether the result is only looked at item by item and merged.
    pub heap: bool,
    /// More bodies than these are handed back.
    pub most: u32,
    /// What the bodies gave, by row of the loop.
    pub results: &'a [Val],
    /// How the result is found without the bodies, and the slot of those.
    pub form: Option<(Form, u32)>,
}

/// A loop whose result is found without running its bodies, from its container and from the extra
/// operand.
#[derive(Clone, Copy)]
pub enum Form {
    /// A patch, which is the extra operand, moved by every item.
    Stamps,
    /// A patch, which is the extra operand, moved by every item, each copy for itself.
    Copies,
    /// The lines between all items and those of a second container, which is the extra operand.
    Lines,
    /// The same, where the loop runs over the pairs of both.
    PairLines,
    /// The item that lies nearest to a patch, which is the extra operand.
    Nearest,
    /// The lines from all items in a direction, which is the extra operand.
    Shots,
    /// The items by which a patch, which is the extra operand, lies within another one, which is the one
    /// to draw on.
    Fits,
    /// The items that begin with the extra operand,
    OfColor,
    /// or with one of its items.
    OfColors,
}

/// Closes a loop: each null of a column, which is a row of the parent, becomes what the loop gives.
pub type Closer = unsafe fn(Closing<'_>, &mut [Val]);

/// The closer for an instruction set. It may be called on a machine that has it.
pub fn closer(set: Set) -> Closer {
    match set {
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 => avx2,
        _ => portable,
    }
}

fn portable(closing: Closing<'_>, out: &mut [Val]) {
    rows::<Array>(closing, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(closing: Closing<'_>, out: &mut [Val]) {
    rows::<Array>(closing, out);
}

#[inline(always)]
fn rows<V: Lanes>(c: Closing<'_>, out: &mut [Val]) {
    // Pairs of ints are most of the small tuples that loops make.
    let pairs = matches!(c.op, Op::Apply | Op::Papply) && c.form.is_none();
    for (at, (val, span)) in out.iter_mut().zip(c.spans).enumerate() {
        if val.is(Tag::Null) {
            let row = c.first + at;
            *val = match if pairs { pair(&c, row, *span) } else { None } {
                Some(pair) => pair,
                None => dispatch::<V>(&c, row, *span).began_at(c.slot),
            };
        }
    }
}

/// The tuple of two ints that a loop over a tuple gives.
#[inline(always)]
fn pair(c: &Closing<'_>, row: usize, (start, end): (u32, u32)) -> Option<Val> {
    let [a, b] = c.results.get(start as usize..end as usize)? else { return None };
    let (a, b) = (a.as_int()?, b.as_int()?);
    (!c.container.get(row).is_set()).then_some(Val::pair(a, b))
}

/// What the higher-order primitive makes of its results.
#[inline(always)]
fn dispatch<V: Lanes>(c: &Closing<'_>, row: usize, (start, end): (u32, u32)) -> Val {
    let (cx, n) = (c.cx, end - start);
    let results = c.results.get(start as usize..end as usize).unwrap_or(&[]);
    let result = |k: u32| results.get(k as usize).copied().unwrap_or(Val::BACK);
    let from = if c.items_by_place { 0 } else { start as usize };
    let item = |k: u32| c.items.get(from + k as usize);
    let container = c.container.get(row);
    let set = container.is_set();
    if let Some((form, body)) = c.form {
        let extra = c.extra.get(row);
        return match form {
            Form::Stamps => forms::stamps_onto::<V>(cx, extra, container, c.onto.get(row), body),
            Form::Copies => forms::copies::<V>(cx, extra, container, body),
            Form::Lines => forms::lines::<V>(cx, container, extra, body),
            Form::PairLines => forms::pair_lines::<V>(cx, container, extra, body),
            Form::Nearest => forms::nearest::<V>(cx, extra, container, body),
            Form::Shots => forms::shots_onto::<V>(cx, extra, container, c.onto.get(row), body),
            Form::Fits => forms::fits::<V>(cx, extra, c.onto.get(row), container, body),
            Form::OfColor => forms::of_color::<V>(cx, extra, container, body),
            Form::OfColors => forms::of_colors::<V>(cx, extra, container, body),
        };
    }
    if n > c.most {
        return Val::BACK;
    }
    match c.op {
        Op::Apply | Op::Prapply if c.heap && (set || c.op == Op::Prapply) => {
            close::heap::<V>(cx, n, result)
        }
        Op::Apply => close::apply::<V>(cx, set, n, result),
        Op::Mapply => close::merge::<V>(cx, set, n, result),
        Op::Papply => close::apply::<V>(cx, false, n, result),
        Op::Mpapply => close::merge::<V>(cx, false, n, result),
        Op::Prapply => close::apply::<V>(cx, true, n, result),
        Op::Sfilter => close::filter::<V>(cx, container, n, item, result),
        Op::Mfilter => close::filter_merge::<V>(cx, set, n, item, result),
        Op::Extract => close::extract::<V>(n, item, result),
        Op::Order => close::order::<V>(cx, n, item, result),
        Op::Argmax => close::argmax::<V>(cx, n, item, result),
        Op::Argmin => close::argmin::<V>(cx, n, item, result),
        Op::Valmax => close::valmax::<V>(cx, n, result, c.extra.get(row)),
        Op::Valmin => close::valmin::<V>(cx, n, result, c.extra.get(row)),
        Op::GetNthByKeyT if set => Val::error(Fault::Type),
        Op::GetNthByKeyF if !set => Val::error(Fault::Type),
        Op::GetNthByKeyT | Op::GetNthByKeyF => {
            close::nth_by_key::<V>(cx, n, item, result, c.extra.get(row))
        }
        Op::GetArgRank => close::arg_rank::<V>(cx, n, item, result, c.extra.get(row)),
        Op::GetValRank => close::val_rank::<V>(cx, n, result, c.extra.get(row)),
        _ => Val::BACK,
    }
}
