//! What a kernel on a GPU is told: where columns lie, how rows find each other, what to compute.
//!
//! The host fills these in and the kernels read them, so both compile this file. Addresses are those
//! of the device, as plain numbers; the host cannot follow them.

/// Marks the end of a span whose items are not opened because the loops around them surely run too
/// many bodies.
pub const LOST: u32 = u32::MAX;
/// Marks the end of a span whose items are too many to open.
pub const TOO_MANY: u32 = u32::MAX - 1;
/// Marks the end of a span whose items found no room beside those of the other rows. Lower ends are
/// none of these.
pub const NO_ROOM: u32 = u32::MAX - 2;
/// The most operands in the list of an instruction.
pub const MOST_LISTED: usize = 32;
/// The most operands in the list of an instruction that closes a frame: a warp asks for all of them at
/// once, and for four more.
pub const MOST_CLOSED: usize = 28;
/// Body counts stop here: what is past the limit is past it.
pub const MOST_BODIES: u32 = 1 << 24;
/// The most bodies that one loop runs, nested ones included.
pub const MAX_BODIES: u32 = 262_144;

/// The most element operations that one higher-order call takes.
pub const MAX_WORK: u64 = 1 << 26;
/// The most times that `power` runs its function.
pub const MAX_POWER: i32 = 999;

/// Threads in a block.
pub const THREADS: u32 = 64;

/// An arena on the device.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Memory {
    /// Its first unit.
    pub base: u64,
    /// The count of units that are taken.
    pub taken: u64,
    /// How many units there are.
    pub units: u32,
    /// How many units a warp takes at once.
    pub grain: u32,
    /// What each warp had left of what it took: the next unit and where it ends, 32 bits each. What it has
    /// left in the end is kept there for the next kernel.
    pub left: u64,
    /// So many warps keep what they have left.
    pub keepers: u32,
    /// So that there are no bytes between.
    pub unused: u32,
}

/// Where an argument's values come from.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Operand {
    /// The column.
    pub column: u64,
    /// For each row, which row of the column it sees; 0 if `stride` says that.
    pub index: u64,
    /// 0: all rows see the first value; 1: the same row.
    pub stride: u32,
    /// So that there are no bytes between.
    pub unused: u32,
}

/// The most columns that one launch computes.
pub const MOST_CALLS: usize = 30;

/// A primitive over columns, each with blocks of its own.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Calls {
    /// The arena.
    pub memory: Memory,
    /// How many columns.
    pub count: u32,
    /// How many blocks there are for all of them.
    pub blocks: u32,
    /// The columns.
    pub list: [Call; MOST_CALLS],
}

/// Where a call's word of its suffix has the number of its primitive.
pub const OP_SHIFT: u32 = 8;

/// A primitive over a column.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Call {
    /// The column of results.
    pub out: u64,
    /// The arguments.
    pub args: [Operand; 4],
    /// How many rows.
    pub rows: u32,
    /// The slot, for errors that begin here.
    pub slot: u32,
    /// What the suffix asks of some arguments, as [`suffix`] numbers it; in the bits from [`OP_SHIFT`] on the number
    /// of the primitive in the table.
    pub suffix: u32,
    /// Which arguments, as bits.
    pub suffixed: u32,
    /// The first block that computes it.
    pub first: u32,
    /// How many units a thread takes at once, where threads work alone.
    pub grain: u32,
}

/// An instruction over columns that is no primitive: `choose`, `collect`, `or_else`, `fill`, `copy`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Rowwise {
    /// The arena.
    pub memory: Memory,
    /// The column of results.
    pub out: u64,
    /// Where body counts go; 0 if nobody asks.
    pub bodies: u64,
    /// A value: the default of `or_else`, what `fill` fills with.
    pub value: [u64; 2],
    /// How many rows.
    pub rows: u32,
    /// The slot.
    pub slot: u32,
    /// Of the list, so many are values first,
    pub first: u32,
    /// then so many are guards,
    pub guards: u32,
    /// then so many are body counts.
    pub nested: u32,
    /// Whether `collect` makes a set.
    pub set: u32,
    /// The operands.
    pub list: [Operand; MOST_LISTED],
}

