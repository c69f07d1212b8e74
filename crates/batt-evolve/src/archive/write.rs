//! Writing: runs and generations.

use std::collections::{BTreeMap, BTreeSet};

use batt_lang::canonical::ProgramHash;

use super::db::{Arg, Field, Tx};
use super::seal::{self, CHECKPOINTS, FINDS, PROGRAMS, RESULTS, RUNS, TASKS, TESTS, Table};
use super::{
    Archive, ArchiveError, Find, Found, Generation, Origin, Run, RunId, RunRecord, Stored,
    TaskResult, TestFound, Writer, prune,
};
use crate::judge::SampleScore;

impl Archive {
    /// Begins a run, or finds it begun. Where and when it first ran is kept.
    pub fn begin(&mut self, run: &Run) -> Result<RunId, ArchiveError> {
        self.write(|to| put_run(to, run))?;
        Ok(run.id())
    }

    /// Stores a generation: what it found and where the run stands, or nothing of it.
    ///
    /// Storing the generation that the run already stands at changes nothing: whoever resumes may
    /// repeat it.
    pub fn commit(&mut self, generation: &Generation) -> Result<Stored, ArchiveError> {
        self.write(|to| commit(to, generation))
    }

    /// Stores several generations that follow each other: all of them, or nothing. The last one's
    /// state is what the run goes on from. If the run stands at the last of them, nothing changes.
    pub fn commit_all(&mut self, generations: &[Generation]) -> Result<Stored, ArchiveError> {
        self.write(|to| {
            let mut all = Stored::default();
            // They may have been stored before the connection was lost that would have told.
            if let Some(last) = generations.last()
                && stands_at(to.tx, last.run)? == Some(i64::from(last.number))
            {
                return Ok(all);
            }
            for generation in generations {
                let stored = commit(to, generation)?;
                all.programs += stored.programs;
                all.results += stored.results;
                all.pruned += stored.pruned;
            }
            Ok(all)
        })
    }
}

/// The last generation of a run that is stored.
fn stands_at(tx: &mut dyn Tx, run: &RunId) -> Result<Option<i64>, ArchiveError> {
    let sql = "SELECT generation FROM checkpoints WHERE run = $1";
    let rows = tx.query(sql, &[Arg::Text(run.as_str())])?;
    rows.first().map(|row| row.int(0)).transpose()
}

fn commit(to: &mut Writer, generation: &Generation) -> Result<Stored, ArchiveError> {
    let run = generation.run.as_str();
    let rows = to.tx.query("SELECT generation FROM runs WHERE id = $1", &[Arg::Text(run)])?;
    let Some(row) = rows.first() else { return Err(ArchiveError::NoRun(run.to_string())) };
    let reached = row.int(0)?;
    let at = stands_at(to.tx, generation.run)?;
    let number = i64::from(generation.number);
    match at {
        Some(at) if at == number => return Ok(Stored::default()),
        Some(at) if at > number => {
            let run = run.to_string();
            return Err(ArchiveError::OutOfOrder { run, at, number: generation.number });
        }
        _ => {}
    }
    let found: Vec<&Found> = generation.found.iter().filter(|f| f.judged.score() > 0).collect();
    let all = found.len();
    let found = match generation.keep {
        Some(keep) => prune::hopeful(to.tx, found, keep)?,
        None => found,
    };
    let mut stored = Stored { pruned: (all - found.len()) as u64, ..Stored::default() };
    put_tasks(to, &found)?;
    put_programs(to, &found, &mut stored)?;
    put_finds(to, generation, &found, reached)?;
    put_results(to, &found, &mut stored)?;
    if let Some(keep) = generation.keep {
        let tasks: BTreeSet<&str> = found.iter().map(|f| f.task.as_str()).collect();
        for task in tasks {
            stored.pruned += prune::prune_task(to, task, keep)?;
        }
    }
    put_tests(to, generation.tests)?;
    put_checkpoint(to, run, number, generation.state)?;
    reach(to, run, generation.number)?;
    Ok(stored)
}

