//! Waiting for a server that does not answer, and trying again.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long a request to end may go unseen.
const TICK: Duration = Duration::from_millis(20);

/// How this process waits for a server.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The pause before the second try; the first is at once, and each pause is twice the last.
    pub first: Duration,
    /// The longest pause.
    pub most: Duration,
    /// How long all pauses are together, about.
    pub total: Duration,
    /// How long one try to connect may take.
    pub connect: Duration,
    /// Whether to give up waiting.
    pub stop: fn() -> bool,
    /// Is told what is waited for.
    pub tell: fn(&str),
}

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            first: Duration::from_secs(1),
            most: Duration::from_secs(30),
            total: Duration::from_secs(300),
            connect: Duration::from_secs(30),
            stop: || false,
            tell: |_| {},
        }
    }
}

/// A process has one way to be told to end and one place for messages.
static WAITING: OnceLock<Waiting> = OnceLock::new();

impl Waiting {
    /// From now on all archives of this process wait like this; only the first call counts.
    pub fn set(self) {
        WAITING.get_or_init(|| self);
    }

    /// How archives wait.
    pub(super) fn now() -> Waiting {
        WAITING.get().copied().unwrap_or_default()
    }

    /// The pauses between tries.
    fn pauses(self) -> impl Iterator<Item = Duration> {
        let mut pause = self.first.max(Duration::from_millis(1));
        let mut sum = Duration::ZERO;
        let longer = std::iter::from_fn(move || {
            let now = pause.min(self.most);
            pause = now * 2;
            sum += now;
            (sum <= self.total).then_some(now)
        });
        std::iter::once(Duration::ZERO).chain(longer)
    }

    /// Sleeps; no if it was told to end.
    fn sleep(self, pause: Duration) -> bool {
        let started = Instant::now();
        while started.elapsed() < pause {
            if (self.stop)() {
                return false;
            }
            std::thread::sleep(TICK.min(pause.saturating_sub(started.elapsed())));
        }
        !(self.stop)()
    }
}

/// What came of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// It is time to try again.
    Again,
    /// It was told to end.
    Interrupted,
    /// There were enough tries.
    Enough,
}

/// The tries of one transaction.
pub struct Tries {
    waiting: Waiting,
    pauses: Box<dyn Iterator<Item = Duration>>,
    started: Instant,
    told: bool,
}

impl Tries {
    /// None was made.
    pub fn new() -> Tries {
        let waiting = Waiting::now();
        let pauses = Box::new(waiting.pauses());
        Tries { waiting, pauses, started: Instant::now(), told: false }
    }

    /// Waits after a try that failed.
    pub fn wait(&mut self) -> Waited {
        let Some(pause) = self.pauses.next() else { return Waited::Enough };
        // Who was told to end has something to store, and the server may only have restarted.
        if pause.is_zero() {
            return Waited::Again;
        }
        let seconds = pause.as_secs_f64();
        (self.waiting.tell)(&format!(
            "the archive does not answer; trying again in {seconds:.0} s"
        ));
        self.told = true;
        if self.waiting.sleep(pause) { Waited::Again } else { Waited::Interrupted }
    }

    /// A try succeeded.
    pub fn done(&self) {
        if self.told {
            let seconds = self.started.elapsed().as_secs_f64();
            (self.waiting.tell)(&format!("the archive answers again, after {seconds:.0} s"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let pauses: Vec<u64> = Waiting::default().pauses().map(|pause| pause.as_secs()).collect();
        assert_eq!(pauses[..8], [0, 1, 2, 4, 8, 16, 30, 30]);
        assert_eq!((pauses.len(), pauses.iter().sum::<u64>()), (14, 271));
    }

    #[test]
    fn a_request_to_end_is_seen_while_it_waits() {
        let waiting = Waiting { stop: || true, ..Waiting::default() };
        let started = Instant::now();
        assert!(!waiting.sleep(Duration::from_secs(60)));
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}
