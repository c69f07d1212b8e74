//! Runs records on an engine and reports what does not hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use batt_lang::program::Definition;
use batt_lang::{Fault, Program, Value, text};
use serde_json::Value as Json;

use super::Subject;
use super::codec::{Unreadable, decode, decode_all, primitive};
use super::records::{Record, RecordError, files, read};
use crate::reference::Out;

/// How an engine did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Records that were run.
    pub checked: usize,
    /// Those that held.
    pub passed: usize,
    /// Those that did not.
    pub failed: usize,
    /// Records that were not run.
    pub skipped: usize,
    /// Why they were not, and how many for each reason.
    pub skips: BTreeMap<String, usize>,
    /// Those that held with an error of another kind than the record names.
    pub other_kind: usize,
    /// What did not hold.
    pub failures: Vec<Failure>,
}

/// A record that did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its file.
    pub file: PathBuf,
    /// Its line, counted from 1.
    pub line: usize,
    /// The program's id, or the primitive's name.
    pub id: String,
    /// Why it did not hold.
    pub reason: &'static str,
    /// What the record says.
    pub expected: String,
    /// What the engine gave.
    pub actual: String,
    /// The value that the record says, if it says one.
    pub expected_value: Option<Value>,
    /// The value that the engine gave, if it gave one.
    pub actual_value: Option<Value>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (file, line) = (self.file.display(), self.line);
        write!(f, "{file}:{line}: {}: {}", self.id, self.reason)?;
        write!(f, "\n  expected {}\n  actual   {}", self.expected, self.actual)
    }
}

/// Checks the records of files and folders for which `wanted` holds (it is given the record's id).
pub fn check_files<P: AsRef<Path>>(
    paths: &[P],
    subject: &dyn Subject,
    wanted: impl Fn(&str) -> bool,
) -> Result<Report, RecordError> {
    let mut report = Report::default();
    for path in paths {
        for file in files(path.as_ref())? {
            for record in read(&file)? {
                check_record(&file, &record?, subject, &wanted, &mut report)?;
            }
        }
    }
    Ok(report)
}

fn check_record(
    file: &Path,
    record: &Record,
    subject: &dyn Subject,
    wanted: &dyn Fn(&str) -> bool,
    report: &mut Report,
) -> Result<(), RecordError> {
    let error = |what: String| RecordError { file: file.to_path_buf(), line: record.line, what };
    let id = id(&record.json).ok_or_else(|| error("neither an op nor a source".to_string()))?;
    let mut skip = |why: String| {
        report.skipped += 1;
        *report.skips.entry(why).or_default() += 1;
    };
    if !wanted(id) {
        skip("not asked for".to_string());
        return Ok(());
    }
    if let Some(op) = unknown_op(&record.json) {
        skip(format!("no primitive is called {op:?}"));
        return Ok(());
    }
    let expected = expected(&record.json, subject).map_err(error)?;
    let actual = run(&record.json, subject).map_err(error)?;
    report.checked += 1;
    match expected.judge(&actual) {
        Ok(same_kind) => {
            report.passed += 1;
            report.other_kind += usize::from(!same_kind);
        }
        Err(reason) => {
            report.failed += 1;
            report.failures.push(Failure {
                file: file.to_path_buf(),
                line: record.line,
                id: id.to_string(),
                reason,
                expected: expected.to_string(),
                actual: match &actual {
                    Ok(value) => value.to_string(),
                    Err(fault) => fault.to_string(),
                },
                expected_value: expected.value(),
                actual_value: actual.ok(),
            });
        }
    }
    Ok(())
}

/// What a record says about its result.
enum Expected {
    /// This value.
    Value(Value),
    /// This value, or an error: the arguments are outside every declared kind.
    ValueOrError(Value),
    /// An error, of this kind if the engine names kinds as CPython does.
    Error(String),
}

impl Expected {
    /// Whether the result holds, and if it is an error, whether its kind is the one named.
    fn judge(&self, actual: &Out) -> Result<bool, &'static str> {
        match (self, actual) {
            (Expected::Value(e) | Expected::ValueOrError(e), Ok(a)) if e == a => Ok(true),
            (Expected::Value(_) | Expected::ValueOrError(_), Ok(_)) => Err("another value"),
            (Expected::Value(_), Err(_)) => Err("an error instead of a value"),
            (Expected::ValueOrError(_), Err(_)) => Ok(true),
            (Expected::Error(_), Ok(_)) => Err("a value instead of an error"),
            (Expected::Error(kind), Err(fault)) => Ok(fault.kind.name() == kind),
        }
    }
}

