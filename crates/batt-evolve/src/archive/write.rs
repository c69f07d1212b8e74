//! Writing: runs and generations.

use std::collections::{BTreeMap, BTreeSet};

use batt_lang::canonical::ProgramHash;

use super::db::{Arg, Tx};
use super::{
    Archive, ArchiveError, Find, Found, Generation, Origin, Run, RunId, RunRecord, Stored,
    TaskResult, TestFound, prune,
};
use crate::judge::SampleScore;

impl Archive {
    /// Begins a run, or finds it begun. Where and when it first ran is kept.
    pub fn begin(&mut self, run: &Run) -> Result<RunId, ArchiveError> {
        self.db.write(|tx| put_run(tx, run))?;
        Ok(run.id())
    }

    /// Stores a generation: what it found and where the run stands, or nothing of it.
    ///
    /// Storing the generation that the run already stands at changes nothing: whoever resumes may
    /// repeat it.
    pub fn commit(&mut self, generation: &Generation) -> Result<Stored, ArchiveError> {
        self.db.write(|tx| commit(tx, generation))
    }

    /// Stores several generations that follow each other: all of them, or nothing. The last one's
    /// state is what the run goes on from. If the run stands at the last of them, nothing changes.
    pub fn commit_all(&mut self, generations: &[Generation]) -> Result<Stored, ArchiveError> {
        self.db.write(|tx| {
            let mut all = Stored::default();
            // They may have been stored before the connection was lost that would have told.
            if let Some(last) = generations.last()
                && stands_at(tx, last.run)? == Some(i64::from(last.number))
            {
                return Ok(all);
            }
            for generation in generations {
                let stored = commit(tx, generation)?;
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

fn commit(tx: &mut dyn Tx, generation: &Generation) -> Result<Stored, ArchiveError> {
    let run = generation.run.as_str();
    if tx.count("SELECT COUNT(*) FROM runs WHERE id = $1", &[Arg::Text(run)])? == 0 {
        return Err(ArchiveError::NoRun(run.to_string()));
    }
    let at = stands_at(tx, generation.run)?;
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
        Some(keep) => prune::hopeful(tx, found, keep)?,
        None => found,
    };
    let mut stored = Stored { pruned: (all - found.len()) as u64, ..Stored::default() };
    put_tasks(tx, &found)?;
    put_programs(tx, &found, &mut stored)?;
    put_finds(tx, generation, &found)?;
    put_results(tx, &found, &mut stored)?;
    if let Some(keep) = generation.keep {
        let tasks: BTreeSet<&str> = found.iter().map(|f| f.task.as_str()).collect();
        for task in tasks {
            stored.pruned += prune::prune_task(tx, task, keep)?;
        }
    }
    put_tests(tx, generation.tests)?;
    let sql = "INSERT INTO checkpoints (run, generation, state) VALUES ($1, $2, $3) \
               ON CONFLICT (run) DO UPDATE SET generation = excluded.generation, \
               state = excluded.state";
    tx.execute(sql, &[Arg::Text(run), Arg::Int(number), Arg::Bytes(generation.state)])?;
    reach(tx, run, generation.number)?;
    Ok(stored)
}

/// Adds a run that is not there.
pub(super) fn put_run(tx: &mut dyn Tx, run: &Run) -> Result<(), ArchiveError> {
    let columns = [
        "id",
        "seed",
        "configuration",
        "language",
        "data",
        "device",
        "host",
        "generation",
        "started",
    ];
    let (id, seed) = (run.id(), run.seed.to_string());
    let texts =
        [id.as_str(), &seed, &run.configuration, &run.language, &run.data, &run.device, &run.host];
    let mut values: Vec<Arg> = texts.into_iter().map(Arg::Text).collect();
    values.extend([Arg::Int(0), Arg::Int(run.started as i64)]);
    insert(tx, "runs", &columns, &values)?;
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
pub(super) fn reach(tx: &mut dyn Tx, run: &str, generation: u32) -> Result<(), ArchiveError> {
    let sql = "UPDATE runs SET generation = $1 WHERE id = $2 AND generation < $1";
    tx.execute(sql, &[Arg::Int(i64::from(generation)), Arg::Text(run)])?;
    Ok(())
}

fn put_tasks(tx: &mut dyn Tx, found: &[&Found]) -> Result<(), ArchiveError> {
    let tasks: BTreeMap<&str, &str> =
        found.iter().map(|f| (f.task.as_str(), f.demos.as_str())).collect();
    for (task, demos) in tasks {
        put_task(tx, task, demos)?;
    }
    Ok(())
}

/// Adds a task, or makes sure that it is the one that is there.
pub(super) fn put_task(tx: &mut dyn Tx, task: &str, demos: &str) -> Result<(), ArchiveError> {
    insert(tx, "tasks", &["id", "demos"], &[Arg::Text(task), Arg::Text(demos)])?;
    let sql = "SELECT COUNT(*) FROM tasks WHERE id = $1 AND demos = $2";
    if tx.count(sql, &[Arg::Text(task), Arg::Text(demos)])? == 0 {
        return Err(ArchiveError::OtherTask(task.to_string()));
    }
    Ok(())
}

fn put_programs(tx: &mut dyn Tx, found: &[&Found], to: &mut Stored) -> Result<(), ArchiveError> {
    let programs: BTreeMap<ProgramHash, &Found> =
        found.iter().map(|f| (f.program.hash(), *f)).collect();
    let texts: Vec<[String; 2]> =
        programs.iter().map(|(hash, f)| [hash.hex(), f.program.kinds()]).collect();
    let rows = texts.iter().zip(programs.values());
    let values: Vec<Arg> = rows
        .flat_map(|([hash, kinds], f)| [hash, f.program.text(), kinds].map(Arg::Text))
        .collect();
    to.programs = insert(tx, "programs", &["hash", "text", "kinds"], &values)?;
    Ok(())
}

/// Says how the run came to each program. Where a generation came to it in several ways, the least
/// of them counts, so that the order in which they are listed does not matter.
fn put_finds(tx: &mut dyn Tx, g: &Generation, found: &[&Found]) -> Result<(), ArchiveError> {
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
    let mut values = Vec::with_capacity(rows.len() * FIND.len());
    for ([program, operator, parents], origin) in rows.iter().zip(finds.values()) {
        let [number, island] = [g.number, origin.island].map(|n| Arg::Int(i64::from(n)));
        let [run, program] = [g.run.as_str(), program].map(Arg::Text);
        let [operator, parents] = [operator, parents].map(|text| Arg::Text(text));
        values.extend([run, program, number, island, operator, parents]);
    }
    insert_or(tx, "finds", &FIND, &values, EARLIER)?;
    Ok(())
}

const FIND: [&str; 6] = ["run", "program", "generation", "island", "operator", "parents"];

/// The first time that a run came to a program counts.
const EARLIER: &str = "(program, run) DO UPDATE SET generation = excluded.generation, \
                       island = excluded.island, operator = excluded.operator, \
                       parents = excluded.parents WHERE excluded.generation < finds.generation";

/// Says how a run came to a program.
pub(super) fn put_find(tx: &mut dyn Tx, program: &str, find: &Find) -> Result<(), ArchiveError> {
    let parents = find.parents.join(" ");
    let [generation, island] = [find.generation, find.island].map(|n| Arg::Int(i64::from(n)));
    let [run, program] = [&find.run, program].map(Arg::Text);
    let [operator, parents] = [find.operator.as_str(), &parents].map(Arg::Text);
    let values = [run, program, generation, island, operator, parents];
    insert_or(tx, "finds", &FIND, &values, EARLIER)?;
    Ok(())
}

/// Adds a result with its tests; gives 1 if it was new.
pub(super) fn put_result(
    tx: &mut dyn Tx,
    program: &str,
    result: &TaskResult,
) -> Result<u64, ArchiveError> {
    let samples = samples_text(&result.scores().collect::<Vec<_>>());
    let [exact, score] = [result.exact, result.score].map(|n| Arg::Int(i64::from(n)));
    let [program, task, behaviour, samples] =
        [program, &result.task, &result.behaviour, &samples].map(Arg::Text);
    let values = [program, task, behaviour, exact, score, Arg::Int(result.cost as i64), samples];
    let new = insert(tx, "results", &RESULT, &values)?;
    if let Some(tests) = &result.tests {
        insert(tx, "tests", &["program", "task", "results"], &[program, task, Arg::Text(tests)])?;
    }
    Ok(new)
}

const RESULT: [&str; 7] = ["program", "task", "behaviour", "exact", "score", "cost", "samples"];

fn put_results(tx: &mut dyn Tx, found: &[&Found], to: &mut Stored) -> Result<(), ArchiveError> {
    let pairs: BTreeMap<(String, &str), &Found> =
        found.iter().map(|f| ((f.program.hash().hex(), f.task.as_str()), *f)).collect();
    let samples: Vec<String> = pairs.values().map(|f| samples_text(f.judged.samples())).collect();
    let mut values = Vec::with_capacity(pairs.len() * RESULT.len());
    for (((program, task), f), samples) in pairs.iter().zip(&samples) {
        let judged = &f.judged;
        values.extend([program, *task, judged.behaviour()].map(Arg::Text));
        let (exact, score) = (i64::from(judged.exact()), i64::from(judged.score()));
        values.extend([exact, score, judged.cost() as i64].map(Arg::Int));
        values.push(Arg::Text(samples));
    }
    to.results = insert(tx, "results", &RESULT, &values)?;
    Ok(())
}

/// Scores by sample as they are stored: `exact:cells:differ`, one after the other.
pub(super) fn samples_text(samples: &[SampleScore]) -> String {
    let one = |s: &SampleScore| format!("{}:{}:{}", u8::from(s.exact), s.cells, s.differ);
    samples.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Only of programs whose results are stored.
fn put_tests(tx: &mut dyn Tx, tests: &[TestFound]) -> Result<(), ArchiveError> {
    let sql = "INSERT INTO tests (program, task, results) SELECT $1, $2, $3 WHERE EXISTS \
               (SELECT 1 FROM results WHERE program = $1 AND task = $2) ON CONFLICT DO NOTHING";
    for test in tests {
        let results = tests_text(test.tested.tests());
        let program = test.program.hex();
        tx.execute(sql, &[Arg::Text(&program), Arg::Text(&test.task), Arg::Text(&results)])?;
    }
    Ok(())
}

/// Results by test as they are stored: `1` right, `0` wrong, `?` not known.
pub(super) fn tests_text(tests: &[Option<bool>]) -> String {
    tests.iter().map(|right| right.map_or('?', |right| if right { '1' } else { '0' })).collect()
}

/// Rows that one statement inserts.
const ROWS: usize = 64;

/// Inserts rows that are not there yet; gives how many were new.
pub(super) fn insert(
    tx: &mut dyn Tx,
    into: &str,
    columns: &[&str],
    values: &[Arg],
) -> Result<u64, ArchiveError> {
    insert_or(tx, into, columns, values, "DO NOTHING")
}

/// Inserts rows, and does something else about those that are there.
fn insert_or(
    tx: &mut dyn Tx,
    into: &str,
    columns: &[&str],
    values: &[Arg],
    conflict: &str,
) -> Result<u64, ArchiveError> {
    let mut new = 0;
    let mut rest = values;
    for rows in [ROWS, 1] {
        let sql = statement(into, columns, rows, conflict);
        let whole = rest.chunks_exact(rows * columns.len());
        rest = whole.remainder();
        for values in whole {
            new += tx.execute(&sql, values)?;
        }
    }
    Ok(new)
}

fn statement(into: &str, columns: &[&str], rows: usize, conflict: &str) -> String {
    let width = columns.len();
    let row = |at: usize| {
        let places: Vec<String> = (1..=width).map(|n| format!("${}", at * width + n)).collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    let (columns, rows) = (columns.join(", "), rows.join(", "));
    format!("INSERT INTO {into} ({columns}) VALUES {rows} ON CONFLICT {conflict}")
}
