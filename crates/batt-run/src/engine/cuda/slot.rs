//! A stream of a device, its memory, and whether it still works.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::room;
use super::{Device, Failure, Room};

/// A stream of a device, and whether it still works.
pub struct Slot {
    pub device: Arc<dyn Device>,
    /// Which device it is a stream of.
    pub machine: usize,
    /// When some stream of that device works.
    busy: Arc<Busy>,
    /// Memory that all of its streams read.
    pub common: Arc<Common>,
    room: Room,
    /// How many streams the device has.
    streams: usize,
    /// Whether it failed; nothing more is asked of it then.
    failed: AtomicBool,
    /// How many lots are on it or wait for it.
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
    /// The streams of a device, each of which may use so much.
    pub fn of(
        streams: Vec<Arc<dyn Device>>,
        machine: usize,
        room: Room,
    ) -> impl Iterator<Item = Slot> {
        let busy = Arc::<Busy>::default();
        let many = streams.len();
        let common = Arc::new(Common::of(streams.first().cloned()));
        streams.into_iter().map(move |device| Slot {
            device,
            machine,
            busy: Arc::clone(&busy),
            common: Arc::clone(&common),
            room,
            streams: many,
            failed: AtomicBool::new(false),
            assigned: AtomicUsize::new(0),
            state: Mutex::default(),
        })
    }

    /// Notes that the stream works until what this gives is stopped.
    pub fn works_now(&self) -> Working<'_> {
        self.busy.begin();
        Working(&self.busy)
    }

    /// The device's memory, taken when it is first needed. Where not all of it can be had, half is. A
    /// stream that works alone takes what all of them may have.
    pub fn slab(&self, state: &mut State, alone: bool) -> Result<(u64, usize), Failure> {
        if let Some(slab) = state.slab {
            return Ok(slab);
        }
        let free = self.device.free_memory()?;
        let room = if alone { self.room.times(self.streams) } else { self.room };
        let mut size = room.bytes(free);
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

/// Memory of a device that all of its streams read, in pieces that are used again: to give one back to the driver
/// waits for everything.
pub struct Common {
    device: Option<Arc<dyn Device>>,
    /// Pieces that wait: where, and how large.
    kept: Mutex<Vec<(u64, usize)>>,
}

/// Pieces are multiples of this.
const ROUND: usize = 1 << 18;
/// As many wait at most.
const MOST_KEPT: usize = 32;

impl Common {
    fn of(device: Option<Arc<dyn Device>>) -> Common {
        Common { device, kept: Mutex::default() }
    }

    /// A piece of so many bytes.
    pub fn take(&self, size: usize) -> Result<Placed<'_>, Failure> {
        let device = self.device.as_ref().ok_or(Failure::NoDevice)?;
        let size = size.max(1).next_multiple_of(ROUND);
        let found = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = kept.iter().enumerate().filter(|(_, piece)| piece.1 >= size);
            let best = fits.min_by_key(|(_, piece)| piece.1).map(|(at, _)| at);
            best.map(|at| kept.swap_remove(at))
        };
        let (at, size) = match found {
            Some(piece) => piece,
            None => (device.alloc(size)?, size),
        };
        Ok(Placed { common: self, at, size })
    }

    fn free(&self, at: u64) {
        // A device that is gone has nothing to give back.
        let _ = self.device.as_ref().map(|device| device.free(at));
    }
}

impl Drop for Common {
    fn drop(&mut self) {
        let kept = std::mem::take(self.kept.get_mut().unwrap_or_else(PoisonError::into_inner));
        for (at, _) in kept {
            self.free(at);
        }
    }
}

/// A piece that is used. It is given back when nothing on the device reads it any more.
pub struct Placed<'c> {
    common: &'c Common,
    /// Where it is.
    pub at: u64,
    size: usize,
}

impl Drop for Placed<'_> {
    fn drop(&mut self) {
        let mut kept = self.common.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push((self.at, self.size));
        } else {
            drop(kept);
            self.common.free(self.at);
        }
    }
}

/// How long some stream of a device works: the time during which several do counts once.
#[derive(Debug, Default)]
struct Busy(Mutex<(usize, Option<Instant>)>);

impl Busy {
    fn begin(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        state.1.get_or_insert_with(Instant::now);
    }

    fn end(&self) -> Duration {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = state.0.saturating_sub(1);
        let idle = state.0 == 0;
        state.1.take_if(|_| idle).map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// A stream at work.
pub struct Working<'s>(&'s Busy);

impl Working<'_> {
    /// It is done. Gives how long the device was busy, if it was the last of its streams at work.
    pub fn stop(self) -> Duration {
        self.0.end()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_streams_do_counts_once() {
        let busy = Busy::default();
        busy.begin();
        busy.begin();
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(busy.end(), Duration::ZERO);
        assert!(busy.end() >= Duration::from_millis(2));
        busy.begin();
        assert!(busy.end() < Duration::from_millis(2), "it began anew");
    }
}
