//! Rows with many items, closed in pieces by many warps.
//!
//! How many pieces there are is known to the device alone: the host takes room for as many as there can
//! be, so it need not wait.

use batt_core::columns::{AS_TUPLE, Close, Pieces};
use batt_cuda::{Device, Failure, Kernel};
use batt_lang::graph::FrameId;

use super::session::{By, ROWS, Session, VALUE_BYTES};

/// Bytes of what is told of a piece.
const PIECE_BYTES: u64 = 16;
/// Units of the arena that a warp takes at once where it closes pieces, and where it makes one of two.
const GRAINS: [u32; 2] = [256, 64];

/// How the rows of a loop are closed in pieces.
#[derive(Clone, Copy, Debug)]
pub struct ByPieces {
    /// The kernel that closes a piece.
    kernel: Kernel,
    /// Items in a piece.
    size: u32,
    /// Rows with more items are in pieces where some of their results are arrays,
    long: u32,
    /// and those with more than this whatever they are.
    many: u32,
    /// How many times as many items that are, where they are arrays of locations or cells.
    places: u32,
}

impl ByPieces {
    /// How loops of a kernel are, if they are.
    pub fn of(kernel: &str, flags: u32, device: &dyn Device) -> Result<Option<ByPieces>, Failure> {
        // Where the items of all results are put together, those of arrays are many; bits take one step.
        let (kernel, size, long, many, places) = match kernel {
            "close_apply" => ("close_apply_pieces", 512, 1024, 1024, 1),
            "close_merge" => ("close_merge_pieces", 16, 48, 4096, 16),
            _ => return Ok(None),
        };
        if flags & AS_TUPLE != 0 {
            return Ok(None);
        }
        Ok(Some(ByPieces { kernel: device.kernel(kernel)?, size, long, many, places }))
    }
}

/// Memory that is needed until the loop is closed.
pub struct Cut([u64; 3]);

impl Cut {
    /// Gives the memory back.
    pub fn give(self, session: &mut Session<'_>) {
        for at in self.0 {
            session.give(Some(at));
        }
    }
}

/// Closes the long rows of a frame, if there are any, and tells the closing of what came of them.
pub fn close(
    session: &mut Session<'_>,
    frame: FrameId,
    by: ByPieces,
    close: &mut Close,
) -> Result<Option<Cut>, Failure> {
    let (longest, len) = (session.frames[frame.index()].longest, session.rows(frame));
    if longest <= by.long || close.rows == 0 {
        return Ok(None);
    }
    // Every long row may have one more than its items fill.
    let room = len / by.size + len / by.long + 1;
    close.firsts = session.take(close.rows, 4)?;
    close.closed = session.take(room, VALUE_BYTES)?;
    let list = session.take(room, PIECE_BYTES)?;
    let (count, [grain, merging]) = (session.count_at(ROWS), GRAINS);
    let ByPieces { size, long, many, places, .. } = by;
    let mut pieces = Pieces { close: *close, list, count, room, size, long, many, step: 1, places };
    session.device.clear(count, 8)?;
    session.launch(session.kernels.cut, close.rows, By::Thread, &pieces)?;
    pieces.close.memory.grain = grain;
    session.launch(by.kernel, room, By::Warp, &pieces)?;
    pieces.close.memory.grain = merging;
    while pieces.step < longest.div_ceil(by.size) {
        session.launch(session.kernels.unite, room, By::Warp, &pieces)?;
        pieces.step *= 2;
    }
    Ok(Some(Cut([close.firsts, close.closed, list])))
}
