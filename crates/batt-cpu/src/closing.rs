//! Closing loops, for each instruction set.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use batt_core::lanes::{avx2::Avx2, avx512::Avx512};
use batt_core::{Array, Cx, Lanes, Tag, Val, close, forms};
use batt_lang::Op;

use crate::kernels::{Operand, Set};

/// A loop to close for some rows of its parent.
#[derive(Clone, Copy)]
pub struct Closing<'a> {
    /// The arena.
    pub cx: Cx,
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
    /// The slot of the bodies, for errors that begin there.
    pub body: u32,
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
pub type Closer = unsafe fn(&Closing<'_>, &mut [Val]);

/// The closer for a higher-order primitive, or for a form, and for an instruction set. It may be called on a
/// machine that has it.
pub fn closer(set: Set, op: Op, form: Option<Form>) -> Closer {
    macro_rules! of {
        ($name:ident) => {
            match set {
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 | Set::Avx512 => avx2::$name,
                _ => portable::$name,
            }
        };
    }
    #[cfg(target_arch = "x86_64")]
    match (form, op, set) {
        (None, Op::Mapply, Set::Avx512) => return avx512::mapply,
        (None, Op::Sfilter, Set::Avx512) => return avx512::sfilter,
        (None, Op::Mfilter, Set::Avx512) => return avx512::mfilter,
        _ => {}
    }
    match (form, op) {
        (Some(Form::Stamps), _) => of!(stamps),
        (Some(Form::Copies), _) => of!(copies),
        (Some(Form::Lines), _) => of!(lines),
        (Some(Form::PairLines), _) => of!(pair_lines),
        (Some(Form::Nearest), _) => of!(nearest),
        (Some(Form::Shots), _) => of!(shots),
        (Some(Form::Fits), _) => of!(fits),
        (Some(Form::OfColor), _) => of!(of_color),
        (Some(Form::OfColors), _) => of!(of_colors),
        (None, Op::Apply) => of!(apply),
        (None, Op::Mapply) => of!(mapply),
        (None, Op::Papply) => of!(papply),
        (None, Op::Mpapply) => of!(mpapply),
        (None, Op::Prapply) => of!(prapply),
        (None, Op::Sfilter) => of!(sfilter),
        (None, Op::Mfilter) => of!(mfilter),
        (None, Op::Extract) => of!(extract),
        (None, Op::Order) => of!(order),
        (None, Op::Argmax) => of!(argmax),
        (None, Op::Argmin) => of!(argmin),
        (None, Op::Valmax) => of!(valmax),
        (None, Op::Valmin) => of!(valmin),
        (None, Op::GetNthByKeyT | Op::GetNthByKeyF) => of!(nth_by_key),
        (None, Op::GetArgRank) => of!(arg_rank),
        (None, Op::GetValRank) => of!(val_rank),
        _ => of!(hand_back),
    }
}

/// A closer for every instruction set, from what closes one row. Each is a function of its own: in one for
/// all of them, the registers would be everywhere too few.
macro_rules! closers {
    ($($name:ident)*) => {
        closers!(@set portable Array, [inline(never)] $($name)*);
        #[cfg(target_arch = "x86_64")]
        closers!(@set avx2 Array<Avx2>,
            [target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")] $($name)*);
        // What is mostly lanes, and compiled inside as a whole.
        #[cfg(target_arch = "x86_64")]
        closers!(@set avx512 Avx512,
            [target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
            mapply sfilter mfilter);
    };
    (@set $set:ident $moved:ty, [$attribute:meta] $($name:ident)*) => {
        #[allow(clippy::redundant_closure)]
        mod $set {
            use super::*;
            $(#[$attribute]
            pub fn $name(closing: &Closing<'_>, out: &mut [Val]) {
                // A closure of this function has its instructions, which a function by name has not.
                rows(closing, out, |row| super::$name::<Array, $moved>(row));
            })*
        }
    };
}
closers! {
    stamps copies lines pair_lines nearest shots fits of_color of_colors
    apply mapply papply mpapply prapply sfilter mfilter extract order argmax argmin valmax valmin
    nth_by_key arg_rank val_rank hand_back
}

#[inline(always)]
fn rows(c: &Closing<'_>, out: &mut [Val], close: impl Fn(Row<'_>) -> Val) {
    for (at, (val, (start, end))) in out.iter_mut().zip(c.spans).enumerate() {
        if val.is(Tag::Null) {
            let results = c.results.get(*start as usize..*end as usize).unwrap_or(&[]);
            let from = if c.items_by_place { 0 } else { *start as usize };
            let row = Row { c, at: c.first + at, n: end - start, results, from };
            *val = close(row).began_at(c.slot);
        }
    }
}

/// A row of the parent, for which a loop is closed.
#[derive(Clone, Copy)]
struct Row<'a> {
    c: &'a Closing<'a>,
    /// Which row.
    at: usize,
    /// How many bodies there are,
    n: u32,
    /// what they gave,
    results: &'a [Val],
    /// and where their items begin.
    from: usize,
}

impl Row<'_> {
    #[inline(always)]
    fn result(&self, k: u32) -> Val {
        self.results.get(k as usize).copied().unwrap_or(Val::BACK)
    }

    #[inline(always)]
    fn item(&self, k: u32) -> Val {
        self.c.items.get(self.from + k as usize)
    }

    #[inline(always)]
    fn container(&self) -> Val {
        self.c.container.get(self.at)
    }

    #[inline(always)]
    fn extra(&self) -> Val {
        self.c.extra.get(self.at)
    }

    #[inline(always)]
    fn onto(&self) -> Val {
        self.c.onto.get(self.at)
    }

    /// The tuple of two ints that a loop over a tuple gives: most of the small tuples that loops make.
    #[inline(always)]
    fn pair(&self) -> Option<Val> {
        let [a, b] = self.results else { return None };
        let (a, b) = (a.as_int()?, b.as_int()?);
        (!self.container().is_set()).then_some(Val::pair(a, b))
    }
}

/// What closes one row, with lanes for most of it and with others where rows move and bits are dealt out.
macro_rules! closes {
    ($($name:ident($r:ident: $v:ident, $m:ident) => $close:expr;)*) => {
        $(#[inline(always)]
        #[allow(clippy::extra_unused_type_parameters)]
        fn $name<$v: Lanes, $m: Lanes>($r: Row<'_>) -> Val {
            $close
        })*
    };
}
closes! {
    stamps(r: V, M) => {
        forms::stamps_onto::<M>(r.c.cx, r.extra(), r.container(), r.onto(), r.c.body)
    };
    copies(r: V, M) => forms::copies::<M>(r.c.cx, r.extra(), r.container(), r.c.body);
    lines(r: V, M) => forms::lines::<M>(r.c.cx, r.container(), r.extra(), r.c.body);
    pair_lines(r: V, M) => forms::pair_lines::<M>(r.c.cx, r.container(), r.extra(), r.c.body);
    nearest(r: V, M) => forms::nearest::<M>(r.c.cx, r.extra(), r.container(), r.c.body);
    shots(r: V, M) => {
        forms::shots_onto::<M>(r.c.cx, r.extra(), r.container(), r.onto(), r.c.body)
    };
    fits(r: V, M) => forms::fits::<M>(r.c.cx, r.extra(), r.onto(), r.container(), r.c.body);
    of_color(r: V, M) => forms::of_color::<M>(r.c.cx, r.extra(), r.container(), r.c.body);
    of_colors(r: V, M) => forms::of_colors::<M>(r.c.cx, r.extra(), r.container(), r.c.body);
    apply(r: V, M) => match r.pair() {
        Some(pair) => pair,
        None if r.c.heap && r.container().is_set() => {
            close::heap::<V>(r.c.cx, r.n, |k| r.result(k))
        }
        None => close::apply::<V>(r.c.cx, r.container().is_set(), r.n, |k| r.result(k)),
    };
    mapply(r: V, M) => match r.container().is_set() {
        _ if r.n > r.c.most => Val::BACK,
        true => close::merge::<M>(r.c.cx, true, r.n, |k| r.result(k)),
        false => close::merge::<V>(r.c.cx, false, r.n, |k| r.result(k)),
    };
    papply(r: V, M) => match r.pair() {
        Some(pair) => pair,
        None => close::apply::<V>(r.c.cx, false, r.n, |k| r.result(k)),
    };
    mpapply(r: V, M) => close::merge::<V>(r.c.cx, false, r.n, |k| r.result(k));
    prapply(r: V, M) => if r.c.heap {
        close::heap::<V>(r.c.cx, r.n, |k| r.result(k))
    } else {
        close::apply::<V>(r.c.cx, true, r.n, |k| r.result(k))
    };
    sfilter(r: V, M) => {
        close::filter::<M>(r.c.cx, r.container(), r.n, |k| r.item(k), |k| r.result(k))
    };
    mfilter(r: V, M) => {
        let set = r.container().is_set();
        close::filter_merge::<M>(r.c.cx, set, r.n, |k| r.item(k), |k| r.result(k))
    };
    extract(r: V, M) => close::extract::<V>(r.n, |k| r.item(k), |k| r.result(k));
    order(r: V, M) => close::order::<V>(r.c.cx, r.n, |k| r.item(k), |k| r.result(k));
    argmax(r: V, M) => close::argmax::<V>(r.c.cx, r.n, |k| r.item(k), |k| r.result(k));
    argmin(r: V, M) => close::argmin::<V>(r.c.cx, r.n, |k| r.item(k), |k| r.result(k));
    valmax(r: V, M) => close::valmax::<V>(r.c.cx, r.n, |k| r.result(k), r.extra());
    valmin(r: V, M) => close::valmin::<V>(r.c.cx, r.n, |k| r.result(k), r.extra());
    nth_by_key(r: V, M) => {
        close::nth_by_key::<V>(r.c.cx, r.n, |k| r.item(k), |k| r.result(k), r.extra())
    };
    arg_rank(r: V, M) => {
        close::arg_rank::<V>(r.c.cx, r.n, |k| r.item(k), |k| r.result(k), r.extra())
    };
    val_rank(r: V, M) => close::val_rank::<V>(r.c.cx, r.n, |k| r.result(k), r.extra());
    hand_back(_r: V, M) => Val::BACK;
}
