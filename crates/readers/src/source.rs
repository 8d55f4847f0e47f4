//! Opens files as bytes, decompresses them, converts them to UTF-8 where their encoding is recognised, and removes what
//! terminals and logs added.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use crate::additions::{has_additions, without_additions};
use crate::encoding::{Encoding, MARK, encoding, transcode};
use crate::limits::{Budget, Limits};

/// How many bytes detection examines.
pub(crate) const HEAD: usize = 256 << 10;

/// The content of a file.
#[derive(Debug)]
pub struct Content {
    bytes: Bytes,
    /// The beginning, at most 256 KiB.
    pub head: Vec<u8>,
    /// What ended too early, and how that is seen; the rest is missing.
    pub cut: Option<String>,
    /// What this file and all others may still use of the limits.
    pub budget: Arc<Budget>,
}

#[derive(Debug)]
enum Bytes {
    /// A plain file, read in pieces.
    File(File, u64),
    /// The whole content: standard input, decompressed or transcoded bytes.
    Memory(Vec<u8>),
}

impl Content {
    /// Opens a file, or standard input where the path is `-`.
    ///
    /// # Errors
    /// Any error of the operating system; a folder; content that exceeds a limit.
    pub fn open(path: &Path, budget: &Arc<Budget>) -> io::Result<Self> {
        if path == Path::new("-") {
            return Self::from_stream(io::stdin().lock(), budget);
        }
        let mut file = File::open(path)?;
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        if !about.is_file() {
            return Self::from_stream(file, budget);
        }
        let mut head = Vec::with_capacity(HEAD.min(about.len() as usize));
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        refuse_others(&head)?;
        let is_plain = !head.starts_with(MARK) && encoding(&head) == Encoding::Utf8 && !has_additions(&head);
        if is_compressed(&head) || !is_plain || !is_binary(&head) && ends_in_blocks(&file, about.len())? {
            file.rewind()?;
            return Self::from_stream(file, budget);
        }
        let budget = Arc::clone(budget);
        if head.len() < HEAD {
            budget.take_bytes(head.len() as u64)?;
            return Ok(Self { bytes: Bytes::Memory(head.clone()), head, cut: None, budget });
        }
        budget.take_bytes(about.len())?;
        Ok(Self { bytes: Bytes::File(file, about.len()), head, cut: None, budget })
    }

