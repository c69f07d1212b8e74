//! Page-locked memory of the host: copies from and to it run while the host does something else.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use cudarc::driver::sys::{self, CUevent, CUresult, CUstream};

use super::{Cuda, check, watch};
use crate::device::{Arriving, Failure, Staged};

/// Bytes that are kept for later at most; taking page-locked memory is slow.
const KEPT: usize = 1 << 30;
/// Sizes are rounded up to multiples of this, so that buffers fit again.
const ROUND: usize = 1 << 20;

/// A page-locked buffer, and when the last copy from or to it is done.
pub struct Pinned {
    at: *mut u8,
    size: usize,
    done: CUevent,
}

// SAFETY: memory of the host and an event, which any thread may use.
unsafe impl Send for Pinned {}
// SAFETY: as above; who shares it only reads.
unsafe impl Sync for Pinned {}

impl Pinned {
    fn new(size: usize) -> Result<Pinned, Failure> {
        let size = size.max(1).next_multiple_of(ROUND);
        let mut buffer = Pinned { at: null_mut(), size, done: null_mut() };
        // SAFETY: the driver writes a handle and an address. 2: no times are asked of the event; 1: all
        // contexts may copy.
        unsafe {
            check(sys::cuEventCreate(&raw mut buffer.done, 2))?;
            let result = sys::cuMemHostAlloc((&raw mut buffer.at).cast(), size, 1);
            if result != CUresult::CUDA_SUCCESS {
                let _ = sys::cuEventDestroy_v2(buffer.done);
            }
            check(result)?;
        }
        Ok(buffer)
    }

    /// Notes that what was asked of a stream so far uses the buffer.
    fn used(&self, stream: CUstream) -> Result<(), Failure> {
        // SAFETY: the event and the stream are of the current context.
        check(unsafe { sys::cuEventRecord(self.done, stream) })
    }

    /// Waits until nothing uses the buffer.
    fn wait(&self) -> Result<(), Failure> {
        watch::wait(|| {
            // SAFETY: the event is ours; one that was never recorded is done.
            match unsafe { sys::cuEventQuery(self.done) } {
                CUresult::CUDA_ERROR_NOT_READY => Ok(false),
                other => check(other).map(|()| true),
            }
        })
    }

    fn free(self) {
        // SAFETY: both are ours, and the driver waits for copies that still run.
        unsafe {
            let _ = sys::cuMemFreeHost(self.at.cast());
            let _ = sys::cuEventDestroy_v2(self.done);
        }
    }
}

/// Buffers that wait to be used again.
#[derive(Default)]
pub struct Shelf(Mutex<Vec<Pinned>>);

impl Shelf {
    fn take(&self, size: usize) -> Result<Pinned, Failure> {
        let found = {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = kept.iter().enumerate().filter(|(_, buffer)| buffer.size >= size);
            let best = fits.min_by_key(|(_, buffer)| buffer.size).map(|(at, _)| at);
            best.map(|at| kept.swap_remove(at))
        };
        match found {
            Some(buffer) => buffer.wait().map(|()| buffer),
            None => Pinned::new(size),
        }
    }

    fn give(&self, buffer: Pinned) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.iter().map(|buffer| buffer.size).sum::<usize>() + buffer.size > KEPT {
            drop(kept);
            buffer.free();
        } else {
            kept.push(buffer);
        }
    }

    /// Gives everything back, in a context that is current.
    pub fn clear(&self) {
        let kept = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        kept.into_iter().for_each(Pinned::free);
    }
}

/// A buffer that goes back to its shelf.
struct Lent<'d> {
    device: &'d Cuda,
    buffer: Option<Pinned>,
    size: usize,
}

impl<'d> Lent<'d> {
    fn new(device: &'d Cuda, size: usize) -> Result<Lent<'d>, Failure> {
        device.current()?;
        Ok(Lent { device, buffer: Some(device.opened.shelf.take(size)?), size })
    }

    fn buffer(&self) -> Result<&Pinned, Failure> {
        self.buffer.as_ref().ok_or_else(|| Failure::Lost("a buffer is gone".into()))
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let (Some(buffer), Ok(())) = (self.buffer.take(), self.device.current()) {
            self.device.opened.shelf.give(buffer);
        }
    }
}

/// Readies bytes to be sent.
pub fn stage<'d>(device: &'d Cuda, bytes: &[u8]) -> Result<Box<dyn Staged + 'd>, Failure> {
    let lent = Lent::new(device, bytes.len())?;
    // SAFETY: the buffer is as large, nothing else uses it, and the two do not overlap.
    unsafe { lent.buffer()?.at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(Box::new(lent))
}

/// Begins to bring bytes.
pub fn fetch(device: &Cuda, at: u64, size: usize) -> Result<Box<dyn Arriving + '_>, Failure> {
    let lent = Lent::new(device, size)?;
    let buffer = lent.buffer()?;
    let to = buffer.at.cast::<c_void>();
    // SAFETY: the buffer is as large and stays until the copy is done, which its event says.
    check(unsafe { sys::cuMemcpyDtoHAsync_v2(to, at, size, device.stream) })?;
    buffer.used(device.stream)?;
    Ok(Box::new(lent))
}

impl Staged for Lent<'_> {
    fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes were written when it was staged, and nothing writes to it since.
        self.buffer.as_ref().map_or(&[], |b| unsafe { std::slice::from_raw_parts(b.at, self.size) })
    }
}

impl Arriving for Lent<'_> {
    fn take(self: Box<Self>, bytes: &mut [u8]) -> Result<(), Failure> {
        self.device.current()?;
        let buffer = self.buffer()?;
        buffer.wait()?;
        let size = self.size.min(bytes.len());
        // SAFETY: the copy is done; the two do not overlap.
        unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(buffer.at, size) };
        Ok(())
    }
}
