//! A primitive with every instruction set that this machine has.

use batt_core::{Cx, Tag, Val};
use batt_cpu::{Set, call};
use batt_lang::Prim;
use batt_run::engine::cpu::to_value;

/// What the widest set gives; the others give the same, as far as there is room for it once more.
pub fn call_all(prim: Prim, cx: Cx, vals: &[Val]) -> Val {
    let given = call(prim.op, Set::detect(), cx, vals);
    let taken = cx.taken();
    for set in Set::all() {
        let other = call(prim.op, *set, cx, vals);
        if !other.is(Tag::Back) {
            assert!(other.tag() == given.tag(), "{prim} with {set:?}");
            assert!(to_value(cx, other) == to_value(cx, given), "{prim} with {set:?}");
        }
        cx.release(taken);
    }
    given
}
