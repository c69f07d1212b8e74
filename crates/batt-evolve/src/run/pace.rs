//! How fast a run goes: over all of its time, and over its last seconds.
//!
//! Programs grow while they are bred, so the average over a run says little about how fast it goes now.
//! Row evaluations tell longer programs from an engine that has become slower.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;

/// What the present is: at least so long, and at least one generation.
const WINDOW: Duration = Duration::from_secs(5);
/// Moments nearer to each other than this are one.
const APART: Duration = Duration::from_millis(100);

/// What was done up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// How long the run took in this process.
    pub elapsed: Duration,
    /// Programs that this process evaluated.
    pub candidates: u64,
    /// Rows that the engine evaluated for them and for whatever else breeding asked it.
    pub rows: u64,
    /// How long the threads bred, all of them together.
    pub busy: Duration,
}

/// How much was done in each second of a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rate {
    /// How long the span is.
    pub seconds: f64,
    /// Programs evaluated in each second.
    pub candidates_per_second: f64,
    /// Rows evaluated in each second.
    pub rows_per_second: f64,
    /// The share of all threads' time that they bred; the rest they waited for the slowest task or for
    /// the archive.
    pub busy: f64,
}

/// Moments of a run.
#[derive(Clone, Debug)]
pub struct Pace {
    threads: usize,
    /// The moments that the present may begin at, in order.
    moments: VecDeque<Done>,
    now: Done,
}

impl Pace {
    /// A run on so many threads that begins now.
    pub fn new(threads: usize) -> Pace {
        Pace { threads, moments: VecDeque::from([Done::default()]), now: Done::default() }
    }

    /// Notes what was done up to now.
    pub fn see(&mut self, now: Done) {
        let last = self.moments.back().map_or(Duration::ZERO, |last| last.elapsed);
        if self.now.elapsed >= last + APART {
            self.moments.push_back(self.now);
        }
        self.now = now;
        // The first is the last that is still far enough from now.
        while self.moments.get(1).is_some_and(|next| now.elapsed >= next.elapsed + WINDOW) {
            self.moments.pop_front();
        }
    }

    /// What was done so far.
    pub fn done(&self) -> Done {
        self.now
    }

    /// The rate over the whole run.
    pub fn average(&self) -> Rate {
        self.since(Done::default())
    }

    /// The rate over the last seconds.
    pub fn present(&self) -> Rate {
        self.since(self.moments.front().copied().unwrap_or_default())
    }

    fn since(&self, from: Done) -> Rate {
        let seconds = self.now.elapsed.saturating_sub(from.elapsed).as_secs_f64();
        let each = |amount: f64| if seconds > 0.0 { amount / seconds } else { 0.0 };
        Rate {
            seconds,
            candidates_per_second: each((self.now.candidates - from.candidates) as f64),
            rows_per_second: each((self.now.rows - from.rows) as f64),
            busy: each(self.now.busy.saturating_sub(from.busy).as_secs_f64())
                / self.threads.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(millis: u64, candidates: u64) -> Done {
        let elapsed = Duration::from_millis(millis);
        Done { elapsed, candidates, rows: 10 * candidates, busy: elapsed }
    }

    #[test]
    fn the_present_forgets_what_is_long_ago() {
        let mut pace = Pace::new(2);
        for second in 1..=20 {
            // 1,000 a second for ten seconds, then 100.
            let candidates = if second <= 10 { 1000 * second } else { 9_000 + 100 * second };
            pace.see(done(1000 * second, candidates));
        }
        let (present, average) = (pace.present(), pace.average());
        assert!((present.candidates_per_second - 100.0).abs() < 1e-6, "{present:?}");
        assert!((present.rows_per_second - 1000.0).abs() < 1e-6, "{present:?}");
        assert!((present.seconds - 5.0).abs() < 1e-6, "{present:?}");
        assert!((average.candidates_per_second - 550.0).abs() < 1e-6, "{average:?}");
        assert!((average.busy - 0.5).abs() < 1e-6, "{average:?}");
    }

    #[test]
    fn a_long_generation_is_a_present_of_its_own() {
        let mut pace = Pace::new(1);
        pace.see(done(60_000, 60_000));
        pace.see(done(80_000, 60_200));
        let present = pace.present();
        assert!((present.candidates_per_second - 10.0).abs() < 1e-6, "{present:?}");
    }

    #[test]
    fn short_generations_need_little_memory() {
        let mut pace = Pace::new(1);
        for at in 1..100_000 {
            pace.see(done(at, at));
        }
        assert!(pace.moments.len() <= 52, "{}", pace.moments.len());
        let present = pace.present();
        assert!((5.0..5.3).contains(&present.seconds), "{present:?}");
        assert!((present.candidates_per_second - 1000.0).abs() < 1e-6, "{present:?}");
    }

    #[test]
    fn nothing_done_is_no_rate() {
        assert_eq!(Pace::new(3).present(), Rate::default());
    }
}
