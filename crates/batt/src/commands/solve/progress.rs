//! The live view of `batt solve`: tasks done, tasks answered, and the time left.

use std::sync::atomic::{AtomicUsize, Ordering};

use batt::solve::Answer;
use indicatif::{ProgressBar, ProgressStyle};

/// How many tasks are done, and how many of them have an attempt.
pub struct Progress {
    bar: ProgressBar,
    answered: AtomicUsize,
}

impl Progress {
    /// A bar for so many tasks.
    pub fn new(tasks: usize) -> Progress {
        let bar = ProgressBar::new(tasks as u64);
        let form = "solving {bar:30} {pos}/{len} tasks, {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_message("0 answered");
        Progress { bar, answered: AtomicUsize::new(0) }
    }

    /// A task is done.
    pub fn add(&self, answer: &Answer) {
        if !answer.attempts.is_empty() {
            let answered = self.answered.fetch_add(1, Ordering::Relaxed) + 1;
            self.bar.set_message(format!("{answered} answered"));
        }
        self.bar.inc(1);
    }

    /// All tasks are.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
