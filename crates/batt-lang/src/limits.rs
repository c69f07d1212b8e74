//! The limits that replace clocks: counted on values, so that a runaway expression ends in the same
//! error on every machine, thread count and device, merged or alone.

/// The most cells or elements that one value may hold in all.
///
/// An int, bool, null, pair, cell or function counts one; a container counts the sum of its items,
/// and an empty container inside another counts one.
pub const MAX_ELEMENTS: u32 = 65_536;

/// How deep containers may nest. Without it a value of one element could nest without end; with it
/// comparing and printing stay well within the stack of a thread.
pub const MAX_DEPTH: u32 = 128;

/// The most bodies that one higher-order call runs, the bodies of calls nested in it included.
pub const MAX_BODIES: u32 = 262_144;

/// The most element operations that one higher-order call runs, those of calls nested in it included:
/// for every call of a primitive one, and one for each element of its arguments unless the primitive looks
/// at a few places only; for every body one, and one for each element of its result.
pub const MAX_WORK: u64 = 1 << 26;

/// The most times that `power` runs its function.
pub const MAX_POWER: i32 = 999;

/// The most primitives that one function value may be built from.
pub const MAX_FUNCTION: u32 = 65_536;

/// How deep functions may nest, and how deep their calls. Without it a function that is given
/// itself could call itself without end.
pub const MAX_NESTING: u32 = 128;

/// The most cells or elements that the keys of one call (`order`, `argmax`, …) hold in all.
pub const MAX_KEYS: u32 = 1_048_576;

/// The most cells of a grid in which `tiled` and `mended` look for what repeats, and of an object in which
/// `hperiod` and `vperiod` do: how long that takes grows faster than the grid.
pub const MAX_SEARCHED: usize = 4_096;
