//! A value in 16 bytes.

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// Cannot be held here; the reference engine must decide.
    Back = 0,
    /// An error.
    Error = 1,
    /// None.
    Null = 2,
    /// An int or a bool.
    Int = 3,
    /// A tuple of two ints.
    Pair = 4,
    /// (colour, (row, column)).
    Cell = 5,
    /// A set of ints from 0 to 31, as bits. The only form of the empty set.
    Colors = 6,
    /// A set of locations within a window of 32×32; never empty.
    Mask = 7,
    /// A set of cells within a window of 32×32, one colour from 0 to 15 at a place; never empty.
    Object = 8,
    /// A tuple of 1 to 32 rows of 1 to 32 ints from 0 to 15.
    Grid = 9,
    /// Any tuple, as an array of values. A pair, a cell or a grid may also come in this form.
    Tuple = 10,
    /// Any set that is not empty, as an array of values in canonical order without repeats. Ints,
    /// locations or cells may also come in this form.
    Set = 11,
    /// A tuple of equal rows of ints from -128 to 127, as bytes: a grid that planes cannot hold.
    Wide = 12,
    /// A function. It can be held, chosen and compared with itself, but not called.
    Function = 13,
}

/// Why a value is an error. Kinds are diagnostics; that it is one is what counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Fault {
    Value = 0,
    StopIteration,
    Runtime,
    Index,
    ZeroDivision,
    Type,
    Attribute,
    Key,
    Recursion,
    Overflow,
    Size,
}

/// A value: two words, so that it travels in registers. It is not aligned to more than a word: it would be
/// passed to functions by its address then. Where it lies in memory, it is aligned to 16 bytes.
///
/// | tag | `extra` (24 bits) | `a` | `b` | `x` |
/// | --- | --- | --- | --- | --- |
/// | Back, Error | kind | | slot where it began | |
/// | Int | | | | the int |
/// | Pair | | | first | second |
/// | Cell | | colour | row | column |
/// | Colors | | | | bits |
/// | Mask | count | unit of its rows | | origin |
/// | Object | count | unit of its rows | [`MONO`] and colour, or the unit of 4 planes | origin |
/// | Grid | | unit of 4 planes | | height, width |
/// | Wide | | unit of its bytes | | height, width, 16 bits each |
/// | Tuple, Set | depth | first unit of its items | elements in all | length |
/// | Function | depth, arity and code, see [`crate::function`] | first unit of its parts | weight | parts |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Val {
    lo: u64,
    hi: u64,
}

/// Marks `b` of an object of one colour.
pub const MONO: u32 = 1 << 31;

impl Val {
    /// Cannot be held here.
    pub const BACK: Val = Val::new(Tag::Back, 0, 0, 0, 0);
    /// None.
    pub const NULL: Val = Val::new(Tag::Null, 0, 0, 0, 0);
    /// The empty set.
    pub const EMPTY_SET: Val = Val::new(Tag::Colors, 0, 0, 0, 0);
    /// The empty tuple.
    pub const EMPTY_TUPLE: Val = Val::new(Tag::Tuple, 1, 0, 0, 0);

    /// A value from its parts.
    #[inline(always)]
    pub const fn new(tag: Tag, extra: u32, a: u32, b: u32, x: u32) -> Val {
        Val {
            lo: tag as u64 | (extra as u64) << 8 | (a as u64) << 32,
            hi: b as u64 | (x as u64) << 32,
        }
    }

    /// A value of two words as they lie in memory, or what is sorted, with its place.
    #[inline(always)]
    pub(crate) const fn from_words(lo: u64, hi: u64) -> Val {
        Val { lo, hi }
    }

    /// A value of its four words as they lie in memory.
    #[inline(always)]
    pub(crate) const fn from_four_words([a, b, c, d]: [u32; 4]) -> Val {
        Val { lo: a as u64 | (b as u64) << 32, hi: c as u64 | (d as u64) << 32 }
    }

    /// What [`Val::from_words`] was given.
    #[inline(always)]
    pub const fn two_words(self) -> (u64, u64) {
        (self.lo, self.hi)
    }

    /// An error.
    #[inline(always)]
    pub const fn error(fault: Fault) -> Val {
        Val::new(Tag::Error, fault as u32, 0, 0, 0)
    }

    /// An int.
    #[inline(always)]
    pub const fn int(n: i32) -> Val {
        Val::new(Tag::Int, 0, 0, 0, n as u32)
    }

    /// A bool, which is an int.
    #[inline(always)]
    pub const fn bool(b: bool) -> Val {
        Val::int(b as i32)
    }

    /// An int computed in 64 bits; an error if it does not fit.
    #[inline(always)]
    pub const fn narrow(n: i64) -> Val {
        if n as i32 as i64 == n { Val::int(n as i32) } else { Val::error(Fault::Overflow) }
    }

    /// A pair of ints.
    #[inline(always)]
    pub const fn pair(i: i32, j: i32) -> Val {
        Val::new(Tag::Pair, 0, 0, i as u32, j as u32)
    }

