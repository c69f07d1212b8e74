//! As `vector.rs`, for machines without its instructions: everything is left to others.

use batt_core::Val;

use crate::kernels::Task;

/// One value at a time.
pub struct One;

macro_rules! none {
    ($($name:ident)*) => {
        $(
            #[inline(always)]
            pub fn $name<W>(_task: Task<'_>, _out: &mut Vec<Val>) -> bool {
                false
            }
        )*
    };
}
none!(
    first last equality greater add subtract multiply astuple steps signs_of both either even positive flip
    increment decrement double invert
);
