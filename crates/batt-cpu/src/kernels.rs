//! A kernel for every primitive: one call computes a whole column.
//!
//! Each kernel exists once for every instruction set that is worth a copy: the primitives of
//! batt-core are inlined into a function that may use those instructions. Which one runs is decided
//! when a battery is loaded.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use batt_core::lanes::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use batt_core::lanes::avx512::Avx512;
use batt_core::{Array, Cx, Shortcut, Tag, Val, counts, forms, unknown};
use batt_lang::{Op, for_each_op};

use crate::{masks, plain, quick, vector};

/// Where an argument's values come from.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// The same value in every row: a constant, or what is computed once per task.
    One(Val),
    /// A column of the same frame.
    Same(&'a [Val]),
    /// A column of a frame further out, through each row's ancestor there.
    Via(&'a [Val], &'a [u32]),
}

impl Operand<'_> {
    /// The value that a row sees.
    #[inline(always)]
    pub fn get(&self, row: usize) -> Val {
        let found = match self {
            Operand::One(val) => return *val,
            Operand::Same(column) => column.get(row),
            Operand::Via(column, rows) => rows.get(row).and_then(|r| column.get(*r as usize)),
        };
        // A battery that is run as it was dealt has a value in every row.
        found.copied().unwrap_or(Val::BACK)
    }
}

/// A column to compute.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The arena.
    pub cx: Cx,
    /// The arguments.
    pub operands: &'a [Operand<'a>],
    /// How many rows.
    pub rows: usize,
    /// The slot, for errors that begin here.
    pub slot: u32,
}

/// Computes a column.
pub type Kernel = unsafe fn(Task<'_>, &mut Vec<Val>);

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// What every machine of the target has.
    Portable,
    /// AVX2 and the bit instructions that come with it.
    Avx2,
    /// AVX-512 with its bit counts, and all of AVX2.
    Avx512,
}

impl Set {
    /// The widest set that this machine has. From then on what is compiled once uses it too, whatever set
    /// kernels are chosen for.
    pub fn detect() -> Set {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq");
            if avx2 {
                // SAFETY: the machine has all of them.
                unsafe { batt_core::lanes::boost::use_wide() };
                if avx512 {
                    // SAFETY: the machine has all of them.
                    unsafe { batt_core::lanes::boost::use_widest() };
                    return Set::Avx512;
                }
                return Set::Avx2;
            }
        }
        Set::Portable
    }

    /// All sets that this machine has, the widest last.
    pub fn all() -> &'static [Set] {
        match Set::detect() {
            Set::Portable => &[Set::Portable],
            Set::Avx2 => &[Set::Portable, Set::Avx2],
            Set::Avx512 => &[Set::Portable, Set::Avx2, Set::Avx512],
        }
    }
}

/// The first of some arguments that is bad, an error before a hand-back: whatever that would be, the call
/// is an error.
#[inline(always)]
pub fn bad_of<const N: usize>(args: &[Val; N]) -> Option<Val> {
    let mut bad = None;
    for arg in args {
        if arg.is(Tag::Error) {
            return Some(*arg);
        }
        if bad.is_none() && arg.is(Tag::Back) {
            bad = Some(*arg);
        }
    }
    bad
}

#[inline(always)]
fn column<const N: usize>(task: Task<'_>, out: &mut Vec<Val>, f: impl Fn(Cx, [Val; N]) -> Val) {
    out.clear();
    let Some(operands) = task.operands.first_chunk::<N>() else { return };
    out.reserve(task.rows);
    // A plain loop: what an adapter of the standard library calls cannot use the instruction set.
    for (row, val) in out.spare_capacity_mut().iter_mut().take(task.rows).enumerate() {
        let (mut args, mut bad) = ([Val::BACK; N], false);
        for (arg, operand) in args.iter_mut().zip(operands) {
            *arg = operand.get(row);
            bad |= arg.is_bad();
        }
        val.write(if bad {
            bad_of(&args).unwrap_or(Val::BACK)
        } else {
            f(task.cx, args).began_at(task.slot)
        });
    }
    // SAFETY: there is room for so many rows, and each was written.
    unsafe { out.set_len(task.rows) };
}

