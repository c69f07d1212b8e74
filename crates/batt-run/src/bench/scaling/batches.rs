//! How the cost of a pair changes with the number of samples, of tasks, and with the batch size.

use crate::bench::work::on_threads;
use crate::bench::{Row, Work, compared, median};
use crate::engine::Engine;

/// Over 3, 10, 50 and 200 samples, and over 10, 50 and 200 tasks in batches of 50, 200 and 1,000;
/// cut to what there is.
pub fn batches(work: &Work, engine: &dyn Engine, repeats: usize) -> Vec<Row> {
    let battery = work.battery(true);
    let mut rows = Vec::new();
    for samples in cut(&[3, 10, 50, 200], work.samples.len()) {
        let part = work.first(samples);
        let seconds =
            on_threads(None, || median(repeats, || part.ready(engine, &battery, false).run(1)));
        let what = format!("{samples} samples");
        rows.extend(seconds.map(|s| Row::new("samples", what, s, part.size())));
    }
    for tasks in cut(&[10, 50, 200], work.pairs.len()) {
        let part = work.first_tasks(tasks);
        for batch in cut(&[50, 200, 1000], part.samples.len()) {
            let run = || median(repeats, || part.ready(engine, &battery, false).run(batch));
            let what = format!("{tasks} tasks, {} samples, batches of {batch}", part.samples.len());
            rows.extend(on_threads(None, run).map(|s| Row::new("tasks", what, s, part.size())));
        }
    }
    compared(rows)
}

/// The sizes that there is enough for; the first that is too large becomes all there is.
fn cut(sizes: &[usize], most: usize) -> Vec<usize> {
    let mut fitting: Vec<usize> = sizes.iter().copied().filter(|size| *size <= most).collect();
    if fitting.len() < sizes.len() && fitting.last() != Some(&most) {
        fitting.push(most);
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn sizes_are_cut_to_what_there_is() {
        assert_eq!(cut(&[3, 10, 50], 20), [3, 10, 20]);
        assert_eq!(cut(&[3, 10, 50], 10), [3, 10]);
        assert_eq!(cut(&[3, 10, 50], 100), [3, 10, 50]);
    }
}
