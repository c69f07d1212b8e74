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

/// From now on jobs run with AVX2 and the bit instructions that come with it.
///
/// # Safety
///
/// The machine has `avx2`, `bmi1`, `bmi2`, `lzcnt` and `popcnt`.
#[cfg(target_arch = "x86_64")]
pub unsafe fn use_wide() {
    WIDE.store(true, Ordering::Relaxed);
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
