//! Walking over rows, and reading what they see.

use core::arch::asm;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};
use core::ptr::null_mut;

use crate::arena::Cx;
use crate::chunk::{Chunk, Left};
use crate::columns::{Memory, Operand, suffix};
use crate::global::{get, get_now, set};
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane};
use crate::val::{Tag, Val};

/// Threads that share rows out among them: the number of this one, and how many there are.
#[derive(Clone, Copy)]
pub struct Threads {
    at: u32,
    all: u32,
}

/// With so many rows for each warp, at least, every lane takes a row of its own first: with fewer, warps
/// would be idle.
pub const MANY: u32 = 8;

/// With so many rows for each warp, those that a thread cannot do alone may lie together without one
/// warp having much more to do than others.
const VERY_MANY: u32 = 64;

/// How many of very many rows, side by side, a warp takes one after the other; a power of two.
const NEAR: u32 = 8;

impl Threads {
    /// All of the grid.
    #[inline(always)]
    pub fn of_grid() -> Threads {
        // SAFETY: this reads a register.
        Threads::of_blocks(0, unsafe { _grid_dim_x() as u32 })
    }

    /// Those of the blocks from one up to another.
    #[inline(always)]
    pub fn of_blocks(first: u32, end: u32) -> Threads {
        // SAFETY: this reads registers.
        let (block, size, thread) =
            unsafe { (_block_idx_x() as u32, _block_dim_x() as u32, _thread_idx_x() as u32) };
        Threads { at: (block - first) * size + thread, all: (end - first) * size }
    }

    /// The number of this thread in its block.
    #[inline(always)]
    pub fn of_block() -> u32 {
        // SAFETY: this reads a register.
        unsafe { _thread_idx_x() as u32 }
    }

    /// The number of this warp.
    #[inline(always)]
    pub fn warp(self) -> u32 {
        self.at >> 5
    }

    /// How many warps they are.
    #[inline(always)]
    pub fn warps(self) -> u32 {
        self.all >> 5
    }

    /// Whether rows are so many that a warp takes some that lie side by side.
    #[inline(always)]
    pub fn near(self, rows: u32) -> bool {
        rows / VERY_MANY >= self.warps()
    }

    /// Calls `f` with every row of this thread.
    #[inline(always)]
    pub fn each_by_thread(self, rows: u32, mut f: impl FnMut(u32)) {
        let mut row = self.at;
        while row < rows {
            f(row);
            row += self.all;
        }
    }

    /// Calls `f` with every row of this warp, all threads together. Where there are many, a warp takes some
    /// that lie side by side: these often see the same values, and what they see lies side by side, too.
    #[inline(always)]
    pub fn each_by_warp(self, rows: u32, mut f: impl FnMut(u32)) {
        let mut walk = self.walk(rows);
        while walk.row < rows {
            f(walk.row);
            walk.next();
        }
    }

    /// The rows of this warp, one after the other.
    #[inline(always)]
    pub fn walk(self, rows: u32) -> Walk {
        let near = if self.near(rows) { NEAR } else { 1 };
        Walk { row: self.warp() * near, near, jump: (self.warps() - 1) * near }
    }

    /// Calls `alone` with every row, each thread with its own, and `together` with those for which that
    /// was not enough, all threads of a warp with one after the other.
    #[inline(always)]
    pub fn each_alone(self, rows: u32, alone: impl Fn(u32) -> bool, together: impl FnMut(u32)) {
        self.each_at_once(
            rows,
            #[inline(always)]
            |row| match row {
                Some(row) => !alone(row),
                None => false,
            },
            together,
        );
    }

    /// The same, where threads without a row call `alone`, too, and it tells whether a row is left. Where rows
    /// are not very many, those of a warp are far apart: neighbours are often samples of one task, and all
    /// take long if one does.
    #[inline(always)]
    pub fn each_at_once(
        self,
        rows: u32,
        alone: impl Fn(Option<u32>) -> bool,
        mut together: impl FnMut(u32),
    ) {
        let (warp, warps) = (self.warp(), self.warps());
        let near = self.near(rows);
        let (mut base, apart) = if near { (warp * 32, 1) } else { (warp, warps) };
        while base < rows {
            let row = base + lane() * apart;
            let left = alone(if row < rows { Some(row) } else { None });
            let mut rest = Gpu(u32::from(left)).ballot();
            while rest != 0 {
                together(base + rest.trailing_zeros() * apart);
                rest &= rest - 1;
            }
            base += warps * 32;
        }
    }
}