/// Says where a run goes on from.
fn put_checkpoint(
    to: &mut Writer,
    run: &str,
    number: i64,
    state: &[u8],
) -> Result<(), ArchiveError> {
    let row = [Arg::Text(run), Arg::Int(number), Arg::Bytes(state)];
    let before = to.tx.query("SELECT seal FROM checkpoints WHERE run = $1", &row[..1])?;
    let seal = seal::of_args(&CHECKPOINTS, &row);
    let sql = "INSERT INTO checkpoints (run, generation, state, seal) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (run) DO UPDATE SET generation = excluded.generation, \
               state = excluded.state, seal = excluded.seal";
    let [run, number, state] = row;
    to.tx.execute(sql, &[run, number, state, Arg::Int(seal)])?;
    if let Some(before) = before.first() {
        to.ledger.remove(&CHECKPOINTS, before.int(0)?);
    }
    to.ledger.add(&CHECKPOINTS, seal);
    Ok(())
}

/// Adds a run that is not there.
pub(super) fn put_run(to: &mut Writer, run: &Run) -> Result<(), ArchiveError> {
    let (id, seed) = (run.id(), run.seed.to_string());
    let texts =
        [id.as_str(), &seed, &run.configuration, &run.language, &run.data, &run.device, &run.host];
    let mut values: Vec<Arg> = texts.into_iter().map(Arg::Text).collect();
    values.extend([Arg::Int(0), Arg::Int(run.started as i64)]);
    insert(to, &RUNS, &values)?;
    Ok(())
}

/// A run as it is known without where and when.
pub(super) fn run_of(run: &RunRecord) -> Run {
    Run {
        seed: run.seed,
        configuration: run.configuration.clone(),
        language: run.language.clone(),
        data: run.data.clone(),
        device: String::new(),
        host: String::new(),
        started: 0,
    }
}

/// Says that a run has come so far.
pub(super) fn reach(to: &mut Writer, run: &str, generation: u32) -> Result<(), ArchiveError> {
    let (generation, run) = (i64::from(generation), Arg::Text(run));
    let columns = RUNS.columns.join(", ");
    let sql = format!("SELECT {columns}, seal FROM runs WHERE id = $1");
    let Some(row) = to.tx.query(&sql, &[run])?.into_iter().next() else { return Ok(()) };
    let place = RUNS.columns.iter().position(|column| *column == "generation").unwrap_or(0);
    if row.int(place)? >= generation {
        return Ok(());
    }
    let mut fields = row.fields()[..RUNS.columns.len()].to_vec();
    let before = row.int(fields.len())?;
    if seal::of_fields(&RUNS, &fields) != before {
        // A new seal would hide it.
        return Err(ArchiveError::Damaged(format!("{}: {CHANGED}", seal::named(&RUNS, &fields))));
    }
    fields[place] = Field::Int(generation);
    let seal = seal::of_fields(&RUNS, &fields);
    let sql = "UPDATE runs SET generation = $1, seal = $2 WHERE id = $3";
    to.tx.execute(sql, &[Arg::Int(generation), Arg::Int(seal), run])?;
    to.ledger.remove(&RUNS, before);
    to.ledger.add(&RUNS, seal);
    Ok(())
}

/// What is said of a row whose seal is another.
pub(super) const CHANGED: &str = "this row is not what was stored";

fn put_tasks(to: &mut Writer, found: &[&Found]) -> Result<(), ArchiveError> {
    let tasks: BTreeMap<&str, &str> =
        found.iter().map(|f| (f.task.as_str(), f.demos.as_str())).collect();
    for (task, demos) in tasks {
        put_task(to, task, demos)?;
    }
    Ok(())
}

/// Adds a task, or makes sure that it is the one that is there.
pub(super) fn put_task(to: &mut Writer, task: &str, demos: &str) -> Result<(), ArchiveError> {
    insert(to, &TASKS, &[Arg::Text(task), Arg::Text(demos)])?;
    let sql = "SELECT COUNT(*) FROM tasks WHERE id = $1 AND demos = $2";
    if to.tx.count(sql, &[Arg::Text(task), Arg::Text(demos)])? == 0 {
        return Err(ArchiveError::OtherTask(task.to_string()));
    }
    Ok(())
}

