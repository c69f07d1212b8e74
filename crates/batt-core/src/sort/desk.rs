//! Tickets: what is sorted in place of values. A ticket has the key of a value and its place.

use core::cmp::Ordering;

use super::number::{EXACT, Key, Shape, key, shape};
use super::{Kind, kind, leading};
use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::order::compare;
use crate::val::{Tag, Val};

/// Whether two patches are the same rows and colours, in the same place or in another.
#[inline(always)]
fn same_rows(a: Val, b: Val) -> bool {
    a.is(b.tag()) && a.a() == b.a() && a.b() == b.b()
}

/// A place in an array with its key.
#[inline(always)]
fn ticket(key: Key, place: u32) -> Val {
    Val::from_words(u64::from(key.tie) << 32 | u64::from(place), key.number)
}

/// The key of a ticket.
#[inline(always)]
fn key_of(ticket: Val) -> Key {
    let (lo, hi) = ticket.two_words();
    Key { number: hi, tie: (lo >> 32) as u32 }
}

/// The place of a ticket.
#[inline(always)]
fn place_of(ticket: Val) -> u32 {
    ticket.two_words().0 as u32
}

/// A ticket as a number: its key, then its place.
#[inline(always)]
fn whole(ticket: Val) -> u128 {
    let (lo, hi) = ticket.two_words();
    u128::from(hi) << 64 | u128::from(lo)
}

/// How the values of two tickets with the same key compare.
#[inline(always)]
fn same_key<V: Lanes>(cx: Cx, unit: u32, a: Val, b: Val) -> Option<Ordering> {
    if key_of(a).tie & EXACT != 0 {
        return Some(Ordering::Equal);
    }
    compare::<V>(cx, cx.val(unit, place_of(a)), cx.val(unit, place_of(b)))
}

/// Where a run starts and how long it is.
#[inline(always)]
fn run(start: u32, len: u32) -> Val {
    Val::pair(start as i32, len as i32)
}

/// The values and what they are sorted with: tickets, room for as many, and runs that ascend.
pub(super) struct Desk {
    unit: u32,
    from: u32,
    to: u32,
    runs: u32,
}

impl Desk {
    /// Room for sorting `n` values; `None` where the arena is full.
    #[inline(always)]
    pub fn new(cx: Cx, unit: u32, n: u32) -> Option<Desk> {
        Some(Desk { unit, from: cx.take_vals(n)?, to: cx.take_vals(n)?, runs: cx.take_vals(n)? })
    }

    /// Writes a ticket for each value and notes the runs that ascend already; how many those are, and
    /// whether all values ascend. What is put together from sets has few.
    #[inline(always)]
    pub fn fill<V: Lanes>(&self, cx: Cx, n: u32) -> Option<(u32, bool)> {
        let kind = kind::<V>(cx, self.unit, n);
        let (mut last, mut ascending) = (Val::from_words(0, 0), true);
        let (mut count, mut start, mut k) = (0, 0, 0);
        // The same patch often comes in many places.
        let mut known: Option<(Val, Shape)> = None;
        while k < n {
            let v = leading(cx, cx.val(self.unit, k), kind);
            let mut key = match kind {
                Kind::Any => Key { number: 0, tie: 0 },
                Kind::Plain => key::<V>(cx, v),
                _ if !matches!(v.tag(), Tag::Mask | Tag::Object) => key::<V>(cx, v),
                _ => {
                    let shape = match known {
                        Some((last, shape)) if same_rows(last, v) => shape,
                        _ => shape::<V>(cx, v),
                    };
                    known = Some((v, shape));
                    shape.at(v.origin())
                }
            };
            match kind {
                Kind::Arrays => key.tie = 0,
                // There is more to a tuple than its first item.
                Kind::Firsts => key.tie &= !EXACT,
                _ => {}
            }
            let here = ticket(key, k);
            cx.put(self.from, k, here);
            if whole(here) < whole(last) {
                cx.put(self.runs, count, run(start, k - start));
                (count, start, ascending) = (count + 1, k, false);
            } else if ascending && k > 0 && key == key_of(last) {
                ascending = same_key::<V>(cx, self.unit, last, here)? == Ordering::Less;
            }
            last = here;
            k += 1;
        }
        cx.put(self.runs, count, run(start, n - start));
        Some((count + 1, ascending))
    }

