//! The engine that chooses: which side it takes, when it looks for a device, and what it remembers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use batt_run::bench::{Work, on_threads};
use batt_run::engine::auto::{
    Auto, Calibration, Cost, Emulated, Key, Size, Sizes, Source, Weights, calibrate_with, slots_of,
    some_programs,
};
use batt_run::engine::cuda::Cuda;
use batt_run::engine::{Amount, Engine, Phase, Setup};
use batt_run::stop::NEVER;
use batt_run::{programs, tasks};

const TINY: Sizes<'static> = Sizes { programs: &[2], samples: &[2], many: 4, repeats: 1 };
const LARGE: Size<'static> = Size { slots: 1 << 13, of: None, samples: 1 << 13, threads: 2 };

/// The emulator, with a count of how often it is asked for.
#[derive(Clone, Default)]
struct Counting {
    looks: Arc<AtomicUsize>,
    opens: Arc<AtomicUsize>,
}

impl Source for Counting {
    fn key(&self) -> Result<Key, String> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        Emulated.key()
    }
    fn open(&self) -> Result<Cuda, String> {
        self.opens.fetch_add(1, Ordering::Relaxed);
        Emulated.open()
    }
}

impl Counting {
    fn counts(&self) -> (usize, usize) {
        (self.looks.load(Ordering::Relaxed), self.opens.load(Ordering::Relaxed))
    }
}

struct NoDevice;

impl Source for NoDevice {
    fn key(&self) -> Result<Key, String> {
        Err("nothing is there".to_string())
    }
    fn open(&self) -> Result<Cuda, String> {
        Err("nothing is there".to_string())
    }
}

/// A measurement in which the device takes so much for a sample, and the CPU 1 ms.
fn fake(per_sample: f64, open: f64) -> Calibration {
    let cost =
        |per_sample| vec![Cost { slots: 1.0, weight: 1.0, fixed: 0.0, per_sample, beyond: None }];
    let key = Emulated.key().unwrap();
    let (cpu, device, weights) = (cost(1e-3), cost(per_sample), Weights::default());
    Calibration { key, cpu, device, weights, open, took: 0.0 }
}

fn auto(folder: &Path, source: &Counting) -> Auto {
    Auto::new(Box::new(source.clone()), Some(folder.to_path_buf())).with_sizes(TINY)
}

#[test]
fn little_work_looks_for_no_device() {
    let (folder, source) = (tempfile::tempdir().unwrap(), Counting::default());
    let auto = auto(folder.path(), &source);
    let (device, why) = auto.choose(Size { slots: 100, of: None, samples: 100, threads: 2 });
    assert!(device.is_none() && why.contains("too little work"), "{why}");
    assert_eq!(source.counts(), (0, 0));
    // More of it looks, but does not measure what was never measured.
    let (device, why) =
        auto.choose(Size { slots: 1 << 10, of: None, samples: 1 << 11, threads: 2 });
    assert!(device.is_none() && why.contains("not measured yet"), "{why}");
    assert_eq!(source.counts(), (1, 0));
}

#[test]
fn a_device_is_measured_once_and_remembered() {
    let (folder, source) = (tempfile::tempdir().unwrap(), Counting::default());
    {
        let auto = auto(folder.path(), &source);
        let (device, why) = auto.choose(LARGE);
        assert!(device.is_none(), "an emulated device is slower: {why}");
        assert!(why.contains("on emulator"), "{why}");
        assert_eq!(source.counts(), (1, 1));
    }
    // What is kept says that opening it again is not worth it.
    let again = auto(folder.path(), &source);
    assert!(again.choose(LARGE).0.is_none());
    assert_eq!(source.counts(), (2, 1));
}

#[test]
fn the_side_follows_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let source = Counting::default();
    for (per_sample, open, device) in [(1e-4, 0.1, true), (1e-4, 1e9, false), (2e-3, 0.1, false)] {
        fake(per_sample, open).save(folder.path());
        let chosen = auto(folder.path(), &source).choose(LARGE).0.is_some();
        assert_eq!(chosen, device, "{per_sample} {open}");
    }
    assert_eq!(source.counts(), (3, 1), "only where it is taken is it opened");
    // A broken file is measured anew.
    let files = std::fs::read_dir(folder.path().join("calibration")).unwrap();
    for file in files {
        std::fs::write(file.unwrap().path(), "{\"version\": 1, \"calibration\": ").unwrap();
    }
    assert!(auto(folder.path(), &source).choose(LARGE).0.is_none());
    assert_eq!(source.counts(), (4, 2));
    let anew = calibrate_with(&source, Some(folder.path()), &TINY).unwrap();
    assert_eq!(anew.key.device, "emulator");
    assert!(anew.is_sound() && anew.took > 0.0);
}

#[test]
fn without_a_device_it_is_the_cpu() {
    let auto = Auto::new(Box::new(NoDevice), None);
    let (device, why) = auto.choose(LARGE);
    assert!(device.is_none() && why == "nothing is there", "{why}");
    assert!(auto.open().is_err());
    assert_eq!((auto.name(), auto.device_report()), ("cpu", None));
}

#[test]
fn both_sides_give_the_same_and_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    fake(1e-9, 0.0).save(folder.path());
    let auto = auto(folder.path(), &Counting::default());
    let data = tasks::embedded();
    let programs = some_programs(&programs::parsed(), 4);
    let work = Work::new(programs, data.tasks(), 6);
    let battery = work.battery(true);
    let setup = Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &work.pairs,
        timed: false,
        verdicts: false,
        stop: &NEVER,
    };
    let run = |engine: &dyn Engine| {
        on_threads(Some(1), || engine.load(setup).run(&work.samples).0).unwrap()
    };
    let small = run(&auto);
    assert_eq!((auto.name(), auto.device_report()), ("cpu", None));
    // Once it is open, the device takes even little work.
    assert!(auto.choose(LARGE).0.is_some());
    let amount = Amount { battery: &battery, phase: Phase::Outputs, samples: 6, threads: 2 };
    assert_eq!(auto.pick(&amount).map(Engine::name), Some("cuda"));
    assert_eq!(run(&auto), small);
    assert_eq!(auto.name(), "cpu and cuda");
    let report = auto.device_report().unwrap();
    // The same work once on either side; they count some rows differently.
    assert!((0.4..0.6).contains(&report.row_share), "{report:?}");
    assert_eq!(report.pairs, 2 * 4 * 6);
    assert!(slots_of(&battery, Phase::Outputs) > 4);
    let choices = auto.choices();
    assert_eq!(choices[0], "cpu: too little work for a GPU");
    assert!(choices[1..].iter().all(|choice| choice.starts_with("cuda: ")), "{choices:?}");
}
