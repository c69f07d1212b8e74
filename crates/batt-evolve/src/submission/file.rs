//! The forms that submissions and solutions have in files.

use std::fmt;
use std::fmt::Write as _;

use batt_run::tasks::Grid;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use thiserror::Error;

use super::{Attempts, MOST, Solutions, Submission};

/// Why a file is no submission.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {why}")]
pub struct FileError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

/// A submission as ARC Prize takes it: every task, every test, `attempt_1` and so on.
pub fn write(submission: &Submission) -> String {
    let mut text = String::from("{");
    for (at, (task, tests)) in submission.iter().enumerate() {
        let name = serde_json::Value::from(task.as_str());
        let tests: Vec<String> = tests.iter().map(|attempts| test_text(attempts)).collect();
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n  {name}: [{}]", tests.join(", "));
    }
    text.push_str("\n}\n");
    text
}

fn test_text(attempts: &[Grid]) -> String {
    let one = |(n, grid): (usize, &Grid)| {
        let rows: Vec<String> =
            grid.rows().map(|row| format!("{row:?}").replace(' ', "")).collect();
        format!("\"attempt_{}\": [{}]", n + 1, rows.join(","))
    };
    let attempts: Vec<String> = attempts.iter().enumerate().map(one).collect();
    format!("{{{}}}", attempts.join(", "))
}

/// Reads a submission: JSON, or the older CSV, whichever it begins like.
pub fn read(text: &str) -> Result<Submission, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('{') { read_json(text) } else { read_csv(text) }
}

fn read_json(text: &str) -> Result<Submission, FileError> {
    let tasks: ByTask<Vec<Test>> = serde_json::from_str(text).map_err(|error| of_json(&error))?;
    let tests = |tests: Vec<Test>| tests.into_iter().map(|test| test.0).collect();
    Ok(tasks.0.into_iter().map(|(id, all)| (id, tests(all))).collect())
}

/// Reads solutions as Kaggle has them: a list of outputs by task.
pub fn read_solutions(text: &str) -> Result<Solutions, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tasks: ByTask<Vec<Cells>> = serde_json::from_str(text).map_err(|error| of_json(&error))?;
    let grids = |grids: Vec<Cells>| grids.into_iter().map(|grid| Some(grid.0)).collect();
    Ok(tasks.0.into_iter().map(|(id, all)| (id, grids(all))).collect())
}

fn of_json(error: &serde_json::Error) -> FileError {
    let words = error.to_string();
    let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
    let why = if error.is_eof() { "the text ends in the middle of a value" } else { words };
    FileError { line: error.line().max(1), why: why.to_string() }
}

/// The CSV of 2019 and 2020: `output_id,output`, an output being up to three grids such as
/// `|12|34| |00|00| `.
fn read_csv(text: &str) -> Result<Submission, FileError> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let told = |line: usize, why: String| FileError { line, why };
    let header = lines.next().map(|(line, text)| (line, text.replace('"', "")));
    match header {
        Some((_, header)) if header.trim() == "output_id,output" => {}
        Some((line, _)) => {
            let why = "this is neither JSON nor a CSV that begins with output_id,output";
            return Err(told(line, why.to_string()));
        }
        None => return Err(told(1, "the file is empty".to_string())),
    }
    let mut submission = Submission::new();
    for (line, row) in lines {
        let unquoted = row.replace('"', "");
        let (id, output) = unquoted
            .split_once(',')
            .ok_or_else(|| told(line, "there is no comma after the output's id".to_string()))?;
        let (task, test) = id
            .trim()
            .rsplit_once('_')
            .and_then(|(task, test)| Some((task, test.parse::<u8>().ok()?)))
            .ok_or_else(|| told(line, format!("{id:?} is no id such as 00576224_0")))?;
        let attempts: Option<Attempts> = output.split_whitespace().map(flat_grid).collect();
        let attempts = attempts
            .ok_or_else(|| told(line, "an output is no grid such as |12|34|".to_string()))?;
        if attempts.len() > MOST {
            return Err(told(line, format!("there are more than {MOST} attempts")));
        }
        let tests = submission.entry(task.to_string()).or_default();
        let test = usize::from(test);
        tests.resize(tests.len().max(test + 1), Attempts::new());
        if !tests[test].is_empty() {
            return Err(told(line, format!("{} is there twice", id.trim())));
        }
        tests[test] = attempts;
    }
    Ok(submission)
}

fn flat_grid(text: &str) -> Option<Grid> {
    let inner = text.strip_prefix('|')?.strip_suffix('|')?;
    let digits = |row: &str| row.bytes().map(|b| b.wrapping_sub(b'0')).collect::<Vec<u8>>();
    Grid::from_rows(&inner.split('|').map(digits).collect::<Vec<_>>())
}

/// A grid of a file.
struct Cells(Grid);

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Cells, D::Error> {
        from.deserialize_seq(CellsVisitor)
    }
}

struct CellsVisitor;

