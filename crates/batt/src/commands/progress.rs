//! A progress bar on standard error, hidden where that is no terminal.

use batt::run::run::Watch;
use indicatif::{ProgressBar, ProgressStyle};

/// How far a run is, how fast it goes, and how long it will take.
pub struct Bar(ProgressBar);

impl Default for Bar {
    fn default() -> Bar {
        let bar = ProgressBar::new(0);
        let form = "{msg} {bar:30} {human_pos}/{human_len}, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
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
