//! How long kernels run, measured on the device itself.

use std::ptr::null_mut;
use std::time::Duration;

use cudarc::driver::sys::{self, CUevent, CUstream};

use super::check;
use crate::device::Failure;

/// Two events: one before the first kernel since the device was last waited for, one after the last.
/// What lies between is counted, so two events do for any number of kernels.
pub struct Clock {
    begin: CUevent,
    end: CUevent,
    running: bool,
    time: Duration,
}

impl Clock {
    /// A clock in the current context.
    pub fn new() -> Result<Clock, Failure> {
        let mut clock =
            Clock { begin: null_mut(), end: null_mut(), running: false, time: Duration::ZERO };
        for event in [&mut clock.begin, &mut clock.end] {
            // SAFETY: the driver writes one handle.
            check(unsafe { sys::cuEventCreate(&raw mut *event, 0) })?;
        }
        Ok(clock)
    }

    /// A kernel is about to be started.
    pub fn starts(&mut self, stream: CUstream) -> Result<(), Failure> {
        if !self.running {
            // SAFETY: the event and the stream are of the current context.
            check(unsafe { sys::cuEventRecord(self.begin, stream) })?;
            self.running = true;
        }
        Ok(())
    }

    /// The stream is about to be waited for.
    pub fn ends(&mut self, stream: CUstream) -> Result<(), Failure> {
        if self.running {
            // SAFETY: as above.
            check(unsafe { sys::cuEventRecord(self.end, stream) })?;
        }
        Ok(())
    }

    /// The stream has been waited for.
    pub fn ended(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.running) {
            let mut millis = 0.0;
            // SAFETY: both events have happened; the driver writes one float.
            check(unsafe { sys::cuEventElapsedTime(&raw mut millis, self.begin, self.end) })?;
            self.time += Duration::try_from_secs_f32(millis / 1e3).unwrap_or_default();
        }
        Ok(())
    }

    /// All of it so far.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Gives the events back, in their context.
    pub fn destroy(&mut self) {
        for event in [&mut self.begin, &mut self.end] {
            // SAFETY: the event is ours, and nobody uses it any more.
            let _ = unsafe { sys::cuEventDestroy_v2(std::mem::replace(event, null_mut())) };
        }
    }
}
