//! Writing: runs and generations.

use std::collections::{BTreeMap, BTreeSet};

use batt_lang::canonical::ProgramHash;

use super::db::{Arg, Tx};
use super::{Archive, ArchiveError, Found, Generation, Run, RunId, Stored, TestFound};
use crate::judge::SampleScore;

impl Archive {
    /// Begins a run, or finds it begun. Where and when it first ran is kept.
    pub fn begin(&mut self, run: &Run) -> Result<RunId, ArchiveError> {
        let id = run.id();
        let sql = "INSERT INTO runs (id, seed, configuration, language, data, device, host, \
                   started) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
        let seed = run.seed.to_string();
        let texts = [id.as_str(), &seed, &run.configuration, &run.language, &run.data];
        let mut args: Vec<Arg> = texts.into_iter().map(Arg::Text).collect();
        args.extend([Arg::Text(&run.device), Arg::Text(&run.host)]);
        args.push(Arg::Int(run.started as i64));
        self.db.write(|tx| tx.execute(sql, &args))?;
        Ok(id)
    }

    /// Stores a generation: what it found and where the run stands, or nothing of it.
    ///
    /// Storing the generation that the run already stands at changes nothing: whoever resumes may
    /// repeat it.
    pub fn commit(&mut self, generation: &Generation) -> Result<Stored, ArchiveError> {
        self.db.write(|tx| commit(tx, generation))
    }
}

fn commit(tx: &mut dyn Tx, generation: &Generation) -> Result<Stored, ArchiveError> {
    let run = generation.run.as_str();
    if tx.count("SELECT COUNT(*) FROM runs WHERE id = $1", &[Arg::Text(run)])? == 0 {
        return Err(ArchiveError::NoRun(run.to_string()));
    }
    let rows = tx.query("SELECT generation FROM checkpoints WHERE run = $1", &[Arg::Text(run)])?;
    let at = rows.first().map(|row| row.int(0)).transpose()?;
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
    let mut stored = Stored::default();
    put_tasks(tx, &found)?;
    put_programs(tx, &found, &mut stored)?;
    put_finds(tx, generation, &found)?;
    put_results(tx, &found, &mut stored)?;
    if let Some(keep) = generation.keep {
        let tasks: BTreeSet<&str> = found.iter().map(|f| f.task.as_str()).collect();
        for task in tasks {
            stored.pruned += super::prune::prune_task(tx, task, keep)?;
        }
    }
    put_tests(tx, generation.tests)?;
    let sql = "INSERT INTO checkpoints (run, generation, state) VALUES ($1, $2, $3) \
               ON CONFLICT (run) DO UPDATE SET generation = excluded.generation, \
               state = excluded.state";
    tx.execute(sql, &[Arg::Text(run), Arg::Int(number), Arg::Bytes(generation.state)])?;
    Ok(stored)
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
    let mut finds: BTreeMap<String, (i64, &str, String)> = BTreeMap::new();
    for f in found {
        let parents: BTreeSet<String> = f.origin.parents.iter().map(ProgramHash::hex).collect();
        let parents = parents.into_iter().collect::<Vec<_>>().join(" ");
        let way = (i64::from(f.origin.island), f.origin.operator.as_str(), parents);
        let known = finds.entry(f.program.hash().hex()).or_insert_with(|| way.clone());
        if way < *known {
            *known = way;
        }
    }
    let columns = ["run", "program", "generation", "island", "operator", "parents"];
    let row = |(program, (island, operator, parents)): (_, &'_ (i64, &'_ str, String))| {
        let program: &String = program;
        let (run, number) = (g.run.as_str(), i64::from(g.number));
        (run, program.clone(), number, *island, (*operator).to_string(), parents.clone())
    };
    let rows: Vec<_> = finds.iter().map(row).collect();
    let values: Vec<Arg> = rows
        .iter()
        .flat_map(|(run, program, number, island, operator, parents)| {
            let (run, program) = (Arg::Text(run), Arg::Text(program));
            let (operator, parents) = (Arg::Text(operator), Arg::Text(parents));
            [run, program, Arg::Int(*number), Arg::Int(*island), operator, parents]
        })
        .collect();
    insert(tx, "finds", &columns, &values)?;
    Ok(())
}

fn put_results(tx: &mut dyn Tx, found: &[&Found], to: &mut Stored) -> Result<(), ArchiveError> {
    let pairs: BTreeMap<(String, &str), &Found> =
        found.iter().map(|f| ((f.program.hash().hex(), f.task.as_str()), *f)).collect();
    let samples: Vec<String> = pairs.values().map(|f| samples_text(f.judged.samples())).collect();
    let columns = ["program", "task", "behaviour", "exact", "score", "cost", "samples"];
    let mut values = Vec::with_capacity(pairs.len() * columns.len());
    for (((program, task), f), samples) in pairs.iter().zip(&samples) {
        let judged = &f.judged;
        values.extend([program, *task, judged.behaviour()].map(Arg::Text));
        let (exact, score) = (i64::from(judged.exact()), i64::from(judged.score()));
        values.extend([exact, score, judged.cost() as i64].map(Arg::Int));
        values.push(Arg::Text(samples));
    }
    to.results = insert(tx, "results", &columns, &values)?;
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
    let mut new = 0;
    let whole = values.chunks_exact(ROWS * columns.len());
    let rest = whole.remainder();
    for rows in whole {
        new += tx.execute(&statement(into, columns, ROWS), rows)?;
    }
    for row in rest.chunks_exact(columns.len()) {
        new += tx.execute(&statement(into, columns, 1), row)?;
    }
    Ok(new)
}

fn statement(into: &str, columns: &[&str], rows: usize) -> String {
    let width = columns.len();
    let row = |at: usize| {
        let places: Vec<String> = (1..=width).map(|n| format!("${}", at * width + n)).collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    let (columns, rows) = (columns.join(", "), rows.join(", "));
    format!("INSERT INTO {into} ({columns}) VALUES {rows} ON CONFLICT DO NOTHING")
}
