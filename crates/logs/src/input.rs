//! Splits a log file, plain or compressed, into pieces of whole lines.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use twox_hash::XxHash64;

use crate::json::PADDING;
use crate::piece::{Piece, Spare};

/// The size of a piece, not counting its last line.
pub const PIECE: usize = 1 << 20;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// What editors put before a text in UTF-8, and what stands before one in UTF-16.
const MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const UTF_16: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];

/// The first bytes of a stream.
fn head(stream: &mut impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    stream.take(most as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// The pieces of a log file, from its beginning to its end or to the point where it becomes unreadable.
pub struct Input {
    stream: Box<dyn Read + Send>,
    /// The beginning of a line that ends in the next piece.
    rest: Vec<u8>,
    /// The longest line that is read: the beginning of a longer line forms a piece of its own, the rest is
    /// skipped.
    longest: usize,
    digest: Option<Digest>,
    /// Why the stream ended early.
    pub trouble: Option<String>,
    ended: bool,
}

impl Input {
    /// Opens a file; the ending of its name says how it is compressed, or its first bytes do.
    ///
    /// # Errors
    /// If the file cannot be opened or is not a regular file.
    pub fn open(path: &Path, longest: usize) -> io::Result<Self> {
        let digest = Digest::new();
        let mut file = Digested { stream: open(path)?, digest: digest.clone() };
        let head = head(&mut file, GZIP.len().max(ZSTANDARD.len()))?;
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_gzip = ending == Some("gz") || head.starts_with(GZIP);
        let is_zstandard = ending == Some("zst") || head.starts_with(ZSTANDARD);
        let file = io::Cursor::new(head).chain(file);
        let stream: Box<dyn Read + Send> = if is_gzip {
            Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(128 << 10, file)))
        } else if is_zstandard {
            Box::new(zstd::stream::read::Decoder::new(file)?)
        } else {
            Box::new(file)
        };
        let mut input = Self { digest: Some(digest), ..Self::new(stream, longest) };
        input.pass_over_mark();
        Ok(input)
    }

    /// Passes over a byte order mark; a text of two bytes a character is not read.
    fn pass_over_mark(&mut self) {
        match head(&mut self.stream, MARK.len()) {
            Ok(head) => {
                if UTF_16.iter().any(|mark| head.starts_with(mark)) {
                    self.fail("is a text in UTF-16. Convert it: iconv -f UTF-16 -t UTF-8");
                }
                self.rest = if head == MARK { Vec::new() } else { head };
            }
            Err(error) => self.fail(&error.to_string()),
        }
    }

    fn fail(&mut self, why: &str) {
        self.trouble = Some(why.to_owned());
        self.ended = true;
    }

    /// Reads from any stream.
    #[must_use]
    pub fn new(stream: Box<dyn Read + Send>, longest: usize) -> Self {
        Self { stream, rest: Vec::new(), longest, digest: None, trouble: None, ended: false }
    }

    /// The digest of the file's bytes, once all of them have been read.
    #[must_use]
    pub fn digest(&self) -> Option<u64> {
        let digest = self.digest.as_ref().filter(|_| self.ended && self.trouble.is_none())?;
        Some(digest.value())
    }

    /// The next piece, in the memory of an earlier one; `None` at the end.
    pub fn next(&mut self, mut spare: Spare) -> Option<Piece> {
        let buffer = &mut spare.buffer;
        buffer.clear();
        std::mem::swap(buffer, &mut self.rest);
        let mut wanted = PIECE.max(buffer.len() + PIECE / 4);
        while !self.ended {
            self.fill(buffer, wanted);
            if self.ended {
                break;
            }
            if let Some(feed) = memchr::memrchr(b'\n', buffer) {
                self.rest.clear();
                self.rest.extend_from_slice(&buffer[feed + 1..]);
                buffer.truncate(feed + 1);
                return Some(Piece::of(spare));
            }
            if buffer.len() > self.longest {
                buffer.push(b'\n');
                self.pass_over_line();
                return Some(Piece::too_long(spare));
            }
            wanted += PIECE;
        }
        (!spare.buffer.is_empty()).then(|| Piece::of(spare))
    }

    /// Reads until the buffer holds the given number of bytes or the stream ends.
    fn fill(&mut self, buffer: &mut Vec<u8>, wanted: usize) {
        let missing = wanted.saturating_sub(buffer.len());
        buffer.reserve(missing + PADDING + 1);
        match self.stream.by_ref().take(missing as u64).read_to_end(buffer) {
            Ok(read) => self.ended = read < missing,
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// Skips to the end of the line.
    fn pass_over_line(&mut self) {
        let mut passed = Vec::new();
        while !self.ended {
            passed.clear();
            self.fill(&mut passed, PIECE);
            if let Some(feed) = memchr::memchr(b'\n', &passed) {
                self.rest.clear();
                self.rest.extend_from_slice(&passed[feed + 1..]);
                return;
            }
        }
    }
}

// Recognises a file by a digest of its bytes, computed while they are read.

const AT_ONCE: usize = 1 << 20;

/// The digest of what has been read so far; shared, because the reader may be deep within a decoder.
#[derive(Clone, Debug)]
struct Digest(Arc<Mutex<XxHash64>>);

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
struct Digested<R> {
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
