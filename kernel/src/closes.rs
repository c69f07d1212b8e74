//! Closing element frames. Primitives that differ in a detail share a kernel.

use core::cmp::Ordering;

use crate::alone::{Apply, Closer, Extract, Extremum, Filter, FilterMerge, Merge, Order, Plan};
use crate::arena::{Cx, ROWS};
use crate::calls::{count_all, past_limit};
use crate::close;
use crate::columns::{
    AS_SET, AS_TUPLE, BY_PLACE, Close, FORM, LEAST, MAX_WORK, MOST_BODIES, OF_RESULTS, Operand, WHOLE,
    suffix,
};
use crate::forms;
use crate::gather::flat;
use crate::global::{get, set};
use crate::lanes::{Lanes, low_bits};
use crate::lanes::gpu::{Gpu, lane, together};
use crate::ready::{AskedRow, Ready, ask, ready};
use crate::rows::{Kept, List, Threads, keep, list};
use crate::val::{Fault, Tag, Val};

/// The most items that a thread looks at alone.
const FEW: u32 = 32;

/// A loop of one row, ready to be closed.
///
/// It has what closing needs of the parameters: whoever is shown those would find them in memory, to
/// which every thread had to copy them first.
#[derive(Clone, Copy)]
pub struct Loop {
    /// The arena.
    pub cx: Cx,
    results: Operand,
    items: u64,
    flags: u32,
    body: u32,
    /// What the loop runs over.
    pub container: Val,
    start: u32,
    /// How many bodies ran.
    pub n: u32,
    extra: Val,
    /// The grid on which alone the result will be drawn; null where it may be read otherwise.
    onto: Val,
    /// The container's items as an array, where they are asked for by place.
    array: u32,
    len: u32,
    /// What its pieces gave, where it was closed in pieces.
    closed: Option<Val>,
}

impl Loop {
    #[inline(always)]
    fn new(cx: Cx, c: &Close, (container, start, n, extra): Ready) -> Loop {
        let Close { results, items, flags, body, .. } = *c;
        let (onto, array, len, closed) = (Val::NULL, 0, 0, None);
        Loop {
            cx,
            results,
            items,
            flags,
            body,
            container,
            start,
            n,
            extra,
            onto,
            array,
            len,
            closed,
        }
    }

    #[inline(always)]
    pub fn result(&self, k: u32) -> Val {
        // SAFETY: a loop's rows are rows of its frame.
        unsafe { self.results.get(self.start + k) }
    }

    #[inline(always)]
    pub fn item(&self, k: u32) -> Val {
        if self.flags & BY_PLACE != 0 {
            return if k < self.len { self.cx.val(self.array, k) } else { Val::BACK };
        }
        let items = self.items as *const Val;
        if items.is_null() {
            return Val::BACK;
        }
        // SAFETY: a loop's rows are rows of its frame.
        unsafe { get(items.add((self.start + k) as usize)) }
    }
}

impl Loop {
    /// A bit for each body of a few.
    #[inline(always)]
    pub fn all(&self) -> u32 {
        low_bits(self.n)
    }

    /// Whether the result is a set.
    #[inline(always)]
    pub fn is_set(&self) -> bool {
        is_set(self.flags, self.container)
    }

    /// An item, or its result where that is asked for.
    #[inline(always)]
    pub fn picked(&self, k: u32) -> Val {
        if self.flags & OF_RESULTS != 0 { self.result(k) } else { self.item(k) }
    }

    /// Which side an extreme key is on.
    #[inline(always)]
    pub fn side(&self) -> Ordering {
        if self.flags & LEAST != 0 { Ordering::Less } else { Ordering::Greater }
    }

    /// What an extreme of nothing is.
    #[inline(always)]
    pub fn extra(&self) -> Val {
        if self.flags & OF_RESULTS != 0 { self.extra } else { Val::error(Fault::Value) }
    }
}

/// Whether a result is a set: as the instruction says, or as the container is.
#[inline(always)]
pub fn is_set(flags: u32, container: Val) -> bool {
    flags & AS_SET != 0 || (flags & AS_TUPLE == 0 && container.is_set())
}

/// Whether a container's items lie side by side.
#[inline(always)]
fn is_array(container: Val) -> bool {
    container.is(Tag::Tuple) | container.is(Tag::Set)
}

/// What the pieces of a row gave, if it has any.
#[inline(always)]
unsafe fn closed(c: &Close, row: u32) -> Option<Val> {
    let firsts = c.firsts as *const u32;
    let first = if firsts.is_null() { 0 } else { get(firsts.add(row as usize)) };
    if first == 0 { None } else { Some(get((c.closed as *const Val).add(first as usize - 1))) }
}

/// How many bodies some rows of a loop ran in turn: from one on up to another, so many apart.
#[inline(always)]
unsafe fn inner(c: &Close, list: List, start: u32, end: u32, step: u32) -> u32 {
    let (mut all, mut at) = (0, start);
    while c.nested > 0 && at < end {
        all = (all + count_all(list, c.guards + c.over, c.nested, at)).min(MOST_BODIES);
        at += step;
    }
    all
}