/// A walk over the rows of a warp.
#[derive(Clone, Copy)]
pub struct Walk {
    /// The row it has come to; past the last one at the end.
    pub row: u32,
    near: u32,
    jump: u32,
}

impl Walk {
    /// Goes on to the next row.
    #[inline(always)]
    pub fn next(&mut self) {
        self.row += 1;
        if self.row & (self.near - 1) == 0 {
            self.row += self.jump;
        }
    }
}

/// How many warps there are.
#[inline(always)]
pub fn warps() -> u32 {
    Threads::of_grid().warps()
}

/// Calls `f` with every row of this thread.
#[inline(always)]
pub fn each_by_thread(rows: u32, f: impl FnMut(u32)) {
    Threads::of_grid().each_by_thread(rows, f);
}

/// Calls `f` with every row of this warp, all threads together.
#[inline(always)]
pub fn each_by_warp(rows: u32, f: impl FnMut(u32)) {
    Threads::of_grid().each_by_warp(rows, f);
}

/// A handle on the arena for a thread that works alone, which takes so many units at once.
#[inline(always)]
pub unsafe fn cx_alone(memory: &Memory, grain: u32) -> Cx {
    let taken = memory.taken as *const u32;
    Cx::new(memory.base as *mut u32, Chunk::new(taken, memory.units, grain, false, Left::default()))
}

/// What this warp has left of the arena, from one kernel to the next.
#[derive(Clone, Copy)]
pub struct Kept(u64);

impl Kept {
    /// Where it is kept; null for a warp that has no place.
    #[inline(always)]
    unsafe fn at(memory: &Memory) -> *mut u64 {
        let warp = Threads::of_grid().warp();
        if warp < memory.keepers { (memory.left as *mut u64).add(warp as usize) } else { null_mut() }
    }

    /// Asks for it. Until it is used the warp may ask for more.
    #[inline(always)]
    pub unsafe fn ask(memory: &Memory) -> Kept {
        let at = Kept::at(memory);
        Kept(if at.is_null() { 0 } else { get_now(at) })
    }

    /// A handle on the arena.
    #[inline(always)]
    pub unsafe fn cx(self, memory: &Memory) -> Cx {
        let left = Left { next: self.0 as u32, end: (self.0 >> 32) as u32 };
        let taken = memory.taken as *const u32;
        Cx::new(
            memory.base as *mut u32,
            Chunk::new(taken, memory.units, memory.grain, true, left),
        )
    }
}

/// Keeps what this warp has left of the arena.
#[inline(always)]
pub unsafe fn keep(memory: &Memory, cx: Cx) {
    let at = Kept::at(memory);
    if !at.is_null() {
        let left = cx.left();
        set(at, u64::from(left.next) | u64::from(left.end) << 32);
    }
}

impl Operand {
    /// Which row of its column a row sees.
    #[inline(always)]
    pub unsafe fn at(&self, row: u32) -> usize {
        let index = self.index as *const u32;
        if index.is_null() {
            (row * self.stride) as usize
        } else {
            get(index.add(row as usize)) as usize
        }
    }

    /// The value that a row sees.
    #[inline(always)]
    pub unsafe fn get(&self, row: u32) -> Val {
        self.val(self.at(row))
    }

    /// A value of the column.
    #[inline(always)]
    pub unsafe fn val(&self, at: usize) -> Val {
        get((self.column as *const Val).add(at))
    }

    /// The count that a row sees.
    #[inline(always)]
    pub unsafe fn count(&self, row: u32) -> u32 {
        get((self.column as *const u32).add(self.at(row)))
    }
}

/// Where the rows of a parent start and end.
#[inline(always)]
pub unsafe fn span(spans: u64, row: u32) -> [u32; 2] {
    let both = get((spans as *const u64).add(row as usize));
    [both as u32, (both >> 32) as u32]
}

