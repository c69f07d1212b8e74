//! A kernel for every primitive that runs no functions, named as its row in the
//! table, and kernels for what is no primitive.

use core::arch::nvptx::_block_idx_x;
use core::mem::offset_of;

use crate::arena::{Cx, ROWS};
use crate::classes::by_thread;
use crate::columns::{
    Call, Calls, MAX_BODIES, MOST_BODIES, Memory, OP_SHIFT, Operand, Rowwise,
};
use crate::global::set;
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane, together};
use crate::ops::alone::{Alone, Build};
use crate::rows::{
    Kept, List, Threads, cx_alone, each_by_thread, each_by_warp, first_bad, fits, keep, list,
    parameter_word, parameter_words, worse,
};
use crate::seq::{List as Items, truth};
use crate::val::{Fault, Tag, Val};

/// What a row is given. All is asked for before anything is looked at, so that a thread waits only once.
#[inline(always)]
unsafe fn arguments<const N: usize>(list: List, row: u32) -> [Val; N] {
    let (mut operands, mut places, mut args) = ([Operand::default(); N], [0; N], [Val::BACK; N]);
    let mut k = 0;
    while k < N {
        operands[k] = list.get(k as u32);
        places[k] = operands[k].at(row);
        k += 1;
    }
    k = 0;
    while k < N {
        args[k] = operands[k].val(places[k]);
        k += 1;
    }
    args
}

/// Whether an argument is bad.
#[inline(always)]
fn any_bad<const N: usize>(args: &[Val; N]) -> bool {
    let (mut bad, mut k) = (false, 0);
    while k < N {
        bad |= args[k].is_bad();
        k += 1;
    }
    bad
}

/// The worst of some bad arguments, null if none is bad; see `batt_cpu::bad_of`.
#[inline(always)]
fn worst<const N: usize>(args: &[Val; N]) -> Val {
    let (mut bad, mut k) = (Val::NULL, 0);
    while k < N {
        if args[k].is_bad() {
            bad = worse(bad, args[k]);
        }
        k += 1;
    }
    bad
}

/// One row. A bad argument is passed on, the worst of them.
#[inline(always)]
unsafe fn one<const N: usize>(
    call: &Called,
    cx: Cx,
    row: u32,
    (args, bad): ([Val; N], bool),
    f: impl Fn(Cx, [Val; N]) -> Val,
) {
    let mut out = if bad { worst(&args) } else { f(cx, args).began_at(call.slot) };
    if call.suffixed != 0 {
        let mut k = 0;
        while k < N {
            let asked = call.suffixed >> k & 1 != 0;
            if asked && !args[k].is_bad() && !fits(cx, call.suffix, args[k]) {
                out = Val::error(Fault::Type).began_at(call.slot);
            }
            k += 1;
        }
    }
    set((call.out as *mut Val).add(row as usize), out);
}

/// A column that is computed; see [`Call`].
struct Called {
    out: u64,
    args: List,
    rows: u32,
    slot: u32,
    suffix: u32,
    /// The number of the primitive in the table.
    op: u32,
    suffixed: u32,
    grain: u32,
}

/// Which of a launch's columns this block computes, and with which others; see [`Calls`].
#[inline(always)]
unsafe fn call_of(at: u64) -> (Called, Threads) {
    const SIZE: u64 = size_of::<Call>() as u64;
    let list = at + offset_of!(Calls, list) as u64;
    let first_of =
        |k: u32| parameter_word(list + u64::from(k) * SIZE + offset_of!(Call, first) as u64);
    let count = parameter_word(at + offset_of!(Calls, count) as u64);
    let (mut low, mut high) = (0, count);
    while high - low > 1 {
        let half = (low + high) / 2;
        if first_of(half) <= _block_idx_x() as u32 {
            low = half;
        } else {
            high = half;
        }
    }
    let here = list + u64::from(low) * SIZE;
    let word = |offset: usize| parameter_word(here + offset as u64);
    let call = Called {
        out: parameter_words(here + offset_of!(Call, out) as u64),
        args: List(here + offset_of!(Call, args) as u64),
        rows: word(offset_of!(Call, rows)),
        slot: word(offset_of!(Call, slot)),
        suffix: word(offset_of!(Call, suffix)) & ((1 << OP_SHIFT) - 1),
        op: word(offset_of!(Call, suffix)) >> OP_SHIFT,
        suffixed: word(offset_of!(Call, suffixed)),
        grain: word(offset_of!(Call, grain)),
    };
    let end = if low + 1 < count {
        first_of(low + 1)
    } else {
        parameter_word(at + offset_of!(Calls, blocks) as u64)
    };
    (call, Threads::of_blocks(word(offset_of!(Call, first)), end))
}

/// A column whose rows are computed one after the other, each by a thread.
#[inline(always)]
unsafe fn column_by_thread<const N: usize>(
    memory: &Memory,
    (call, threads): (&Called, Threads),
    f: impl Fn(Cx, [Val; N]) -> Val + Copy,
) {
    let cx = cx_alone(memory, call.grain);
    threads.each_by_thread(call.rows, |row| {
        let args = arguments::<N>(call.args, row);
        one(call, cx, row, (args, any_bad(&args)), f);
    });
}