/// For primitives that run functions: they are loops by now, or those functions are not known.
fn hand_back(task: Task<'_>, out: &mut Vec<Val>) {
    out.clear();
    out.resize(task.rows, Val::BACK.began_at(task.slot));
}

/// The lanes of a kernel for AVX2. Those in which rows change places, or are counted, work with instructions
/// that the vectoriser does not find; for the others that would only take long to compile.
#[cfg(target_arch = "x86_64")]
macro_rules! moved {
    (cmirror) => { Array<Avx2> };
    (dmirror) => { Array<Avx2> };
    (hmirror) => { Array<Avx2> };
    (vmirror) => { Array<Avx2> };
    (rot90) => { Array<Avx2> };
    (rot180) => { Array<Avx2> };
    (rot270) => { Array<Avx2> };
    (upscale) => { Array<Avx2> };
    (vupscale) => { Array<Avx2> };
    (hupscale) => { Array<Avx2> };
    (downscale) => { Array<Avx2> };
    (vconcat) => { Array<Avx2> };
    (hconcat) => { Array<Avx2> };
    (crop) => { Array<Avx2> };
    (subgrid) => { Array<Avx2> };
    (tophalf) => { Array<Avx2> };
    (bottomhalf) => { Array<Avx2> };
    (lefthalf) => { Array<Avx2> };
    (righthalf) => { Array<Avx2> };
    (hsplit) => { Array<Avx2> };
    (vsplit) => { Array<Avx2> };
    (trim) => { Array<Avx2> };
    (mostcolor) => { Array<Avx2> };
    (leastcolor) => { Array<Avx2> };
    (palette) => { Array<Avx2> };
    (numcolors) => { Array<Avx2> };
    (paint) => { Array<Avx2> };
    (fill) => { Array<Avx2> };
    (cover) => { Array<Avx2> };
    (underfill) => { Array<Avx2> };
    (underpaint) => { Array<Avx2> };
    (a vector) => { vector::Two };
    (intersection) => { Array<Avx2> };
    (difference) => { Array<Avx2> };
    ($name:ident) => { Array };
}

/// The lanes of a kernel for AVX-512.
#[cfg(target_arch = "x86_64")]
macro_rules! wide {
    (a vector) => {
        vector::Two
    };
    ($name:ident) => {
        Avx512
    };
}

/// The lanes of a kernel for any machine.
macro_rules! plain {
    (a vector) => {
        vector::One
    };
    ($name:ident) => {
        Array
    };
}

