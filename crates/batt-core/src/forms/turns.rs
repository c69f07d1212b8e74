//! A patch in many places, one after the other.

use crate::arena::Cx;
use crate::gather::flat;
use crate::lanes::Lanes;
use crate::seq::List;
use crate::val::{MAX_ELEMENTS, Tag, Val};

/// The items of a patch moved by each location of a tuple, as a tuple: moving keeps their order. `None`
/// where an item is of another kind or too far away, or there is no room.
#[inline(always)]
pub(super) fn in_turn<V: Lanes>(cx: Cx, patch: Val, places: Val) -> Option<Val> {
    if !matches!(patch.tag(), Tag::Mask | Tag::Object) || !places.is(Tag::Tuple) {
        return None;
    }
    let (unit, n) = flat::<V>(cx, patch).ok()?;
    let total = n.checked_mul(places.x()).filter(|total| (1..=MAX_ELEMENTS).contains(total))?;
    let (out, mut at, mut k) = (cx.take_vals(total)?, 0, 0);
    while k < places.x() {
        let (di, dj) = cx.val(places.a(), k).as_pair()?;
        // Bits lie near; what is this far away may be no int.
        if di.unsigned_abs() > 1 << 30 || dj.unsigned_abs() > 1 << 30 {
            return None;
        }
        let mut from = 0;
        while from < n {
            let v = cx.val(unit, from);
            let (i, j) = (v.b().wrapping_add_signed(di), v.x().wrapping_add_signed(dj));
            cx.put(out, at, Val::new(v.tag(), 0, v.a(), i, j));
            from += 1;
            at += 1;
        }
        k += 1;
    }
    Some(List::plain(out, total).tuple(cx))
}
