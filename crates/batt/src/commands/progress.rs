//! A progress bar on standard error, hidden where that is no terminal.

use std::fmt::Write;

use batt::run::run::Watch;
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// How far a run is, how fast it goes, and how long it will take.
pub struct Bar(ProgressBar);

impl Default for Bar {
    fn default() -> Bar {
        let bar = ProgressBar::new(0);
        let form = "{msg} {bar:30} {human_pos}/{human_len}, {rate}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(form) {
            // Nobody needs the rate to four places behind the point.
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
            };
            bar.set_style(style.with_key("rate", rate));
        }
        Bar(bar)
    }
}

impl Bar {
    /// Takes the bar away.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}

impl Watch for Bar {
    fn begin(&self, what: &'static str, results: u64) {
        self.0.reset();
        self.0.set_length(results);
        self.0.set_message(what);
    }

    fn add(&self, results: u64) {
        self.0.inc(results);
    }
}