/// How many bodies a loop of so many rows ran with those inside them, and what it is if those were too
/// many or may have taken too much.
#[inline(always)]
fn limited(c: &Close, n: u32, inner: u32) -> (Val, u32) {
    let ran = n + inner;
    let limit = past_limit(ran, inner > 0 && c.flags & WHOLE == 0);
    let work = u64::from(n) * u64::from(c.own) + u64::from(inner) * u64::from(c.inner);
    let back = (n > c.most) | (work > MAX_WORK);
    (if !limit.is_bad() & back { Val::BACK } else { limit }, ran)
}

/// One row: what stands in the way of closing, or the value; and how many bodies ran.
#[inline(always)]
unsafe fn row(
    cx: Cx,
    c: &Close,
    list: List,
    (row, asked): (u32, AskedRow),
    f: impl Fn(Loop) -> Val,
) -> (Val, u32) {
    let (found, onto) = match asked.ready(cx, c) {
        Ok(ready) => ready,
        Err(bad) => return (bad, 0),
    };
    let (container, start, n, _) = found;
    let inner = inner(c, list, start + lane(), start + n, 32);
    let inner = if c.nested == 0 { 0 } else { Gpu(inner).sum().min(MOST_BODIES) };
    let (limit, ran) = limited(c, n, inner);
    if limit.is_bad() {
        return (limit, ran);
    }
    let (mut array, mut items) = (0, 0);
    if c.flags & BY_PLACE != 0 {
        match flat::<Gpu>(cx, container) {
            Ok(found) => (array, items) = found,
            Err(bad) => return (bad, ran),
        }
    }
    let closed = closed(c, row);
    let all = Loop { array, len: items, closed, onto, ..Loop::new(cx, c, found) };
    (f(all), ran)
}

/// Writes what a row gave.
#[inline(always)]
unsafe fn put(c: &Close, row: u32, (val, ran): (Val, u32)) {
    set((c.out as *mut Val).add(row as usize), val.began_at(c.slot));
    let bodies = c.bodies as *mut u32;
    if !bodies.is_null() {
        set(bodies.add(row as usize), ran);
    }
}

/// Closes every row.
#[inline(always)]
unsafe fn column(c: &Close, list: List, f: impl Fn(Loop) -> Val + Copy) {
    let kept = Kept::ask(&c.memory);
    let mut walk = Threads::of_grid().walk(c.rows);
    let mut asked = ask(c, list, walk.row);
    let cx = kept.cx(&c.memory);
    while walk.row < c.rows {
        put(c, walk.row, row(cx, c, list, (walk.row, asked), f));
        walk.next();
        asked = ask(c, list, walk.row);
    }
    keep(&c.memory, cx);
}

/// A loop as a thread sees it that closes it alone; what stands in the way of closing; or nothing, where it
/// cannot.
#[inline(always)]
unsafe fn seen_alone(cx: Cx, c: &Close, list: List, at: u32) -> Option<Result<(Loop, u32), (Val, u32)>> {
    // Items by place are not asked for where results are picked.
    let by_place = c.flags & (BY_PLACE | OF_RESULTS) == BY_PLACE;
    let found = match ready(cx, c, list, at) {
        Err(bad) => return Some(Err((bad, 0))),
        Ok(found) => found,
    };
    let (container, start, n, _) = found;
    if n > FEW || (by_place & !is_array(container)) {
        return None;
    }
    let mut all = Loop::new(cx, c, found);
    if by_place {
        (all.array, all.len) = (container.a(), container.x());
    }
    let (limit, ran) = limited(c, n, inner(c, list, start, start + n, 1));
    Some(if limit.is_bad() { Err((limit, ran)) } else { Ok((all, ran)) })
}

/// As [`column`]; a thread closes a row alone where it can.
#[inline(always)]
unsafe fn column_alone<B: Closer>(c: &Close, list: List, by: B, f: impl Fn(Loop) -> Val + Copy) {
    let cx = Kept::ask(&c.memory).cx(&c.memory);
    let plain = (c.suffix == suffix::NONE) & (c.flags & FORM == 0);
    Threads::of_grid().each_at_once(
        c.rows,
        #[inline(always)]
        |at| {
            let (mut left, mut units, mut made) = (false, 0, None);
            if let Some(at) = at {
                let seen = if plain { seen_alone(cx, c, list, at) } else { None };
                match seen {
                    None => left = true,
                    Some(Err(bad)) => put(c, at, bad),
                    Some(Ok((all, ran))) => match by.plan(&all) {
                        Plan::Given(v) => put(c, at, (v, ran)),
                        Plan::Left => left = true,
                        Plan::Room { units: wanted, of } => {
                            (left, units, made) = (true, wanted, Some((all, ran, of)));
                        }
                    },
                }
            }
            if B::MAKES {
                // Room for all threads is taken at once.
                let (before, all) = Gpu::before(units);
                if all != 0
                    && let Some(first) = cx.take(all.div_ceil(ROWS))
                {
                    // What is taken may have been given back by a row that was done together.
                    together();
                    if let (Some(at), Some((all, ran, of))) = (at, made) {
                        put(c, at, (by.make(&all, first + before, of), ran));
                        left = false;
                    }
                }
            }
            left
        },
        #[inline(always)]
        |at| put(c, at, row(cx, c, list, (at, ask(c, list, at)), f)),
    );
    keep(&c.memory, cx);
}