/// Opens an element frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Open {
    /// The arena.
    pub memory: Memory,
    /// The containers.
    pub over: [Operand; 2],
    /// For each parent row where its rows start and end.
    pub spans: u64,
    /// The count of rows, 64 bits; after it all lengths or-ed together, 32 bits.
    pub count: u64,
    /// For each row its parent row.
    pub parents: u64,
    /// The columns of the items; 0 if nobody reads them.
    pub items: [u64; 2],
    /// For each row the base's row; 0 if there is no base. Where the frame has only some of the base's
    /// rows, the second container is the base's.
    pub again: u64,
    /// For each row of the base's parent where the base's rows start and end.
    pub base: u64,
    /// For each row of this frame's parent, the row of the base's parent.
    pub outer: u64,
    /// How many rows the parent has.
    pub rows: u32,
    /// How many containers there are.
    pub containers: u32,
    /// Whether the rows are all pairs of items.
    pub product: u32,
    /// How many rows there is room for; 0 where only their numbers matter.
    pub room: u32,
    /// The containers of the frames around it, two for each, where all are known before the
    /// outermost opens.
    pub around: [Operand; 2 * MOST_AROUND],
    /// How many frames those are.
    pub frames: u32,
    /// What they are, two bits for each: [`EACH`], [`ZIP`], [`PRODUCT`] or [`BUT`].
    pub kinds: u32,
    /// A row of the parent with more rows than this is handed back.
    pub most: u32,
    /// So that there are no bytes between.
    pub unused: u32,
}

/// Among the kinds: the frame's own rows do not count.
pub const NOT_ITSELF: u32 = 1 << 31;
/// Among the kinds: the frame's container is a part of its base's.
pub const PART: u32 = 1 << 30;
/// The most frames around a frame whose sizes are asked for.
pub const MOST_AROUND: usize = 3;
/// A frame has a row for each item.
pub const EACH: u32 = 0;
/// A frame has a row for each two items at the same place.
pub const ZIP: u32 = 1;
/// A frame has a row for each two items.
pub const PRODUCT: u32 = 2;
/// A frame has a row for each item but one, or more.
pub const BUT: u32 = 3;

/// Closes an element frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Close {
    /// The arena.
    pub memory: Memory,
    /// The column of results.
    pub out: u64,
    /// Where body counts go; 0 if nobody asks.
    pub bodies: u64,
    /// For each parent row where its rows start and end.
    pub spans: u64,
    /// The column of the items; 0 if there is none.
    pub items: u64,
    /// For each parent row the number of its first piece, from 1, or 0; 0 if no row is in pieces.
    pub firsts: u64,
    /// The values of the pieces.
    pub closed: u64,
    /// What the bodies gave, by row of the frame.
    pub results: Operand,
    /// The container, by row of the parent.
    pub container: Operand,
    /// The rank, or the value for an empty container, by row of the parent.
    pub extra: Operand,
    /// The grid on which alone the result will be drawn, by row of the parent; none where it may be read
    /// otherwise.
    pub onto: Operand,
    /// How many rows the parent has.
    pub rows: u32,
    /// The slot.
    pub slot: u32,
    /// What the suffix asks of the container.
    pub suffix: u32,
    /// Bits: [`EXACT`], [`BY_PLACE`], [`EXTRA`] and so on.
    pub flags: u32,
    /// Of the list, so many are guards first,
    pub guards: u32,
    /// then so many are the frame's containers,
    pub over: u32,
    /// then so many are body counts, by row of the frame.
    pub nested: u32,
    /// The slot of the bodies, where they do not run.
    pub body: u32,
    /// A row with more results than this is handed back.
    pub most: u32,
    /// At most how many element operations one of its own bodies takes, where that can be too much,
    pub own: u32,
    /// and one of those that loops inside it run.
    pub inner: u32,
    /// So that there are no bytes between.
    pub unused: u32,
    /// The operands.
    pub list: [Operand; MOST_LISTED],
}

/// Closes long rows in pieces: the items of each by a warp of its own, then two pieces at a time.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Pieces {
    /// What is closed.
    pub close: Close,
    /// For each piece its parent row, where its items start and end, and how many pieces the row has.
    pub list: u64,
    /// The count of pieces.
    pub count: u64,
    /// How many pieces there is room for.
    pub room: u32,
    /// Items in a piece.
    pub size: u32,
    /// Rows with more items are in pieces where some of their results are arrays,
    pub long: u32,
    /// and those with more than this whatever they are.
    pub many: u32,
    /// How far apart the pieces are that become one.
    pub step: u32,
    /// How many times as many items there are in a piece, and must be in a row, where those are arrays of
    /// locations or cells.
    pub places: u32,
}

