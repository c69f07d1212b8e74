//! What commands write besides their report: checked before the work starts, whole once it is there.

mod asked;

use std::fs::File;
use std::io::{self, Stdout, Write};
use std::path::Path;

use batt::run::run::save::{self, Unfinished};

pub use asked::Outputs;

use crate::context::Context;
use crate::failure::Failure;

/// An output that is begun, and shows when it is complete.
pub enum Output<'a> {
    /// Standard output.
    Stdout(&'a mut Context),
    /// Anything else.
    File(Unfinished),
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(context) => context.write(bytes),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(context) => context.flush(),
            Output::File(file) => file.flush(),
        }
    }
}

impl Output<'_> {
    /// Puts the output in its place.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Output::Stdout(context) => context.flush(),
            Output::File(file) => file.finish(),
        }
    }
}

/// Begins the output that an option names.
pub fn begin<'a>(
    option: &str,
    path: &Path,
    context: &'a mut Context,
) -> anyhow::Result<Output<'a>> {
    if is_stdout(path) {
        return Ok(Output::Stdout(context));
    }
    Ok(Output::File(Unfinished::begin(path).map_err(|error| failed(option, path, &error))?))
}

/// Writes all of the output that an option names.
pub fn write(
    option: &str,
    path: &Path,
    content: &[u8],
    context: &mut Context,
) -> anyhow::Result<()> {
    let mut output = begin(option, path, context)?;
    let written = output.write_all(content).and_then(|()| output.finish());
    written.map_err(|error| failed(option, path, &error))
}

/// An output that others read while it grows.
pub enum Growing {
    /// Standard output.
    Stdout(Stdout),
    /// Anything else.
    File(File),
}

impl Growing {
    /// Begins the output that an option names.
    pub fn begin(option: &str, path: &Path) -> anyhow::Result<Growing> {
        if is_stdout(path) {
            return Ok(Growing::Stdout(io::stdout()));
        }
        Ok(Growing::File(save::grow(path).map_err(|error| failed(option, path, &error))?))
    }

    /// Adds some of it. A reader of standard output that leaves has seen enough.
    pub fn add(&mut self, content: &[u8]) -> io::Result<()> {
        match self {
            Growing::File(file) => file.write_all(content),
            Growing::Stdout(out) => match out.write_all(content).and_then(|()| out.flush()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written,
            },
        }
    }
}

/// Why the output that an option names could not be written.
pub fn failed(option: &str, path: &Path, error: &io::Error) -> anyhow::Error {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    let hint = match error.kind() {
        StorageFull | FileTooLarge | QuotaExceeded => {
            format!("{option} may name a place with more room; a file that was there is as it was")
        }
        _ => format!(
            "{option} needs a file that may be written to, in a folder that is there and may be, too"
        ),
    };
    Failure::error(format!("cannot write {}: {error}", path.display()), hint)
}

/// Whether a path is standard output: `-`, or what standard output is, as `/dev/stdout`. A device is
/// not: both can write to it.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || is_same_as_stdout(path)
}

#[cfg(unix)]
fn is_same_as_stdout(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let out = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let (Ok(out), Ok(there)) = (out.and_then(|out| out.metadata()), std::fs::metadata(path)) else {
        return false;
    };
    let device = there.file_type().is_char_device() || there.file_type().is_block_device();
    !device && (out.dev(), out.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_same_as_stdout(_: &Path) -> bool {
    false
}
