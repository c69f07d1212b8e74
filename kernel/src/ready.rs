//! Whether a row can be closed: what its loop was made of must be good, and its items must be there.

use crate::arena::Cx;
use crate::batches::Asked;
use crate::columns::{
    Close, EXACT, EXTRA, EXTRA_IF_EMPTY, FORM, LOST, NO_ROOM, TOO_MANY, WHOLE,
};
use crate::global::get;
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane};
use crate::rows::{List, first_bad, fits, span, worse};
use crate::seq::len;
use crate::val::{Fault, Val};

/// What a row closes: its container, where its rows start, how many they are, and the extra operand.
pub type Ready = (Val, u32, u32, Val);

/// What a row closes, or what stands in the way; for a thread alone.
#[inline(always)]
pub unsafe fn ready(cx: Cx, c: &Close, list: List, row: u32) -> Result<Ready, Val> {
    let bad = first_bad(list, 0, c.guards, row);
    if bad.is_bad() {
        return Err(bad);
    }
    let (mut bad, mut known, mut k) = (Val::NULL, true, c.guards);
    while k < c.guards + c.over {
        let v = list.get(k).get(row);
        if v.is_bad() {
            bad = worse(bad, v);
        }
        known &= len(v).is_some();
        k += 1;
    }
    if bad.is_bad() {
        return Err(bad);
    }
    let extra = #[inline(always)]
    || c.extra.get(row);
    found(cx, c, c.container.get(row), known, span(c.spans, row), extra)
}

/// The same where everything it is made of is good.
#[inline(always)]
unsafe fn found(
    cx: Cx,
    c: &Close,
    container: Val,
    known: bool,
    [start, end]: [u32; 2],
    extra: impl FnOnce() -> Val,
) -> Result<Ready, Val> {
    if container.is_bad() {
        return Err(container);
    }
    if !known || !fits(cx, c.suffix, container) {
        return Err(Val::error(Fault::Type));
    }
    if end == LOST || (end == TOO_MANY && c.flags & (EXACT | WHOLE) != 0) {
        return Err(Val::error(Fault::Size));
    }
    if end >= NO_ROOM {
        return Err(Val::BACK);
    }
    let n = end - start;
    let asked = c.flags & EXTRA != 0 && (n == 0 || c.flags & EXTRA_IF_EMPTY == 0);
    let form = c.flags & FORM != 0;
    let extra = if asked | form { extra() } else { Val::NULL };
    if !form && extra.is_bad() {
        return Err(extra);
    }
    Ok((container, start, n, extra))
}

/// Which lane asks for what; those after them ask for the list.
const CONTAINER: u32 = 0;
const SPAN: u32 = 1;
const EXTRA_OPERAND: u32 = 2;
const ONTO: u32 = 3;
const LIST: u32 = 4;

/// What a warp asked for: everything that a row needs, by a lane each.
#[derive(Clone, Copy)]
pub struct AskedRow {
    all: Asked,
    /// Which of the list are no containers.
    unknown: u32,
}

/// Asks for a row; for nothing, if there is none.
#[inline(always)]
pub unsafe fn ask(c: &Close, list: List, row: u32) -> AskedRow {
    let (mut val, mut unknown) = (Val::NULL, false);
    let listed = lane().wrapping_sub(LIST);
    if row < c.rows {
        if listed < c.guards + c.over {
            val = list.get(listed).get(row);
            unknown = listed >= c.guards && len(val).is_none();
        } else if lane() == CONTAINER {
            val = c.container.get(row);
        } else if lane() == SPAN {
            val = Val::from_words(get((c.spans as *const u64).add(row as usize)), 0);
        } else if (lane() == EXTRA_OPERAND) & (c.flags & (EXTRA | FORM) != 0) {
            val = c.extra.get(row);
        } else if (lane() == ONTO) & (c.onto.column != 0) {
            val = c.onto.get(row);
        }
    }
    let bad = (lane() >= LIST) & val.is_bad();
    AskedRow { all: Asked::new(val, bad), unknown: Gpu(u32::from(unknown)).ballot() }
}

impl AskedRow {
    /// What the row closes and what it is drawn on, or what stands in the way; for all lanes together.
    #[inline(always)]
    pub unsafe fn ready(self, cx: Cx, c: &Close) -> Result<(Ready, Val), Val> {
        let shown = self.all.show();
        if shown.bad != 0 {
            let guards = shown.bad & ((1u32 << (LIST + c.guards)) - 1);
            // Guards come first, whatever the containers are.
            let mut left = if guards != 0 { guards } else { shown.bad };
            let mut bad = Val::NULL;
            while left != 0 {
                bad = worse(bad, shown.value(left.trailing_zeros()));
                left &= left - 1;
            }
            return Err(bad);
        }
        let (span, _) = shown.value(SPAN).two_words();
        let extra = #[inline(always)]
        || shown.value(EXTRA_OPERAND);
        let span = [span as u32, (span >> 32) as u32];
        let ready = found(cx, c, shown.value(CONTAINER), self.unknown == 0, span, extra)?;
        Ok((ready, shown.value(ONTO)))
    }
}
