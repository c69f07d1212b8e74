//! Runs records on an engine and reports what does not hold.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use batt_lang::program::Definition;
use batt_lang::{Fault, Program, Value, text};
use serde_json::Value as Json;

use super::codec::{Unreadable, decode, decode_all, decode_rows, primitive};
use super::{Asked, Given, Subject};
use crate::engine::mark::Mark;
use crate::reference::Out;
use crate::reference::eval::{Inputs, Policy};

use super::records::{Record, RecordError, files, read};

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
    /// Those that held with an error where the record allows a value or an error.
    pub refused: usize,
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    let skip = match unknown_op(&record.json) {
        _ if !wanted(id) => Some("not asked for".to_string()),
        Some(op) => Some(format!("no primitive is called {op:?}")),
        None => None,
    };
    if let Some(why) = skip {
        report.skipped += 1;
        *report.skips.entry(why).or_default() += 1;
        return Ok(());
    }
    let expected = expected(&record.json, subject).map_err(error)?;
    let (actual, marked) = run(&record.json, subject).map_err(error)?;
    report.checked += 1;
    let held = expected.judge(&actual).and_then(|held| marked.judge(&actual).map(|()| held));
    match held {
        Ok(held) => {
            report.passed += 1;
            report.other_kind += usize::from(held == Held::OtherKind);
            report.refused += usize::from(held == Held::Refused);
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
                    Err(no) => no.to_string(),
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

/// How a record held.
#[derive(PartialEq, Eq)]
enum Held {
    /// As it says.
    Exactly,
    /// With an error of another kind.
    OtherKind,
    /// With an error where a value or an error is allowed.
    Refused,
}

impl Expected {
    /// Whether the result holds, or why not.
    fn judge(&self, actual: &Result<Value, NoValue>) -> Result<Held, &'static str> {
        match (self, actual) {
            (Expected::Value(e) | Expected::ValueOrError(e), Ok(a)) if e == a => Ok(Held::Exactly),
            (Expected::Value(_) | Expected::ValueOrError(_), Ok(_)) => Err("another value"),
            (Expected::Value(_), Err(_)) => Err("an error instead of a value"),
            (Expected::ValueOrError(_), Err(_)) => Ok(Held::Refused),
            (Expected::Error(_), Ok(_)) => Err("a value instead of an error"),
            (Expected::Error(kind), Err(NoValue::Fault(fault))) if fault.kind.name() == kind => {
                Ok(Held::Exactly)
            }
            (Expected::Error(_), Err(_)) => Ok(Held::OtherKind),
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

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    let read = if json.get("source").is_some() { decode_rows } else { decode };
    let value = read(value, subject).map_err(|e| match e {
        Unreadable::Malformed(what) => what,
        Unreadable::Fault(fault) => fault.to_string(),
    })?;
    let loose = json.get("loose").and_then(Json::as_i64) == Some(2);
    Ok(if loose { Expected::ValueOrError(value) } else { Expected::Value(value) })
}

/// The op of a record, if it names no primitive: another engine may have more of them.
fn unknown_op(json: &Json) -> Option<&str> {
    let op = json.get("op")?.as_str()?;
    let known = op == "invoke" || json.get("source").is_some() || primitive(&op.into()).is_ok();
    (!known).then_some(op)
}

/// Why a record gave no value.
#[derive(Debug)]
enum NoValue {
    /// The engine gave an error.
    Fault(Fault),
    /// The source is no program.
    Source(String),
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoValue::Fault(fault) => write!(f, "{fault}"),
            NoValue::Source(what) => f.write_str(what),
        }
    }
}

/// What a record gave: a value or not, and how its output was marked.
type Ran = (Result<Value, NoValue>, Marked);

/// Runs a record; the outer error says that it is malformed.
fn run(json: &Json, subject: &dyn Subject) -> Result<Ran, String> {
    let ran = match json.get("source").and_then(Json::as_str) {
        Some(source) => match parse(source) {
            Ok(program) => run_program(json, &program, subject),
            Err(what) => return Ok((Err(NoValue::Source(what)), Marked::default())),
        },
        None => run_op(json, subject).map(|value| (Ok(value), Marked::default())),
    };
    match ran {
        Ok((out, marked)) => Ok((out.map_err(NoValue::Fault), marked)),
        Err(Unreadable::Fault(fault)) => Ok((Err(NoValue::Fault(fault)), Marked::default())),
        Err(Unreadable::Malformed(what)) => Err(what),
    }
}

fn run_op(json: &Json, subject: &dyn Subject) -> Result<Value, Unreadable> {
    let missing = |what: &str| Unreadable::Malformed(what.to_string());
    let args = json.get("args").and_then(Json::as_array).ok_or_else(|| missing("no args"))?;
    let op = json.get("op").ok_or_else(|| missing("no op"))?;
    let args = decode_all(args, subject)?;
    let out = match (op.as_str(), args.as_slice()) {
        (Some("invoke"), [function, rest @ ..]) => subject.invoke(function, rest),
        _ => subject.primitive(primitive(op)?, &args),
    };
    out.map_err(Unreadable::Fault)
}

fn run_program(
    json: &Json,
    program: &Program,
    subject: &dyn Subject,
) -> Result<(Out, Marked), Unreadable> {
    let malformed = |what: &str| Unreadable::Malformed(what.to_string());
    let rows = |field: &str| json.get(field).map(|rows| decode_rows(rows, subject)).transpose();
    let input = rows("input")?.ok_or_else(|| malformed("no input"))?;
    let pairs = match json.get("pairs").and_then(Json::as_array) {
        Some(pairs) => pairs.iter().map(|pair| demo(pair, subject)).collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    let with: Vec<Program> = match json.get("with").and_then(Json::as_array) {
        Some(sources) => sources
            .iter()
            .map(|source| parse(source.as_str().unwrap_or_default()).map_err(Unreadable::Malformed))
            .collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    let (compared, target, unlike) = (rows("compared")?, rows("target")?, rows("unlike")?);
    let target = match target {
        Some(target) => Some(target),
        None => rows("out")?,
    };
    let policy = match json.get("policy").and_then(Json::as_str) {
        Some("safe") => Policy::Safe,
        _ => Policy::Strict,
    };
    let inputs = Inputs { s: &Value::tuple(pairs), i: &input, c: compared.as_ref() };
    let asked = Asked { program, with: &with, inputs, policy, target: target.as_ref() };
    let Given { out, mark } = subject.program(&asked);
    Ok((out, Marked { mark, target, unlike }))
}

/// How an output was marked, and what its mark is judged by.
#[derive(Default)]
struct Marked {
    mark: Option<Mark>,
    target: Option<Value>,
    unlike: Option<Value>,
}

impl Marked {
    /// Whether the mark is that of the value, or why it does not hold.
    fn judge(&self, actual: &Result<Value, NoValue>) -> Result<(), &'static str> {
        let Some(mark) = self.mark else { return Ok(()) };
        if mark != Mark::of_out(actual.as_ref().ok(), self.target.as_ref()) {
            return Err("the value, but another mark");
        }
        match &self.unlike {
            Some(other) if Mark::of(other, None).digest == mark.digest => {
                Err("the digest of a value that differs")
            }
            _ => Ok(()),
        }
    }
}

/// A demo pair: [input, output].
fn demo(json: &Json, subject: &dyn Subject) -> Result<Value, Unreadable> {
    let sides = json.as_array().filter(|sides| sides.len() == 2);
    let sides = sides.ok_or_else(|| Unreadable::Malformed("not a demo pair".to_string()))?;
    let grids = sides.iter().map(|rows| decode_rows(rows, subject));
    Ok(Value::tuple(grids.collect::<Result<_, _>>()?))
}

/// The one program that a record's source defines.
fn parse(source: &str) -> Result<Program, String> {
    let module = text::parse(source);
    if let Some(problem) = module.problems.first() {
        return Err(format!("line {}: {}", problem.line, problem.message));
    }
    let programs = module.definitions.into_iter().flat_map(|definition| match definition {
        Definition::Program(program) => vec![program],
        Definition::Generated(generated) => generated.programs(),
    });
    let mut programs: Vec<Program> = programs.collect();
    match (programs.pop(), programs.is_empty()) {
        (Some(program), true) => Ok(program),
        _ => Err("the source must define one program".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::Reference;

    fn check(record: &str) -> Report {
        let mut report = Report::default();
        let record = Record { line: 1, json: serde_json::from_str(record).unwrap() };
        check_record(Path::new("r"), &record, &Reference, &|_| true, &mut report).unwrap();
        report
    }

    #[test]
    fn a_record_that_does_not_hold_is_reported() {
        let report = check(r#"{"op":"add","args":[1,2],"out":4}"#);
        assert_eq!((report.checked, report.passed, report.failed), (1, 0, 1));
        let failure = report.failures[0].to_string();
        assert_eq!(failure, "r:1: add: another value\n  expected 4\n  actual   3");
        assert_eq!(check(r#"{"op":"add","args":[1,2],"error":"TypeError"}"#).failed, 1);
        assert_eq!(check(r#"{"op":"add","args":[1,null],"out":1}"#).failed, 1);
        assert_eq!(check(r#"{"op":"add","args":[1,null],"out":1,"loose":2}"#).refused, 1);
    }

    #[test]
    fn the_canonical_answer_wins() {
        assert_eq!(check(r#"{"op":"add","args":[1,2],"out":4,"canon":3}"#).passed, 1);
        let by_order = r#"{"op":"add","args":[1,2],"by_order":{"cpython":4,"colorfirst":3}}"#;
        assert_eq!(check(by_order).passed, 1);
    }

    #[test]
    fn programs_are_records_too() {
        let record = |source: &str, result: &str| {
            let source = serde_json::to_string(source).unwrap();
            check(&format!(r#"{{"id":"p","source":{source},"input":[[1,2]],{result}}}"#))
        };
        let same = "def solve(I):\n    return identity(I)\n";
        assert_eq!(record(same, r#""out":[[1,2]]"#).passed, 1);
        assert_eq!(record(same, r#""out":{"t":[{"t":[1,2]}]}"#).passed, 1);
        let rows = "def solve(I):\n    O = size(I)\n    return O\n";
        assert_eq!(record(rows, r#""out":1"#).passed, 1);
        assert_eq!(record(rows, r#""out":2"#).failed, 1);
        assert_eq!(record("def solve(I):\n    return fist(I)\n", r#""out":1"#).failed, 1);
    }

    #[test]
    fn unknown_primitives_are_skipped_and_named() {
        let report = check(r#"{"op":"fist","args":[],"out":1}"#);
        assert_eq!((report.checked, report.skipped), (0, 1));
        assert_eq!(report.skips["no primitive is called \"fist\""], 1);
    }

    #[test]
    fn what_is_no_record_stops_the_check() {
        for line in [r#"{"op":"add","args":[1]}"#, r#"{"op":3,"args":[],"out":1}"#, "3"] {
            let record = Record { line: 7, json: serde_json::from_str(line).unwrap() };
            let mut report = Report::default();
            let out = check_record(Path::new("r"), &record, &Reference, &|_| true, &mut report);
            assert_eq!(out.unwrap_err().line, 7, "{line}");
        }
    }
}
