//! What is found in a shorter way than it is written.

/// A shorter way, which takes the place of a call or of a whole loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shortcut {
    /// [`specks`](crate::counts::specks) of a grid, and how cells are joined.
    Specks,
    /// [`colors`](crate::counts::colors) of a grid.
    Colors,
    /// What two sets [`share`](crate::counts::shared).
    Shared,
    /// What two sets have [`apart`](crate::counts::apart).
    Apart,
    /// Where two grids are [`alike`](crate::counts::alike).
    Alike,
    /// The [`area`](crate::counts::area) of a grid.
    Area,
    /// How many [`pairs`](crate::counts::pairs) two sets make.
    Pairs,
    /// What a grid shows of the line from a place in a direction ([`shot_onto`](crate::forms::shot_onto)).
    Shot,
    /// The [`larger`](crate::forms::larger) one of two grids' cells everywhere.
    Larger,
    /// A call of an unknown function with one argument ([`call1`](crate::unknown::call1)),
    Call1,
    /// with two,
    Call2,
    /// with three.
    Call3,
    /// A loop that calls an unknown function ([`looped`](crate::unknown::looped)).
    Looped,
    /// One that picks something ([`picked`](crate::unknown::picked)).
    Picked,
    /// One over two containers ([`paired`](crate::unknown::paired)).
    Paired,
    /// A call of each of some unknown functions ([`rapplied`](crate::unknown::rapplied)).
    Rapplied,
}
