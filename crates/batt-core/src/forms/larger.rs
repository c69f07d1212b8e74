//! The larger one of two grids' cells everywhere.

use crate::arena::Cx;
use crate::gather::{self, flat};
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::ops::{maximum, pair};
use crate::seq::{List, item, len};
use crate::val::{Fault, Val};

use super::onto::larger as exceeding;

/// `apply` of `apply` of `maximum` over `papply` of `pair`: what two grids lay over each other, the larger
/// colour on top, as far as both go.
#[inline(always)]
pub fn larger<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    match (Grid::<V>::load(cx, a), Grid::<V>::load(cx, b)) {
        (Some(p), Some(q)) => {
            let (height, width) = (p.height.min(q.height), p.width.min(q.width));
            let planes = p.planes.painted(exceeding(q.planes, p.planes), q.planes);
            let cells = p.cells() & q.cells();
            Grid { planes: planes.map(|plane| plane & cells), height, width }.to_val(cx)
        }
        // Lanes would wait for each other.
        _ if V::APART => Val::BACK,
        _ => match by_items::<V::Out>(cx, a, b) {
            Ok(v) | Err(v) => v,
        },
    }
}

/// The same, of any two containers.
#[inline(never)]
fn by_items<V: Lanes>(cx: Cx, a: Val, b: Val) -> Result<Val, Val> {
    if len(a).is_none() || len(b).is_none() {
        return Err(Val::error(Fault::Type));
    }
    let ((a, m), (b, n)) = (flat::<V>(cx, a)?, flat::<V>(cx, b)?);
    let pairs = gathered(cx, m.min(n), |k| pair::<V>(cx, cx.val(a, k), cx.val(b, k)))?;
    // Whoever has not room for the pairs has an error.
    let held = pairs.tuple(cx);
    if held.is_bad() {
        return Err(held);
    }
    let row = |k: u32| {
        let pairs = pairs.get(cx, k);
        let Some(n) = len(pairs) else { return Val::error(Fault::Type) };
        match gathered(cx, n, |at| maximum::<V>(cx, item::<V>(cx, pairs, at))) {
            Ok(row) => gather::tuple::<V>(cx, n, |at| row.get(cx, at)),
            Err(bad) => bad,
        }
    };
    let rows = gathered(cx, pairs.len(), row)?;
    Ok(gather::tuple::<V>(cx, rows.len(), |k| rows.get(cx, k)))
}

/// So many values; the first bad one.
#[inline(always)]
fn gathered(cx: Cx, n: u32, get: impl Fn(u32) -> Val) -> Result<List, Val> {
    let (mut list, mut k) = (List::new(cx, n).ok_or(Val::BACK)?, 0);
    while k < n {
        let v = get(k);
        if v.is_bad() {
            return Err(v);
        }
        list.push(cx, v);
        k += 1;
    }
    Ok(list)
}
