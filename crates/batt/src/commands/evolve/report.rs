//! What came of a run.

use std::io::Write;

use batt::evolve::archive::{Archive, RunId};
use batt::evolve::breed::{Refused, Unit};
use batt::evolve::operators::Operator;
use batt::evolve::operators::rates::Count;
use batt::evolve::run::Progress;
use batt::evolve::run::pace::Rate;
use batt::run::engine::Engine;
use batt::run::engine::spent::Notes;
use serde::Serialize;

use super::cases::Written;
use crate::commands::notes;
use crate::context::Context;
use crate::failure;

/// What came of a run.
#[derive(Debug, Serialize)]
pub struct Report {
    schema: u32,
    run: String,
    engine: &'static str,
    device: Notes,
    generation: u32,
    seconds: f64,
    candidates: u64,
    candidates_per_second: f64,
    rows: u64,
    rows_per_second: f64,
    busy: f64,
    /// The last seconds.
    present: Rate,
    archive_seconds: f64,
    solved: usize,
    tasks: usize,
    total: Total,
    operators: Vec<Row>,
    unsolved: Vec<Open>,
    cases: Option<Written>,
    archive_programs: u64,
    archive_bytes: u64,
}

/// Counts of the whole run, interruptions included.
#[derive(Debug, Serialize)]
struct Total {
    proposals: u64,
    well_typed: u64,
    candidates: u64,
    new_behaviour: u64,
    improving: u64,
    kept: u64,
    handed_back: u64,
    mismatches: u64,
    refused: Refused,
}

#[derive(Debug, Serialize)]
struct Row {
    operator: &'static str,
    #[serde(flatten)]
    count: Count,
}

/// A task that is not solved, and its best program so far.
#[derive(Debug, Serialize)]
struct Open {
    task: String,
    exact: u16,
    demos: usize,
    points: u32,
}

impl Report {
    /// The report of a run.
    pub fn new(
        progress: &Progress,
        id: &RunId,
        engine: &dyn Engine,
        cases: Option<Written>,
        archive: &mut Archive,
    ) -> anyhow::Result<Report> {
        let stats = archive.stats().map_err(failure::archive)?;
        let totals = progress.totals;
        let seconds = progress.elapsed.as_secs_f64();
        let average = progress.pace.average();
        let counts = Operator::ALL.iter().zip(&totals.counts);
        Ok(Report {
            schema: 1,
            run: id.to_string(),
            engine: engine.name(),
            device: notes::of(engine),
            generation: progress.generation,
            seconds,
            candidates: progress.candidates,
            candidates_per_second: progress.candidates as f64 / seconds.max(1e-9),
            rows: progress.pace.done().rows,
            rows_per_second: average.rows_per_second,
            busy: average.busy,
            present: progress.pace.present(),
            archive_seconds: progress.archive_time.as_secs_f64(),
            solved: progress.solved(),
            tasks: progress.tasks.len(),
            total: Total {
                proposals: totals.proposals,
                well_typed: totals.well_typed,
                candidates: totals.candidates,
                new_behaviour: totals.new_behaviour,
                improving: totals.improving,
                kept: totals.kept,
                handed_back: totals.handed_back,
                mismatches: totals.refused.disagreements,
                refused: totals.refused,
            },
            operators: counts
                .map(|(operator, count)| Row { operator: operator.name(), count: *count })
                .collect(),
            unsolved: unsolved(progress),
            cases,
            archive_programs: stats.programs,
            archive_bytes: stats.bytes,
        })
    }