    /// Merges runs of tickets until there is one, in the order of their keys.
    #[inline(always)]
    pub fn merge_keys(&mut self, cx: Cx, runs: u32) -> Option<()> {
        let order = |greater: bool| if greater { Ordering::Greater } else { Ordering::Less };
        self.merge_all(cx, runs, |x, y| Some(order(whole(y) < whole(x))))
    }

    /// Merges runs until there is one; equal ones go as soon as they meet.
    #[inline(always)]
    fn merge_all(
        &mut self,
        cx: Cx,
        runs: u32,
        compare: impl Fn(Val, Val) -> Option<Ordering>,
    ) -> Option<()> {
        let mut count = runs;
        while count > 1 {
            let mut r = 0;
            while r < count {
                let left = cx.val(self.runs, r);
                let right = if r + 1 < count { cx.val(self.runs, r + 1) } else { Val::pair(0, 0) };
                let ends = ((left.b(), left.x()), (right.b(), right.x()));
                let len = merge(cx, (self.from, self.to), ends.0, ends.1, &compare)?;
                cx.put(self.runs, r / 2, run(left.b(), len));
                r += 2;
            }
            core::mem::swap(&mut self.from, &mut self.to);
            count = count.div_ceil(2);
        }
        Some(())
    }

    /// Writes the values of the tickets, which are in the order of their keys, without repeats; how many
    /// there are.
    #[inline(always)]
    pub fn write<V: Lanes>(&self, cx: Cx, n: u32, out: u32) -> Option<u32> {
        let (mut at, mut k) = (0, 0);
        while k < n {
            let first = cx.val(self.from, k);
            let mut end = k + 1;
            while end < n && key_of(cx.val(self.from, end)) == key_of(first) {
                end += 1;
            }
            if end - k > 1 && key_of(first).tie & EXACT == 0 {
                at = self.write_compared::<V::Out>(cx, (k, end), (out, at))?;
            } else {
                cx.put(out, at, cx.val(self.unit, place_of(first)));
                at += 1;
            }
            k = end;
        }
        Some(at)
    }

    /// As [`Desk::write`], for some with the same key.
    #[inline(never)]
    fn write_compared<V: Lanes>(
        &self,
        cx: Cx,
        (start, end): (u32, u32),
        (out, from): (u32, u32),
    ) -> Option<u32> {
        let ticket = |k: u32| cx.val(self.from, k);
        let (mut count, mut first, mut k) = (0, start, start + 1);
        while k <= end {
            let ends = k == end
                || same_key::<V>(cx, self.unit, ticket(k - 1), ticket(k))? != Ordering::Less;
            if ends {
                cx.put(self.runs, count, run(first, k - first));
                (count, first) = (count + 1, k);
            }
            k += 1;
        }
        let mut desk = Desk { ..*self };
        desk.merge_all(cx, count, |x, y| same_key::<V>(cx, self.unit, x, y))?;
        let (len, mut k) = (cx.val(self.runs, 0).x(), 0);
        while k < len {
            let ticket = cx.val(desk.from, start + k);
            cx.put(out, from + k, cx.val(self.unit, place_of(ticket)));
            k += 1;
        }
        Some(from + len)
    }
}

/// Merges two runs (where each starts, how long it is) into another array, at the place of the
/// first; how long the result is. Equal ones go.
#[inline(always)]
fn merge(
    cx: Cx,
    (from, to): (u32, u32),
    left: (u32, u32),
    right: (u32, u32),
    compare: impl Fn(Val, Val) -> Option<Ordering>,
) -> Option<u32> {
    let (mut a, mut b, mut k) = (left.0, right.0, left.0);
    let (a_end, b_end) = (left.0 + left.1, right.0 + right.1);
    while a < a_end && b < b_end {
        let (x, y) = (cx.val(from, a), cx.val(from, b));
        // Which comes first cannot be foretold, so nothing branches on it.
        let order = compare(x, y)?;
        let greater = order == Ordering::Greater;
        cx.put(to, k, if greater { y } else { x });
        a += u32::from(!greater);
        b += u32::from(order != Ordering::Less);
        k += 1;
    }
    while a < a_end {
        cx.put(to, k, cx.val(from, a));
        a += 1;
        k += 1;
    }
    while b < b_end {
        cx.put(to, k, cx.val(from, b));
        b += 1;
        k += 1;
    }
    Some(k - left.0)
}
