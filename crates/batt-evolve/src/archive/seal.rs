//! Seals: every row has a checksum of all that stands in it.

use super::db::{Arg, Field};

/// A table of the archive.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its place among all.
    pub place: usize,
    /// What is sealed, the key first.
    pub columns: &'static [&'static str],
    /// How many columns make the key.
    pub key: usize,
}

macro_rules! tables {
    ($($table:ident = $place:literal $name:literal $key:literal [$($column:literal),*];)*) => {
        $(pub const $table: Table = Table {
            name: $name,
            place: $place,
            columns: &[$($column),*],
            key: $key,
        };)*
        /// All tables, each in its place.
        pub const TABLES: [&Table; [$($place),*].len()] = [$(&$table),*];
    };
}

tables! {
    RUNS = 0 "runs" 1
        ["id", "seed", "configuration", "language", "data", "device", "host", "generation", "started"];
    CHECKPOINTS = 1 "checkpoints" 1 ["run", "generation", "state"];
    TASKS = 2 "tasks" 1 ["id", "demos"];
    PROGRAMS = 3 "programs" 1 ["hash", "text", "kinds"];
    FINDS = 4 "finds" 2 ["program", "run", "generation", "island", "operator", "parents"];
    RESULTS = 5 "results" 2 ["program", "task", "behaviour", "exact", "score", "cost", "samples"];
    TESTS = 6 "tests" 2 ["program", "task", "results"];
}

/// A row that is being sealed. The kinds and lengths of its values count, so no two rows are written
/// alike.
struct Sealing(Vec<u8>);

impl Sealing {
    fn of(table: &Table) -> Sealing {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend_from_slice(table.name.as_bytes());
        Sealing(bytes)
    }

    fn value(&mut self, kind: u8, value: &[u8]) {
        self.0.push(kind);
        self.0.extend_from_slice(&(value.len() as u64).to_le_bytes());
        self.0.extend_from_slice(value);
    }

    fn end(&self) -> i64 {
        number(&blake3::hash(&self.0))
    }
}

/// The beginning of a hash as a number.
pub fn number(hash: &blake3::Hash) -> i64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    i64::from_le_bytes(first)
}

/// The seal of a row that is written.
pub fn of_args(table: &Table, row: &[Arg]) -> i64 {
    let mut sealing = Sealing::of(table);
    for value in row {
        match value {
            Arg::Int(n) => sealing.value(1, &n.to_le_bytes()),
            Arg::Text(text) => sealing.value(2, text.as_bytes()),
            Arg::Bytes(bytes) => sealing.value(3, bytes),
        }
    }
    sealing.end()
}

/// The seal of a row that was read.
pub fn of_fields(table: &Table, row: &[Field]) -> i64 {
    let mut sealing = Sealing::of(table);
    for value in row {
        match value {
            Field::Null => sealing.value(0, &[]),
            Field::Int(n) => sealing.value(1, &n.to_le_bytes()),
            Field::Text(text) => sealing.value(2, text.as_bytes()),
            Field::Bytes(bytes) => sealing.value(3, bytes),
        }
    }
    sealing.end()
}

/// A row by its key, as people are told of it.
pub fn named(table: &Table, row: &[Field]) -> String {
    let word = |field: &Field| match field {
        Field::Null => "nothing".to_string(),
        Field::Int(n) => n.to_string(),
        Field::Text(text) => text.chars().take(64).collect(),
        Field::Bytes(bytes) => format!("{} bytes", bytes.len()),
    };
    let key: Vec<String> = row.iter().take(table.key).map(word).collect();
    format!("{} {}", table.name, key.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_in_its_place_and_rows_are_sealed_alike() {
        assert!(TABLES.iter().enumerate().all(|(at, table)| table.place == at));
        let written = [Arg::Text("a"), Arg::Int(3), Arg::Bytes(b"x")];
        let read = [Field::Text("a".into()), Field::Int(3), Field::Bytes(b"x".to_vec())];
        let seal = of_args(&CHECKPOINTS, &written);
        assert_eq!(of_fields(&CHECKPOINTS, &read), seal);
        assert_ne!(of_fields(&TESTS, &read), seal);
        let shifted = [Arg::Text("a3"), Arg::Text(""), Arg::Bytes(b"x")];
        assert_ne!(of_args(&CHECKPOINTS, &shifted), seal);
    }
}
