//! Wide instructions for what is compiled once.
//!
//! Kernels are compiled for several instruction sets, together with all that is compiled inside them. What
//! is too large for that is compiled once, for any machine. The largest of it is a [`Job`]: compiled twice,
//! and run for the instructions that the machine is known to have.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicBool, Ordering};

/// Whether the machine is known to have AVX2 and the bit instructions that come with it.
#[cfg(target_arch = "x86_64")]
static WIDE: AtomicBool = AtomicBool::new(false);

/// Whether it is known to have AVX-512 with its bit counts, too.
#[cfg(target_arch = "x86_64")]
static WIDEST: AtomicBool = AtomicBool::new(false);

/// From now on jobs run with AVX2 and the bit instructions that come with it.
///
/// # Safety
///
/// The machine has `avx2`, `bmi1`, `bmi2`, `lzcnt` and `popcnt`.
#[cfg(target_arch = "x86_64")]
pub unsafe fn use_wide() {
    WIDE.store(true, Ordering::Relaxed);
}

/// From now on jobs that are worth it run with AVX-512.
///
/// # Safety
///
/// The machine has `avx512f`, `avx512bw`, `avx512dq`, `avx512vl`, `avx512vpopcntdq`, and what [`use_wide`]
/// asks for.
#[cfg(target_arch = "x86_64")]
pub unsafe fn use_widest() {
    WIDEST.store(true, Ordering::Relaxed);
}

/// A call of a large function, with its arguments.
pub(crate) trait Job {
    type Out;
    /// Calls the function, which is compiled inside its caller.
    fn run(self) -> Self::Out;
}

/// Runs a job.
#[inline(always)]
pub(crate) fn run<J: Job>(job: J) -> J::Out {
    #[cfg(target_arch = "x86_64")]
    if WIDE.load(Ordering::Relaxed) {
        // SAFETY: whoever set this knows that the machine has the instructions.
        return unsafe { run_widely(job) };
    }
    job.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_widely<J: Job>(job: J) -> J::Out {
    job.run()
}

/// A job that is compiled for the widest registers, too.
pub(crate) trait WideJob: Job {
    /// As [`Job::run`], with [`Widest`](crate::lanes::Lanes::Widest) lanes.
    fn run_widest(self) -> Self::Out;
}

/// Runs a job with the widest registers that there are.
#[inline(always)]
pub(crate) fn run_wide<J: WideJob>(job: J) -> J::Out {
    #[cfg(target_arch = "x86_64")]
    if WIDEST.load(Ordering::Relaxed) {
        // SAFETY: whoever set this knows that the machine has the instructions.
        return unsafe { run_most_widely(job) };
    }
    run(job)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_most_widely<J: WideJob>(job: J) -> J::Out {
    job.run_widest()
}

/// As [`boosted`], for a function that neither gets nor gives lanes, as a [`WideJob`].
macro_rules! widened {
    ($f:ident::<$lanes:ident>($($arg:ident: $kind:ty),*) -> $out:ty $(, $get:ident: $bound:path)?) => {{
        struct Call<$lanes $(, $get)?> {
            $($arg: $kind,)*
            lanes: core::marker::PhantomData<$lanes>,
        }
        impl<$lanes: $crate::lanes::Lanes $(, $get: $bound)?> $crate::lanes::boost::Job
            for Call<$lanes $(, $get)?>
        {
            type Out = $out;
            #[inline(always)]
            fn run(self) -> $out {
                $f::<$lanes>($(self.$arg),*)
            }
        }
        impl<$lanes: $crate::lanes::Lanes $(, $get: $bound)?> $crate::lanes::boost::WideJob
            for Call<$lanes $(, $get)?>
        {
            #[inline(always)]
            fn run_widest(self) -> $out {
                $f::<$lanes::Widest>($(self.$arg),*)
            }
        }
        $crate::lanes::boost::run_wide(Call { $($arg,)* lanes: core::marker::PhantomData::<$lanes> })
    }};
}
pub(crate) use widened;

/// Calls a function as a [`Job`].
macro_rules! boosted {
    ($f:ident::<$lanes:ident>($($arg:ident: $kind:ty),*) -> $out:ty $(, $get:ident: $bound:path)?) => {{
        struct Call<$lanes $(, $get)?> {
            $($arg: $kind,)*
            lanes: core::marker::PhantomData<$lanes>,
        }
        impl<$lanes: $crate::lanes::Lanes $(, $get: $bound)?> $crate::lanes::boost::Job
            for Call<$lanes $(, $get)?>
        {
            type Out = $out;
            #[inline(always)]
            fn run(self) -> $out {
                $f::<$lanes>($(self.$arg),*)
            }
        }
        $crate::lanes::boost::run(Call { $($arg,)* lanes: core::marker::PhantomData::<$lanes> })
    }};
}
pub(crate) use boosted;
