//! How a run went, for the plot: few enough points for any length.

use batt::evolve::run::Progress;

/// Past this many points every other one is left out.
const MOST: usize = 1024;

/// One moment of a run.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Seconds since this process began.
    pub seconds: f64,
    /// Tasks whose demos are solved.
    pub solved: usize,
    /// The mean over tasks of the best program's share of all points.
    pub quality: f64,
    /// Candidates that this process evaluated.
    pub candidates: u64,
}

/// Moments, in order.
#[derive(Debug, Default)]
pub struct History {
    points: Vec<Point>,
    every: u32,
    skipped: u32,
}

impl History {
    /// Adds a generation.
    pub fn add(&mut self, progress: &Progress) {
        self.skipped += 1;
        if self.skipped <= self.every {
            return;
        }
        self.skipped = 0;
        self.points.push(Point {
            seconds: progress.elapsed.as_secs_f64(),
            solved: progress.solved(),
            quality: quality(progress),
            candidates: progress.candidates,
        });
        if self.points.len() > MOST {
            let mut at = 0;
            self.points.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.every = self.every * 2 + 1;
        }
    }

    /// All of them.
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}

/// The mean over tasks of the best program's share of all points.
pub fn quality(progress: &Progress) -> f64 {
    let best = |units: &[batt::evolve::breed::Unit]| {
        let best = units.iter().filter_map(|unit| unit.population.best());
        best.map(|one| f64::from(one.points()) / (1000.0 * one.cells.len().max(1) as f64))
            .fold(0.0, f64::max)
    };
    let tasks = progress.units.chunks(progress.islands.max(1)).map(best);
    tasks.sum::<f64>() / progress.tasks.len().max(1) as f64
}