fn put_programs(
    to: &mut Writer,
    found: &[&Found],
    stored: &mut Stored,
) -> Result<(), ArchiveError> {
    let programs: BTreeMap<ProgramHash, &Found> =
        found.iter().map(|f| (f.program.hash(), *f)).collect();
    let texts: Vec<[String; 2]> =
        programs.iter().map(|(hash, f)| [hash.hex(), f.program.kinds()]).collect();
    let rows = texts.iter().zip(programs.values());
    let values: Vec<Arg> = rows
        .flat_map(|([hash, kinds], f)| [hash, f.program.text(), kinds].map(Arg::Text))
        .collect();
    stored.programs = insert(to, &PROGRAMS, &values)?;
    Ok(())
}

/// Says how the run came to each program. Where a generation came to it in several ways, the least
/// of them counts, so that the order in which they are listed does not matter.
fn put_finds(
    to: &mut Writer,
    g: &Generation,
    found: &[&Found],
    reached: i64,
) -> Result<(), ArchiveError> {
    let mut finds: BTreeMap<ProgramHash, &Origin> = BTreeMap::new();
    for f in found {
        let known = finds.entry(f.program.hash()).or_insert(&f.origin);
        if f.origin < **known {
            *known = &f.origin;
        }
    }
    let rows: Vec<[String; 3]> = finds
        .iter()
        .map(|(program, origin)| {
            let parents: Vec<String> = origin.parents.iter().map(ProgramHash::hex).collect();
            [program.hex(), origin.operator.clone(), parents.join(" ")]
        })
        .collect();
    let width = FINDS.columns.len();
    let mut values = Vec::with_capacity(rows.len() * width);
    for ([program, operator, parents], origin) in rows.iter().zip(finds.values()) {
        let [number, island] = [g.number, origin.island].map(|n| Arg::Int(i64::from(n)));
        let [program, run] = [program, g.run.as_str()].map(Arg::Text);
        let [operator, parents] = [operator, parents].map(|text| Arg::Text(text));
        values.extend([program, run, number, island, operator, parents]);
    }
    // Only where another process has brought the run further can there be later finds.
    if reached > i64::from(g.number) {
        values.chunks(width).try_for_each(|row| put_earlier(to, row))
    } else {
        insert(to, &FINDS, &values).map(|_| ())
    }
}

/// Says how a run came to a program; the first time that it did so counts.
fn put_earlier(to: &mut Writer, row: &[Arg]) -> Result<(), ArchiveError> {
    if insert(to, &FINDS, row)? == 1 {
        return Ok(());
    }
    let [_, _, Arg::Int(generation), ..] = *row else { return Ok(()) };
    let pair = [row[0], row[1]];
    let sql = "SELECT generation, seal FROM finds WHERE program = $1 AND run = $2";
    let known = to.tx.query(sql, &pair)?;
    if known.iter().any(|known| known.int(0).is_ok_and(|known| known > generation)) {
        let sql = "DELETE FROM finds WHERE program = $1 AND run = $2 RETURNING seal";
        to.removed(&FINDS, sql, &pair)?;
        insert(to, &FINDS, row)?;
    }
    Ok(())
}

/// Says how a run came to a program.
pub(super) fn put_find(to: &mut Writer, program: &str, find: &Find) -> Result<(), ArchiveError> {
    let parents = find.parents.join(" ");
    let [generation, island] = [find.generation, find.island].map(|n| Arg::Int(i64::from(n)));
    let [program, run] = [program, &find.run].map(Arg::Text);
    let [operator, parents] = [find.operator.as_str(), &parents].map(Arg::Text);
    put_earlier(to, &[program, run, generation, island, operator, parents])
}

