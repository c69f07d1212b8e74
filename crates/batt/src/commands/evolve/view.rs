//! What a run shows while it goes on: lines that change on a terminal, log lines elsewhere.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use batt::evolve::archive::Place;
use batt::evolve::breed::Unit;
use batt::evolve::operators::Operator;
use batt::evolve::run::Progress;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::history::quality;
use crate::tell::tell;

/// How often log lines are written.
const PAUSE: Duration = Duration::from_secs(10);
/// How often lines on a terminal change.
const BLINK: Duration = Duration::from_millis(200);

/// What a run shows.
pub struct View {
    lines: Option<[ProgressBar; 3]>,
    shown: Option<Instant>,
    solved: Option<usize>,
    run: String,
    archive: String,
}

impl View {
    /// A view of a run and its archive.
    pub fn new(run: &str, archive: &str) -> View {
        let lines = std::io::stderr().is_terminal().then(|| {
            let all = MultiProgress::new();
            let line = |form: &str| {
                let bar = all.add(ProgressBar::new(0));
                if let Ok(style) = ProgressStyle::with_template(form) {
                    bar.set_style(style);
                }
                bar
            };
            [line("{spinner} {msg}"), line("  {bar:30} {msg}"), line("  {msg}")]
        });
        View {
            lines,
            shown: None,
            solved: None,
            run: run.to_string(),
            archive: archive.to_string(),
        }
    }

    /// Shows where the run stands, now and then.
    pub fn show(&mut self, progress: &Progress) {
        let solved = progress.solved();
        let more = self.solved.is_none_or(|before| solved > before);
        let pause = if self.lines.is_some() { BLINK } else { PAUSE };
        if !more && self.shown.is_some_and(|shown| shown.elapsed() < pause) {
            return;
        }
        self.shown = Some(Instant::now());
        self.solved = Some(solved);
        match &self.lines {
            Some([status, tasks, operators]) => {
                status.set_message(status_line(&self.run, &self.archive, progress));
                status.tick();
                tasks.set_length(progress.tasks.len() as u64);
                tasks.set_position(solved as u64);
                tasks.set_message(task_line(progress, solved));
                operators.set_message(operator_line(progress));
            }
            None => tell!(
                "{} | {} | {}",
                status_line(&self.run, &self.archive, progress),
                task_line(progress, solved),
                operator_line(progress)
            ),
        }
    }

    /// Takes the lines away.
    pub fn end(&self) {
        for line in self.lines.iter().flatten() {
            line.finish_and_clear();
        }
    }
}

/// How large an archive is, where it is a file; what waits to be written back counts.
fn size(archive: &str) -> Option<u64> {
    let path = Place::file(archive)?;
    let waiting = std::fs::metadata(format!("{path}-wal")).map_or(0, |file| file.len());
    std::fs::metadata(path).ok().map(|file| file.len() + waiting)
}

fn status_line(run: &str, archive: &str, progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(1e-9);
    let (present, average) = (progress.pace.present(), progress.pace.average());
    format!(
        "run {run}, generation {}, {:.0} s, {} candidates, {:.0} per second now and {:.0} on average, \
         {:.1} M rows per second now, {} kept, archive {}{:.1} % of the time",
        progress.generation,
        progress.elapsed.as_secs_f64(),
        progress.candidates,
        present.candidates_per_second,
        average.candidates_per_second,
        present.rows_per_second / 1e6,
        progress.totals.kept,
        size(archive).map_or(String::new(), |bytes| format!("{:.1} MB, ", bytes as f64 / 1e6)),
        progress.archive_time.as_secs_f64() * 100.0 / seconds,
    )
}

fn task_line(progress: &Progress, solved: usize) -> String {
    let mut text =
        format!("solved {solved} of {}, quality {:.3}", progress.tasks.len(), quality(progress));
    // The tasks that are nearest to being solved.
    let tasks = progress.units.chunks(progress.islands.max(1)).zip(progress.tasks);
    let mut open: Vec<(u32, &str)> = tasks
        .filter_map(|(units, task)| {
            if units.iter().any(Unit::solved) {
                return None;
            }
            let best = units.iter().filter_map(|unit| unit.population.best());
            let best = best.max_by_key(|one| one.quality())?;
            Some((best.points() / best.cells.len().max(1) as u32, task.id.as_str()))
        })
        .collect();
    open.sort_by_key(|(points, id)| (std::cmp::Reverse(*points), *id));
    for (points, id) in open.iter().take(3) {
        let _ = write!(text, ", {id} {:.3}", f64::from(*points) / 1000.0);
    }
    text
}

fn operator_line(progress: &Progress) -> String {
    let share = |new: u64, of: u64| new * 100 / of.max(1);
    let counts = Operator::ALL.iter().zip(&progress.totals.counts);
    let each: Vec<String> = counts
        .map(|(operator, c)| format!("{} {}%", operator.name(), share(c.new_behaviour, c.proposed)))
        .collect();
    format!("new: {}", each.join(" "))
}
