//! Drawing on grids of any form, cell by cell.

use super::read::{held, pair};
use super::rows::{self, Laid, tuple_of};
use super::strokes;
use crate::arena::Cx;
use crate::gather;
use crate::lanes::Lanes;
use crate::lanes::boost::boosted;
use crate::order::equal;
use crate::seq::{Items, len, nth};
use crate::val::{Fault, Tag, Val};
use crate::wide::{Wide, byte};

/// The place of an item of a patch, and its colour where it is a cell; `Err` for what is neither.
#[inline(always)]
fn read<V: Lanes>(cx: Cx, v: Val) -> Result<(Option<Val>, Val), Val> {
    match v.tag() {
        Tag::Pair => Ok((None, v)),
        Tag::Cell => Ok((Some(Val::int(v.a() as i32)), Val::pair(v.b() as i32, v.x() as i32))),
        _ if len(v) == Some(2) => read_two::<V::Out>(cx, v),
        _ => Err(Val::error(Fault::Type)),
    }
}

/// As [`read`], for any two items: a cell with a colour that is no int, or a pair in another form.
#[inline(never)]
fn read_two<V: Lanes>(cx: Cx, v: Val) -> Result<(Option<Val>, Val), Val> {
    let (first, second) = (nth::<V>(cx, v, 0), nth::<V>(cx, v, 1));
    if first.is_bad() || second.is_bad() {
        return Err(Val::BACK);
    }
    if let Ok((i, j)) = pair(cx, second) {
        return Ok((Some(first), Val::pair(i, j)));
    }
    let at = if v.is_tuple() { pair(cx, v) } else { Err(Val::error(Fault::Type)) };
    at.map(|(i, j)| (None, Val::pair(i, j)))
}

/// What is drawn: each item of a patch in turn, the first of which says what they are.
struct Strokes<V> {
    items: Items<V>,
    color: Option<Val>,
    cells: Option<bool>,
}

impl<V: Lanes> Strokes<V> {
    /// The items of a patch: in a colour, or in their own where none is given.
    #[inline(always)]
    fn of(cx: Cx, patch: Val, color: Option<Val>) -> Result<Strokes<V>, Val> {
        let items = Items::of(cx, patch).ok_or(Val::error(Fault::Type))?;
        Ok(Strokes { items, color, cells: if color.is_some() { None } else { Some(true) } })
    }

    /// The next colour and its place within a height and a width.
    #[inline(always)]
    fn next(&mut self, cx: Cx, (h, w): (u32, u32)) -> Option<Result<(Val, u32, u32), Val>> {
        while let Some(v) = self.items.next(cx) {
            // What the first one is, only a tuple tells.
            if self.cells.is_none() && !v.is_tuple() {
                return Some(Err(Val::error(Fault::Type)));
            }
            let (own, at) = match read::<V>(cx, v) {
                Ok(read) => read,
                Err(bad) => return Some(Err(bad)),
            };
            if *self.cells.get_or_insert(own.is_some()) != own.is_some() {
                return Some(Err(Val::error(Fault::Type)));
            }
            let (i, j) = (at.b(), at.x());
            if i < h && j < w {
                return Some(Ok((self.color.or(own).unwrap_or(Val::BACK), i, j)));
            }
        }
        None
    }
}

/// A grid with a patch drawn over it: in a colour, or in its own colours where none is given; with a
/// background given, on such cells only.
#[inline(never)]
pub(super) fn drawn<V: Lanes>(
    cx: Cx,
    grid: Val,
    patch: Val,
    color: Option<Val>,
    background: Option<Val>,
) -> Val {
    let dims = held!(rows::dims(cx, grid));
    let drawn = boosted!(drawn_bytes::<V>(
        cx: Cx, grid: Val, patch: Val, color: Option<Val>, background: Option<Val>
    ) -> Option<Val>);
    match drawn {
        Some(drawn) => drawn,
        None => drawn_rows::<V>(cx, grid, dims, patch, color, background),
    }
}