    /// Takes bytes that are already in memory.
    ///
    /// # Errors
    /// If the decompressed content is too large.
    pub fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        Self::from_stream(bytes, &Arc::default())
    }

    /// The same, with limits.
    ///
    /// # Errors
    /// If the content exceeds a limit.
    pub fn limited(bytes: &[u8], limits: Limits) -> io::Result<Self> {
        Self::from_stream(bytes, &Arc::new(Budget::new(limits)))
    }

    fn from_stream(stream: impl Read, budget: &Arc<Budget>) -> io::Result<Self> {
        let taken = Cell::new(0);
        let mut stream = io::BufReader::with_capacity(64 << 10, Counted { stream, taken: &taken });
        let magic = io::BufRead::fill_buf(&mut stream)?.to_vec();
        refuse_others(&magic)?;
        let mut intake = Intake { budget, taken: Some(&taken), bytes: Vec::new() };
        let mut cut = None;
        if magic.starts_with(&GZIP) {
            cut = intake.drain(flate2::bufread::MultiGzDecoder::new(stream))?;
        } else if magic.starts_with(&ZSTD) {
            cut = intake.drain(zstd::stream::read::Decoder::with_buffer(stream)?)?;
        } else {
            intake.taken = None;
            if let Some(why) = intake.drain(stream)? {
                return Err(io::Error::other(why));
            }
        }
        let mut bytes = intake.bytes;
        cut = cut.map(|why| format!("the compressed file is cut short or damaged: {why}"));
        let is_cut = || !is_binary(&bytes) && is_cut_within_line(bytes.len() as u64, bytes.last());
        cut = cut.or_else(|| is_cut().then(|| cut_at(bytes.len())));
        if cut.is_some() {
            // After the last line end comes an incomplete line; which one is unknown.
            bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        }
        let bytes = without_additions(transcode(bytes)?, HEAD);
        let head = bytes[..bytes.len().min(HEAD)].to_vec();
        Ok(Self { bytes: Bytes::Memory(bytes), head, cut, budget: Arc::clone(budget) })
    }

    /// A part of the content that begins on this line, on its own.
    pub(crate) fn part(&self, bytes: &[u8], line: u32) -> Self {
        let mut alone = vec![b'\n'; line.saturating_sub(1) as usize];
        alone.extend_from_slice(bytes);
        let head = alone[..alone.len().min(HEAD)].to_vec();
        Self { bytes: Bytes::Memory(alone), head, cut: self.cut.clone(), budget: Arc::clone(&self.budget) }
    }

    /// The length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.bytes {
            Bytes::File(_, length) => *length as usize,
            Bytes::Memory(bytes) => bytes.len(),
        }
    }

    /// Whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes.
    ///
    /// # Errors
    /// Any error of the operating system.
    pub fn all(&self) -> io::Result<std::borrow::Cow<'_, [u8]>> {
        match &self.bytes {
            Bytes::Memory(bytes) => Ok(bytes.into()),
            Bytes::File(file, length) => {
                let mut file: &File = file;
                file.rewind()?;
                // Without writing zeros into the memory first.
                let mut bytes = Vec::with_capacity(*length as usize);
                file.take(*length).read_to_end(&mut bytes)?;
                Ok(bytes.into())
            }
        }
    }

    /// Returns the complete lines that begin in `start..end`, wherever the last of them ends. `buffer` is used
    /// where the bytes have to be read.
    ///
    /// # Errors
    /// Any error of the operating system.
    pub fn lines_in<'a>(&'a self, start: usize, end: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        // The byte before `start` shows whether a line begins there.
        let before = start.saturating_sub(1);
        let within = match &self.bytes {
            Bytes::Memory(bytes) => &bytes[before.min(bytes.len())..end.min(bytes.len())],
            Bytes::File(..) => {
                let read = self.fill(buffer, 0, before, end - before)?;
                &buffer[..read]
            }
        };
        let first = if start == 0 { Some(0) } else { memchr::memchr(b'\n', within).map(|at| at + 1) };
        // A line that spans whole pieces belongs to the piece in which it begins: if every piece searched for
        // its end, it would be read once per piece.
        let Some(first) = first.filter(|&first| first < within.len()) else { return Ok(&[]) };
        let last = within.len() - 1;
        match &self.bytes {
            Bytes::Memory(bytes) => {
                Ok(through_line_end(&bytes[before..], last).0.get(first..).unwrap_or(&[]))
            }
            Bytes::File(..) => {
                let end = self.read_through_line_end(buffer, before, last)?;
                Ok(&buffer[first..end])
            }
        }
    }

    /// Reads on until a line ends at or after the last byte that was read, `from`, and returns where it ends in the
    /// buffer.
    fn read_through_line_end(
        &self,
        buffer: &mut Vec<u8>,
        before: usize,
        mut from: usize,
    ) -> io::Result<usize> {
        let (mut used, mut more) = (from + 1, 64 << 10);
        loop {
            let (whole, ends) = through_line_end(&buffer[..used], from);
            if ends {
                return Ok(whole.len());
            }
            from = used;
            used += self.fill(buffer, used, before + used, more)?;
            if used == from {
                return Ok(used);
            }
            more *= 2;
        }
    }

    /// Puts up to so many bytes from a position in the file into the buffer after those in use, and returns how many. The
    /// buffer never shrinks, since only new memory is filled with zeros.
    fn fill(&self, buffer: &mut Vec<u8>, used: usize, place: usize, count: usize) -> io::Result<usize> {
        let Bytes::File(file, _) = &self.bytes else { return Ok(0) };
        if buffer.len() < used + count {
            buffer.resize(used + count, 0);
        }
        let mut read = 0;
        while read < count {
            match positioned_read(file, &mut buffer[used + read..used + count], (place + read) as u64) {
                Ok(0) => break,
                Ok(n) => read += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(read)
    }
}

/// A program that is killed and a disk that is full leave whole blocks of this size.
const BLOCK: u64 = 4096;

/// Whether bytes end within a line and after whole blocks: then a number at their end may have lost digits. Elsewhere a
/// line without an end is whole: an editor, a script or a shell took the end away.
fn is_cut_within_line(length: u64, last: Option<&u8>) -> bool {
    length.is_multiple_of(BLOCK)
        && last.is_some_and(|last| last.is_ascii_alphanumeric() || b"._-+,;:%".contains(last))
}

/// Whether the bytes are no text: what has no lines is not cut within one, such as a Parquet file of 4096 bytes.
fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(HEAD)]).is_some()
}

fn cut_at(length: usize) -> String {
    format!("the file ends within a line after exactly {} KiB, as one that was cut", length / 1024)
}

/// The same for a file that was not read.
fn ends_in_blocks(file: &File, length: u64) -> io::Result<bool> {
    let mut last = [0];
    if !length.is_multiple_of(BLOCK) || positioned_read(file, &mut last, length.saturating_sub(1))? == 0 {
        return Ok(false);
    }
    Ok(is_cut_within_line(length, last.first()))
}

/// The bytes up to the end of the line that contains `from`, and whether that line ends at all.
fn through_line_end(bytes: &[u8], from: usize) -> (&[u8], bool) {
    match memchr::memchr(b'\n', &bytes[from..]) {
        Some(at) => (&bytes[..=from + at], true),
        None => (bytes, false),
    }
}

