//! Waiting, but not for ever.

use std::time::{Duration, Instant};

use crate::device::Failure;

/// What takes longer will never end.
const LONGEST: Duration = Duration::from_secs(120);
/// So long no other thread gets this one's core: most is done soon. Not longer: others have work.
const EAGER: Duration = Duration::from_micros(200);
/// Between two questions: threads that ask keep those from the driver who start kernels.
const PAUSE: Duration = Duration::from_micros(4);

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
            while started.elapsed() < waited + PAUSE {
                std::hint::spin_loop();
            }
        }
    }
}