impl Expected {
    /// The value, where one is expected.
    fn value(self) -> Option<Value> {
        match self {
            Expected::Value(value) | Expected::ValueOrError(value) => Some(value),
            Expected::Error(_) => None,
        }
    }
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Value(value) => write!(f, "{value}"),
            Expected::ValueOrError(value) => write!(f, "{value} or an error"),
            Expected::Error(kind) => f.write_str(kind),
        }
    }
}

/// What names the record: the id of a program, the primitive under test, or the op.
fn id(json: &Json) -> Option<&str> {
    ["id", "prim", "op"].iter().find_map(|key| json.get(key)?.as_str())
}

fn expected(json: &Json, subject: &dyn Subject) -> Result<Expected, String> {
    if let Some(kind) = json.get("error").or(json.get("err")) {
        return Ok(Expected::Error(kind.as_str().unwrap_or("error").to_string()));
    }
    let value = json
        .get("canon")
        .or_else(|| json.get("by_order")?.get("colorfirst"))
        .or_else(|| json.get("out"))
        .ok_or("neither a result nor an error")?;
    let value = decode(value, subject).map_err(|e| match e {
        Unreadable::Malformed(what) => what,
        Unreadable::Fault(fault) => fault.to_string(),
    })?;
    let loose = json.get("loose").and_then(Json::as_i64) == Some(2);
    Ok(if loose { Expected::ValueOrError(value) } else { Expected::Value(value) })
}

/// The op of a record, if it names no primitive.
fn unknown_op(json: &Json) -> Option<&str> {
    let op = json.get("op")?.as_str()?;
    (op != "invoke" && !json.as_object()?.contains_key("source") && primitive(&op.into()).is_err())
        .then_some(op)
}

/// Runs a record.
fn run(json: &Json, subject: &dyn Subject) -> Result<Out, String> {
    let out = match json.get("source").and_then(Json::as_str) {
        Some(source) => run_program(json, source, subject),
        None => run_op(json, subject),
    };
    match out {
        Ok(value) => Ok(Ok(value)),
        Err(Unreadable::Fault(fault)) => Ok(Err(fault)),
        Err(Unreadable::Malformed(what)) => Err(what),
    }
}

fn run_op(json: &Json, subject: &dyn Subject) -> Result<Value, Unreadable> {
    let malformed = |what: &str| Unreadable::Malformed(what.to_string());
    let args = json.get("args").and_then(Json::as_array).ok_or_else(|| malformed("no args"))?;
    let op = json.get("op").ok_or_else(|| malformed("no op"))?;
    let args = decode_all(args, subject)?;
    let out = match (op.as_str(), args.as_slice()) {
        (Some("invoke"), [function, rest @ ..]) => subject.invoke(function, rest),
        _ => subject.primitive(primitive(op)?, &args),
    };
    out.map_err(Unreadable::Fault)
}

fn run_program(json: &Json, source: &str, subject: &dyn Subject) -> Result<Value, Unreadable> {
    let input = json.get("input").ok_or(Unreadable::Malformed("no input".to_string()))?;
    let input = decode(input, subject)?;
    let program = parse(source).map_err(Unreadable::Fault)?;
    subject.program(&program, &input).map_err(Unreadable::Fault)
}

/// The program that a record's source defines. A text that cannot be read is an error like one that
/// cannot be run: Python finds most of what our parser refuses only when it runs.
fn parse(source: &str) -> Result<Program, Fault> {
    let module = text::parse(source);
    if !module.problems.is_empty() {
        return Err(Fault::wrong_kind("the program cannot be read"));
    }
    let mut programs = module.definitions.into_iter().flat_map(|definition| match definition {
        Definition::Program(program) => vec![program],
        Definition::Generated(generated) => generated.programs(),
    });
    match (programs.next(), programs.next()) {
        (Some(program), None) => Ok(program),
        _ => Err(Fault::wrong_kind("a record's source is one program")),
    }
}
