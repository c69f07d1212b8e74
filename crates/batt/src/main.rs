//! The `batt` command.

use std::process::ExitCode;

#[allow(unsafe_code)]
fn main() -> ExitCode {
    // SAFETY: no other thread has been started.
    unsafe { batt::run::engine::cuda::ask_for_queues() };
    ExitCode::from(batt::command::run(std::env::args_os()))
}
