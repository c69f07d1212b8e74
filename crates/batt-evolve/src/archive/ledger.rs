//! The ledger: one row that says how many commits an archive has and what is in its tables by them.
//!
//! For each table it has the number of rows and the sum of their seals, so that a row which is lost or
//! was never stored is missed, whichever it is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::ArchiveError;
use super::db::promise::{Promise, Said, Stand};
use super::db::{Arg, Tx};
use super::seal::{self, TABLES, Table};

/// What a table should hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// How many rows.
    pub rows: i64,
    /// Their seals, added.
    pub sum: i64,
}

impl Total {
    /// With one row more.
    pub fn add(&mut self, seal: i64) {
        self.rows += 1;
        self.sum = self.sum.wrapping_add(seal);
    }

    fn remove(&mut self, seal: i64) {
        self.rows -= 1;
        self.sum = self.sum.wrapping_sub(seal);
    }
}

/// The ledger as it was read or is about to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    archive: String,
    commits: i64,
    /// Whether somebody has the archive open to write, or died so.
    pub writing: bool,
    totals: [Total; TABLES.len()],
}

const CREATE: &str = "INSERT INTO ledger (one, archive, commits, writing, totals, seal) \
                      VALUES (1, $1, $2, $3, $4, $5)";
const STORE: &str = "UPDATE ledger SET archive = $1, commits = $2, writing = $3, totals = $4, \
                     seal = $5 WHERE one = 1";

impl Ledger {
    /// The ledger of a new archive, with a name that no other has.
    pub fn new() -> Ledger {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{now} {} {count}", std::process::id());
        let archive = blake3::hash(name.as_bytes()).to_hex()[..16].to_string();
        Ledger { archive, commits: 0, writing: false, totals: Default::default() }
    }

    /// The one of an archive.
    pub fn read(tx: &mut dyn Tx) -> Result<Ledger, ArchiveError> {
        let sql = "SELECT archive, commits, writing, totals, seal FROM ledger WHERE one = 1";
        let mut row = tx.query(sql, &[])?.into_iter().next().ok_or_else(|| damaged("is gone"))?;
        let text = row.text(3)?;
        let totals = parse(&text).ok_or_else(|| damaged("cannot be read"))?;
        let (archive, commits, writing) = (row.text(0)?, row.int(1)?, row.int(2)? != 0);
        let ledger = Ledger { archive, commits, writing, totals };
        if ledger.seal() != row.int(4)?
            || ledger.text() != text
            || row.int(2)? != i64::from(writing)
        {
            return Err(damaged("is not what was stored"));
        }
        Ok(ledger)
    }

    /// Makes its row.
    pub fn create(&self, tx: &mut dyn Tx) -> Result<(), ArchiveError> {
        self.put(tx, CREATE)
    }

    /// Stores it as it is.
    pub fn store(&self, tx: &mut dyn Tx) -> Result<(), ArchiveError> {
        self.put(tx, STORE)
    }

    fn put(&self, tx: &mut dyn Tx, sql: &str) -> Result<(), ArchiveError> {
        let text = self.text();
        let [writing, commits] = [i64::from(self.writing), self.commits].map(Arg::Int);
        let args =
            [Arg::Text(&self.archive), commits, writing, Arg::Text(&text), Arg::Int(self.seal())];
        tx.execute(sql, &args)?;
        Ok(())
    }

    /// Counts a commit, if anything differs from what was before.
    pub fn follow(&mut self, before: &Ledger) {
        if self.totals != before.totals {
            self.commits += 1;
        }
    }

    /// A row was added.
    pub fn add(&mut self, table: &Table, seal: i64) {
        self.totals[table.place].add(seal);
    }

    /// A row was removed.
    pub fn remove(&mut self, table: &Table, seal: i64) {
        self.totals[table.place].remove(seal);
    }

    /// What a table should hold.
    pub fn total(&self, table: &Table) -> Total {
        self.totals[table.place]
    }

    /// How far the archive has come.
    pub fn stand(&self) -> Stand {
        let words = format!("{} {} {}", self.archive, self.commits, self.text());
        let digest = blake3::hash(words.as_bytes()).to_hex()[..16].to_string();
        Stand { archive: self.archive.clone(), commits: self.commits, digest }
    }

    /// What of the promise beside an archive is not kept.
    pub fn broken(&self, promise: &Promise, said: &Said) -> Option<String> {
        let (commits, place) = (self.commits, promise.path().display());
        let lost = |why: String| {
            Some(format!("{why}: what was committed after commit {commits} may be lost"))
        };
        match said {
            Said::Nothing if self.writing => lost(format!(
                "somebody was writing to it, and {place}, which was beside it, is not there"
            )),
            Said::Stand(stand) if stand.archive != self.archive && self.writing => {
                lost(format!("{place} belongs to another archive"))
            }
            Said::Stand(stand) if stand.archive != self.archive => None,
            Said::Stand(stand) if stand.commits > commits => Some(format!(
                "{place} promises {} commits, and it has {commits}: commits {} to {} are lost",
                stand.commits,
                commits + 1,
                stand.commits
            )),
            Said::Stand(stand) if stand.commits == commits && *stand != self.stand() => Some(
                format!("{place} promises another commit {commits}: this is another history of it"),
            ),
            Said::Unreadable if self.writing => lost(format!("{place} cannot be read")),
            _ => None,
        }
    }

    fn text(&self) -> String {
        let one = |total: &Total| format!("{}:{:016x}", total.rows, total.sum);
        self.totals.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    fn seal(&self) -> i64 {
        let words = format!("{} {} {} {}", self.archive, self.commits, self.writing, self.text());
        seal::number(&blake3::hash(words.as_bytes()))
    }
}

fn parse(text: &str) -> Option<[Total; TABLES.len()]> {
    let one = |word: &str| {
        let (rows, sum) = word.split_once(':')?;
        let sum = u64::from_str_radix(sum, 16).ok()? as i64;
        Some(Total { rows: rows.parse().ok()?, sum })
    };
    text.split(' ').map(one).collect::<Option<Vec<Total>>>()?.try_into().ok()
}

fn damaged(why: &str) -> ArchiveError {
    ArchiveError::Damaged(format!("its ledger {why}"))
}
