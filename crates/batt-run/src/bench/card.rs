//! What card is worth: unfused, fused and alone, and what compiling costs.

use batt_lang::card::{Card, Options};

use super::work::on_threads;
use super::{Row, Work, compared, median};
use crate::engine::Engine;

/// What dealing took.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Compile {
    /// Lines of all programs.
    pub lines: usize,
    /// Distinct expressions among them.
    pub expressions: usize,
    /// Slots of the fused battery.
    pub slots: usize,
    /// The median time to deal it.
    pub seconds: f64,
    /// The same, per line.
    pub micros_per_line: f64,
}

/// Each program alone, unfused, fused; and what dealing took.
pub fn card(work: &Work, engine: &dyn Engine, repeats: usize) -> (Vec<Row>, Compile) {
    let pairs = work.size();
    let mut rows = Vec::new();
    let alone = on_threads(Some(1), || median(repeats, || work.alone()));
    rows.extend(alone.map(|s| Row::new("card", "each program alone", s, pairs)));
    for (fuse, what) in [(false, "battery, unfused"), (true, "battery, fused")] {
        let battery = work.battery(fuse);
        let run = || median(repeats, || work.ready(engine, &battery, false).run(16));
        rows.extend(on_threads(Some(1), run).map(|s| Row::new("card", what, s, pairs)));
    }
    let mut card = Card::new(Options::default());
    work.programs.iter().for_each(|program| {
        card.add(program);
    });
    let seconds = median(repeats.max(5), || work.battery(true));
    let lines = card.census().lines();
    let compile = Compile {
        lines,
        expressions: card.census().expressions(),
        slots: card.deal().stats().slots,
        seconds,
        micros_per_line: seconds * 1e6 / lines.max(1) as f64,
    };
    (compared(rows), compile)
}
