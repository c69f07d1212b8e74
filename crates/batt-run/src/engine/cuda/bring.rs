//! Samples through the devices: every lot in chunks that fit, lots side by side on the streams, with
//! what needs no device outside of its lock.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::again::Again;
use super::batch::Batch;
use super::chunk::Brought;
use super::plan::Plan;
use super::session::{self, Session};
use super::slot::{Slot, State};
use super::{Failure, Lot, Ready};
use crate::engine::{Counters, DeviceWork, Sample};

/// Stack of a thread that runs lots; values nest, and are brought to the device by going down.
const STACK: usize = 32 << 20;

/// What came of a batch.
pub struct Found<'a> {
    /// By lot, chunk by chunk; of fewer samples where a device failed.
    pub lots: Vec<Vec<Brought<'a>>>,
    /// What was handed back, and the CPU engine gave.
    pub again: Again,
}

/// What came of a lot, chunk by chunk, and what was counted.
type OfLot<'a> = (Vec<Brought<'a>>, Again, Counters);

impl<'a> Ready<'a> {
    /// What devices make of samples; with `again`, what they hand back goes to the CPU engine.
    pub(super) fn bring(&self, samples: &[Sample], again: bool) -> (Found<'a>, Counters) {
        let batch = Batch::new(samples);
        let (order, next) = (self.dearest_first(), AtomicUsize::new(0));
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&at) = order.get(at) else { return done };
                let (lot, started) = (&self.lots[at], Instant::now());
                done.push((at, self.lot(lot, &batch, again)));
                lot.took.store(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
            }
        };
        let working = self.engine.streams.iter().filter(|slot| slot.works()).count();
        let threads = self.lots.len().min(working.max(1));
        let found = std::thread::scope(|scope| {
            let mut others = Vec::new();
            for _ in 1..threads {
                let thread = std::thread::Builder::new().stack_size(STACK);
                // Where there is no thread to be had, this one does the work.
                others.extend(thread.spawn_scoped(scope, work));
            }
            let mut found = work();
            for thread in others {
                found.extend(thread.join().unwrap_or_default());
            }
            found
        });
        let mut counters = Counters::default();
        let lots = self.lots.iter().map(|_| Vec::new()).collect();
        let mut all = Found { lots, again: Again::new() };
        for (lot, (brought, again, counted)) in found {
            counters.add(&counted);
            all.lots[lot] = brought;
            all.again.extend(again);
        }
        (all, counters)
    }

    /// The lots, those first that took longest the last time: one that begins late and takes long
    /// leaves the other streams idle. What took no time yet was guessed, and is in that order.
    fn dearest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.lots.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.lots[*at].took.load(Ordering::Relaxed)));
        order
    }

    /// Runs a lot on the stream that has least to do.
    fn lot(&self, lot: &Lot<'_>, batch: &Batch<'_, 'a>, again: bool) -> OfLot<'a> {
        let mut counters = Counters::default();
        let mut brought = Vec::new();
        let Some(slot) = self.engine.assign() else { return (brought, Again::new(), counters) };
        let failure = self.through(slot, lot, batch, &mut brought, &mut counters);
        slot.assigned.fetch_sub(1, Ordering::Relaxed);
        if let Err(why) = failure {
            slot.fail(why);
        }
        let again = if again {
            self.again(lot, batch.samples, &brought, &mut counters)
        } else {
            Again::new()
        };
        (brought, again, counters)
    }

    /// The same with a stream; why it failed, if it did.
    fn through(
        &self,
        slot: &'a Slot,
        lot: &Lot<'_>,
        batch: &Batch<'_, 'a>,
        brought: &mut Vec<Brought<'a>>,
        counters: &mut Counters,
    ) -> Result<(), Failure> {
        let done = {
            let mut state = slot.state.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(why) = &state.failure {
                Err(why.clone())
            } else {
                let working = slot.works_now();
                let done = self.on_device(slot, lot, &mut state, batch, brought, counters);
                if matches!(&done, Err(why) if !matches!(why, Failure::Stuck(_))) {
                    // Inputs may still be on their way; if this fails too, nothing is.
                    let _ = slot.device.wait();
                }
                counters.device.nanos += working.stop().as_nanos() as u64;
                done
            }
        };
        for at in 0..brought.len() {
            if let Err(why) = brought[at].arrive() {
                brought.truncate(at);
                return Err(why);
            }
        }
        done
    }

    fn on_device(
        &self,
        slot: &'a Slot,
        lot: &Lot<'_>,
        state: &mut State,
        batch: &Batch<'_, 'a>,
        brought: &mut Vec<Brought<'a>>,
        counters: &mut Counters,
    ) -> Result<(), Failure> {
        let device = &*slot.device;
        let plan = lot.plans[slot.machine].get_or_init(|| {
            Plan::new(self.setup.battery, &lot.pass, &lot.roots, device, self.setup.timed)
        });
        let plan = plan.as_ref().map_err(Clone::clone)?;
        let mut session = Session::open(device, slot.slab(state, self.setup.timed)?)?;
        let (mut most, mut done) = (batch.samples.len(), 0);
        // In as large chunks as fit; what does not fit is halved.
        while done < batch.samples.len() {
            let guess = *lot.per_sample.lock().unwrap_or_else(PoisonError::into_inner);
            let part = batch.part(done, guess.fit(&session).min(most));
            let Some(inputs) = batch.inputs(&part, self) else { break };
            let size = part.range.len();
            let ran = device.kernel_time();
            let staged = inputs.staged(device)?;
            match self.chunk(&mut session, plan, inputs, &*staged) {
                Ok(chunk) => {
                    *lot.per_sample.lock().unwrap_or_else(PoisonError::into_inner) =
                        chunk.per_sample;
                    brought.push(chunk);
                    done += size;
                }
                Err(Failure::OutOfMemory) if size > 1 => {
                    counters.device.splits += 1;
                    most = size / 2;
                }
                Err(Failure::OutOfMemory) => {
                    counters.device.too_large += 1;
                    brought.push(Brought::nothing(1));
                    done += 1;
                }
                Err(other) => return Err(other),
            }
            let kernels = device.kernel_time().saturating_sub(ran);
            counters.device.kernel_nanos += kernels.as_nanos() as u64;
            counters.device.take(&mut session.work);
        }
        Ok(())
    }
}

impl DeviceWork {
    fn take(&mut self, work: &mut session::Work) {
        let session::Work { kernels, up, down } = std::mem::take(work);
        self.kernels += kernels;
        self.bytes_up += up;
        self.bytes_down += down;
    }
}
