//! Reads input files of limited size, and never one that a result will overwrite.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most bytes that are read of one file: 2^29. The largest map of the benchmarks has 4 million.
pub const MAX_BYTES: u64 = 1 << 29;

/// A file that a result of this process will go to.
struct Reserved {
    /// As the caller named it.
    named: PathBuf,
    /// The regular file behind that name, links followed, if it exists already.
    real: Option<PathBuf>,
}

/// Known to the whole process: readers do not know the writers.
static RESERVED: Mutex<Vec<Reserved>> = Mutex::new(Vec::new());

fn reserved() -> MutexGuard<'static, Vec<Reserved>> {
    // The list only grows, so it is valid even if another thread panicked.
    RESERVED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reserves a file for a result: from now on [`bytes`] refuses to read it, under whatever name.
/// Pipes and devices can be both input and output.
pub fn reserve_output(path: &Path) {
    let real = fs::canonicalize(path).ok();
    let real = real.filter(|real| real.is_file());
    let named = path.to_owned();
    reserved().push(Reserved { named, real });
}

/// True if that name was given to [`reserve_output`].
pub fn is_reserved_output(path: &Path) -> bool {
    reserved().iter().any(|file| file.named == path)
}

fn check_not_reserved(path: &Path) -> Result<()> {
    let reserved = reserved();
    if reserved.iter().all(|file| file.real.is_none()) {
        return Ok(());
    }
    let real = fs::canonicalize(path)?;
    match reserved
        .iter()
        .any(|file| file.real.as_ref() == Some(&real))
    {
        false => Ok(()),
        true => Err(Error::new(
            ErrorKind::ResourceBusy,
            "a result would be written over it",
        )),
    }
}

/// The bytes of a file, at most [`MAX_BYTES`].
///
/// # Errors
/// The system's error; that the file is longer, be it endless; or that it is reserved for a result:
/// see [`reserve_output`].
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    check_not_reserved(path)?;
    let too_long = || {
        let reason = format!("it has more than {MAX_BYTES} bytes, the most that are read");
        Error::new(ErrorKind::FileTooLarge, reason)
    };
    let file = File::open(path)?;
    let stated = file.metadata()?.len();
    if stated > MAX_BYTES {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stated).unwrap_or(0));
    let n_bytes = file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if n_bytes as u64 > MAX_BYTES {
        return Err(too_long());
    }
    Ok(bytes)
}
