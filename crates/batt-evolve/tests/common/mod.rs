//! Real programs on real tasks, and databases to keep them in.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod proxy;
#[cfg(unix)]
pub mod server;

use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use batt_evolve::archive::{Archive, Found, Generation, Origin, Run, RunId, TestFound, Waiting};
use batt_evolve::judge::Judge;
use batt_lang::canonical::Canonical;
use batt_lang::program::Definition;
use batt_lang::text;
use batt_run::{programs, tasks};
use proxy::{Cut, Proxy};

/// A place for an archive that is gone when it is dropped.
pub struct Place {
    pub url: String,
    folder: Option<tempfile::TempDir>,
    database: Option<(String, String)>,
    proxy: Option<Proxy>,
}

impl Place {
    pub fn sqlite() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let url = folder.path().join("a.db").display().to_string();
        Place { url, folder: Some(folder), database: None, proxy: None }
    }

    /// A new database on the server that `BATT_TEST_POSTGRES` names.
    pub fn postgres() -> Option<Place> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let Ok(server) = std::env::var("BATT_TEST_POSTGRES") else {
            eprintln!("skipped on PostgreSQL: BATT_TEST_POSTGRES names no server");
            return None;
        };
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("batt_test_{}_{count}", std::process::id());
        let mut client = postgres::Client::connect(&server, postgres::NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        let (base, _) = server.rsplit_once('/').unwrap();
        let url = format!("{base}/{name}");
        Some(Place { url, folder: None, database: Some((server, name)), proxy: None })
    }

    /// The same behind a proxy that cuts connections; archives of this process do not wait long.
    pub fn cut(cut: Cut) -> Option<Place> {
        let waiting = Waiting {
            first: Duration::from_millis(1),
            most: Duration::from_millis(10),
            total: Duration::from_secs(60),
            ..Waiting::default()
        };
        waiting.set();
        let mut place = Place::postgres()?;
        let (before, at) = place.url.rsplit_once('@').unwrap();
        let (server, name) = at.split_once('/').unwrap();
        let proxy = Proxy::new(server, cut);
        place.url = format!("{before}@127.0.0.1:{}/{name}", proxy.port);
        place.proxy = Some(proxy);
        Some(place)
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> u64 {
        self.proxy.as_ref().map_or(0, Proxy::cuts)
    }

    pub fn open(&self) -> Archive {
        Archive::open(&self.url).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((server, name)) = &self.database {
            let client = postgres::Client::connect(server, postgres::NoTls);
            let _ =
                client.map(|mut c| c.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")));
        }
    }
}

/// Runs a test on SQLite and, where there is a server, on PostgreSQL, also with cut connections.
pub fn everywhere(test: impl Fn(&Place)) {
    test(&Place::sqlite());
    if let Some(place) = Place::postgres() {
        test(&place);
    }
    if let Some(place) = Place::cut(Cut::Anywhere { seed: 7 }) {
        test(&place);
    }
}

/// The embedded programs, each on its task and on two others where it is worth something.
pub static FOUND: LazyLock<Vec<Found>> = LazyLock::new(|| {
    let data = tasks::embedded();
    let judges: HashMap<&str, Judge> =
        data.tasks().iter().map(|task| (task.id.as_str(), Judge::new(task))).collect();
    let mut found = Vec::new();
    let definitions = programs::embedded().iter().flat_map(|(_, t)| text::parse(t).definitions);
    for (at, definition) in definitions.enumerate() {
        let Definition::Program(program) = definition else { continue };
        let canonical = Canonical::of(&program);
        let own = program.task.as_deref().unwrap();
        let others = (1..3).map(|more| data.tasks()[(at + more) % data.tasks().len()].id.as_str());
        for task in std::iter::once(own).chain(others) {
            let judge = &judges[task];
            let judged = judge.judge(&program);
            let origin = Origin {
                operator: "seed".to_string(),
                parents: vec![canonical.hash()],
                island: at as u32 % 2,
            };
            found.push(Found {
                program: canonical.clone(),
                task: task.to_string(),
                demos: judge.demos().to_string(),
                judged,
                origin,
            });
        }
    }
    found
});

pub fn run(seed: u64) -> Run {
    Run {
        seed,
        configuration: "{\"population\":8}".to_string(),
        language: "1".to_string(),
        data: tasks::embedded().hash.to_string(),
        device: "cpu".to_string(),
        host: "here".to_string(),
        started: 1,
    }
}

/// The test results of everything found.
pub fn tests_of(found: &[Found]) -> Vec<TestFound> {
    let data = tasks::embedded();
    let one = |f: &Found| TestFound {
        program: f.program.hash(),
        task: f.task.clone(),
        tested: Judge::new(data.get(&f.task).unwrap()).test(f.program.program()),
    };
    found.iter().map(one).collect()
}

pub fn generation<'a>(run: &'a RunId, number: u32, found: &'a [Found]) -> Generation<'a> {
    Generation { run, number, found, tests: &[], state: b"state", keep: None }
}

/// Makes an archive one of version 1, on either database.
pub const DOWNGRADE: &str = "
ALTER TABLE runs DROP COLUMN seal;
ALTER TABLE checkpoints DROP COLUMN seal;
ALTER TABLE tasks DROP COLUMN seal;
ALTER TABLE programs DROP COLUMN seal;
ALTER TABLE finds DROP COLUMN seal;
ALTER TABLE results DROP COLUMN seal;
ALTER TABLE tests DROP COLUMN seal;
DROP TABLE ledger;
DELETE FROM batt_schema WHERE version = 2;
";
