//! Outputs and scores as lines of JSON, in order whatever order batches end in.
//!
//! An output: `{"schema":1,"type":"o","task","split","index","slot","mutated","program","grid",
//! "match"}`; `grid` is null for an error, `match` is null where the output is not known. A score:
//! `{"schema":1,"type":"s","task","split","index","slot","program","differ","score","detail"}`;
//! `program` is null where the input itself is scored, `score` and `detail` where there is none.
//! `slot` is the output's or the score's place in the run. Lines come task by task, demos first.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use batt_lang::Value;
use serde_json::{Value as Json, json};

use super::outcome::SampleId;
use super::report::SCHEMA;
use super::scores::Score;
use crate::conform::codec;

/// How many finished batches may wait for an earlier one.
const MAX_WAITING: usize = 256;

/// Which sample of which task.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The task.
    pub task: &'a str,
    /// The sample.
    pub sample: SampleId,
}

/// Writes the line of an output.
pub fn output_line(
    text: &mut String,
    place: Place,
    slot: usize,
    mutated: bool,
    program: &str,
    value: Option<&Value>,
    right: Option<bool>,
) {
    let (split, index) = (place.sample.split(), place.sample.index());
    let grid = value.map_or(Json::Null, as_json);
    let _ = writeln!(
        text,
        r#"{{"schema":{SCHEMA},"type":"o","task":{},"split":"{split}","index":{index},"slot":{slot},"mutated":{mutated},"program":{},"grid":{grid},"match":{}}}"#,
        json!(place.task),
        json!(program),
        json!(right),
    );
}

/// Writes the line of a score.
pub fn score_line(
    text: &mut String,
    place: Place,
    slot: usize,
    program: Option<&str>,
    differ: &str,
    score: Option<&Score>,
) {
    let (split, index) = (place.sample.split(), place.sample.index());
    let _ = writeln!(
        text,
        r#"{{"schema":{SCHEMA},"type":"s","task":{},"split":"{split}","index":{index},"slot":{slot},"program":{},"differ":{},"score":{},"detail":{}}}"#,
        json!(place.task),
        json!(program),
        json!(differ),
        json!(score.map(|s| s.score)),
        score.map_or(Json::Null, |s| codec::encode(&s.detail)),
    );
}

/// A grid as rows of colours; what is no grid, in the notation of conformance records.
fn as_json(value: &Value) -> Json {
    value.grid_rows().map_or_else(|| codec::encode(value), |rows| json!(rows))
}

/// Puts the lines of batches in the order of their numbers. Few wait at a time.
pub struct Lines<'a> {
    state: Mutex<State<'a>>,
    moved: Condvar,
}

struct State<'a> {
    out: &'a mut (dyn Write + Send),
    next: usize,
    waiting: BTreeMap<usize, String>,
    error: Option<io::Error>,
}

impl<'a> Lines<'a> {
    /// Writes to `out`.
    pub fn new(out: &'a mut (dyn Write + Send)) -> Lines<'a> {
        let state = State { out, next: 0, waiting: BTreeMap::new(), error: None };
        Lines { state: Mutex::new(state), moved: Condvar::new() }
    }

    /// Takes the lines of a batch. Waits where too many are ahead of one that still runs.
    pub fn put(&self, number: usize, text: String) {
        let mut state = self.state();
        state.waiting.insert(number, text);
        let before = state.next;
        state.write();
        if state.next != before {
            self.moved.notify_all();
        }
        while number >= state.next + MAX_WAITING {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether writing has failed.
    pub fn failed(&self) -> bool {
        self.state().error.is_some()
    }

    /// Ends a pass: batch numbers start at 0 again.
    pub fn restart(&self) -> io::Result<()> {
        let mut state = self.state();
        state.next = 0;
        state.error.take().map_or(Ok(()), Err)
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State<'_> {
    fn write(&mut self) {
        while let Some(text) = self.waiting.remove(&self.next) {
            self.next += 1;
            if self.error.is_none() {
                self.error = self.out.write_all(text.as_bytes()).err();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_order() {
        let mut out = Vec::new();
        let lines = Lines::new(&mut out);
        for number in [2, 0, 1, 3] {
            lines.put(number, format!("{number}\n"));
        }
        lines.restart().unwrap();
        lines.put(0, "again\n".to_string());
        drop(lines);
        assert_eq!(out, b"0\n1\n2\n3\nagain\n");
    }

    #[test]
    fn a_failed_write_is_told() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("no room"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut out = Full;
        let lines = Lines::new(&mut out);
        lines.put(0, "line\n".to_string());
        assert!(lines.failed());
        assert!(lines.restart().is_err());
    }
}