/// Too many rows are surely too many bodies.
pub const EXACT: u32 = 1;
/// Items are the container's own, by place.
pub const BY_PLACE: u32 = 2;
/// There is an extra operand.
pub const EXTRA: u32 = 4;
/// It matters only where there are no rows.
pub const EXTRA_IF_EMPTY: u32 = 8;
/// The result is a set, whatever the container is.
pub const AS_SET: u32 = 16;
/// The result is a tuple, whatever the container is.
pub const AS_TUPLE: u32 = 32;
/// Results are picked, not items.
pub const OF_RESULTS: u32 = 64;
/// The least key, not the largest.
pub const LEAST: u32 = 128;
/// All bodies run, in loops inside it too: too many rows anywhere are too many bodies.
pub const WHOLE: u32 = 256;

/// The result is found without the bodies; the extra operand is what it is found from.
pub const FORM: u32 = 512;

/// `power`, in its parts.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Power {
    /// The current values, by row of the parent.
    pub values: u64,
    /// How often each row must still run.
    pub left: u64,
    /// How many bodies each row ran.
    pub bodies: u64,
    /// The rows that run, and how many there are.
    pub active: u64,
    /// Their count.
    pub count: u64,
    /// What the body gave, by row of the frame.
    pub body: Operand,
    /// How many rows: of the parent, or those that run.
    pub rows: u32,
    /// The slot.
    pub slot: u32,
    /// Of the list, so many are guards,
    pub guards: u32,
    /// then so many are body counts. Where it begins, the list is: times, start, guards.
    pub nested: u32,
    /// A row that runs more bodies than this, nested ones included, is handed back.
    pub most: u32,
    /// So that there are no bytes between.
    pub unused: u32,
    /// The operands.
    pub list: [Operand; MOST_LISTED],
}

/// For each row its ancestor further out.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Above {
    /// Each row's parent row.
    pub parents: u64,
    /// The ancestors of the parent's rows.
    pub above: u64,
    /// The ancestors.
    pub out: u64,
    /// How many rows.
    pub rows: u32,
    /// So that there are no bytes between.
    pub unused: u32,
}

/// Brings results out: a word for each row of some, and the values that are asked for, of one of them, in an
/// arena of their own.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Answer {
    /// The arena.
    pub memory: Memory,
    /// Where values go.
    pub exports: Memory,
    /// What is expected; a value that cannot be held where nothing is.
    pub expected: Operand,
    /// The words, result by result.
    pub words: u64,
    /// The values; 0 if verdicts are enough.
    pub values: u64,
    /// How many rows each has.
    pub rows: u32,
    /// How many results there are.
    pub count: u32,
    /// The results.
    pub list: [Operand; MOST_LISTED],
}

/// Brings scores out: a word for each row of some results.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Scores {
    /// The arena.
    pub memory: Memory,
    /// The words, result by result.
    pub words: u64,
    /// How many rows each has.
    pub rows: u32,
    /// How many results there are.
    pub count: u32,
    /// Whether they are scores, and not pairs of a score and its detail.
    pub alone: u32,
    /// So that there are no bytes between.
    pub unused: u32,
    /// The results.
    pub list: [Operand; MOST_LISTED],
}

/// Words of results: not what is expected.
pub const WRONG: u32 = 0;
/// What is expected.
pub const RIGHT: u32 = 1;
/// Handed back; the slot plus one is in the upper bits.
pub const BACK: u32 = 2;
/// An error; its kind is in bits 4 to 7, the slot plus one in the upper bits.
pub const FAILED: u32 = 3;
/// A value was brought out.
pub const VALUE: u32 = 4;
/// A score, which is in the upper bits.
pub const SCORE: u32 = 5;
/// A value that is no score.
pub const NO_SCORE: u32 = 6;
/// Where the slot begins in a word.
pub const SLOT_SHIFT: u32 = 8;

/// What a suffix asks for, in the order of the suffixes: nothing, a tuple, a set, indices, an object.
pub mod suffix {
    /// Nothing.
    pub const NONE: u32 = 0;
    /// A tuple.
    pub const TUPLE: u32 = 1;
    /// A set.
    pub const SET: u32 = 2;
    /// A set of locations.
    pub const INDICES: u32 = 3;
    /// A set of cells.
    pub const OBJECT: u32 = 4;
}
