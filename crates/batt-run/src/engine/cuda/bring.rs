//! Samples through the devices: every lot in chunks that fit, lots and shares of them side by side on the
//! streams, with what needs no device outside of its lock.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use super::again::Again;
use super::batch::Batch;
use super::chunk::Brought;
use super::session::{self, Session};
use super::slot::{Slot, State};
use super::{Failure, Lot, Ready};
use crate::engine::{Counters, DeviceWork, Sample};

/// Stack of a thread that runs lots; values nest, and are brought to the device by going down.
const STACK: usize = 32 << 20;

/// What came of a batch.
pub struct Found<'r, 'a> {
    /// How programs were shared out.
    pub shared_out: &'r [Lot<'a>],
    /// By lot, chunk by chunk; of fewer samples where a device failed.
    pub lots: Vec<Vec<Brought<'a>>>,
    /// What was handed back, and the CPU engine gave.
    pub again: Again,
}

/// What came of a share, chunk by chunk, and what was counted.
type OfShare<'a> = (Vec<Brought<'a>>, Again, Counters);

/// Some samples of a lot.
struct Share {
    lot: usize,
    samples: Range<usize>,
    /// How long it is expected to take.
    nanos: u64,
}

impl<'a> Ready<'a> {
    /// What devices make of samples; with `again`, what they hand back goes to the CPU engine.
    pub(super) fn bring(&self, samples: &[Sample], again: bool) -> (Found<'_, 'a>, Counters) {
        let batch = Batch::new(samples);
        let working = self.engine.streams.iter().filter(|slot| slot.works()).count().max(1);
        // Batches that run side by side keep streams busy as well as lots do, with fewer launches.
        let beside = self.batches.enter();
        let few = beside.many > 1 && beside.many * self.few.len() >= working;
        let lots = if few { &self.few[..] } else { &self.lots[..] };
        let own = (working / beside.many).max(1);
        let (shares, next) = (shares(lots, &batch, own, self.engine.fewest), AtomicUsize::new(0));
        let took: Vec<AtomicU64> = lots.iter().map(|_| AtomicU64::new(0)).collect();
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(share) = shares.get(at) else { return done };
                let started = Instant::now();
                done.push((at, self.share(&lots[share.lot], share, &batch, again)));
                let nanos = started.elapsed().as_nanos() as u64;
                took[share.lot].fetch_add(nanos, Ordering::Relaxed);
            }
        };
        let threads = shares.len().min(working);
        let mut found = std::thread::scope(|scope| {
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
        for (lot, took) in lots.iter().zip(&took) {
            let per_sample = took.load(Ordering::Relaxed) / samples.len().max(1) as u64;
            lot.took.store(per_sample, Ordering::Relaxed);
        }
        found.sort_by_key(|(at, _)| shares[*at].samples.start);
        let mut counters = Counters::default();
        let brought = lots.iter().map(|_| Vec::new()).collect();
        let mut all = Found { shared_out: lots, lots: brought, again: Again::new() };
        for (at, (brought, again, counted)) in found {
            counters.add(&counted);
            let lot = &mut all.lots[shares[at].lot];
            // After a gap, where a device failed, all is done elsewhere.
            let before: usize = lot.iter().map(|chunk| chunk.samples).sum();
            if before == shares[at].samples.start {
                lot.extend(brought);
                all.again.extend(again);
            }
        }
        (all, counters)
    }

    /// Runs a share on the stream that has least to do.
    fn share(
        &self,
        lot: &Lot<'_>,
        share: &Share,
        batch: &Batch<'_, 'a>,
        again: bool,
    ) -> OfShare<'a> {
        let (mut brought, mut counters) = (Vec::new(), Counters::default());
        let Some(slot) = self.engine.assign() else { return (brought, Again::new(), counters) };
        let samples = share.samples.clone();
        let failure = self.through(slot, lot, batch, samples.clone(), &mut brought, &mut counters);
        slot.assigned.fetch_sub(1, Ordering::Relaxed);
        if let Err(why) = failure {
            slot.fail(why);
        }
        let again = if again {
            self.again(lot, batch.samples, samples, &brought, &mut counters)
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
        samples: Range<usize>,
        brought: &mut Vec<Brought<'a>>,
        counters: &mut Counters,
    ) -> Result<(), Failure> {
        let done = {
            let mut state = slot.state.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(why) = &state.failure {
                Err(why.clone())
            } else {
                let working = slot.works_now();
                let done =
                    self.on_device(slot, lot, &mut state, (batch, samples), brought, counters);
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
        (batch, samples): (&Batch<'_, 'a>, Range<usize>),
        brought: &mut Vec<Brought<'a>>,
        counters: &mut Counters,
    ) -> Result<(), Failure> {
        let device = &*slot.device;
        let mut plan = self.plan(slot, lot)?;
        let mut session = Session::open(device, slot.slab(state, self.setup.timed)?)?;
        let (mut most, mut done) = (samples.len(), samples.start);
        // In as large chunks as fit; what does not fit is halved.
        while done < samples.end && !self.setup.stop.fired() {
            let guess = *lot.per_sample.lock().unwrap_or_else(PoisonError::into_inner);
            let part = batch.part(done, guess.fit(&session).min(most).min(samples.end - done));
            let Some(inputs) = batch.inputs(&part, self) else { break };
            let size = part.range.len();
            let ran = device.kernel_time();
            let staged = inputs.staged(device)?;
            match self.chunk(&mut session, &plan, inputs, &*staged) {
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
                // What is left is not done by anyone.
                Err(Failure::Stopped) => break,
                // What needs that step is handed back; all else goes on without it.
                Err(Failure::Launch(why)) => {
                    let slots = session.take_failed();
                    plan = self.refuse(slot, lot, &plan, &slots, why)?;
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

/// The samples of all lots, what takes longest first: what begins late and takes long leaves the other
/// streams idle. For the same reason a lot that took as long as half of what a stream does is shared out,
/// where there are several streams, until `fewest` samples are left. What took no time yet was guessed,
/// and is in that order.
fn shares(lots: &[Lot<'_>], batch: &Batch<'_, '_>, streams: usize, fewest: usize) -> Vec<Share> {
    let count = batch.samples.len();
    let took = |lot: &Lot<'_>| lot.took.load(Ordering::Relaxed) * count as u64;
    let all: u64 = lots.iter().map(took).sum();
    let most = (all / streams as u64 / 2).max(1);
    let parts = if streams > 1 { (count / fewest).max(1) as u64 } else { 1 };
    let mut shares = Vec::new();
    for (at, lot) in lots.iter().enumerate() {
        let level = took(lot).div_ceil(most).clamp(1, parts).ilog2();
        for part in 0..1 << level {
            let samples = batch.bound(level as usize, part)..batch.bound(level as usize, part + 1);
            shares.push(Share { lot: at, samples, nanos: took(lot) >> level });
        }
    }
    shares.sort_by_key(|share| Reverse(share.nanos));
    shares
}

impl DeviceWork {
    fn take(&mut self, work: &mut session::Work) {
        let session::Work { kernels, up, down } = std::mem::take(work);
        self.kernels += kernels;
        self.bytes_up += up;
        self.bytes_down += down;
    }
}