    /// A pair of ints computed in 64 bits.
    #[inline(always)]
    pub const fn narrow_pair(i: i64, j: i64) -> Val {
        if i as i32 as i64 == i && j as i32 as i64 == j {
            Val::pair(i as i32, j as i32)
        } else {
            Val::error(Fault::Overflow)
        }
    }

    /// A cell.
    #[inline(always)]
    pub const fn cell(color: i32, i: i32, j: i32) -> Val {
        Val::new(Tag::Cell, 0, color as u32, i as u32, j as u32)
    }

    /// A set of small ints.
    #[inline(always)]
    pub const fn colors(bits: u32) -> Val {
        Val::new(Tag::Colors, 0, 0, 0, bits)
    }

    /// What it is.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub const fn tag(self) -> Tag {
        // SAFETY: every value is made from a tag, or is one that was read where one was written.
        unsafe { core::mem::transmute::<u8, Tag>(self.lo as u8) }
    }

    /// Whether it is what `tag` says.
    #[inline(always)]
    pub const fn is(self, tag: Tag) -> bool {
        self.lo as u8 == tag as u8
    }

    /// The 24 bits beside the tag.
    #[inline(always)]
    pub const fn extra(self) -> u32 {
        (self.lo as u32) >> 8
    }

    /// Its four words as they lie in memory.
    #[inline(always)]
    pub const fn words(self) -> [u32; 4] {
        [self.lo as u32, (self.lo >> 32) as u32, self.hi as u32, (self.hi >> 32) as u32]
    }

    /// The field a.
    #[inline(always)]
    pub const fn a(self) -> u32 {
        (self.lo >> 32) as u32
    }

    /// The field b.
    #[inline(always)]
    pub const fn b(self) -> u32 {
        self.hi as u32
    }

    /// The field x.
    #[inline(always)]
    pub const fn x(self) -> u32 {
        (self.hi >> 32) as u32
    }

    /// Whether it is an error, or cannot be held.
    #[inline(always)]
    pub const fn is_bad(self) -> bool {
        // The one bit in which those two differ aside; one instruction on a GPU.
        self.lo as u32 & 0xfe == 0
    }

    /// Whether it is a tuple in any form.
    #[inline(always)]
    pub const fn is_tuple(self) -> bool {
        matches!(self.tag(), Tag::Pair | Tag::Cell | Tag::Grid | Tag::Tuple | Tag::Wide)
    }

    /// Whether it is a set in any form.
    #[inline(always)]
    pub const fn is_set(self) -> bool {
        matches!(self.tag(), Tag::Colors | Tag::Mask | Tag::Object | Tag::Set)
    }

    /// Whether it is the empty set.
    #[inline(always)]
    pub const fn is_empty_set(self) -> bool {
        self.is(Tag::Colors) && self.x() == 0
    }

    /// The int.
    #[inline(always)]
    pub const fn as_int(self) -> Option<i32> {
        if self.is(Tag::Int) { Some(self.x() as i32) } else { None }
    }

    /// The two ints of a pair in its own form.
    #[inline(always)]
    pub const fn as_pair(self) -> Option<(i32, i32)> {
        if self.is(Tag::Pair) { Some((self.b() as i32, self.x() as i32)) } else { None }
    }

    /// The origin of a mask or an object: the location of its window's first bit.
    #[inline(always)]
    pub const fn origin(self) -> (i32, i32) {
        (self.x() as i16 as i32, (self.x() >> 16) as i16 as i32)
    }

    /// Height and width of a grid.
    #[inline(always)]
    pub const fn dims(self) -> (u32, u32) {
        if self.is(Tag::Wide) {
            (self.x() & 0xffff, self.x() >> 16)
        } else {
            (self.x() & 0xff, self.x() >> 8 & 0xff)
        }
    }

    /// An error or a hand-back with the slot where it began, where none is noted yet.
    #[inline(always)]
    pub const fn began_at(self, slot: u32) -> Val {
        if self.is_bad() && self.b() == 0 {
            Val::new(self.tag(), self.extra(), 0, slot + 1, 0)
        } else {
            self
        }
    }

    /// The slot where an error or a hand-back began, if it is noted.
    #[inline(always)]
    pub const fn origin_slot(self) -> Option<u32> {
        if self.b() == 0 { None } else { Some(self.b() - 1) }
    }
}

/// An origin in one word; `None` too far away from the grid to be held.
#[inline(always)]
pub const fn pack_origin(i: i32, j: i32) -> Option<u32> {
    if i as i16 as i32 == i && j as i16 as i32 == j {
        Some(i as u16 as u32 | (j as u16 as u32) << 16)
    } else {
        None
    }
}

/// The most cells or elements that one value may hold in all.
pub const MAX_ELEMENTS: u32 = 65_536;
/// How deep containers may nest here; what nests deeper is handed back.
///
/// Comparing goes down by recursion, and the stack of a GPU's thread is small.
pub const MAX_HELD_DEPTH: u32 = if cfg!(target_arch = "nvptx64") { 8 } else { 32 };
