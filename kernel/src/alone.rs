//! Closing loops of a few bodies, each by a thread alone.

use crate::closes::Loop;
use crate::mask::Bounds;
use crate::seq::{List, depth, elements, len, truth};
use crate::val::{Fault, MONO, Tag, Val};

/// What a thread can do about a row.
pub enum Plan {
    /// It is this.
    Given(Val),
    /// It can be made, with so many units of the arena, of the items or results that bits tell.
    Room { units: u32, of: u32 },
    /// The warp must do it.
    Left,
}

/// How a thread closes a row.
pub trait Closer: Copy {
    /// Whether it makes anything.
    const MAKES: bool = true;

    /// What it can do.
    fn plan(self, l: &Loop) -> Plan;

    /// What it makes at a unit, of what the plan told.
    #[inline(always)]
    fn make(self, _: &Loop, _unit: u32, _of: u32) -> Val {
        Val::BACK
    }
}

/// Units of the rows of a patch.
const PATCH: u32 = 4;
/// The most patches that are united by a thread, and the most items that it puts in order.
const MOST: u32 = 16;

/// Units for an array; patches that are taken with it must begin at an even one.
fn array_units(n: u32) -> u32 {
    n.div_ceil(4) * 2
}

/// Two ints as a pair, an int and a pair as a cell.
#[inline(always)]
fn pair(a: Val, b: Val) -> Option<Val> {
    match (a.as_int(), b.tag()) {
        (Some(a), Tag::Int) => Some(Val::pair(a, b.x() as i32)),
        (Some(a), Tag::Pair) => Some(Val::cell(a, b.b() as i32, b.x() as i32)),
        _ => None,
    }
}

