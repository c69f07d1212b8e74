//! A PostgreSQL server that is stopped and started, and one that speaks TLS. The tests start servers of
//! their own, and are skipped where there is no PostgreSQL.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use batt_evolve::archive::{Archive, ArchiveError, Waiting};
use common::server::Server;
use common::{FOUND, Place, generation, run};

static STOP: AtomicBool = AtomicBool::new(false);
static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Tests take turns: they share what tells them to end.
fn patience() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let waiting = Waiting {
        first: Duration::from_millis(100),
        most: Duration::from_millis(500),
        total: Duration::from_secs(20),
        connect: Duration::from_secs(10),
        stop: || STOP.load(Ordering::SeqCst),
        tell: |words| TOLD.lock().unwrap().push(words.to_string()),
    };
    waiting.set();
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn export(archive: &mut Archive) -> String {
    let mut bytes = Vec::new();
    archive.export(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_restart_is_waited_for_and_a_request_to_end_is_heard() {
    let _turn = patience();
    let Some(server) = Server::start(|_| String::new()) else { return };
    let place = Place::sqlite();
    let (mut calm, mut archive) =
        (place.open(), Archive::open(&server.url("127.0.0.1", "")).unwrap());
    let id = calm.begin(&run(1)).unwrap();
    archive.begin(&run(1)).unwrap();
    for (number, piece) in (1..).zip(FOUND.chunks(9)) {
        calm.commit(&generation(&id, number, piece)).unwrap();
        match number {
            // It is there again when the next generation comes.
            1 => {
                server.halt("fast");
                server.go();
            }
            // It comes back a second later.
            2 | 3 => {
                server.halt(if number == 2 { "immediate" } else { "fast" });
                std::thread::scope(|threads| {
                    threads.spawn(|| {
                        std::thread::sleep(Duration::from_secs(1));
                        server.go();
                    });
                    archive.commit(&generation(&id, number, piece)).unwrap();
                });
            }
            _ => {}
        }
        archive.commit(&generation(&id, number, piece)).unwrap();
    }
    assert_eq!(export(&mut archive), export(&mut calm));
    let told = std::mem::take(&mut *TOLD.lock().unwrap());
    assert!(told.iter().any(|words| words.contains("does not answer; trying again")), "{told:?}");
    assert!(told.iter().any(|words| words.contains("answers again")), "{told:?}");

    // Nobody waits for longer than was said, or than somebody wants.
    server.halt("fast");
    std::thread::scope(|threads| {
        let started = Instant::now();
        threads.spawn(|| {
            std::thread::sleep(Duration::from_secs(1));
            STOP.store(true, Ordering::SeqCst);
        });
        let error = archive.begin(&run(2)).unwrap_err();
        assert!(matches!(error, ArchiveError::Interrupted { .. }), "{error:?}");
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    });
    STOP.store(false, Ordering::SeqCst);
    let error = archive.begin(&run(2)).unwrap_err();
    assert!(matches!(error, ArchiveError::Silent { .. }), "{error:?}");
    assert!(error.to_string().contains("postgres://batt@127.0.0.1:"), "{error}");
    assert!(!error.to_string().contains("SECRET"), "{error}");
    // And it can be used again afterwards.
    server.go();
    archive.begin(&run(2)).unwrap();
    // Who was asked to end still stores what there is if that takes no waiting.
    server.halt("fast");
    server.go();
    STOP.store(true, Ordering::SeqCst);
    let stored = archive.begin(&run(3));
    STOP.store(false, Ordering::SeqCst);
    stored.unwrap();
}

fn openssl(folder: &Path, args: &str) {
    let mut command = Command::new("openssl");
    let output = command.args(args.split(' ')).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A certificate for `localhost`, signed by an authority, and an authority that has signed nothing.
fn certificates(folder: &Path) {
    let new = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for name in ["ca", "other"] {
        openssl(
            folder,
            &format!("req -x509 {new} -keyout {name}.key -out {name}.crt -days 9 -subj /CN={name}"),
        );
    }
    openssl(folder, &format!("req {new} -keyout server.key -out server.csr -subj /CN=localhost"));
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    openssl(
        folder,
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 9 -extfile names \
         -out server.crt",
    );
}

fn with_tls(folder: &Path) -> String {
    std::fs::write(
        folder.join("hba"),
        "hostssl all all 127.0.0.1/32 scram-sha-256\nhostnossl all all 127.0.0.1/32 reject\n",
    )
    .unwrap();
    let at = |name: &str| folder.join(name).display().to_string();
    let [certificate, key, hba] = ["server.crt", "server.key", "hba"].map(at);
    format!("-c ssl=on -c ssl_cert_file={certificate} -c ssl_key_file={key} -c hba_file={hba}")
}

fn open(server: &Server, host: &str, options: &str) -> Result<(), String> {
    match Archive::open(&server.url(host, options)) {
        Ok(_) => Ok(()),
        Err(error) => {
            let told = format!("{error:?} {error}");
            assert!(!told.contains("SECRET"), "{told}");
            Err(error.to_string())
        }
    }
}

#[test]
fn tls_checks_what_it_is_asked_to() {
    let _turn = patience();
    if Command::new("openssl").arg("version").output().is_err() {
        eprintln!("skipped: there is no openssl here");
        return;
    }
    let prepare = |folder: &Path| {
        certificates(folder);
        with_tls(folder)
    };
    let Some(server) = Server::start(prepare) else { return };
    let root = |mode: &str, file: &str| {
        format!("sslmode={mode}&sslrootcert={}", server.path(file).display())
    };
    let fails = |host: &str, options: &str, words: &str| {
        let error = open(&server, host, options).unwrap_err();
        assert!(error.contains(words), "{options}: {error}");
    };
    // The server takes nobody without TLS.
    fails("127.0.0.1", "sslmode=disable", "rejects connection");
    open(&server, "127.0.0.1", "").unwrap();
    open(&server, "127.0.0.1", "sslmode=prefer").unwrap();
    open(&server, "127.0.0.1", "sslmode=require").unwrap();
    open(&server, "127.0.0.1", "sslmode=require&channel_binding=require").unwrap();
    open(&server, "127.0.0.1", &root("require", "ca.crt")).unwrap();
    fails("127.0.0.1", &root("require", "other.crt"), "UnknownIssuer");
    open(&server, "127.0.0.1", &root("verify-ca", "ca.crt")).unwrap();
    fails("127.0.0.1", &root("verify-ca", "other.crt"), "UnknownIssuer");
    open(&server, "localhost", &root("verify-full", "ca.crt")).unwrap();
    fails("127.0.0.1", &root("verify-full", "ca.crt"), "not valid for name");
    fails("localhost", &root("verify-full", "other.crt"), "UnknownIssuer");
    // The server's own certificate.
    open(&server, "127.0.0.1", &root("verify-ca", "server.crt")).unwrap();
    open(&server, "localhost", &root("verify-full", "server.crt")).unwrap();
    fails("127.0.0.1", &root("verify-full", "server.crt"), "not valid for name");
    // What cannot be done, or not be read.
    fails("localhost", &root("verify-full", "none.crt"), "none.crt cannot be used");
    fails("localhost", &root("verify-full", "server.key"), "no certificate in it");
    fails("localhost", "sslmode=sometimes", "sslmode");
    fails("localhost", "sslmode=require&sslrootcert=system", "needs `sslmode=verify-full`");
    fails("localhost", "sslrootcert=system", "cert");
    // Another password.
    let wrong = server.url("127.0.0.1", "").replace("SECRET-word", "SECRET-other");
    let error = Archive::open(&wrong).unwrap_err().to_string();
    assert!(
        error.contains("password authentication failed") && !error.contains("SECRET"),
        "{error}"
    );
    let key = format!(
        "host=localhost port={} user=batt password='SECRET-word' dbname=postgres \
                       sslmode=verify-ca sslrootcert='{}'",
        server.port,
        server.path("ca.crt").display()
    );
    Archive::open(&key).unwrap();
}