/// A column whose rows are computed one after the other, each by a warp.
#[inline(always)]
pub unsafe fn column<const N: usize>(
    memory: &Memory,
    at: u64,
    f: impl Fn(Cx, [Val; N]) -> Val + Copy,
) {
    let (call, threads) = call_of(at);
    let kept = Kept::ask(memory);
    let mut batch = threads.batches(call.rows);
    let mut asked = batch.ask::<N>(memory, call.args);
    let cx = kept.cx(memory);
    while batch.is_there() {
        batch.each(
            asked,
            #[inline(always)]
            |row, args, bad| one(&call, cx, row, (args, bad), f),
        );
        batch.next();
        asked = batch.ask::<N>(memory, call.args);
    }
    keep(memory, cx);
}

/// As [`column`], where a thread may find a row's value alone; a warp does the others, one after the other.
#[inline(always)]
pub unsafe fn column_alone<const N: usize>(
    memory: &Memory,
    at: u64,
    alone: Alone,
    f: impl Fn(Cx, [Val; N]) -> Val + Copy,
) {
    let (call, threads) = call_of(at);
    let cx = Kept::ask(memory).cx(memory);
    threads.each_alone(
        call.rows,
        #[inline(always)]
        |row| {
            let args = arguments::<N>(call.args, row);
            if call.suffixed != 0 {
                return false;
            }
            let out = if any_bad(&args) {
                worst(&args)
            } else {
                match alone.call(cx, &args) {
                    Some(out) => out.began_at(call.slot),
                    None => return false,
                }
            };
            set((call.out as *mut Val).add(row as usize), out);
            true
        },
        #[inline(always)]
        |row| {
            let args = arguments::<N>(call.args, row);
            one(&call, cx, row, (args, any_bad(&args)), f);
        },
    );
    keep(memory, cx);
}

/// As [`column_alone`], where a thread may also make a row's value.
#[inline(always)]
pub unsafe fn column_made<const N: usize>(
    memory: &Memory,
    at: u64,
    (alone, build): (Option<Alone>, Build),
    f: impl Fn(Cx, [Val; N]) -> Val + Copy,
) {
    let (call, threads) = call_of(at);
    let cx = Kept::ask(memory).cx(memory);
    let put = |row: u32, out: Val| set((call.out as *mut Val).add(row as usize), out);
    let found = #[inline(always)]
    |args: &[Val; N]| {
        let found = match alone {
            Some(alone) => alone.call(cx, args),
            None => None,
        };
        match found {
            Some(out) => Some(out),
            None => build.plain(args),
        }
    };
    threads.each_at_once(
        call.rows,
        #[inline(always)]
        |row| {
            let (mut args, mut left, mut fits) = ([Val::NULL; N], false, false);
            if let Some(row) = row {
                args = arguments::<N>(call.args, row);
                if call.suffixed != 0 {
                    left = true;
                } else if any_bad(&args) {
                    put(row, worst(&args));
                } else if let Some(out) = found(&args) {
                    put(row, out.began_at(call.slot));
                } else {
                    left = true;
                    fits = build.fits(&args);
                }
            }
            // Room for all threads is taken at once.
            let makers = Gpu(u32::from(fits)).ballot();
            if makers != 0
                && let Some(units) = cx.take(makers.count_ones() * build.planes())
            {
                // What is taken may have been given back by a row that was done together.
                together();
                let before = (makers & ((1 << lane()) - 1)).count_ones();
                let unit = units + before * build.planes() * ROWS;
                if let (true, Some(row)) = (fits, row)
                    && let Some(out) = build.call(cx, unit, &args)
                {
                    put(row, out.began_at(call.slot));
                    left = false;
                }
            }
            left
        },
        #[inline(always)]
        |row| {
            let args = arguments::<N>(call.args, row);
            one(&call, cx, row, (args, any_bad(&args)), f);
        },
    );
    keep(memory, cx);
}