    /// Whether the demos of every task are solved.
    pub fn is_solved(&self) -> bool {
        self.solved == self.tasks
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// One line that says what the run was.
    pub fn title(&self) -> String {
        format!(
            "run {}: {} of {} tasks after {} generations and {} candidates",
            self.run, self.solved, self.tasks, self.generation, self.total.candidates
        )
    }

    /// Prints it for people.
    pub fn print(&self, archive: &str, context: &mut Context) -> anyhow::Result<()> {
        let style = context.style;
        let head = format!(
            "{:<10} {:>10} {:>10} {:>10} {:>13} {:>10}",
            "operator", "proposed", "well-typed", "new graph", "new behaviour", "improving"
        );
        writeln!(context, "{}", style.bold(&head))?;
        for Row { operator, count: c } in &self.operators {
            writeln!(
                context,
                "{operator:<10} {:>10} {:>10} {:>10} {:>13} {:>10}",
                c.proposed, c.well_typed, c.new_graph, c.new_behaviour, c.improving
            )?;
        }
        let total = &self.total;
        let share = |part: u64, of: u64| part as f64 * 100.0 / of.max(1) as f64;
        writeln!(
            context,
            "\n{} children begun, {:.1} % of them well-typed, {:.1} % of those did something new; \
             {} programs kept",
            total.proposals,
            share(total.well_typed, total.proposals),
            share(total.new_behaviour, total.well_typed),
            total.kept
        )?;
        for (count, why) in reasons(&total.refused) {
            writeln!(context, "refused {count} times: {why}")?;
        }
        if let Some(Written { folder, records }) = &self.cases {
            writeln!(
                context,
                "{records} of these are records in {folder}: `batt conform {folder}` shows them"
            )?;
        }
        for open in self.unsolved.iter().take(10) {
            let Open { task, exact, demos, points } = open;
            let quality = f64::from(*points) / (1000.0 * (*demos).max(1) as f64);
            writeln!(
                context,
                "not solved  {task}  {exact} of {demos} demos, quality {quality:.3}"
            )?;
        }
        if let Some(more @ 1..) = self.unsolved.len().checked_sub(10) {
            writeln!(context, "not solved  {more} more")?;
        }
        writeln!(
            context,
            "solved {} of {} tasks in {:.1} s: generation {}, {} candidates, {:.0} per second on \
             {}, archive {:.1} %",
            self.solved,
            self.tasks,
            self.seconds,
            self.generation,
            self.candidates,
            self.candidates_per_second,
            self.engine,
            self.archive_seconds * 100.0 / self.seconds.max(1e-9),
        )?;
        let Rate { seconds, candidates_per_second, rows_per_second, busy } = self.present;
        writeln!(
            context,
            "in the last {seconds:.1} s {candidates_per_second:.0} per second, {:.1} M row evaluations \
             per second, threads busy {:.0} %; on average {:.1} M and {:.0} %",
            rows_per_second / 1e6,
            busy * 100.0,
            self.rows_per_second / 1e6,
            self.busy * 100.0,
        )?;
        notes::print(&self.device, "", context)?;
        writeln!(
            context,
            "run {} in {archive}: {} programs, {:.1} MB",
            self.run,
            self.archive_programs,
            self.archive_bytes as f64 / 1e6
        )?;
        Ok(())
    }
}

/// What was refused, and why.
fn reasons(refused: &Refused) -> impl Iterator<Item = (u64, &'static str)> + use<> {
    let all = [
        (
            refused.disagreements,
            "the engine marks outputs otherwise than the interpreter gives them",
        ),
        (refused.collisions, "different outputs have the same digest"),
        (refused.own_pair, "a program solves a demo only with that demo's own pair in S"),
        (refused.worthless, "a program that reads S is worth nothing with all of S"),
    ];
    all.into_iter().filter(|(count, _)| *count > 0)
}

/// Tasks that are not solved, the nearest first.
fn unsolved(progress: &Progress) -> Vec<Open> {
    let tasks = progress.units.chunks(progress.islands.max(1)).zip(progress.tasks);
    let mut open: Vec<Open> = tasks
        .filter_map(|(units, task)| {
            let best = units.iter().filter_map(|unit| unit.population.best());
            let best = best.max_by_key(|one| one.quality());
            if units.iter().any(Unit::solved) {
                return None;
            }
            let (exact, points) = best.map_or((0, 0), |best| (best.exact(), best.points()));
            Some(Open { task: task.id.clone(), exact, demos: task.demos.len(), points })
        })
        .collect();
    open.sort_by(|a, b| {
        let share = |o: &Open| o.points as usize * 1000 / o.demos.max(1);
        share(b).cmp(&share(a)).then_with(|| a.task.cmp(&b.task))
    });
    open
}