macro_rules! closes {
    ($($(#[$doc:meta])* $name:ident $(alone $alone:path,)? |$loop:ident| $body:expr;)*) => {
        $(
            $(#[$doc])*
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(c: Close) {
                let list = list!($name, Close, list);
                closes!(@column c, list, $loop, $body $(, $alone)?);
            }
        )*
    };
    (@column $c:ident, $list:ident, $loop:ident, $body:expr) => {
        column(
            &$c,
            $list,
            #[inline(always)]
            |$loop| $body,
        );
    };
    (@column $c:ident, $list:ident, $loop:ident, $body:expr, $alone:path) => {
        // What threads close needs all registers that there are; what is left is done elsewhere.
        #[inline(never)]
        fn apart(all: &Loop) -> Val {
            let $loop = *all;
            $body
        }
        column_alone(
            &$c,
            $list,
            $alone,
            #[inline(always)]
            |all| apart(&all),
        );
    };
}

closes! {
    /// The results as a set or a tuple.
    close_apply alone Apply, |l| match l.closed {
        Some(v) => v,
        None => close::apply::<Gpu>(l.cx, l.is_set(), l.n, |k| l.result(k)),
    };
    /// The results as a set or a tuple, where a set may hold them in any order and more than once.
    close_heap |l| if l.is_set() {
        close::heap::<Gpu>(l.cx, l.n, |k| l.result(k))
    } else {
        close::apply::<Gpu>(l.cx, false, l.n, |k| l.result(k))
    };
    /// The items of all results as a set or a tuple.
    close_merge alone Merge, |l| match l.closed {
        Some(v) => v,
        None => close::merge::<Gpu>(l.cx, l.is_set(), l.n, |k| l.result(k)),
    };
    /// A patch moved by every item.
    close_stamps |l| forms::stamps_onto::<Gpu>(l.cx, l.extra, l.container, l.onto, l.body);
    /// A patch moved by every item, each copy for itself.
    close_copies |l| forms::copies::<Gpu>(l.cx, l.extra, l.container, l.body);
    /// The lines between all items and those of a second container.
    close_lines |l| forms::lines::<Gpu>(l.cx, l.container, l.extra, l.body);
    /// The same, where the loop runs over the pairs of both.
    close_pair_lines |l| forms::pair_lines::<Gpu>(l.cx, l.container, l.extra, l.body);
    /// The item that lies nearest to a patch.
    close_nearest |l| forms::nearest::<Gpu>(l.cx, l.extra, l.container, l.body);
    /// The lines from all items in a direction.
    close_shots |l| forms::shots_onto::<Gpu>(l.cx, l.extra, l.container, l.onto, l.body);
    /// The items that begin with a value.
    close_of_color |l| forms::of_color::<Gpu>(l.cx, l.extra, l.container, l.body);
    /// The items that begin with one of a container's.
    close_of_colors |l| forms::of_colors::<Gpu>(l.cx, l.extra, l.container, l.body);
    /// The items whose condition holds.
    close_filter alone Filter, |l| close::filter::<Gpu>(l.cx, l.container, l.n, |k| l.item(k), |k| l.result(k));
    /// The items of the items whose condition holds.
    close_filter_merge alone FilterMerge, |l| close::filter_merge::<Gpu>(l.cx, l.is_set(), l.n, |k| l.item(k), |k| l.result(k));
    /// The first item whose condition holds.
    close_extract alone Extract, |l| close::extract::<Gpu>(l.n, |k| l.item(k), |k| l.result(k));
    /// The items by ascending key.
    close_order alone Order, |l| close::order::<Gpu>(l.cx, l.n, |k| l.item(k), |k| l.result(k));
    /// The item with an extreme key, or that key.
    close_extremum alone Extremum, |l| close::extremum::<Gpu>(l.cx, l.n, |k| l.picked(k), |k| l.result(k), l.side(), l.extra());
    /// The item at a rank, smallest key first, or its key.
    close_ranked |l| close::nth_by_key::<Gpu>(l.cx, l.n, |k| l.picked(k), |k| l.result(k), l.extra);
    /// The item at a rank, largest key first.
    close_ranked_down |l| close::arg_rank::<Gpu>(l.cx, l.n, |k| l.item(k), |k| l.result(k), l.extra);
}
