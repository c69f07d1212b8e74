//! Is it worth it: the same pairs alone, as a battery, and on all cores.

use super::work::on_threads;
use super::{Row, Work, compared, median};

/// One thread alone, one thread as a battery, all cores as a battery.
pub fn feasibility(work: &Work, repeats: usize) -> Vec<Row> {
    let pairs = work.size();
    let battery = work.battery(true);
    let group = "engines";
    let alone = on_threads(Some(1), || median(repeats, || work.alone()));
    let one = on_threads(Some(1), || median(repeats, || work.merged(&battery, 16, false)));
    let all = on_threads(None, || median(repeats, || work.merged(&battery, 1, false)));
    let rows = [
        ("each program alone, 1 thread", alone),
        ("battery, reference, 1 thread", one),
        ("battery, reference, all cores", all),
    ];
    let rows =
        rows.into_iter().filter_map(|(what, seconds)| Some(Row::new(group, what, seconds?, pairs)));
    compared(rows.collect())
}
