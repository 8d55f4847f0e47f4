//! Recognises a file by a digest of its bytes, computed while they are read.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use twox_hash::XxHash64;

const AT_ONCE: usize = 1 << 20;

/// The digest of what has been read so far; shared, because the reader may be deep within a decoder.
#[derive(Clone, Debug)]
pub(crate) struct Digest(Arc<Mutex<XxHash64>>);

impl Digest {
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(XxHash64::with_seed(0))))
    }

    pub fn value(&self) -> u64 {
        self.hasher().finish()
    }

    fn hasher(&self) -> MutexGuard<'_, XxHash64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream that digests the bytes passing through it.
pub(crate) struct Digested<R> {
    pub stream: R,
    pub digest: Digest,
}

impl<R: Read> Read for Digested<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.digest.hasher().write(&buffer[..read]);
        Ok(read)
    }
}

/// Opens a regular file: opening a pipe would wait for its other end.
///
/// # Errors
/// If the file cannot be opened or is not a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"))
    }
}

/// Computes the digest of a file's bytes, the same as reading the file does.
///
/// # Errors
/// If the file cannot be read or is not a regular file.
pub fn digest(path: &Path) -> io::Result<u64> {
    let mut stream = Digested { stream: open(path)?, digest: Digest::new() };
    let mut buffer = vec![0; AT_ONCE];
    while stream.read(&mut buffer)? > 0 {}
    Ok(stream.digest.value())
}