/// Calls `f` with the numbers of bits that are set.
#[inline(always)]
fn each_of(mut bits: u32, mut f: impl FnMut(u32)) {
    while bits != 0 {
        f(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Whether tuples that begin with such a value may be grids.
#[inline(always)]
fn may_be_row(v: Val) -> bool {
    v.is(Tag::Tuple)
}

/// Some values in an array at a unit, as a set or a tuple. They are in their order, and those of a set are no
/// ints, locations or cells.
#[inline(always)]
fn listed(l: &Loop, unit: u32, of: u32, is_set: bool, get: impl Fn(u32) -> Val) -> Val {
    let (mut len, mut all, mut deepest) = (0, 0u32, 0);
    each_of(of, |k| {
        let v = get(k);
        l.cx.put_own(unit, len, v);
        all = all.saturating_add(elements(v).max(1));
        deepest = depth(v).max(deepest);
        len += 1;
    });
    let list = List::held(unit, len, all, deepest);
    if is_set { list.array() } else { list.tuple(l.cx) }
}

/// The bits of some locations or cells that lie in a window.
#[inline(always)]
fn bits(l: &Loop, unit: u32, of: u32, origin: (i32, i32), get: impl Fn(u32) -> Val) {
    let mut k = 0;
    while k < 8 {
        l.cx.put_own(unit, k, Val::from_words(0, 0));
        k += 1;
    }
    each_of(of, |k| {
        let v = get(k);
        let (i, j) = (v.b() as i32 - origin.0, v.x() as i32 - origin.1);
        let row = i as u32 & 31;
        l.cx.put_own_word(unit, row, l.cx.word(unit, row) | 1 << (j & 31));
    });
}

/// `apply`.
#[derive(Clone, Copy)]
pub struct Apply;

impl Closer for Apply {
    #[inline(always)]
    fn plan(self, l: &Loop) -> Plan {
        let (first, is_set) = (if l.n == 0 { Val::NULL } else { l.result(0) }, l.is_set());
        let (mut alike, mut inside, mut colors, mut rows, mut k) = (true, true, 0, false, 0);
        let mut small = true;
        while k < l.n {
            let v = l.result(k);
            if v.is_bad() {
                return Plan::Given(v);
            }
            // Cells of one colour are alike, and all others of a kind.
            alike &= v.is(first.tag()) & (v.a() == first.a());
            inside &= Bounds::of(v.b() as i32, v.x() as i32).window() == Some((0, 0));
            small &= v.is(Tag::Int) & (v.x() < 32);
            colors |= 1 << (v.x() & 31);
            rows |= may_be_row(v);
            k += 1;
        }
        let of = l.all();
        match (is_set, l.n) {
            (true, 0) => Plan::Given(Val::EMPTY_SET),
            (false, 0) => Plan::Given(Val::EMPTY_TUPLE),
            (true, _) if small => Plan::Given(Val::colors(colors)),
            (true, _) if matches!(first.tag(), Tag::Int | Tag::Pair | Tag::Cell) => {
                let held = first.is(Tag::Pair) | (first.is(Tag::Cell) & (first.a() < 16));
                if held & alike & inside { Plan::Room { units: PATCH, of } } else { Plan::Left }
            }
            (true, 1) => Plan::Room { units: array_units(1), of },
            (true, _) => Plan::Left,
            (false, _) if rows | (l.n > MOST) => Plan::Left,
            (false, 2) => match pair(first, l.result(1)) {
                Some(pair) => Plan::Given(pair),
                None => Plan::Room { units: array_units(2), of },
            },
            (false, n) => Plan::Room { units: array_units(n), of },
        }
    }

    #[inline(always)]
    fn make(self, l: &Loop, unit: u32, of: u32) -> Val {
        let first = l.result(0);
        if l.is_set() && matches!(first.tag(), Tag::Pair | Tag::Cell) {
            bits(l, unit, of, (0, 0), |k| l.result(k));
            let (mut count, mut k) = (0, 0);
            while k < 8 {
                let [a, b, c, d] = l.cx.val(unit, k).words().map(u32::count_ones);
                count += a + b + c + d;
                k += 1;
            }
            return match first.tag() {
                Tag::Cell => Val::new(Tag::Object, count, unit, MONO | first.a(), 0),
                _ => Val::new(Tag::Mask, count, unit, 0, 0),
            };
        }
        listed(l, unit, of, l.is_set(), |k| l.result(k))
    }
}

/// The union of some patches.
#[inline(always)]
fn plan_union(of: u32, get: impl Fn(u32) -> Val) -> Plan {
    let (mut first, mut alike, mut some, mut sets) = (Val::EMPTY_SET, true, 0u32, true);
    each_of(of, |k| {
        let v = get(k);
        if !v.is_empty_set() {
            if some == 0 {
                first = v;
            }
            // In one window and with one colour, or planes in common.
            alike &= v.is(first.tag()) & (v.b() == first.b()) & (v.x() == first.x());
            some |= 1 << k;
        }
        sets &= v.is_set();
    });
    let is_patch = first.is(Tag::Mask) | first.is(Tag::Object);
    match some.count_ones() {
        // The first that is not empty decides, if it is bad.
        _ if first.is_bad() => Plan::Given(first),
        0 | 1 if sets => Plan::Given(first),
        2..=MOST if is_patch & alike => Plan::Room { units: PATCH, of: some },
        _ => Plan::Left,
    }
}

/// The union that was planned.
#[inline(always)]
fn union(l: &Loop, unit: u32, of: u32, get: impl Fn(u32) -> Val) -> Val {
    let (first, mut count, mut strip) = (get(of.trailing_zeros() & 31), 0, 0);
    while strip < 8 {
        let mut all = [0; 4];
        each_of(of, |k| {
            let [a, b, c, d] = l.cx.val(get(k).a(), strip).words();
            all = [all[0] | a, all[1] | b, all[2] | c, all[3] | d];
        });
        l.cx.put_own(unit, strip, Val::from_four_words(all));
        let [a, b, c, d] = all.map(u32::count_ones);
        count += a + b + c + d;
        strip += 1;
    }
    Val::new(first.tag(), count, unit, first.b(), first.x())
}

/// `mapply`.
#[derive(Clone, Copy)]
pub struct Merge;

impl Closer for Merge {
    #[inline(always)]
    fn plan(self, l: &Loop) -> Plan {
        match l.n {
            _ if l.is_set() => plan_union(l.all(), |k| l.result(k)),
            0 => Plan::Given(Val::EMPTY_TUPLE),
            _ => Plan::Left,
        }
    }

    #[inline(always)]
    fn make(self, l: &Loop, unit: u32, of: u32) -> Val {
        union(l, unit, of, |k| l.result(k))
    }
}

/// Which conditions hold, or the first that is bad.
#[inline(always)]
fn holding(l: &Loop) -> Result<u32, Val> {
    let (mut of, mut k) = (0, 0);
    while k < l.n {
        let holds = l.result(k);
        if holds.is_bad() {
            return Err(holds);
        }
        of |= u32::from(truth(holds)) << k;
        k += 1;
    }
    Ok(of)
}

/// `sfilter`.
#[derive(Clone, Copy)]
pub struct Filter;

impl Closer for Filter {
    #[inline(always)]
    fn plan(self, l: &Loop) -> Plan {
        let of = match holding(l) {
            Ok(of) => of,
            Err(bad) => return Plan::Given(bad),
        };
        let (container, is_set) = (l.container, l.container.is_set());
        let known = matches!(container.tag(), Tag::Mask | Tag::Object | Tag::Tuple | Tag::Set);
        if !known || len(container) != Some(l.n) {
            return Plan::Left;
        }
        let first = if of == 0 { Val::NULL } else { l.item(of.trailing_zeros() & 31) };
        let single = matches!(first.tag(), Tag::Int | Tag::Pair | Tag::Cell);
        match container.tag() {
            _ if of == l.all() => Plan::Given(container),
            _ if of == 0 && is_set => Plan::Given(Val::EMPTY_SET),
            _ if of == 0 => Plan::Given(Val::EMPTY_TUPLE),
            Tag::Mask | Tag::Object => Plan::Room { units: PATCH, of },
            // Bits might hold what is left, or a grid.
            Tag::Set if single => Plan::Left,
            Tag::Tuple if may_be_row(first) => Plan::Left,
            _ => Plan::Room { units: array_units(of.count_ones()), of },
        }
    }

    #[inline(always)]
    fn make(self, l: &Loop, unit: u32, of: u32) -> Val {
        let container = l.container;
        if matches!(container.tag(), Tag::Mask | Tag::Object) {
            bits(l, unit, of, container.origin(), |k| l.item(k));
            return Val::new(container.tag(), of.count_ones(), unit, container.b(), container.x());
        }
        listed(l, unit, of, container.is_set(), |k| l.item(k))
    }
}

/// `mfilter`.
#[derive(Clone, Copy)]
pub struct FilterMerge;

impl Closer for FilterMerge {
    #[inline(always)]
    fn plan(self, l: &Loop) -> Plan {
        match holding(l) {
            Ok(of) if l.is_set() => plan_union(of, |k| l.item(k)),
            Ok(0) => Plan::Given(Val::EMPTY_TUPLE),
            Ok(_) => Plan::Left,
            Err(bad) => Plan::Given(bad),
        }
    }

    #[inline(always)]
    fn make(self, l: &Loop, unit: u32, of: u32) -> Val {
        union(l, unit, of, |k| l.item(k))
    }
}

/// `order`.
#[derive(Clone, Copy)]
pub struct Order;

impl Closer for Order {
    #[inline(always)]
    fn plan(self, l: &Loop) -> Plan {
        // A warp needs less for more.
        if l.n > MOST / 2 {
            return Plan::Left;
        }
        let (mut ints, mut rows, mut k) = (true, false, 0);
        while k < l.n {
            let key = l.result(k);
            if key.is_bad() {
                return Plan::Given(key);
            }
            ints &= key.is(Tag::Int);
            rows |= may_be_row(l.item(k));
            k += 1;
        }
        match l.n {
            0 => Plan::Given(Val::EMPTY_TUPLE),
            _ if ints & !rows => Plan::Room { units: array_units(l.n), of: l.all() },
            _ => Plan::Left,
        }
    }

    #[inline(always)]
    fn make(self, l: &Loop, unit: u32, _: u32) -> Val {
        let (mut all, mut deepest, mut k) = (0u32, 0, 0);
        while k < l.n {
            let (key, v) = (l.result(k).x() as i32, l.item(k));
            // So many come before it.
            let (mut before, mut other) = (0, 0);
            while other < l.n {
                let theirs = l.result(other).x() as i32;
                before += u32::from(theirs < key || (theirs == key && other < k));
                other += 1;
            }
            l.cx.put_own(unit, before, v);
            all = all.saturating_add(elements(v).max(1));
            deepest = depth(v).max(deepest);
            k += 1;
        }
        List::held(unit, l.n, all, deepest).tuple(l.cx)
    }
}

/// `extract`: the first item whose condition is true or bad.
#[derive(Clone, Copy)]
pub struct Extract;

impl Closer for Extract {
    const MAKES: bool = false;

    #[inline(always)]
    fn plan(self, l: &Loop) -> Plan {
        let mut k = 0;
        while k < l.n {
            let holds = l.result(k);
            if holds.is_bad() || truth(holds) {
                return Plan::Given(if holds.is_bad() { holds } else { l.item(k) });
            }
            k += 1;
        }
        Plan::Given(Val::error(Fault::StopIteration))
    }
}

/// The first item with an extreme key, or that key, where all keys are ints; or the first bad one.
#[derive(Clone, Copy)]
pub struct Extremum;

impl Closer for Extremum {
    const MAKES: bool = false;

    #[inline(always)]
    fn plan(self, l: &Loop) -> Plan {
        let (side, mut best, mut key, mut ints, mut k) = (l.side(), 0, 0, true, 0);
        while k < l.n {
            let here = l.result(k);
            if here.is_bad() {
                return Plan::Given(here);
            }
            ints &= here.is(Tag::Int);
            if k == 0 || (here.x() as i32).cmp(&key) == side {
                (best, key) = (k, here.x() as i32);
            }
            k += 1;
        }
        match l.n {
            _ if !ints => Plan::Left,
            0 => Plan::Given(l.extra()),
            _ => Plan::Given(l.picked(best)),
        }
    }
}
