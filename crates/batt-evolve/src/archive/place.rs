//! A place where an archive is: what an address says, and what of it people may read.
//!
//! An address is never shown as it was given: it may hold a password. What is shown is put together from
//! the parts that are none, and where the parts cannot be told apart, nothing is shown.

use std::fmt::{self, Write as _};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::ArchiveError;

/// What an address says of a server, in any order and each at most once.
type Options = Vec<(&'static str, String)>;

/// Options of a server's address, as libpq calls them.
const OPTIONS: [&str; 20] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "sslmode",
    "sslnegotiation",
    "sslrootcert",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];

/// What is written `%..` where a part of an address is shown.
const PART: &AsciiSet =
    &CONTROLS.add(b' ').add(b'%').add(b'/').add(b'?').add(b'#').add(b'@').add(b':').add(b'&');

/// Where an archive is.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// A file of SQLite.
    File(String),
    /// A database on a PostgreSQL server.
    Server(Server),
}

/// A database on a PostgreSQL server, as an address names it.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    options: Options,
}

impl Place {
    /// Reads an address: a path, `sqlite:PATH`, `postgres://user@host/database`, or libpq's
    /// `host=… dbname=…`.
    pub fn read(address: &str) -> Result<Place, ArchiveError> {
        let address = address.trim_start();
        if let Some(path) = after("sqlite:", address) {
            return Ok(Place::File(path.to_string()));
        }
        if let Some(rest) = ["postgres:", "postgresql:"].iter().find_map(|s| after(s, address)) {
            let rest = rest.strip_prefix("//").ok_or_else(|| bad("`//` is missing"))?;
            return url(rest.trim_end()).map(|options| Place::Server(Server { options }));
        }
        if is_pairs(address) {
            return pairs(address).map(|options| Place::Server(Server { options }));
        }
        if address.contains("://") {
            return Err(bad("its scheme is neither `sqlite` nor `postgres`"));
        }
        Ok(Place::File(address.to_string()))
    }

    /// What may be shown of an address, whatever is in it.
    pub fn shown(address: &str) -> String {
        Place::read(address).map_or_else(|_| "(address)".to_string(), |place| place.to_string())
    }

    /// The file, where it is one.
    pub fn file(address: &str) -> Option<String> {
        match Place::read(address) {
            Ok(Place::File(path)) => Some(path),
            _ => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => f.write_str(&without_credentials(path)),
            Place::Server(server) => server.fmt(f),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Server {
    /// What an option says.
    pub fn get(&self, option: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| *name == option).map(|(_, value)| value.as_str())
    }

    /// The options that the driver knows, in its own form.
    pub fn for_driver(&self) -> String {
        let mut text = String::new();
        // The driver wants a name for every TLS connection, and an address is one.
        let named = self.get("host").is_none().then(|| self.get("hostaddr")).flatten();
        let host = named.map(|host| ("host", host.to_string()));
        for (name, value) in self.options.iter().chain(&host) {
            if !["sslmode", "sslrootcert"].contains(name) {
                let value = value.replace('\\', "\\\\").replace('\'', "\\'");
                let _ = write!(text, "{name}='{value}' ");
            }
        }
        text
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |name| self.get(name).unwrap_or_default();
        f.write_str("postgres://")?;
        // Some write the password behind an encoded colon.
        let user = part("user").split(':').next().unwrap_or_default();
        if !user.is_empty() {
            write!(f, "{}@", utf8_percent_encode(user, PART))?;
        }
        let hosts = if part("host").is_empty() { part("hostaddr") } else { part("host") };
        let mut ports = part("port").split(',');
        let mut port = "";
        for (at, host) in hosts.split(',').enumerate() {
            port = ports.next().unwrap_or(port);
            f.write_str(if at > 0 { "," } else { "" })?;
            if host.contains(':') {
                write!(f, "[{}]", host.replace(['[', ']', '@', '/'], ""))?;
            } else {
                utf8_percent_encode(host, PART).fmt(f)?;
            }
            if !port.is_empty() {
                write!(f, ":{port}")?;
            }
        }
        match part("dbname") {
            "" => Ok(()),
            name => write!(f, "/{}", utf8_percent_encode(name, PART)),
        }
    }
}

/// What comes behind a prefix, however it is capitalized.
fn after<'a>(prefix: &str, address: &'a str) -> Option<&'a str> {
    let (start, rest) = address.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Says what is wrong with an address, in words that hold nothing of it.
fn bad(why: &str) -> ArchiveError {
    ArchiveError::Address(why.to_string())
}

/// Whether an address has the form `option=value …`: one of its words begins with an option.
fn is_pairs(address: &str) -> bool {
    let is_option = |name: &str| OPTIONS.iter().any(|option| option.eq_ignore_ascii_case(name));
    let mut words = address.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut spaced = || words.peek().is_some_and(|next| next.starts_with('='));
        if word.split_once('=').is_some_and(|(name, _)| is_option(name))
            || is_option(word) && spaced()
        {
            return true;
        }
    }
    false
}

