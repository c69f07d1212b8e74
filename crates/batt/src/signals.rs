//! Signals: those that ask the process to end cut the work short and keep what was done, and a limit
//! on the size of files is an error like any other.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Set when the process was asked to end: no more work is started.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// The number of the signal that asked first.
static SIGNAL: AtomicU8 = AtomicU8::new(SIGINT);

/// Ctrl-C, also where signals have no numbers.
const SIGINT: u8 = 2;

/// The exit code of work that a signal cut short: as a shell has it, 128 and the signal's number.
pub fn exit_code() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed)
}

/// Takes a request to end. The first sets [`STOP`] and says what is still done; one more ends the
/// process at once, if it is `meant`.
fn asked(signal: u8, meant: bool, still: &str) {
    if !STOP.load(Ordering::Relaxed) {
        SIGNAL.store(signal, Ordering::Relaxed);
        STOP.store(true, Ordering::Relaxed);
        crate::tell::tell!("interrupted: {still}; once more to stop at once");
    } else if meant {
        std::process::exit(exit_code().into());
    }
}

#[cfg(unix)]
mod unix {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    /// What sends a signal to a process and then to its group, as `timeout` and terminals do, asks once.
    const SAME: Duration = Duration::from_secs(1);

    /// SIGINT, SIGTERM and SIGHUP let the work that runs end; `still` says what that is.
    pub fn watch(still: &'static str) {
        let mut wanted = vec![SIGINT, SIGTERM];
        if !is_ignored(SIGHUP) {
            wanted.push(SIGHUP);
        }
        // Without a watch these signals end the process; it only reports nothing.
        let Ok(mut signals) = Signals::new(wanted) else { return };
        let _ = std::thread::Builder::new().name("signals".to_string()).spawn(move || {
            let mut first: Option<Instant> = None;
            for signal in signals.forever() {
                let since = first.get_or_insert_with(Instant::now).elapsed();
                super::asked(signal as u8, signal == SIGINT || since > SAME, still);
            }
        });
    }

    /// Whether the process was started with a signal ignored, as `nohup` does. Only Linux tells.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// A file that reaches the limit on its size gives an error instead of ending the process.
    pub fn survive_limits() {
        // Handled is enough: nobody has to look whether it came.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

#[cfg(unix)]
pub use unix::{survive_limits, watch};

/// Ctrl-C lets the work that runs end; `still` says what that is.
#[cfg(not(unix))]
pub fn watch(still: &'static str) {
    // Without a handler Ctrl-C still ends the process; it only reports nothing.
    let _ = ctrlc::set_handler(move || asked(SIGINT, true, still));
}

/// There is no such signal here.
#[cfg(not(unix))]
pub fn survive_limits() {}
