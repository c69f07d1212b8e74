//! A device, its memory, and whether it still works.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::room;
use super::{Device, Failure, Room};

/// A device, and whether it still works.
pub struct Slot {
    pub device: Arc<dyn Device>,
    room: Room,
    /// Whether it failed; nothing more is asked of it then.
    failed: AtomicBool,
    /// How many batches are on it or wait for it.
    pub assigned: AtomicUsize,
    /// Held while chunks run.
    pub state: Mutex<State>,
}

/// What changes while a device is held.
#[derive(Debug, Default)]
pub struct State {
    /// Why it failed.
    pub failure: Option<Failure>,
    /// The memory that was taken: where, and how much.
    slab: Option<(u64, usize)>,
}

impl Slot {
    /// A device of which so much may be used.
    pub fn new(device: Arc<dyn Device>, room: Room) -> Slot {
        let (failed, assigned) = (AtomicBool::new(false), AtomicUsize::new(0));
        Slot { device, room, failed, assigned, state: Mutex::default() }
    }

    /// The device's memory, taken when it is first needed. Where not all of it can be had, half is.
    pub fn slab(&self, state: &mut State) -> Result<(u64, usize), Failure> {
        if let Some(slab) = state.slab {
            return Ok(slab);
        }
        let free = self.device.free_memory()?;
        let mut size = self.room.bytes(free);
        loop {
            match self.device.alloc(size) {
                Ok(at) => {
                    state.slab = Some((at, size));
                    return Ok((at, size));
                }
                Err(Failure::OutOfMemory) if size > room::LEAST => size /= 2,
                Err(other) => return Err(other),
            }
        }
    }

    /// Whether it still works.
    pub fn works(&self) -> bool {
        !self.failed.load(Ordering::Relaxed)
    }

    /// Remembers why it failed first; nothing more is asked of it.
    pub fn fail(&self, why: Failure) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.failure.get_or_insert(why);
        self.failed.store(true, Ordering::Relaxed);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, _)) = state.slab.take() {
            // A device that is gone has nothing to give back.
            let _ = self.device.free(at);
        }
    }
}
