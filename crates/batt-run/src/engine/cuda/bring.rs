//! Samples through a device: in chunks that fit, with what needs no device outside of its lock.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::chunk::{Brought, Inputs};
use super::plan::Plan;
use super::session::{self, Session};
use super::slot::State;
use super::{Failure, Ready};
use crate::engine::{Counters, DeviceWork, Sample};

impl<'a> Ready<'a> {
    /// What a device makes of samples, chunk by chunk; of fewer if it fails.
    pub(super) fn bring(&self, samples: &[Sample]) -> (Vec<Brought<'a>>, Counters) {
        let mut counters = Counters::default();
        let mut brought = Vec::new();
        let Some(which) = self.engine.assign() else { return (brought, counters) };
        let slot = &self.engine.devices[which];
        let failure = self.through(which, samples, &mut brought, &mut counters);
        slot.assigned.fetch_sub(1, Ordering::Relaxed);
        if let Err(why) = failure {
            slot.fail(why);
        }
        (brought, counters)
    }

    /// The same with one device; why it failed, if it did.
    fn through(
        &self,
        which: usize,
        samples: &[Sample],
        brought: &mut Vec<Brought<'a>>,
        counters: &mut Counters,
    ) -> Result<(), Failure> {
        let slot = &self.engine.devices[which];
        // What can be done without the device is done before and after, so that it is held no longer
        // than it works.
        let mut inputs = self.inputs(samples);
        inputs.stage(&*slot.device)?;
        let done = {
            let mut state = slot.state.lock().unwrap_or_else(PoisonError::into_inner);
            match &state.failure {
                Some(why) => Err(why.clone()),
                None => self.on_device(which, &mut state, samples, inputs, brought, counters),
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
        which: usize,
        state: &mut State,
        samples: &[Sample],
        inputs: Inputs<'_>,
        brought: &mut Vec<Brought<'a>>,
        counters: &mut Counters,
    ) -> Result<(), Failure> {
        let slot = &self.engine.devices[which];
        let device = &*slot.device;
        let plan = self.plans[which].get_or_init(|| {
            let pass = self.setup.phase.pass(self.setup.battery);
            Plan::new(self.setup.battery, pass, &self.roots, device)
        });
        let plan = plan.as_ref().map_err(Clone::clone)?;
        let mut session = Session::open(device, slot.slab(state)?)?;
        let mut whole = Some(inputs);
        let (mut most, mut done) = (samples.len(), 0);
        // In as large chunks as fit; what does not fit is halved.
        while done < samples.len() {
            let left = &samples[done..];
            let guess = *self.per_sample.lock().unwrap_or_else(PoisonError::into_inner);
            let size = guess.fit(&session).min(most).min(left.len());
            let inputs = match whole.take() {
                Some(inputs) if size == samples.len() => inputs,
                _ => self.inputs(&left[..size]),
            };
            let (started, ran) = (Instant::now(), device.kernel_time());
            match self.chunk(&mut session, plan, &inputs) {
                Ok(chunk) => {
                    *self.per_sample.lock().unwrap_or_else(PoisonError::into_inner) =
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
            counters.device.nanos += started.elapsed().as_nanos() as u64;
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
