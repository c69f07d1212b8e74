//! Reading and writing what the host gave a kernel.
//!
//! The compiler only knows that an address may be anywhere, a thread's own memory included. The memory
//! of arenas and columns is always the device's, and told so, it is reached faster.

#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "as reading and writing through a pointer")]

use core::arch::asm;

use crate::val::Val;

/// Reads something.
#[inline(always)]
pub unsafe fn get<T: Direct>(at: *const T) -> T {
    T::read(at)
}

/// Writes something.
#[inline(always)]
pub unsafe fn set<T: Direct>(at: *mut T, to: T) {
    to.write(at);
}

/// Asks for two words here and not where they are used, so that what is asked for next comes meanwhile.
#[inline(always)]
pub unsafe fn get_now(at: *const u64) -> u64 {
    let found: u64;
    asm!("ld.global.b64 {0}, [{1}];", out(reg64) found, in(reg64) at, options(nostack));
    found
}

/// A type that one instruction reads or writes.
pub trait Direct: Copy {
    /// Reads one.
    unsafe fn read(at: *const Self) -> Self;
    /// Writes one.
    unsafe fn write(self, at: *mut Self);
}

macro_rules! direct {
    ($($type:ty, $register:ident, $read:literal, $write:literal;)*) => {$(
        impl Direct for $type {
            #[inline(always)]
            unsafe fn read(at: *const $type) -> $type {
                let found: $type;
                asm!($read, out($register) found, in(reg64) at, options(pure, readonly, nostack));
                found
            }

            #[inline(always)]
            unsafe fn write(self, at: *mut $type) {
                asm!($write, in(reg64) at, in($register) self, options(nostack));
            }
        }
    )*};
}

direct! {
    u32, reg32, "ld.global.b32 {0}, [{1}];", "st.global.b32 [{0}], {1};";
    u64, reg64, "ld.global.b64 {0}, [{1}];", "st.global.b64 [{0}], {1};";
}

impl Direct for Val {
    #[inline(always)]
    unsafe fn read(at: *const Val) -> Val {
        let (lo, hi): (u64, u64);
        asm!(
            "ld.global.v2.b64 {{{0}, {1}}}, [{2}];",
            out(reg64) lo,
            out(reg64) hi,
            in(reg64) at,
            options(pure, readonly, nostack),
        );
        Val::from_words(lo, hi)
    }

    #[inline(always)]
    unsafe fn write(self, at: *mut Val) {
        let (lo, hi) = self.two_words();
        asm!(
            "st.global.v2.b64 [{0}], {{{1}, {2}}};",
            in(reg64) at,
            in(reg64) lo,
            in(reg64) hi,
            options(nostack),
        );
    }
}
