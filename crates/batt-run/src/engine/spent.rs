//! What an engine's devices did, for reports.

use std::fmt::Write;

use batt_cuda::Device;
use serde::Serialize;

use super::{Counters, DeviceWork, Engine};

/// What an engine did so far, on its devices and beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    device: DeviceWork,
    rows: u64,
    pairs: u64,
    handed_back: u64,
}

impl Spent {
    /// Adds what was counted over so many results.
    pub fn add(&mut self, counters: &Counters, pairs: usize) {
        self.device.add(&counters.device);
        self.rows += counters.rows();
        self.pairs += pairs as u64;
        self.handed_back += counters.slots.iter().map(|slot| slot.handed_back).sum::<u64>();
    }

    /// Both together.
    #[must_use]
    pub fn with(mut self, other: Spent) -> Spent {
        self.device.add(&other.device);
        self.rows += other.rows;
        self.pairs += other.pairs;
        self.handed_back += other.handed_back;
        self
    }

    /// What reports show of it.
    pub fn report(&self, devices: Vec<DeviceStart>) -> DeviceReport {
        let share =
            |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        let device = &self.device;
        DeviceReport {
            devices,
            kernels: device.kernels,
            rows: device.rows,
            all_rows: self.rows,
            row_share: share(device.rows, self.rows),
            bytes_up: device.bytes_up,
            bytes_down: device.bytes_down,
            kernel_seconds: device.kernel_nanos as f64 / 1e9,
            busy_seconds: device.nanos as f64 / 1e9,
            pairs: self.pairs,
            handed_back: self.handed_back,
            fallback_share: share(self.handed_back, self.pairs),
            core_pairs: device.core_pairs,
            core_share: share(device.core_pairs, self.pairs),
            core_seconds: device.core_nanos as f64 / 1e9,
            splits: device.splits,
            too_large: device.too_large,
        }
    }
}

/// A device that was used, and how its kernels were made ready.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeviceStart {
    /// What it calls itself.
    pub name: String,
    /// Whether its kernels had to be compiled; else they came from the cache.
    pub compiled: bool,
    /// How long that took.
    pub ready_seconds: f64,
}

impl DeviceStart {
    /// How a device started.
    pub fn of(device: &dyn Device) -> DeviceStart {
        let start = device.start();
        let (compiled, ready_seconds) = (start.compiled, start.time.as_secs_f64());
        DeviceStart { name: device.name(), compiled, ready_seconds }
    }

    /// In words.
    pub fn words(&self) -> String {
        let seconds = self.ready_seconds;
        if self.compiled {
            format!("kernels compiled in {seconds:.2} s")
        } else {
            format!("kernels loaded from the cache in {seconds:.2} s")
        }
    }
}

/// What devices did: the proof that they really ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeviceReport {
    /// The devices.
    pub devices: Vec<DeviceStart>,
    /// Kernels started.
    pub kernels: u64,
    /// Rows evaluated on a device.
    pub rows: u64,
    /// Rows evaluated anywhere.
    pub all_rows: u64,
    /// The part of the rows that a device evaluated, 0 to 1.
    pub row_share: f64,
    /// Bytes copied to devices.
    pub bytes_up: u64,
    /// Bytes copied back.
    pub bytes_down: u64,
    /// Time that kernels ran.
    pub kernel_seconds: f64,
    /// Time that devices were held, copies and the host's part included.
    pub busy_seconds: f64,
    /// Results: a program, or a score, on a sample.
    pub pairs: u64,
    /// Those of them that were handed back to the interpreter.
    pub handed_back: u64,
    /// The part of the results that was handed back, 0 to 1.
    pub fallback_share: f64,
    /// Results that cores gave while devices gave the others; not those that were handed back.
    pub core_pairs: u64,
    /// The part of the results that they are, 0 to 1.
    pub core_share: f64,
    /// Time of cores that they took.
    pub core_seconds: f64,
    /// How often a chunk was split because it did not fit.
    pub splits: u64,
    /// Samples that did not fit alone.
    pub too_large: u64,
}

impl DeviceReport {
    /// In words, a line each: a heading and what it says.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        for device in &self.devices {
            lines.push(("device", format!("{}, {}", device.name, device.words())));
        }
        lines.push((
            "kernels",
            format!(
                "{} started, {:.3} s in them, {:.3} s busy; {} up, {} down",
                self.kernels,
                self.kernel_seconds,
                self.busy_seconds,
                bytes(self.bytes_up),
                bytes(self.bytes_down)
            ),
        ));
        let mut rows = format!(
            "{:.2} % of {} on the device; {} of {} results handed back ({:.2} %)",
            self.row_share * 100.0,
            self.all_rows,
            self.handed_back,
            self.pairs,
            self.fallback_share * 100.0
        );
        if self.splits > 0 {
            let _ = write!(rows, "; {} splits", self.splits);
        }
        if self.too_large > 0 {
            let _ = write!(rows, "; {} samples too large", self.too_large);
        }
        lines.push(("rows", rows));
        if self.core_pairs > 0 {
            lines.push((
                "cores",
                format!(
                    "{} of {} results beside the device ({:.1} %), in {:.3} s of a core",
                    self.core_pairs,
                    self.pairs,
                    self.core_share * 100.0,
                    self.core_seconds
                ),
            ));
        }
        lines
    }
}

/// What a report says of an engine's devices.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Notes {
    /// What was chosen, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// What devices did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<DeviceReport>,
    /// Why devices failed, so that the CPU had to do the rest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trouble: Vec<String>,
}

impl Notes {
    /// What there is to say of an engine now.
    pub fn of(engine: &dyn Engine) -> Notes {
        Notes { choices: engine.choices(), work: engine.device_report(), trouble: engine.trouble() }
    }

    /// In words, a line each: a heading and what it says.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let choices = self.choices.iter().map(|line| ("chosen", line.clone()));
        let mut lines: Vec<_> = choices.collect();
        lines.extend(self.work.iter().flat_map(DeviceReport::lines));
        lines.extend(self.trouble.iter().map(|line| ("trouble", line.clone())));
        lines
    }
}

/// A number of bytes, for people.
fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SlotCount;

    #[test]
    fn shares_are_of_everything_that_was_done() {
        let mut spent = Spent::default();
        let slot = |rows, handed_back| SlotCount { rows, nanos: 0, handed_back };
        let device = DeviceWork { kernels: 7, rows: 30, splits: 1, ..DeviceWork::default() };
        spent.add(&Counters { slots: vec![slot(30, 1)], device, ..Counters::default() }, 6);
        // Beside the device.
        spent.add(&Counters { slots: vec![slot(10, 0)], ..Counters::default() }, 4);
        let report = spent.report(Vec::new());
        assert_eq!((report.kernels, report.rows, report.all_rows), (7, 30, 40));
        assert!((report.row_share - 0.75).abs() < 1e-9);
        assert!((report.fallback_share - 0.1).abs() < 1e-9);
        let text: Vec<String> = report.lines().into_iter().map(|(_, line)| line).collect();
        assert!(text[1].contains("75.00 % of 40 on the device; 1 of 10 results"), "{text:?}");
        assert!(text[1].ends_with("; 1 splits"), "{text:?}");
        assert!(
            (Spent::default().report(Vec::new()).row_share).abs() < 1e-9,
            "nothing is no share"
        );
    }
}
