//! How often `auto` picks the faster side, over sizes of batteries and numbers of samples.

use batt_lang::Program;
use serde::Serialize;

use super::many;
use super::work::{Ready, Work, on_threads};
use crate::engine::auto::{Auto, Size, slots_of, some_programs};
use crate::engine::cpu::Cpu;
use crate::engine::{Engine, Phase};
use crate::tasks::Task;

/// Which sizes are tried.
#[derive(Clone, Debug)]
pub struct Grid<'a> {
    /// Sizes of batteries, in programs.
    pub batteries: &'a [usize],
    /// Numbers of samples.
    pub samples: &'a [usize],
    /// Times of which the median counts, after one that does not; what is short runs more often.
    pub repeats: usize,
}

/// One size on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// Programs of the battery.
    pub programs: usize,
    /// Its slots.
    pub slots: usize,
    /// How many samples.
    pub samples: usize,
    /// What all cores took.
    pub cpu_seconds: f64,
    /// What was expected of them.
    pub cpu_expected: f64,
    /// What the device took.
    pub device_seconds: f64,
    /// What was expected of it.
    pub device_expected: f64,
    /// Whether `auto` takes the device.
    pub picks_device: bool,
    /// How much longer its side takes than the faster one, in parts of that one's time.
    pub loss: f64,
}

impl Tried {
    /// Whether the faster side was picked.
    pub fn is_right(&self) -> bool {
        self.loss <= 0.0
    }
}

/// What is short is repeated until it took so many seconds, so many times at most: work of a few
/// milliseconds takes twice as long now and then.
const LONG: f64 = 0.2;
const OFTEN: usize = 25;

/// The median times of both sides, which run in turn after a run of each that does not count.
fn in_turn(repeats: usize, sides: &[Ready<'_>; 2]) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    let mut all = 0.0;
    for side in sides {
        side.timed();
    }
    while times[0].len() < repeats.max(1) || all < LONG && times[0].len() < OFTEN {
        for (side, times) in sides.iter().zip(&mut times) {
            let (seconds, _) = side.timed();
            times.push(seconds);
            all += seconds;
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// Runs every size on both sides. The device is opened, and measured if it never was; an error says
/// why there is none.
pub fn auto(
    auto: &Auto,
    programs: &[Program],
    tasks: &[Task],
    grid: &Grid<'_>,
    done: &mut dyn FnMut(&Tried),
) -> Result<Vec<Tried>, String> {
    let (device, calibration) = auto.open()?;
    let cpu = Cpu::default();
    let most = grid.samples.iter().copied().max().unwrap_or(0);
    let tasks = many(tasks, most);
    let mut all = Vec::new();
    for count in grid.batteries {
        let whole = Work::new(some_programs(programs, *count), &tasks, most);
        let battery = whole.battery(true);
        let slots = slots_of(&battery, Phase::Outputs);
        for samples in grid.samples {
            let work = whole.first(*samples);
            let both = || {
                let sides = [&cpu, device as &dyn Engine];
                in_turn(grid.repeats, &sides.map(|engine| work.ready(engine, &battery, true)))
            };
            let [cpu_seconds, device_seconds] =
                on_threads(None, both).unwrap_or([f64::INFINITY; 2]);
            let (of, threads) = (Some((&battery, Phase::Outputs)), calibration.key.cores);
            let size = Size { slots, of, samples: work.samples.len(), threads };
            let choice = calibration.choose(size, true);
            let picks_device = auto.choose(size).0.is_some();
            let picked = if picks_device { device_seconds } else { cpu_seconds };
            let tried = Tried {
                programs: *count,
                slots,
                samples: size.samples,
                cpu_seconds,
                cpu_expected: choice.cpu_seconds,
                device_seconds,
                device_expected: choice.device_seconds,
                picks_device,
                loss: picked / cpu_seconds.min(device_seconds) - 1.0,
            };
            done(&tried);
            all.push(tried);
        }
    }
    match auto.trouble().into_iter().next() {
        Some(why) => Err(why),
        None => Ok(all),
    }
}