macro_rules! kernels {
    ($(
        #[doc = $doc:literal]
        $name:ident $variant:ident ( $($arg:ident : $kind:ty),* ) -> $result:ty, $role:ident, $example:literal
        $(, on $guard:ident)* $(, also $alias:ident)* ;
    )*) => {
        mod portable {
            use super::*;
            $(kernels!(@fn $role $name plain ($($arg),*) [inline(never)]);)*
        }
        #[cfg(target_arch = "x86_64")]
        mod avx2 {
            use super::*;
            $(kernels!(@fn $role $name moved ($($arg),*) [target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);)*
        }
        #[cfg(target_arch = "x86_64")]
        mod avx512 {
            use super::*;
            $(kernels!(@fn $role $name wide ($($arg),*) [target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]);)*
        }

        /// The kernel of a primitive. It may be called on a machine that has `set`.
        pub fn kernel(op: Op, set: Set) -> Kernel {
            match (op, set) {
                $(
                    #[cfg(target_arch = "x86_64")]
                    (Op::$variant, Set::Avx512) => kernels!(@pick $role avx512 $name),
                    #[cfg(target_arch = "x86_64")]
                    (Op::$variant, Set::Avx2) => kernels!(@pick $role avx2 $name),
                    (Op::$variant, _) => kernels!(@pick $role portable $name),
                )*
            }
        }
    };
    (@fn pure $name:ident $rows:ident ($($arg:ident),*) [$($attribute:tt)*]) => {
        #[allow(non_snake_case)]
        #[$($attribute)*]
        pub fn $name(task: Task<'_>, out: &mut Vec<Val>) {
            if !kernels!(@quick $name $rows task out) {
                column(task, out, |cx, [$($arg),*]| batt_core::ops::$name::<$rows!($name)>(cx, $($arg),*));
            }
        }
    };
    (@fn makes $name:ident $rows:ident ($($arg:ident),*) [$($attribute:tt)*]) => {
        kernels!(@fn pure $name $rows ($($arg),*) [$($attribute)*]);
    };
    (@fn runs $name:ident $rows:ident ($($arg:ident),*) [$($attribute:tt)*]) => {};
    (@quick first $rows:ident $task:ident $out:ident) => {
        vector::first::<$rows!(a vector)>($task, $out)
            || quick::ends($task, $out, false)
            || quick::one($task, $out, plain::first)
    };
    (@quick last $rows:ident $task:ident $out:ident) => {
        vector::last::<$rows!(a vector)>($task, $out)
            || quick::ends($task, $out, true)
            || quick::one($task, $out, plain::last)
    };
    (@quick increment $rows:ident $task:ident $out:ident) => {
        vector::increment::<$rows!(a vector)>($task, $out) || quick::one($task, $out, plain::increment)
    };
    (@quick decrement $rows:ident $task:ident $out:ident) => {
        vector::decrement::<$rows!(a vector)>($task, $out) || quick::one($task, $out, plain::decrement)
    };
    (@quick double $rows:ident $task:ident $out:ident) => {
        vector::double::<$rows!(a vector)>($task, $out) || quick::one($task, $out, plain::double)
    };
    (@quick halve $rows:ident $task:ident $out:ident) => { quick::one($task, $out, plain::halve) };
    (@quick invert $rows:ident $task:ident $out:ident) => {
        vector::invert::<$rows!(a vector)>($task, $out) || quick::one($task, $out, plain::invert)
    };
    (@quick even $rows:ident $task:ident $out:ident) => {
        vector::even::<$rows!(a vector)>($task, $out) || quick::one($task, $out, plain::even)
    };
    (@quick positive $rows:ident $task:ident $out:ident) => {
        vector::positive::<$rows!(a vector)>($task, $out) || quick::one($task, $out, plain::positive)
    };
    (@quick flip $rows:ident $task:ident $out:ident) => {
        vector::flip::<$rows!(a vector)>($task, $out) || quick::one($task, $out, plain::flip)
    };
    (@quick size $rows:ident $task:ident $out:ident) => { quick::one($task, $out, plain::size) };
    (@quick color $rows:ident $task:ident $out:ident) => { quick::one($task, $out, plain::color) };
    (@quick equality $rows:ident $task:ident $out:ident) => {
        vector::equality::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::equality)
    };
    (@quick greater $rows:ident $task:ident $out:ident) => {
        vector::greater::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::greater)
    };
    (@quick add $rows:ident $task:ident $out:ident) => {
        vector::add::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::add)
    };
    (@quick subtract $rows:ident $task:ident $out:ident) => {
        vector::subtract::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::subtract)
    };
    (@quick multiply $rows:ident $task:ident $out:ident) => {
        vector::multiply::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::multiply)
    };
    (@quick sign $rows:ident $task:ident $out:ident) => { vector::signs_of::<$rows!(a vector)>($task, $out) };
    (@quick maximum $rows:ident $task:ident $out:ident) => { quick::one($task, $out, plain::maximum) };
    (@quick minimum $rows:ident $task:ident $out:ident) => { quick::one($task, $out, plain::minimum) };
    (@quick intersection $rows:ident $task:ident $out:ident) => { masks::shared::<$rows!(intersection)>($task, $out, true) };
    (@quick difference $rows:ident $task:ident $out:ident) => { masks::shared::<$rows!(difference)>($task, $out, false) };
    (@quick both $rows:ident $task:ident $out:ident) => {
        vector::both::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::both)
    };
    (@quick either $rows:ident $task:ident $out:ident) => {
        vector::either::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::either)
    };
    (@quick astuple $rows:ident $task:ident $out:ident) => {
        vector::astuple::<$rows!(a vector)>($task, $out) || quick::two($task, $out, plain::astuple)
    };
    (@quick manhattan $rows:ident $task:ident $out:ident) => { quick::manhattan($task, $out) };
    (@quick hmatching $rows:ident $task:ident $out:ident) => { quick::share_row($task, $out) };
    (@quick vmatching $rows:ident $task:ident $out:ident) => { quick::share_column($task, $out) };
    (@quick $name:ident $rows:ident $task:ident $out:ident) => { false };
    (@pick runs $set:ident $name:ident) => { hand_back };
    (@pick $role:ident $set:ident $name:ident) => { $set::$name };
}
for_each_op!(kernels);