macro_rules! kernels {
    ($(
        #[doc = $doc:literal]
        $name:ident $variant:ident ( $($arg:ident : $kind:ty),* ) -> $result:ty, $role:ident, $example:literal
        $(, on $guard:ident)* $(, also $alias:ident)* ;
    )*) => {
        $(kernels!(@fn $role $name $variant ($($arg),*));)*

        /// The primitives, as calls number them.
        #[repr(u32)]
        enum Number {
            $($variant),*
        }

        /// Any primitives that threads do alone, each column with its own: they are short, and a launch for
        /// each of them would cost more.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "ptx-kernel" fn plain(calls: Calls) {
            let (call, threads) = call_of(crate::rows::parameter!(plain));
            $(kernels!(@plain $role calls call threads $name $variant ($($arg),*));)*
        }
    };
    (@plain runs $calls:ident $call:ident $threads:ident $name:ident $variant:ident ($($arg:ident),*)) => {};
    (@plain $role:ident $calls:ident $call:ident $threads:ident $name:ident $variant:ident ($($arg:ident),*)) => {
        if const { by_thread(stringify!($name)) } && $call.op == Number::$variant as u32 {
            let f = #[inline(always)]
            |cx, [$($arg),*]: [Val; _]| crate::ops::$name::<Gpu>(cx, $($arg),*);
            column_by_thread(&$calls.memory, (&$call, $threads), f);
            return;
        }
    };
    (@fn pure $name:ident $variant:ident ($($arg:ident),*)) => {
        #[allow(non_snake_case)]
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $variant(calls: Calls) {
            // Nobody starts this one: `plain` has those.
            if const { by_thread(stringify!($name)) } {
                core::arch::nvptx::trap();
            }
            const ALONE: Option<Alone> = Alone::of(stringify!($name));
            const BUILD: Option<Build> = Build::of(stringify!($name));
            let f = |cx, [$($arg),*]: [Val; _]| crate::ops::$name::<Gpu>(cx, $($arg),*);
            let at = crate::rows::parameter!($variant);
            match (ALONE, BUILD) {
                (_, Some(build)) => {
                    // What threads make needs all registers that there are; what is left is done elsewhere.
                    #[inline(never)]
                    fn apart(cx: Cx, $($arg: Val),*) -> Val {
                        crate::ops::$name::<Gpu>(cx, $($arg),*)
                    }
                    let f = |cx, [$($arg),*]: [Val; _]| apart(cx, $($arg),*);
                    column_made(&calls.memory, at, (ALONE, build), f);
                }
                (Some(alone), None) => column_alone(&calls.memory, at, alone, f),
                (None, None) => column(&calls.memory, at, f),
            }
        }
    };
    (@fn makes $name:ident $variant:ident ($($arg:ident),*)) => {
        kernels!(@fn pure $name $variant ($($arg),*));
    };
    (@fn runs $name:ident $variant:ident ($($arg:ident),*)) => {};
}
for_each_op!(kernels);

/// What a loop becomes that ran too many bodies.
#[inline(always)]
pub fn past_limit(bodies: u32, nested: bool) -> Val {
    match bodies > MAX_BODIES {
        true if nested => Val::BACK,
        true => Val::error(Fault::Size),
        false => Val::NULL,
    }
}

/// The counts that a row sees, together.
#[inline(always)]
pub unsafe fn count_all(list: List, from: u32, count: u32, row: u32) -> u32 {
    let (mut all, mut k) = (0, from);
    while k < from + count {
        all = (all + list.get(k).count(row)).min(MOST_BODIES);
        k += 1;
    }
    all
}

/// One of two values: condition, then, other, and what the functions were made of.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn choose(r: Rowwise) {
    let list = list!(choose, Rowwise, list);
    each_by_thread(r.rows, |row| {
        let bad = first_bad(list, 3, r.guards, row);
        let condition = r.list[0].get(row);
        let out = if bad.is_bad() {
            bad
        } else if condition.is_bad() {
            condition
        } else if truth(condition) {
            r.list[1].get(row)
        } else {
            r.list[2].get(row)
        };
        set((r.out as *mut Val).add(row as usize), out);
    });
}

/// The value, or the default for an error.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn or_else(r: Rowwise) {
    let default = *r.value.as_ptr().cast::<[u64; 2]>();
    each_by_thread(r.rows, |row| {
        let v = r.list[0].get(row);
        let out = (r.out as *mut [u64; 2]).add(row as usize);
        if v.is(Tag::Error) {
            *out = default;
        } else {
            *out.cast() = v;
        }
    });
}

/// The same value in every row.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn fill(r: Rowwise) {
    each_by_thread(r.rows, |row| *(r.out as *mut [u64; 2]).add(row as usize) = r.value);
}

/// The values that rows see.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn copy(r: Rowwise) {
    each_by_thread(r.rows, |row| {
        set((r.out as *mut Val).add(row as usize), r.list[0].get(row));
    });
}

/// Results as a container.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn collect(r: Rowwise) {
    let operands = list!(collect, Rowwise, list);
    let cx = Kept::ask(&r.memory).cx(&r.memory);
    each_by_warp(r.rows, |row| {
        let inner = count_all(operands, r.first + r.guards, r.nested, row);
        let ran = r.first + inner;
        let bodies = r.bodies as *mut u32;
        if !bodies.is_null() {
            set(bodies.add(row as usize), ran);
        }
        let bad = first_bad(operands, r.first, r.guards, row);
        let limit = past_limit(ran, inner > 0);
        let out = if bad.is_bad() {
            bad
        } else if limit.is_bad() {
            limit
        } else if let Some(mut list) = Items::new(cx, r.first) {
            let mut k = 0;
            while k < r.first {
                list.push(cx, operands.get(k).get(row));
                k += 1;
            }
            if r.set != 0 { list.set::<Gpu>(cx) } else { list.tuple(cx) }
        } else {
            Val::BACK
        };
        set((r.out as *mut Val).add(row as usize), out);
    });
    keep(&r.memory, cx);
}