#[cfg(unix)]
fn positioned_read(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn positioned_read(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

const GZIP: [u8; 2] = [0x1F, 0x8B];
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Files that are compressed otherwise: where they have which bytes, and what unpacks them.
const OTHERS: [(usize, &[u8], &str); 4] = [
    (4, b"1AY&SY", "bunzip2"),
    (0, b"\xFD7zXZ\0", "unxz"),
    (0, b"\x04\x22\x4D\x18", "unlz4"),
    (0, b"PK\x03\x04", "unzip"),
];

/// What office programs name inside their documents, which are archives of zip.
const OFFICE: [&[u8]; 2] = [b"[Content_Types].xml", b"application/vnd.oasis.opendocument"];

/// Fails if the content is compressed in a way that is not read.
fn refuse_others(head: &[u8]) -> io::Result<()> {
    let is_so =
        |(at, bytes, _): &&(usize, &[u8], &str)| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes));
    OTHERS.iter().find(is_so).map_or(Ok(()), |(.., tool)| {
        if OFFICE.iter().any(|part| memchr::memmem::find(head, part).is_some()) {
            return Err(io::Error::other("is a document of an office program. Save its table as CSV"));
        }
        let what = "is compressed, but neither with gzip nor with Zstandard. Unpack it first with";
        Err(io::Error::other(format!("{what} {tool}")))
    })
}

fn is_compressed(head: &[u8]) -> bool {
    head.starts_with(&GZIP) || head.starts_with(&ZSTD)
}

/// A stream that counts the bytes taken from it.
struct Counted<'a, R> {
    stream: R,
    taken: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.taken.set(self.taken.get() + read as u64);
        Ok(read)
    }
}

/// Reads bytes from a stream into memory, within the limits.
struct Intake<'a> {
    budget: &'a Budget,
    /// How much was taken from a compressed file.
    taken: Option<&'a Cell<u64>>,
    bytes: Vec<u8>,
}

impl Intake<'_> {
    /// Reads everything. A damaged or truncated stream yields the bytes before the damage, and the reason.
    fn drain(&mut self, mut stream: impl Read) -> io::Result<Option<String>> {
        let mut piece = vec![0; 256 << 10];
        loop {
            match stream.read(&mut piece) {
                Ok(0) => return Ok(None),
                Ok(n) => {
                    self.budget.take_bytes(n as u64)?;
                    self.bytes.extend_from_slice(&piece[..n]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Ok(Some(error.to_string())),
            }
            if let Some(taken) = self.taken {
                self.budget.check_expansion(self.bytes.len() as u64, taken.get())?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_whole_unless_the_bytes_end_in_blocks() {
        let lines = b"name 1234\n".repeat(1000);
        for (length, expected, is_cut) in
            [(4095, 4095, false), (4096, 4090, true), (8192, 8190, true), (9999, 9999, false)]
        {
            let content = Content::from_bytes(&lines[..length]).unwrap();
            assert_eq!((content.len(), content.cut.is_some()), (expected, is_cut), "{length}");
        }
        for end in [&b"\n"[..], b"}", b"\"", b"\0"] {
            let bytes = [&lines[..4096 - end.len()], end].concat();
            assert_eq!(Content::from_bytes(&bytes).unwrap().cut, None);
        }
        // A Parquet file ends with a mark of letters.
        let parquet = [&b"PAR1\0"[..], &lines[..4087], b"PAR1"].concat();
        assert_eq!((parquet.len(), Content::from_bytes(&parquet).unwrap().cut), (4096, None));
    }

    #[test]
    fn utf16_of_both_orders_and_marks_become_utf8() {
        let text = "goos: linux\nBenchmarkÄ 1 2 ns/op\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [
            little.clone(),
            big,
            [&[0xFF, 0xFE][..], &little].concat(),
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        ] {
            assert_eq!(Content::from_bytes(&bytes).unwrap().all().unwrap(), text.as_bytes());
        }
        let file = std::env::temp_dir().join(format!("statera-mark-{}", std::process::id()));
        std::fs::write(&file, [MARK, text.as_bytes()].concat()).unwrap();
        assert_eq!(Content::open(&file, &Arc::default()).unwrap().all().unwrap(), text.as_bytes());
        std::fs::remove_file(&file).unwrap();
        let odd = &little[..little.len() - 1];
        assert!(Content::from_bytes(odd).unwrap_err().to_string().contains("UTF-16"));
    }

    #[test]
    fn other_compressions_are_refused_with_what_unpacks_them() {
        for (bytes, tool) in
            [(&b"BZh91AY&SY\0\0"[..], "bunzip2"), (b"\xFD7zXZ\0\0", "unxz"), (b"PK\x03\x04", "unzip")]
        {
            assert!(Content::from_bytes(bytes).unwrap_err().to_string().ends_with(tool), "{tool}");
        }
        let sheet = b"PK\x03\x04\x14\0\x06\0[Content_Types].xml";
        assert!(Content::from_bytes(sheet).unwrap_err().to_string().ends_with("as CSV"));
        assert!(Content::from_bytes(b"BZh is a word\n").is_ok());
    }

    #[test]
    fn pieces_cover_every_line_once() {
        let text = b"a\nbb\n\nccc\ndddd";
        let content = Content::from_bytes(text).unwrap();
        for size in 1..20 {
            let mut joined = Vec::new();
            for start in (0..text.len()).step_by(size) {
                joined.extend_from_slice(
                    content.lines_in(start, (start + size).min(text.len()), &mut Vec::new()).unwrap(),
                );
            }
            assert_eq!(joined, text, "pieces of {size}");
        }
    }
}