/// Takes an option's value; the last one counts.
fn set(options: &mut Options, name: &str, value: String) -> Result<(), ArchiveError> {
    // A name that is not known may be a part of a password, and is not told.
    let Some(known) = OPTIONS.iter().find(|known| **known == name) else {
        let why = match name {
            "sslcert" | "sslkey" | "sslcrl" | "passfile" | "service" | "requirepeer" => {
                format!("the option `{name}` cannot be used here")
            }
            _ => "it has an option that is not known".to_string(),
        };
        return Err(ArchiveError::Address(why));
    };
    let wrong = match *known {
        "port" => !value.split(',').all(|port| port.is_empty() || port.parse::<u16>().is_ok()),
        "hostaddr" => !value.split(',').all(|ip| ip.parse::<std::net::IpAddr>().is_ok()),
        "host" => value.contains('@'),
        _ => value.contains('\0'),
    };
    if wrong {
        return Err(ArchiveError::Address(format!("its `{known}` cannot be read")));
    }
    options.retain(|(name, _)| name != known);
    options.push((known, value));
    Ok(())
}

/// Reads what follows `postgres://`.
fn url(rest: &str) -> Result<Options, ArchiveError> {
    let mut options = Options::new();
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = before.split_once('/').unwrap_or((before, ""));
    // What follows a second one, or one behind the host, may be the rest of a password.
    if rest.matches('@').count() > authority.matches('@').count().min(1) {
        return Err(bad("it has an `@` that is not before the host"));
    }
    let hosts = match authority.split_once('@') {
        Some((credentials, hosts)) => {
            let (user, password) = match credentials.split_once(':') {
                Some((user, password)) => (user, Some(password)),
                None => (credentials, None),
            };
            if !user.is_empty() {
                set(&mut options, "user", decoded(user)?)?;
            }
            if let Some(password) = password {
                set(&mut options, "password", decoded(password)?)?;
            }
            hosts
        }
        None => authority,
    };
    if !hosts.is_empty() {
        let (mut names, mut ports) = (Vec::new(), Vec::new());
        for host in hosts.split(',') {
            let (name, port) = match host.strip_prefix('[') {
                Some(six) => {
                    let (name, port) =
                        six.split_once(']').ok_or_else(|| bad("its `host` cannot be read"))?;
                    (name, port.strip_prefix(':').unwrap_or(port))
                }
                None => host.split_once(':').unwrap_or((host, "")),
            };
            names.push(decoded(name)?);
            ports.push(decoded(port)?);
        }
        set(&mut options, "host", names.join(","))?;
        if ports.iter().any(|port| !port.is_empty()) {
            set(&mut options, "port", ports.join(","))?;
        }
    }
    if !database.is_empty() {
        set(&mut options, "dbname", decoded(database)?)?;
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| bad("it has an option without a value"))?;
        set(&mut options, &decoded(name)?, decoded(value)?)?;
    }
    Ok(options)
}

