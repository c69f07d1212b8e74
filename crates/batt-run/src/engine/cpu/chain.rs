//! Calls of one loop that follow each other, a few rows at a time.
//!
//! A loop over all pairs of something has columns of many thousand rows. Each would leave the cache before
//! the next call reads it, so such calls take turns: all of them for some rows, then for the next ones. A
//! column that only they read is never there as a whole.

use std::ops::Range;
use std::time::Instant;

use batt_core::Val;
use batt_cpu::{Operand, Task};
use batt_lang::battery::Battery;
use batt_lang::graph::{FrameId, SlotId};

use super::step::{CallStep, Step};
use super::worker::Worker;

/// As many rows at a time: a handful of columns fit a core's first cache.
const CHUNK: usize = 256;

/// Calls of one loop that take turns.
pub struct ChainStep {
    pub links: Vec<Link>,
    /// Whose rows the columns have.
    pub frame: FrameId,
}

/// One of them.
pub struct Link {
    pub call: CallStep,
    /// Whether only the others read the result.
    local: bool,
    /// Which arguments are such results, as bits.
    locals: u8,
}

/// Puts calls that follow each other in a loop together, where some results are only read by them.
pub fn chains(battery: &Battery, steps: Vec<Step>) -> Vec<Step> {
    let mut out = Vec::with_capacity(steps.len());
    let mut calls: Vec<CallStep> = Vec::new();
    for step in steps {
        match step {
            Step::Call(call) if battery.frames().get(call.frame).depth > 0 => {
                if calls.first().is_some_and(|first| first.frame != call.frame) {
                    put_together(&mut calls, &mut out);
                }
                calls.push(call);
            }
            step => {
                put_together(&mut calls, &mut out);
                out.push(step);
            }
        }
    }
    put_together(&mut calls, &mut out);
    out
}

/// Adds some calls, as one step if they are a chain.
fn put_together(calls: &mut Vec<CallStep>, out: &mut Vec<Step>) {
    let dropped: Vec<SlotId> = calls.iter().flat_map(CallStep::dropped).collect();
    let made: Vec<SlotId> = calls.iter().map(|call| call.out).collect();
    let local = |slot: &SlotId| dropped.contains(slot) && made.contains(slot);
    let frame = match calls.first() {
        Some(first) if made.iter().any(local) => first.frame,
        _ => return out.extend(calls.drain(..).map(Step::Call)),
    };
    let link = |call: CallStep| {
        let args = call.args().iter().enumerate();
        let locals = args.fold(0, |bits, (at, seen)| bits | u8::from(local(&seen.slot)) << at);
        Link { local: local(&call.out), locals, call }
    };
    let links = calls.drain(..).map(link).collect();
    out.push(Step::Chain(Box::new(ChainStep { links, frame })));
}

impl Worker {
    /// Runs a chain.
    #[inline(never)]
    pub fn chain(&mut self, chain: &ChainStep) {
        let rows = self.frames[chain.frame.index()].len;
        if rows <= CHUNK {
            return self.calls(chain, rows);
        }
        for link in &chain.links {
            let column = self.columns.fresh(link.call.out, if link.local { CHUNK } else { rows });
            self.columns.put(link.call.out, column);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        for from in (0..rows).step_by(CHUNK) {
            if self.stop.fired() {
                break;
            }
            for link in &chain.links {
                self.collect_if_full();
                let started = self.timed.then(Instant::now);
                self.link(link, from..rows.min(from + CHUNK), &mut scratch);
                if let Some(started) = started {
                    self.note_time(link.call.out, started, rows.min(CHUNK) as u64);
                }
            }
        }
        self.scratch = scratch;
        for link in &chain.links {
            self.counts[link.call.out.index()].rows += rows as u64;
            self.free_last(&link.call);
        }
    }

    /// Runs a chain of few rows.
    #[inline]
    fn calls(&mut self, chain: &ChainStep, rows: usize) {
        for Link { call, .. } in &chain.links {
            self.collect_if_full();
            let started = self.timed.then(Instant::now);
            self.call(call);
            if let Some(started) = started {
                self.note_time(call.out, started, rows as u64);
            }
        }
    }

    /// Computes some rows of a column.
    fn link(&mut self, link: &Link, rows: Range<usize>, scratch: &mut Vec<Val>) {
        let (cx, call) = (self.cx(), &link.call);
        let mut column = self.columns.take(call.out);
        let mut operands = [Operand::One(Val::BACK); 4];
        for (at, (operand, seen)) in operands.iter_mut().zip(call.args()).enumerate() {
            let whole = self.operand(*seen, call.frame);
            *operand = match whole {
                Operand::Same(_) if link.locals >> at & 1 != 0 => whole,
                Operand::Same(vals) => Operand::Same(vals.get(rows.clone()).unwrap_or_default()),
                Operand::Via(vals, up) => {
                    Operand::Via(vals, up.get(rows.clone()).unwrap_or_default())
                }
                Operand::One(_) => whole,
            };
        }
        let operands = &operands[..call.args().len()];
        let task = Task { cx, operands, rows: rows.len(), slot: call.out.0 };
        #[allow(unsafe_code)]
        // SAFETY: kernels are chosen for the instructions that this machine has.
        unsafe {
            (call.kernel)(task, if link.local { &mut column } else { &mut *scratch });
        }
        if !link.local {
            column.extend_from_slice(scratch);
        }
        self.columns.put(call.out, column);
    }
}
