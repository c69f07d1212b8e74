//! Reading an export into an archive: all of it, or nothing.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead};

use super::db::Arg;
use super::export::{Line, RunRecord, VERSION};
use super::records::Record;
use super::seal::PROGRAMS;
use super::write::{self, insert};
use super::{Archive, ArchiveError, Stored, Writer, check};
use crate::judge::Judges;

impl Archive {
    /// Adds what an export holds. With `judges` every result is made anew by the reference
    /// interpreter, and one that differs is refused. `name` is what errors call the export.
    pub fn import(
        &mut self,
        name: &str,
        from: &mut dyn BufRead,
        judges: Option<&Judges>,
    ) -> Result<Stored, ArchiveError> {
        let mut from = Again { from, read: Vec::new(), at: 0, keeps: self.db.may_begin_again() };
        self.write(|to| {
            from.at = 0;
            let mut import = Import {
                to,
                judges,
                runs: HashSet::new(),
                tasks: HashMap::new(),
                last: String::new(),
                stored: Stored::default(),
            };
            import.read(name, &mut from)?;
            Ok(import.stored)
        })
    }
}

/// An export that can be read again from its beginning, after a connection was lost.
struct Again<'a> {
    from: &'a mut dyn BufRead,
    read: Vec<u8>,
    at: usize,
    keeps: bool,
}

impl Again<'_> {
    /// Appends the next line to `text`; gives its length, 0 at the end.
    fn read_line(&mut self, text: &mut String) -> io::Result<usize> {
        if self.at < self.read.len() {
            let length = (&self.read[self.at..]).read_line(text)?;
            self.at += length;
            return Ok(length);
        }
        let length = self.from.read_line(text)?;
        if self.keeps {
            self.read.extend_from_slice(text.as_bytes());
            self.at += length;
        }
        Ok(length)
    }
}

struct Import<'a, 'b> {
    to: &'a mut Writer<'b>,
    judges: Option<&'a Judges>,
    runs: HashSet<String>,
    /// The hashes of their demos.
    tasks: HashMap<String, String>,
    /// The last program.
    last: String,
    stored: Stored,
}

impl Import<'_, '_> {
    fn read(&mut self, name: &str, from: &mut Again) -> Result<(), ArchiveError> {
        let mut hash = blake3::Hasher::new();
        let mut text = String::new();
        for number in 1.. {
            let told =
                |why: String| ArchiveError::Import { file: name.to_string(), line: number, why };
            text.clear();
            let length = from.read_line(&mut text).map_err(|error| told(error.to_string()))?;
            if length == 0 {
                return Err(told("the export ends before its last line".to_string()));
            }
            let line: Line =
                serde_json::from_str(&text).map_err(|error| told(json_words(&error)))?;
            if let Line::End(end) = line {
                let whole = hash.finalize().to_hex().to_string();
                if (end.lines, end.blake3) != (number as u64 - 1, whole) {
                    return Err(told("the export was changed after it was written".to_string()));
                }
                return Ok(());
            }
            hash.update(text.as_bytes());
            let first = number == 1;
            match line {
                Line::BattArchive(VERSION) if first => {}
                Line::BattArchive(version) if first => {
                    let why = format!("its version is {version}; this batt reads {VERSION}");
                    return Err(told(why));
                }
                _ if first => return Err(told("this is no export of an archive".to_string())),
                Line::BattArchive(_) | Line::End(_) => {
                    return Err(told("a second first line".to_string()));
                }
                Line::Run(run) => self.run(&run, &told)?,
                Line::Task(task) => {
                    write::put_task(self.to, &task.id, &task.demos)?;
                    self.tasks.insert(task.id, task.demos);
                }
                Line::Program(record) => self.program(&record, &told)?,
            }
        }
        Ok(())
    }

    fn run(
        &mut self,
        run: &RunRecord,
        told: &dyn Fn(String) -> ArchiveError,
    ) -> Result<(), ArchiveError> {
        let begun = write::run_of(run);
        if begun.id().as_str() != run.id {
            return Err(told(format!("run {} has another key", run.id)));
        }
        write::put_run(self.to, &begun)?;
        write::reach(self.to, &run.id, run.generation)?;
        self.runs.insert(run.id.clone());
        Ok(())
    }

    fn program(
        &mut self,
        record: &Record,
        told: &dyn Fn(String) -> ArchiveError,
    ) -> Result<(), ArchiveError> {
        if record.hash <= self.last {
            return Err(told(format!("program {} is not in its place", record.hash)));
        }
        self.last.clone_from(&record.hash);
        let unknown = |task: &str| self.judges.is_some_and(|judges| judges.get(task).is_none());
        if let Some(result) = record.results.iter().find(|result| unknown(&result.task)) {
            return Err(told(format!("task {} is not among the tasks", result.task)));
        }
        let known = check::Known { runs: &self.runs, tasks: &self.tasks, judges: self.judges };
        if let Some(problem) = known.problems(record).into_iter().next() {
            return Err(told(problem));
        }
        let texts = [&record.hash, &record.text, &record.kinds].map(|text| Arg::Text(text));
        self.stored.programs += insert(self.to, &PROGRAMS, &texts)?;
        for find in &record.finds {
            write::put_find(self.to, &record.hash, find)?;
        }
        for result in &record.results {
            self.stored.results += write::put_result(self.to, &record.hash, result)?;
        }
        Ok(())
    }
}

/// What is wrong with a line; the place within it is of no use to people.
fn json_words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
    format!("this is no line of an export: {words}")
}
