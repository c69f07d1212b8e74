//! Samples through the devices and the cores beside them: shares of lots side by side, with what needs no
//! device outside of its lock.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::again::{Again, Handed};
use super::batch::Batch;
use super::chunk::Brought;
use super::deal::{Deal, Share, Sides, Times};
use super::session::{self, Session};
use super::slot::{Slot, State};
use super::{Failure, Lot, Ready};
use crate::engine::{Counters, DeviceWork, Loaded, Sample};

/// Stack of a thread that runs lots; values nest, and are brought to the device by going down.
const STACK: usize = 32 << 20;
/// Inputs take no more than such a part of a stream's arena.
const INPUTS: u32 = 8;

/// What came of a batch, where cores give a `T` for each sample of a lot.
pub struct Found<'r, 'a, T> {
    /// How programs were shared out.
    pub shared_out: &'r [Lot<'a>],
    /// By lot, in the order of the samples; there are gaps where a device failed.
    pub lots: Vec<Vec<Piece<'a, T>>>,
    /// What was handed back, and the CPU engine gave.
    pub again: Again,
}

/// What came of some samples of a lot.
pub struct Piece<'a, T> {
    /// The first of them.
    pub first: usize,
    pub came: Came<'a, T>,
}

/// Where it came from.
pub enum Came<'a, T> {
    Device(Brought<'a>),
    Cores(Vec<T>),
}

impl<T> Piece<'_, T> {
    /// Which samples.
    pub fn samples(&self) -> Range<usize> {
        let count = match &self.came {
            Came::Device(brought) => brought.samples,
            Came::Cores(each) => each.len(),
        };
        self.first..self.first + count
    }
}

/// What a thread did.
struct Done<'a, T> {
    pieces: Vec<(usize, Piece<'a, T>)>,
    again: Again,
    counters: Counters,
}

impl<T> Default for Done<'_, T> {
    fn default() -> Self {
        Done { pieces: Vec::new(), again: Again::new(), counters: Counters::default() }
    }
}

/// A batch that is brought.
struct Bringing<'b, 'r, 'a> {
    lots: &'r [Lot<'a>],
    batch: Batch<'b, 'a>,
    deal: Deal,
    /// What devices handed back, and nobody has answered yet.
    handed: Mutex<Vec<(usize, Handed)>>,
    /// Whether it is answered at all.
    again: bool,
    cores: usize,
    /// How many samples of each lot streams ran, and how many nanoseconds they took.
    took: Vec<[AtomicU64; 2]>,
}