impl<'de> Visitor<'de> for CellsVisitor {
    type Value = Cells;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a grid: a list of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Cells, A::Error> {
        let mut grid: Vec<Vec<u8>> = Vec::new();
        while let Some(row) = rows.next_element()? {
            grid.push(row);
        }
        Grid::from_rows(&grid).map(Cells).ok_or_else(|| {
            A::Error::custom(
                "this is no grid: 1 to 30 rows of one length, 1 to 30, of the colours 0 to 9",
            )
        })
    }
}

/// The attempts at one test.
struct Test(Attempts);

impl<'de> Deserialize<'de> for Test {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Test, D::Error> {
        let by_name: ByTask<Cells> = Deserialize::deserialize(from)?;
        let mut attempts: [Option<Grid>; MOST] = Default::default();
        for (name, cells) in by_name.0 {
            let number = name.strip_prefix("attempt_").and_then(|n| n.parse::<usize>().ok());
            let place = number.and_then(|n| attempts.get_mut(n.wrapping_sub(1)));
            let Some(place) = place else {
                let why = format!("{name:?} is none of attempt_1, attempt_2 and attempt_3");
                return Err(D::Error::custom(why));
            };
            *place = Some(cells.0);
        }
        let count = attempts.iter().take_while(|attempt| attempt.is_some()).count();
        if count == 0 || attempts.iter().flatten().count() > count {
            return Err(D::Error::custom("attempts are counted from attempt_1 without a gap"));
        }
        Ok(Test(attempts.into_iter().flatten().collect()))
    }
}

/// An object whose keys are each there once.
struct ByTask<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByTask<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ByTask<T>, D::Error> {
        from.deserialize_map(ByTaskVisitor(std::marker::PhantomData))
    }
}

struct ByTaskVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ByTaskVisitor<T> {
    type Value = ByTask<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByTask<T>, A::Error> {
        let mut seen = std::collections::HashSet::new();
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("{key} is there twice")));
            }
            pairs.push((key, map.next_value()?));
        }
        Ok(ByTask(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[u8]]) -> Grid {
        Grid::from_rows(rows).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let (a, b) = (grid(&[&[1, 2], &[3, 4]]), grid(&[&[0]]));
        let mut submission = Submission::new();
        submission.insert("b".to_string(), vec![vec![a.clone(), b.clone()], vec![b.clone()]]);
        submission.insert("a\"".to_string(), vec![vec![a.clone(), a, b]]);
        let text = write(&submission);
        assert_eq!(read(&text), Ok(submission));
        assert!(text.starts_with("{\n  \"a\\\"\": [{\"attempt_1\": [[1,2],[3,4]], \"attempt_2\""));
        assert_eq!(read("{}"), Ok(Submission::new()));
    }

    #[test]
    fn the_older_form_is_read() {
        let text = "output_id,output\nx_y_1,|12|34| |0| \nx_y_0,|5| |6| |7|\nz_0,\n";
        let read = read(text).unwrap();
        let (five, six, seven) = (grid(&[&[5]]), grid(&[&[6]]), grid(&[&[7]]));
        let second = vec![grid(&[&[1, 2], &[3, 4]]), grid(&[&[0]])];
        assert_eq!(read["x_y"], [vec![five, six, seven], second]);
        assert_eq!(read["z"], [Attempts::new()]);
    }

    #[test]
    fn bad_files_say_where() {
        let cases = [
            ("", 1, "empty"),
            ("{\n\"a\": [{\n\"attempt_1\": [[1,2],\n[3]]}]}", 4, "no grid"),
            ("{\n\"a\": [{\"attempt_1\": [[10]]}]}", 2, "no grid"),
            ("{\n\"a\": [{\"attempt_1\": [[\"1\"]]}]}", 2, "invalid type"),
            ("{\n\"a\": [{\"attempt_4\": [[1]]}]}", 2, "attempt_4"),
            ("{\n\"a\": [{\"attempt_2\": [[1]]}]}", 2, "without a gap"),
            ("{\n\"a\": [{}]}", 2, "without a gap"),
            ("{\n\"a\": [],\n\"a\": []}", 3, "a is there twice"),
            ("{\n\"a\": [", 2, "in the middle"),
            ("{\"a\": 3}", 1, "invalid type"),
            ("id,output\n", 1, "neither JSON nor a CSV"),
            ("output_id,output\nx_0\n", 2, "no comma"),
            ("output_id,output\nx,|1|\n", 2, "no id"),
            ("output_id,output\nx_0,|1|\nx_1,|1a|\n", 3, "no grid"),
            ("output_id,output\nx_0,|1|12|\n", 2, "no grid"),
            ("output_id,output\nx_0,|1| |1| |1| |1|\n", 2, "more than 3"),
            ("output_id,output\nx_0,|1|\n\nx_0,|2|\n", 4, "twice"),
        ];
        for (text, line, words) in cases {
            let error = read(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.why.contains(words), "{text:?}: {error}");
        }
        assert_eq!(read_solutions("{\"a\":\n[[[1]],\n[[]]]}").unwrap_err().line, 3);
    }
}
