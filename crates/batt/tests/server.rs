//! `batt` with an archive on a PostgreSQL server: what it shows of an address, and what it does when the
//! server is away.
#![cfg(unix)]

#[path = "../../batt-evolve/tests/common/proxy.rs"]
#[allow(dead_code, reason = "only a part of it is needed here")]
mod proxy;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use proxy::{Cut, Proxy};

const BATT: &str = env!("CARGO_BIN_EXE_batt");

/// Forms of addresses, each with a password, at which there is no server.
const ADDRESSES: [&str; 12] = [
    "postgres://me:SECRET@127.0.0.1:1/none",
    "POSTGRES://me:SECRET@127.0.0.1:1/none",
    "  postgresql://me:SECRET@127.0.0.1:1/none",
    "postgres://127.0.0.1:1/none?user=me&password=SECRET",
    "postgres://me:%53ECRET@127.0.0.1:1/none?sslrootcert=none.pem&sslmode=verify-full",
    "host=127.0.0.1 port=1 password=SECRET",
    "host=127.0.0.1 port=1 password='SECRET",
    "postgres://me:SE@SECRET@127.0.0.1:1/none",
    "postgres:me:SECRET@127.0.0.1",
    "postgress://me:SECRET@127.0.0.1:1/none",
    "mysql://me:SECRET@127.0.0.1:1/none",
    "none/me:SECRET@127.0.0.1",
];

#[test]
fn no_command_shows_a_password() {
    let folder = tempfile::tempdir().unwrap();
    for address in ADDRESSES {
        let commands: [&[&str]; 4] = [
            &["archive", "ls"],
            &["archive", "stats", "--json"],
            &["submit", "--task", "tent"],
            &["evolve", "--scratch", "--task", "tent", "--generations", "1", "--json"],
        ];
        for command in commands {
            for by_variable in [false, true] {
                let mut batt = Command::new(BATT);
                batt.args(command).current_dir(folder.path()).env_remove("BATT_ARCHIVE");
                if by_variable {
                    batt.env("BATT_ARCHIVE", address);
                } else {
                    batt.args(["--archive", address]);
                }
                let output = batt.output().unwrap();
                let text = [output.stdout, output.stderr].concat();
                let text = String::from_utf8_lossy(&text);
                assert_eq!(output.status.code(), Some(2), "{address} {command:?}: {text}");
                assert!(text.contains("error: "), "{text}");
                assert!(!text.contains("SECRET") && !text.contains("ECRET"), "{address}: {text}");
            }
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is made");
}

#[test]
fn an_interrupt_ends_the_wait_for_a_server() {
    let Ok(server) = std::env::var("BATT_TEST_POSTGRES") else {
        eprintln!("skipped: BATT_TEST_POSTGRES names no server");
        return;
    };
    let (before, at) = server.rsplit_once('@').unwrap();
    let (host, name) = at.split_once('/').unwrap();
    let user = before.rsplit('/').next().unwrap();
    let proxy = Proxy::new(host, Cut::Commit { each: u64::MAX, heard: true });
    let address = format!("Postgres://{user}:SECRET@127.0.0.1:{}/{name}", proxy.port);
    // A run of its own in a database that others may use.
    let seed = std::process::id().to_string();
    let evolve = |archive: &str, generations: &str| {
        let mut batt = Command::new(BATT);
        batt.args(["evolve", "--scratch", "--random", "4", "--population", "4", "--task", "tent"])
            .args(["--checkpoint-seconds", "0", "--threads", "1", "--seed", &seed])
            .args(["--generations", generations, "--archive", archive])
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        batt
    };
    // Something has to be there to be resumed.
    assert!(evolve(&server, "1").arg("--json").output().unwrap().status.code() != Some(2));
    let mut child = evolve(&address, "1000000").arg("--resume").spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut told = Vec::new();
    // It runs once it has shown that it does.
    for line in lines.by_ref() {
        told.push(line.unwrap());
        if told.last().is_some_and(|line| line.contains("generation")) {
            break;
        }
    }
    drop(proxy);
    for line in lines.by_ref() {
        told.push(line.unwrap());
        if told.last().is_some_and(|line| line.contains("trying again in 2 s")) {
            break;
        }
    }
    let asked = Instant::now();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    told.extend(lines.map(Result::unwrap));
    let status = child.wait().unwrap();
    let told = told.join("\n");
    assert_eq!(status.code(), Some(130), "{told}");
    assert!(asked.elapsed() < Duration::from_secs(10), "{told}");
    assert!(told.contains("the wait was interrupted") && told.contains("--resume"), "{told}");
    assert!(!told.contains("SECRET"), "{told}");
}