fn decoded(part: &str) -> Result<String, ArchiveError> {
    let text = percent_decode_str(part).decode_utf8();
    Ok(text.map_err(|_| bad("it is no UTF-8 where it is written with `%`"))?.into_owned())
}

/// Reads `option=value option='a value' …`, where `\` takes the next character as it is.
fn pairs(text: &str) -> Result<Options, ArchiveError> {
    let mut options = Options::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, value) =
            rest.split_once('=').ok_or_else(|| bad("it has an option without a value"))?;
        let mut chars = value.trim_start().chars();
        let mut word = String::new();
        let quoted = value.trim_start().starts_with('\'');
        if quoted {
            chars.next();
        }
        let mut ended = !quoted;
        loop {
            match chars.next() {
                Some('\\') => word.extend(chars.next()),
                Some('\'') if quoted => {
                    ended = true;
                    break;
                }
                Some(c) if !quoted && c.is_whitespace() => break,
                Some(c) => word.push(c),
                None => break,
            }
        }
        if !ended {
            return Err(bad("a quotation in it does not end"));
        }
        set(&mut options, name.trim_end(), word)?;
        rest = chars.as_str().trim_start();
    }
    Ok(options)
}

/// A path as it is, but for what may be a password in an address that was meant for a server.
fn without_credentials(path: &str) -> String {
    let lower = path.to_ascii_lowercase();
    let secret = ["password=", "passwd=", "pwd="].iter().filter_map(|word| lower.find(word)).min();
    if let Some(at) = secret {
        return format!("{}…", path.get(..at).unwrap_or_default());
    }
    match (path.find(':'), path.rfind('@')) {
        (Some(from), Some(to)) if from < to => format!("{}:…{}", &path[..from], &path[to..]),
        _ => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let table = [
            ("a.db", "a.db"),
            ("sqlite:a.db", "a.db"),
            ("runs/today@9:30.db", "runs/today@9:30.db"),
            ("postgres://host/db", "postgres://host/db"),
            ("postgres://me@host:5/db", "postgres://me@host:5/db"),
            ("postgres://me:SECRET@host:5/db", "postgres://me@host:5/db"),
            ("postgresql://me:SECRET@host/db", "postgres://me@host/db"),
            ("POSTGRES://me:SECRET@host/db", "postgres://me@host/db"),
            ("PostgreSQL://me:SECRET@host/db", "postgres://me@host/db"),
            ("  postgres://me:SECRET@host/db", "postgres://me@host/db"),
            ("\tPOSTGRES://me:SECRET@host/db ", "postgres://me@host/db"),
            ("postgres://host/db?user=me&password=SECRET", "postgres://me@host/db"),
            ("postgres://me@host/db?sslmode=require&password=SECRET", "postgres://me@host/db"),
            ("postgres://host/db?pass%77ord=SECRET", "postgres://host/db"),
            ("postgres:///db?host=/run/pg&password=SECRET", "postgres://%2Frun%2Fpg/db"),
            ("postgres://me%3ASECRET@host/db", "postgres://me@host/db"),
            ("postgres://:SECRET@host/db", "postgres://host/db"),
            ("postgres://me:%53ECRET%40@host/db", "postgres://me@host/db"),
            ("postgres://me:SECRET@a:1,b:2,[::1]/db", "postgres://me@a:1,b:2,[::1]/db"),
            ("postgres://me:a:SECRET@host/my%20db", "postgres://me@host/my%20db"),
            ("host=host user=me password=SECRET dbname=db", "postgres://me@host/db"),
            (" user=me password='SEC RET\\'S' host=host", "postgres://me@host"),
            ("hostaddr=127.0.0.1 port=5 password = SECRET", "postgres://127.0.0.1:5"),
            ("password=SECRET", "postgres://"),
            // What cannot be read is not shown at all.
            ("postgres://me:SE@SECRET@host/db", "(address)"),
            ("postgres://me:12/SECRET@host/db", "(address)"),
            ("postgres://me:SECRET", "(address)"),
            ("postgres://me:x?SECRET@host/db", "(address)"),
            ("postgres:/me:SECRET@host/db", "(address)"),
            ("postgres:me:SECRET@host/db", "(address)"),
            ("postgress://me:SECRET@host/db", "(address)"),
            ("mysql://me:SECRET@host/db", "(address)"),
            ("host=host password=a SECRET=x", "(address)"),
            ("host=host password=a SECRET", "(address)"),
            ("host=host password='SECRET", "(address)"),
            ("Host=host PASSWORD=SECRET", "(address)"),
            ("postgres://host/db?Password=SECRET", "(address)"),
            ("postgres://host/db?password=a&SECRET", "(address)"),
            // Meant for a server, and taken for a file.
            ("me:SECRET@host/db", "me:…@host/db"),
            ("Server=host;Password=SECRET", "Server=host;…"),
        ];
        for (address, shown) in table {
            assert_eq!(Place::shown(address), shown, "{address}");
            let why = Place::read(address).err().map(|error| error.to_string());
            let told = format!("{:?} {why:?}", Place::read(address).ok());
            assert!(!told.contains("SECRET") && !told.contains("ECRET"), "{told}");
        }
    }

    #[test]
    fn the_driver_is_told_what_the_address_says() {
        let Ok(Place::Server(server)) =
            Place::read("Postgres://me:p%27a%5C%20@h:5/db?sslmode=require&connect_timeout=3")
        else {
            panic!("no server");
        };
        let config: postgres::Config = server.for_driver().parse().unwrap();
        assert_eq!((config.get_user(), config.get_dbname()), (Some("me"), Some("db")));
        assert_eq!(config.get_password(), Some(&b"p'a\\ "[..]));
        assert_eq!((config.get_ports(), server.get("sslmode")), (&[5][..], Some("require")));
    }

    /// What means something in an address, as libpq wants a password written there.
    const EVERY: &AsciiSet = &PART.add(b'=').add(b'\'').add(b'+').add(b',').add(b'[').add(b']');
    /// Characters that mean something in one of the forms, and some that do not.
    const ODD: &str = "[a-zA-Z0-9:@/?#&=%' \\\\.,\\[\\]é…+-]{1,12}";

    proptest! {
        /// Whatever a password is and however it is written, what is shown is the same.
        #[test]
        fn nothing_of_a_password_is_shown(password in ODD, form in 0..6_usize) {
            let url = utf8_percent_encode(&password, EVERY).to_string();
            let quoted = password.replace('\\', "\\\\").replace('\'', "\\'");
            let address = [
                format!("postgres://me:{url}@host:5/db"),
                format!(" POSTGRESQL://me:{url}@host:5/db"),
                format!("postgres://host/db?user=me&password={url}&port=5"),
                format!("postgres://me@host:5/db?password={url}"),
                format!("host=host port=5 user=me password='{quoted}' dbname=db"),
                format!("password = '{quoted}' host=host port=5 user=me dbname=db"),
            ][form].clone();
            prop_assert_eq!(Place::shown(&address), "postgres://me@host:5/db");
        }

        /// A marked password that is put into an address as it is never comes out again.
        #[test]
        fn a_password_written_wrongly_is_not_shown(
            before in ODD,
            behind in ODD,
            form in 0..8_usize,
        ) {
            let password = format!("{before}SECRET{behind}");
            let address = [
                format!("postgres://me:{password}@host/db"),
                format!("Postgres://me:{password}@host"),
                format!("postgres:me:{password}@host"),
                format!("postgress://me:{password}@host/db"),
                format!("me:{password}@host/db"),
                format!("host=host password={password} dbname=db"),
                format!("dbname=db password='{password}' user=me"),
                format!("postgres://host/db?sslmode=prefer&password={password}"),
            ][form].clone();
            let read = Place::read(&address);
            let error = read.as_ref().err().map(ToString::to_string);
            let told = format!("{} {read:?} {error:?}", Place::shown(&address));
            prop_assert!(!told.contains("SECRET"), "{} shows {}", address, told);
        }
    }
}