/// Operands among a kernel's parameters that are found by number. They are read where they lie: an
/// array that is indexed would first be copied to the memory of every thread.
#[derive(Clone, Copy)]
pub struct List(pub u64);

/// Where a kernel's one parameter lies.
macro_rules! parameter {
    ($kernel:ident) => {{
        let at: u64;
        core::arch::asm!(
            concat!("mov.b64 {0}, ", stringify!($kernel), "_param_0;"),
            out(reg64) at,
            options(pure, nomem, nostack, preserves_flags),
        );
        at
    }};
}
pub(crate) use parameter;

/// The list of operands in a kernel's one parameter.
macro_rules! list {
    ($kernel:ident, $params:ty, $($field:ident).+) => {{
        let at = $crate::rows::parameter!($kernel);
        $crate::rows::List(at + core::mem::offset_of!($params, $($field).+) as u64)
    }};
}
pub(crate) use list;

/// A word of a kernel's parameters.
#[inline(always)]
pub unsafe fn parameter_word(at: u64) -> u32 {
    let word: u32;
    asm!(
        "ld.param.b32 {0}, [{1}];",
        out(reg32) word,
        in(reg64) at,
        options(pure, nomem, nostack, preserves_flags),
    );
    word
}

/// Two words of a kernel's parameters.
#[inline(always)]
pub unsafe fn parameter_words(at: u64) -> u64 {
    let words: u64;
    asm!(
        "ld.param.b64 {0}, [{1}];",
        out(reg64) words,
        in(reg64) at,
        options(pure, nomem, nostack, preserves_flags),
    );
    words
}

impl List {
    /// An operand.
    #[inline(always)]
    pub unsafe fn get(self, k: u32) -> Operand {
        let at = self.0 + u64::from(k) * size_of::<Operand>() as u64;
        let (column, index, stride): (u64, u64, u64);
        asm!(
            "ld.param.b64 {0}, [{3}];",
            "ld.param.b64 {1}, [{3}+8];",
            "ld.param.b64 {2}, [{3}+16];",
            out(reg64) column,
            out(reg64) index,
            out(reg64) stride,
            in(reg64) at,
            options(pure, nomem, nostack, preserves_flags),
        );
        Operand { column, index, stride: stride as u32, unused: 0 }
    }
}

/// The worse of two: an error before a hand-back before anything else, the first on a tie. Whatever a
/// hand-back would be, what needs both is an error.
#[inline(always)]
pub fn worse(a: Val, b: Val) -> Val {
    if !a.is_bad() | (b.is(Tag::Error) & a.is(Tag::Back)) { b } else { a }
}

/// The first bad value that a row sees among some, an error before a hand-back; null if none is.
#[inline(always)]
pub unsafe fn first_bad(list: List, from: u32, count: u32, row: u32) -> Val {
    let mut bad = Val::NULL;
    let mut k = from;
    while k < from + count {
        let v = list.get(k).get(row);
        if v.is_bad() {
            bad = worse(bad, v);
        }
        k += 1;
    }
    bad
}

/// Whether a value is what a suffix asks for.
#[inline(always)]
pub fn fits(cx: Cx, asked: u32, v: Val) -> bool {
    let cells = asked == suffix::OBJECT;
    match asked {
        suffix::TUPLE => v.is_tuple(),
        suffix::SET => v.is_set(),
        suffix::INDICES | suffix::OBJECT => all(cx, v, cells),
        _ => true,
    }
}

/// Whether a value is a set of cells, or of locations.
#[inline(always)]
fn all(cx: Cx, v: Val, cells: bool) -> bool {
    let (form, tag) = if cells { (Tag::Object, Tag::Cell) } else { (Tag::Mask, Tag::Pair) };
    if v.is(form) | v.is_empty_set() {
        return true;
    }
    let mut k = 0;
    while v.is(Tag::Set) && k < v.x() && cx.val(v.a(), k).is(tag) {
        k += 1;
    }
    v.is(Tag::Set) && k == v.x()
}