impl Bringing<'_, '_, '_> {
    fn take_handed(&self) -> Option<(usize, Handed)> {
        self.handed.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

impl<'a> Ready<'a> {
    /// What devices, and the cores beside them with `run`, make of samples; with `again`, what devices hand
    /// back goes to the CPU engine.
    pub(super) fn bring<T: Send>(
        &self,
        samples: &[Sample],
        again: bool,
        run: impl Fn(&dyn Loaded, &[Sample]) -> (Vec<T>, Counters) + Sync,
    ) -> (Found<'_, 'a, T>, Counters) {
        let working = self.engine.streams.iter().filter(|slot| slot.works()).count().max(1);
        // Batches that run side by side keep streams busy as well as lots do, with fewer launches.
        let beside = self.batches.enter();
        let few = beside.many > 1 && beside.many * self.few.len() >= working;
        let lots = if few { &self.few[..] } else { &self.lots[..] };
        // Times of steps mean something only where nothing runs beside them.
        let lent = self.engine.lend(if self.setup.timed { 0 } else { beside.many });
        let cores = lent.cores;
        let streams = (working / beside.many).max(1);
        let times: Vec<Times> = lots.iter().map(Lot::times).collect();
        let sides = Sides { streams, cores, fewest: self.engine.fewest };
        let deal = Deal::new(&times, samples.len(), sides);
        let threads = [deal.pieces().min(working), cores.min(lots.len() * samples.len())];
        let handed = Mutex::default();
        let took = lots.iter().map(|_| <[AtomicU64; 2]>::default()).collect();
        let batch = Batch::new(samples);
        let bringing = Bringing { lots, batch, deal, handed, again, cores, took };
        let on_stream = || self.on_stream(&bringing);
        let on_core = || self.on_core(&bringing, &run);
        let done = std::thread::scope(|scope| {
            let thread = || std::thread::Builder::new().stack_size(STACK);
            // Where there is no thread to be had, this one does the work.
            let streams = (1..threads[0]).map(|_| thread().spawn_scoped(scope, on_stream));
            let mut others: Vec<_> = streams.flatten().collect();
            let cores = (0..threads[1]).map(|_| thread().spawn_scoped(scope, on_core));
            others.extend(cores.flatten());
            let mut done = vec![on_stream()];
            // What streams left to the cores is done by then.
            done.extend(others.into_iter().filter_map(|thread| thread.join().ok()));
            done
        });
        drop(lent);
        for (lot, took) in lots.iter().zip(&bringing.took) {
            let [samples, nanos] = took.each_ref().map(|n| n.load(Ordering::Relaxed));
            lot.learn(|times| times.learn_device(samples as usize, nanos));
        }
        let mut counters = Counters::default();
        let mut found = Found {
            shared_out: lots,
            lots: lots.iter().map(|_| Vec::new()).collect(),
            again: Again::new(),
        };
        for part in done {
            counters.add(&part.counters);
            found.again.extend(part.again);
            part.pieces.into_iter().for_each(|(lot, piece)| found.lots[lot].push(piece));
        }
        found.lots.iter_mut().for_each(|pieces| pieces.sort_by_key(|piece| piece.first));
        (found, counters)
    }

    /// Runs shares on streams as long as there are some.
    fn on_stream<T>(&self, bringing: &Bringing<'_, '_, 'a>) -> Done<'a, T> {
        let mut done = Done::default();
        while let Some(share) = bringing.deal.for_stream() {
            self.share(bringing, &share, &mut done);
        }
        while let Some((lot, handed)) = bringing.take_handed() {
            self.answer(bringing, lot, &handed, &mut done);
        }
        done
    }

    /// The same on a core.
    fn on_core<T>(
        &self,
        bringing: &Bringing<'_, '_, 'a>,
        run: &(impl Fn(&dyn Loaded, &[Sample]) -> (Vec<T>, Counters) + Sync),
    ) -> Done<'a, T> {
        let mut done = Done::default();
        loop {
            if let Some((lot, handed)) = bringing.take_handed() {
                self.answer(bringing, lot, &handed, &mut done);
                continue;
            }
            let Some(share) = bringing.deal.for_core() else { return done };
            let lot = &bringing.lots[share.lot];
            let loaded = lot.cores.get_or_init(|| {
                self.engine.cpu.load_some(self.setup, &lot.pass, lot.roots.clone())
            });
            let started = Instant::now();
            let (each, counted) = run(&**loaded, &bringing.batch.samples[share.samples.clone()]);
            let nanos = started.elapsed().as_nanos() as u64;
            bringing.deal.learn_cores(&share, nanos);
            lot.learn(|times| times.learn_cores(share.samples.len(), nanos));
            done.counters.add(&counted);
            done.counters.device.core_nanos += nanos;
            done.counters.device.core_pairs += (each.len() * lot.places.len()) as u64;
            let piece = Piece { first: share.samples.start, came: Came::Cores(each) };
            done.pieces.push((share.lot, piece));
        }
    }

    fn answer<T>(
        &self,
        bringing: &Bringing<'_, '_, 'a>,
        lot: usize,
        handed: &Handed,
        done: &mut Done<'a, T>,
    ) {
        let (lot, samples) = (&bringing.lots[lot], bringing.batch.samples);
        done.again.extend(self.again(lot, samples, handed, &mut done.counters));
    }

    /// Runs a share on the stream that has least to do.
    fn share<T>(&self, bringing: &Bringing<'_, '_, 'a>, share: &Share, done: &mut Done<'a, T>) {
        let Some(slot) = self.engine.assign() else { return };
        let lot = &bringing.lots[share.lot];
        let (mut brought, range) = (Vec::new(), share.samples.clone());
        let counters = &mut done.counters;
        let ended = self.through(slot, lot, &bringing.batch, range.clone(), &mut brought, counters);
        slot.assigned.fetch_sub(1, Ordering::Relaxed);
        match ended {
            Ok(took) => {
                let [samples, nanos] = &bringing.took[share.lot];
                samples.fetch_add(range.len() as u64, Ordering::Relaxed);
                nanos.fetch_add(took.as_nanos() as u64, Ordering::Relaxed);
            }
            Err(why) => slot.fail(why),
        }
        let handed = if bringing.again { self.handed(lot, range.start, &brought) } else { None };
        if let Some(handed) = handed {
            if bringing.cores == 0 {
                self.answer(bringing, share.lot, &handed, done);
            } else {
                let mut all = bringing.handed.lock().unwrap_or_else(PoisonError::into_inner);
                all.push((share.lot, handed));
            }
        }
        let mut first = range.start;
        for chunk in brought {
            let samples = chunk.samples;
            done.pieces.push((share.lot, Piece { first, came: Came::Device(chunk) }));
            first += samples;
        }
    }

    /// The same with a stream; how long it took, or why it failed.
    fn through(
        &self,
        slot: &'a Slot,
        lot: &Lot<'_>,
        batch: &Batch<'_, 'a>,
        samples: Range<usize>,
        brought: &mut Vec<Brought<'a>>,
        counters: &mut Counters,
    ) -> Result<Duration, Failure> {
        let done = {
            let mut state = slot.state.lock().unwrap_or_else(PoisonError::into_inner);
            let started = Instant::now();
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
                done.map(|()| started.elapsed())
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
        // All read the same inputs; where there is little memory, those of as many samples as fit.
        let mut part_most = usize::MAX;
        // In as large chunks as fit; what does not fit is halved.
        while done < samples.end && !self.setup.stop.fired() {
            let guess = *lot.per_sample.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = batch.inputs_with(done, part_most, session.units / INPUTS, self);
            let Some((inputs, part)) = fits else { break };
            let end = samples.end.min(part.end).min(done + guess.fit(&session).min(most));
            let size = end - done;
            let ran = device.kernel_time();
            let (source, up) = inputs.source(slot)?;
            session.work.up += up;
            let range = done - part.start..end - part.start;
            let came = self.chunk(&mut session, &plan, inputs, &source, range);
            if matches!(came, Err(Failure::OutOfMemory)) {
                // What was started still reads the inputs, which go when the batch is done.
                device.wait()?;
            }
            match came {
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
                Err(Failure::OutOfMemory) if part.len() > 1 => part_most = 1,
                Err(Failure::OutOfMemory) => {
                    counters.device.too_large += 1;
                    brought.push(Brought::nothing(1));
                    done += 1;
                }
                // What is left is not done by anyone. Inputs that are still read must be kept.
                Err(Failure::Stopped) => {
                    device.wait()?;
                    break;
                }
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

impl DeviceWork {
    fn take(&mut self, work: &mut session::Work) {
        let session::Work { kernels, up, down } = std::mem::take(work);
        self.kernels += kernels;
        self.bytes_up += up;
        self.bytes_down += down;
    }
}
