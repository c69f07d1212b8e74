//! As `vector.rs`, for machines without its instructions: everything is left to others.

use batt_core::Val;

use crate::kernels::Task;

macro_rules! none {
    ($($name:ident)*) => {
        $(
            #[inline(always)]
            pub fn $name(_task: Task<'_>, _out: &mut Vec<Val>) -> bool {
                false
            }
        )*
    };
}
none!(first last equality greater add subtract multiply astuple steps signs_of);
