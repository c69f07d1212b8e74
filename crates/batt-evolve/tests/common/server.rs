//! A PostgreSQL server of a test's own, which it may stop and start.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A server with its folder; both are gone when it is dropped.
pub struct Server {
    pub port: u16,
    folder: tempfile::TempDir,
    programs: PathBuf,
    /// Whom it runs as: it refuses to be root.
    owner: Option<(u32, u32)>,
    options: String,
}

/// Where PostgreSQL's programs are.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let found = versions.map(|version| version.path().join("bin"));
    let named = std::env::var_os("PATH")?;
    let mut all: Vec<PathBuf> = found.chain(std::env::split_paths(&named)).collect();
    all.retain(|folder| folder.join("initdb").exists() && folder.join("pg_ctl").exists());
    all.into_iter().next()
}

fn number(option: &str) -> Option<u32> {
    let output = Command::new("id").args([option, "postgres"]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

impl Server {
    /// Starts one with the superuser `batt`, whose password is `SECRET-word`. What `prepare` puts into
    /// the folder is the server's; it gives more options. `None`, and a message, where there is no
    /// PostgreSQL.
    pub fn start(prepare: impl Fn(&Path) -> String) -> Option<Server> {
        let Some(programs) = programs() else {
            eprintln!("skipped: there is no PostgreSQL here");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let is_root = number_of_self() == Some(0);
        let owner = is_root.then(|| number("-u").zip(number("-g"))).flatten();
        if is_root && owner.is_none() {
            eprintln!("skipped: PostgreSQL does not run as root, and there is no user postgres");
            return None;
        }
        fs::write(folder.path().join("password"), "SECRET-word\n").unwrap();
        let more = prepare(folder.path());
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off {more}"
        );
        let server = Server { port, folder, programs, owner, options };
        server.own();
        let password = server.folder.path().join("password").display().to_string();
        let made = server.command(
            "initdb",
            &["-U", "batt", "-A", "scram-sha-256", "--pwfile", &password, "--no-sync"],
        );
        assert!(made, "initdb fails");
        server.go();
        Some(server)
    }

    /// Gives everything in the folder to whom the server runs as.
    fn own(&self) {
        let Some((user, group)) = self.owner else { return };
        let files = fs::read_dir(self.folder.path()).unwrap().flatten().map(|file| file.path());
        for path in files.chain([self.folder.path().to_path_buf()]) {
            if path.is_file() {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            }
            chown(&path, Some(user), Some(group)).unwrap();
        }
    }

    /// A file or folder of the server.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, program: &str, args: &[&str]) -> bool {
        let path = self.programs.join(program);
        let mut command = match self.owner {
            Some((user, group)) => {
                let mut command = Command::new("setpriv");
                command.args([format!("--reuid={user}"), format!("--regid={group}")]);
                command.arg("--clear-groups").arg(path);
                command
            }
            None => Command::new(path),
        };
        command.arg("-D").arg(self.path("data")).args(args).current_dir("/").env("HOME", "/tmp");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Starts it again.
    pub fn go(&self) {
        let log = self.path("data/log").display().to_string();
        let started = self.command("pg_ctl", &["-l", &log, "-w", "-o", &self.options, "start"]);
        assert!(started, "{}", fs::read_to_string(log).unwrap_or_default());
    }

    /// Stops it; `fast` in order, `immediate` as if the power failed.
    pub fn halt(&self, mode: &str) {
        assert!(self.command("pg_ctl", &["-m", mode, "-w", "stop"]));
    }

    /// The address of its database with some options.
    pub fn url(&self, host: &str, options: &str) -> String {
        format!("postgres://batt:SECRET-word@{host}:{}/postgres?{options}", self.port)
    }
}

fn number_of_self() -> Option<u32> {
    let output = Command::new("id").arg("-u").output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

impl Drop for Server {
    fn drop(&mut self) {
        self.command("pg_ctl", &["-m", "immediate", "stop"]);
    }
}