/// Adds a result with its tests; gives 1 if it was new.
pub(super) fn put_result(
    to: &mut Writer,
    program: &str,
    result: &TaskResult,
) -> Result<u64, ArchiveError> {
    let samples = samples_text(&result.scores().collect::<Vec<_>>());
    let [exact, score] = [result.exact, result.score].map(|n| Arg::Int(i64::from(n)));
    let [program, task, behaviour, samples] =
        [program, &result.task, &result.behaviour, &samples].map(Arg::Text);
    let values = [program, task, behaviour, exact, score, Arg::Int(result.cost as i64), samples];
    let new = insert(to, &RESULTS, &values)?;
    if let Some(tests) = &result.tests {
        insert(to, &TESTS, &[program, task, Arg::Text(tests)])?;
    }
    Ok(new)
}

fn put_results(to: &mut Writer, found: &[&Found], stored: &mut Stored) -> Result<(), ArchiveError> {
    let pairs: BTreeMap<(String, &str), &Found> =
        found.iter().map(|f| ((f.program.hash().hex(), f.task.as_str()), *f)).collect();
    let samples: Vec<String> = pairs.values().map(|f| samples_text(f.judged.samples())).collect();
    let mut values = Vec::with_capacity(pairs.len() * RESULTS.columns.len());
    for (((program, task), f), samples) in pairs.iter().zip(&samples) {
        let judged = &f.judged;
        values.extend([program, *task, judged.behaviour()].map(Arg::Text));
        let (exact, score) = (i64::from(judged.exact()), i64::from(judged.score()));
        values.extend([exact, score, judged.cost() as i64].map(Arg::Int));
        values.push(Arg::Text(samples));
    }
    stored.results = insert(to, &RESULTS, &values)?;
    Ok(())
}

/// Scores by sample as they are stored: `exact:cells:differ`, one after the other.
pub(super) fn samples_text(samples: &[SampleScore]) -> String {
    let one = |s: &SampleScore| format!("{}:{}:{}", u8::from(s.exact), s.cells, s.differ);
    samples.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Only of programs whose results are stored.
fn put_tests(to: &mut Writer, tests: &[TestFound]) -> Result<(), ArchiveError> {
    let sql = "INSERT INTO tests (program, task, results, seal) \
               SELECT $1, $2, $3, CAST($4 AS BIGINT) WHERE EXISTS \
               (SELECT 1 FROM results WHERE program = $1 AND task = $2) \
               ON CONFLICT DO NOTHING RETURNING seal";
    for test in tests {
        let results = tests_text(test.tested.tests());
        let program = test.program.hex();
        let row = [&program, &test.task, &results].map(|text| Arg::Text(text));
        let seal = seal::of_args(&TESTS, &row);
        let [program, task, results] = row;
        to.added(&TESTS, sql, &[program, task, results, Arg::Int(seal)])?;
    }
    Ok(())
}

/// Results by test as they are stored: `1` right, `0` wrong, `?` not known.
pub(super) fn tests_text(tests: &[Option<bool>]) -> String {
    tests.iter().map(|right| right.map_or('?', |right| if right { '1' } else { '0' })).collect()
}

/// Rows that one statement inserts.
const ROWS: usize = 64;

/// Inserts rows that are not there yet, each with its seal; gives how many were new.
pub(super) fn insert(to: &mut Writer, into: &Table, values: &[Arg]) -> Result<u64, ArchiveError> {
    let width = into.columns.len();
    let mut sealed = Vec::with_capacity(values.len() / width * (width + 1));
    for row in values.chunks_exact(width) {
        sealed.extend_from_slice(row);
        sealed.push(Arg::Int(seal::of_args(into, row)));
    }
    let mut new = 0;
    let mut rest = &sealed[..];
    for rows in [ROWS, 1] {
        let sql = statement(into, rows);
        let whole = rest.chunks_exact(rows * (width + 1));
        rest = whole.remainder();
        for values in whole {
            new += to.added(into, &sql, values)?;
        }
    }
    Ok(new)
}

fn statement(into: &Table, rows: usize) -> String {
    let width = into.columns.len() + 1;
    let row = |at: usize| {
        let places: Vec<String> = (1..=width).map(|n| format!("${}", at * width + n)).collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    let (name, columns, rows) = (into.name, into.columns.join(", "), rows.join(", "));
    format!(
        "INSERT INTO {name} ({columns}, seal) VALUES {rows} ON CONFLICT DO NOTHING RETURNING seal"
    )
}
