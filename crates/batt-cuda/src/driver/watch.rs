//! Waiting, but not for ever.

use std::time::{Duration, Instant};

use crate::device::Failure;

/// What takes longer will never end.
const LONGEST: Duration = Duration::from_secs(120);
/// So long it is asked without pause, since most is done at once. Not longer: other threads have work.
const EAGER: Duration = Duration::from_micros(200);

/// Asks until it is done.
pub fn wait(mut done: impl FnMut() -> Result<bool, Failure>) -> Result<(), Failure> {
    let started = Instant::now();
    loop {
        if done()? {
            return Ok(());
        }
        let waited = started.elapsed();
        if waited > LONGEST {
            return Err(Failure::Stuck(LONGEST.as_secs()));
        }
        if waited > EAGER {
            std::thread::sleep(Duration::from_micros(50));
        } else {
            std::hint::spin_loop();
        }
    }
}