/// `None` where bytes cannot hold the grid or a colour.
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn drawn_bytes<V: Lanes>(
    cx: Cx,
    grid: Val,
    patch: Val,
    color: Option<Val>,
    background: Option<Val>,
) -> Option<Val> {
    let whole = Wide::of::<V::Out>(cx, grid)?;
    let mut g = whole.copied(cx)?;
    let background = match background {
        Some(color) => Some(byte(color)?),
        None => None,
    };
    if V::APART
        && let Some(color) = color
        && filled::<V>(cx, &g, patch, byte(color)?, background)
    {
        return Some(g.to_val::<V::Out>(cx));
    }
    if V::APART && color.is_none() && painted::<V>(cx, &g, patch, background) {
        return Some(g.to_val::<V::Out>(cx));
    }
    if !V::APART {
        let color = match color {
            Some(color) => Some(byte(color)?),
            None => None,
        };
        if strokes::drawn::<V>(cx, &g, patch, color, background) {
            return Some(g.to_val::<V::Out>(cx));
        }
        g = whole.copied(cx)?;
    }
    let mut strokes = match Strokes::<V>::of(cx, patch, color) {
        Ok(strokes) => strokes,
        Err(bad) => return Some(bad),
    };
    while let Some(stroke) = strokes.next(cx, (g.height, g.width)) {
        let (color, i, j) = match stroke {
            Ok(stroke) => stroke,
            Err(bad) => return Some(bad),
        };
        if background.is_none_or(|b| b == g.at(cx, i, j)) {
            g.put(cx, i, j, byte(color)?);
        }
    }
    Some(g.to_val::<V::Out>(cx))
}

/// Fills cells with a colour, all at once; `false`, and nothing done, where not all items have a
/// place.
fn filled<V: Lanes>(cx: Cx, g: &Wide, patch: Val, color: u8, background: Option<u8>) -> bool {
    let Ok((unit, n)) = gather::flat::<V>(cx, patch) else { return false };
    let first = cx.val(unit, 0).tag();
    let strange = |k: u32| !cx.val(unit, k).is(first);
    if n == 0 || !matches!(first, Tag::Pair | Tag::Cell) || V::find(n, strange).is_some() {
        return false;
    }
    V::meet();
    V::each(n, |k| {
        let v = cx.val(unit, k);
        let (i, j) = (v.b(), v.x());
        if i < g.height && j < g.width && background.is_none_or(|b| b == g.at(cx, i, j)) {
            g.put_own(cx, i, j, color);
        }
    });
    V::meet();
    true
}

/// Paints the cells of a set, which come colour by colour: all of one colour at once. `false`, and
/// nothing done, where it holds anything else or a colour that is no byte.
fn painted<V: Lanes>(cx: Cx, g: &Wide, set: Val, background: Option<u8>) -> bool {
    let (unit, n) = (set.a(), set.x());
    let own = |v: Val| byte(Val::int(v.a() as i32));
    let strange = |k: u32| {
        let v = cx.val(unit, k);
        !v.is(Tag::Cell) || own(v).is_none()
    };
    if !set.is(Tag::Set) || V::find(n, strange).is_some() {
        return false;
    }
    let mut from = 0;
    while from < n {
        let first = cx.val(unit, from);
        let other = V::find(n - from, |k| cx.val(unit, from + k).a() != first.a());
        let (count, color) = (other.unwrap_or(n - from), own(first).unwrap_or(0));
        V::meet();
        V::read_each(
            count,
            |k| cx.val(unit, from + k),
            |_, v| {
                let (i, j) = (v.b(), v.x());
                if i < g.height && j < g.width && background.is_none_or(|b| b == g.at(cx, i, j)) {
                    g.put_own(cx, i, j, color);
                }
            },
        );
        V::meet();
        from += count;
    }
    true
}

/// Rows of any length that hold anything.
fn drawn_rows<V: Lanes>(
    cx: Cx,
    grid: Val,
    (height, width): (u32, u32),
    patch: Val,
    color: Option<Val>,
    background: Option<Val>,
) -> Val {
    let laid = held!(Laid::of::<V>(cx, grid, height));
    let mut strokes = held!(Strokes::<V>::of(cx, patch, color));
    while let Some(stroke) = strokes.next(cx, (height, width)) {
        let (color, i, j) = held!(stroke);
        if j >= laid.width(cx, i) {
            return Val::error(Fault::Index);
        }
        let free = match background {
            Some(background) => equal::<V>(cx, laid.at(cx, i, j), background),
            None => Some(true),
        };
        match free {
            Some(true) => laid.put(cx, i, j, color),
            Some(false) => {}
            None => return Val::BACK,
        }
    }
    let all = tuple_of(cx, height, |i| tuple_of(cx, laid.width(cx, i), |j| laid.at(cx, i, j)));
    gather::tidy_tuple::<V>(cx, all, true)
}
