//! Bringing results out: whether they are right, or the values themselves.

use crate::arena::{Cx, ROWS, UNIT};
use crate::columns::{
    Answer, BACK, FAILED, Memory, NO_SCORE, RIGHT, SCORE, SLOT_SHIFT, Scores, VALUE, WRONG,
};
use crate::global::set;
use crate::lanes::gpu::{Gpu, lane, together};
use crate::order::equal;
use crate::chunk::Chunk;
use crate::ops::alone::Alone;
use crate::rows::{Kept, Threads, cx_alone, each_by_thread, keep, list};
use crate::seq::{bounded, score, truth};
use crate::val::{MAX_HELD_DEPTH, MONO, Tag, Val};

/// Two arenas: from where to where.
#[derive(Clone, Copy)]
struct Move {
    from: *const u32,
    to: *mut u32,
    cx: Cx,
}

impl Move {
    /// Copies words; every lane takes some.
    #[inline(always)]
    fn copy(self, unit: u32, target: u32, words: u32) {
        let mut k = lane();
        while k < words {
            // SAFETY: the value's words lie in the one arena, the room taken for them in the other.
            unsafe {
                let from = self.from.add(unit as usize * UNIT + k as usize);
                *self.to.add(target as usize * UNIT + k as usize) = *from;
            }
            k += 32;
        }
    }
}

/// A value in another arena; the items of an array still lie in the old one. `BACK` where it is full.
#[inline(always)]
fn shallow(m: Move, v: Val) -> Val {
    let apart = v.is(Tag::Object) & (v.b() & MONO == 0);
    let (unit, words) = match v.tag() {
        Tag::Mask => (m.cx.take(1), 32),
        Tag::Object => (m.cx.take(if apart { 5 } else { 1 }), 32),
        Tag::Grid => (m.cx.take(4), 128),
        Tag::Wide => {
            let cells = v.dims().0 * v.dims().1;
            (m.cx.take_bytes(cells), cells.div_ceil(4))
        }
        Tag::Tuple | Tag::Set | Tag::Function => (m.cx.take_vals(v.x()), v.x() * 4),
        _ => return v,
    };
    let Some(unit) = unit else { return Val::BACK };
    m.copy(v.a(), unit, words);
    if apart {
        m.copy(v.b(), unit + ROWS, 128);
        return Val::new(v.tag(), v.extra(), unit, unit + ROWS, v.x());
    }
    Val::new(v.tag(), v.extra(), unit, v.b(), v.x())
}

/// A value with everything it holds in another arena.
#[inline(always)]
fn export(m: Move, v: Val) -> Val {
    // A power of two, so that a place in the array is a matter of bits.
    const DEEP: usize = MAX_HELD_DEPTH as usize;
    let is_array = |v: Val| v.is(Tag::Tuple) | v.is(Tag::Set) | v.is(Tag::Function);
    let whole = shallow(m, v);
    if !is_array(whole) {
        return whole;
    }
    // The arrays that are being walked: the first unit of each, its length, and the next item.
    let mut walked = [(0u32, 0u32, 0u32); DEEP];
    let mut depth = 0;
    walked[0] = (whole.a(), whole.x(), 0);
    loop {
        let (unit, len, k) = walked[depth & (DEEP - 1)];
        if k == len {
            if depth == 0 {
                return whole;
            }
            depth -= 1;
            continue;
        }
        walked[depth & (DEEP - 1)].2 = k + 1;
        // Words were copied lane by lane; values are read by all lanes.
        together();
        let item = shallow(m, m.cx.val(unit, k));
        if item.is_bad() {
            return Val::BACK;
        }
        m.cx.put(unit, k, item);
        if is_array(item) {
            if depth + 1 >= DEEP {
                return Val::BACK;
            }
            depth += 1;
            walked[depth & (DEEP - 1)] = (item.a(), item.x(), 0);
        }
    }
}

/// The word of an error, or of what is handed back.
#[inline(always)]
fn word_of_bad(v: Val) -> u32 {
    let kind = if v.is(Tag::Back) { BACK } else { FAILED | v.extra() << 4 };
    kind | v.b() << SLOT_SHIFT
}

/// A word for each row of several results, which are scores.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn scores(s: Scores) {
    let (from, results) = (cx_alone(&s.memory, 0), list!(scores, Scores, list));
    each_by_thread(s.rows * s.count, |at| {
        let v = results.get(at / s.rows.max(1)).get(at % s.rows.max(1));
        let word = if v.is_bad() {
            word_of_bad(v)
        } else {
            match if s.alone != 0 { bounded(v) } else { score(from, v) } {
                Some(score) => SCORE | (score as u32) << SLOT_SHIFT,
                None => NO_SCORE,
            }
        };
        set((s.words as *mut u32).add(at as usize), word);
    });
}

/// A word for each row of some results, and its value where that is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn answer(a: Answer) {
    let (results, rows) = (list!(answer, Answer, list), a.rows.max(1));
    let from = Kept::ask(&a.memory).cx(&a.memory);
    let Memory { base, taken, units, grain, .. } = a.exports;
    let exports = Chunk::of_exports(taken as *const u32, units, grain, true);
    let to = Cx::new(base as *mut u32, exports);
    let moved = Move { from: a.memory.base as *const u32, to: a.exports.base as *mut u32, cx: to };
    // The result of a row, and what is expected.
    let both = #[inline(always)]
    |at: u32| {
        let (v, row) = (results.get(at / rows).get(at % rows), at % rows);
        (v, if a.expected.column == 0 { Val::BACK } else { a.expected.get(row) })
    };
    let put = |at: u32, word: u32| set((a.words as *mut u32).add(at as usize), word);
    let verdict = |right: bool| if right { RIGHT } else { WRONG };
    Threads::of_grid().each_alone(
        a.rows * a.count,
        #[inline(always)]
        |at| {
            let (v, expected) = both(at);
            if v.is_bad() {
                put(at, word_of_bad(v));
                return true;
            }
            if expected.is(Tag::Back) {
                return false;
            }
            match Alone::Equality.call(from, &[v, expected]) {
                Some(equal) => put(at, verdict(truth(equal))),
                None => return false,
            }
            true
        },
        #[inline(always)]
        |at| {
            let ((v, expected), values) = (both(at), a.values as *mut Val);
            let word = if !expected.is(Tag::Back) {
                equal::<Gpu>(from, v, expected).map_or(BACK, verdict)
            } else if values.is_null() {
                BACK
            } else {
                let out = export(moved, v);
                set(values.add(at as usize), out);
                if out.is_bad() { BACK } else { VALUE }
            };
            put(at, word);
        },
    );
    keep(&a.memory, from);
}
