//! What may be mended by waiting: a connection that was cut, a server that restarts.

use std::io::{self, ErrorKind};

use postgres::Error;

/// Conditions of a server that pass: it goes down, comes up, or has no room for one more connection;
/// and transactions that stood in each other's way.
const PASSING: [&str; 8] = ["57P01", "57P02", "57P03", "57P05", "53300", "25P03", "40001", "40P01"];

/// Whether it may be over if one waits and connects anew. `met` says that the server answered before:
/// an address at which nobody ever did is rather a wrong one.
pub fn is_lost(error: &Error, met: bool) -> bool {
    if let Some(code) = error.code() {
        // Class 08 is about connections.
        return PASSING.contains(&code.code()) || code.code().starts_with("08");
    }
    if error.is_closed() {
        return true;
    }
    let cause = std::error::Error::source(error);
    cause.and_then(|cause| cause.downcast_ref::<io::Error>()).is_some_and(|io| may_pass(io, met))
}

fn may_pass(error: &io::Error, met: bool) -> bool {
    match error.kind() {
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::NotConnected
        | ErrorKind::WriteZero
        // A message was cut in the middle.
        | ErrorKind::Other => true,
        // A certificate that is not trusted, or what is no PostgreSQL.
        ErrorKind::InvalidData | ErrorKind::InvalidInput => false,
        // Nobody listens, or there is no such name or no way there.
        _ => met,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_pass_and_refusals_only_where_somebody_answered() {
        let passes = |kind: ErrorKind, met| may_pass(&kind.into(), met);
        for kind in [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset, ErrorKind::BrokenPipe] {
            assert!(passes(kind, false) && passes(kind, true));
        }
        for kind in [ErrorKind::ConnectionRefused, ErrorKind::NotFound, ErrorKind::TimedOut] {
            assert!(!passes(kind, false) && passes(kind, true));
        }
        assert!(!passes(ErrorKind::InvalidData, true));
    }
}