macro_rules! counting {
    ($($home:ident $name:ident $variant:ident ($($arg:ident),*);)*) => {
        mod counting {
            use super::{Array, Task, Val, column, counts, forms, masks, unknown};
            $(counting!(@fn $home $name portable Array ($($arg),*) [inline(never)]);)*
        }
        #[cfg(target_arch = "x86_64")]
        mod counting_avx2 {
            use super::{Array, Task, Val, column, counts, forms, masks, unknown};
            $(counting!(@fn $home $name avx2 Array ($($arg),*) [target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);)*
        }
        #[cfg(target_arch = "x86_64")]
        mod counting_avx512 {
            use super::{Avx512, Task, Val, column, counts, forms, masks, unknown};
            $(counting!(@fn $home $name avx512 Avx512 ($($arg),*) [target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]);)*
        }

        /// The kernel of what is found in a shorter way. It may be called on a machine that has `set`.
        pub fn counter(what: Shortcut, set: Set) -> Kernel {
            match (what, set) {
                $(
                    #[cfg(target_arch = "x86_64")]
                    (Shortcut::$variant, Set::Avx512) => counting_avx512::$name,
                    #[cfg(target_arch = "x86_64")]
                    (Shortcut::$variant, Set::Avx2) => counting_avx2::$name,
                    (Shortcut::$variant, _) => counting::$name,
                )*
            }
        }
    };
    (@fn $home:ident $name:ident $set:ident $lanes:ident ($($arg:ident),*) [$($attribute:tt)*]) => {
        #[$($attribute)*]
        pub fn $name(task: Task<'_>, out: &mut Vec<Val>) {
            if !counting!(@quick $name $set task out) {
                column(task, out, |cx, [$($arg),*]| $home::$name::<$lanes>(cx, $($arg),*));
            }
        }
    };
    (@quick shared $set:ident $task:ident $out:ident) => { masks::$set($task, $out, true) };
    (@quick apart $set:ident $task:ident $out:ident) => { masks::$set($task, $out, false) };
    (@quick $name:ident $set:ident $task:ident $out:ident) => { false };
}
counting! {
    counts specks Specks (grid, univalued, diagonal, without_bg);
    counts colors Colors (grid);
    counts shared Shared (a, b);
    counts apart Apart (a, b);
    counts alike Alike (a, b);
    counts area Area (grid);
    counts pairs Pairs (a, b);
    forms larger Larger (a, b);
    forms shot_onto Shot (start, direction, grid);
    unknown call1 Call1 (function, a);
    unknown call2 Call2 (function, a, b);
    unknown call3 Call3 (function, a, b, c);
    unknown looped Looped (function, over, extra);
    unknown picked Picked (function, over, extra);
    unknown paired Paired (function, a, b);
    unknown rapplied Rapplied (functions, value);
}

/// Calls a primitive on one row.
pub fn call(op: Op, set: Set, cx: Cx, args: &[Val]) -> Val {
    let operands: [Operand<'_>; 4] =
        core::array::from_fn(|i| Operand::One(args.get(i).copied().unwrap_or(Val::BACK)));
    let operands = &operands[..args.len().min(4)];
    call_rows(op, set, Task { cx, operands, rows: 1, slot: 0 }).pop().unwrap_or(Val::BACK)
}

/// Calls a primitive on every row.
pub fn call_rows(op: Op, set: Set, task: Task<'_>) -> Vec<Val> {
    let mut out = Vec::with_capacity(task.rows);
    // SAFETY: the caller chose the instruction set by `Set::detect`, or the portable one.
    unsafe { kernel(op, set)(task, &mut out) };
    out
}
