//! Files as bytes: found, opened, decompressed, and turned to UTF-8 where their encoding says so.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// More than this, decompressed, is not read: a small archive can hold petabytes of nothing.
const MOST_BYTES: u64 = 8 << 30;

/// How much of a file detection looks at.
const HEAD: usize = 256 << 10;

/// The content of a file.
#[derive(Debug)]
pub struct Content {
    bytes: Bytes,
    /// The beginning, at most 256 KiB.
    pub head: Vec<u8>,
    /// Where a compressed stream ends too early: what was said, after which the rest is missing.
    pub cut: Option<String>,
}

#[derive(Debug)]
enum Bytes {
    /// A plain file, read piece by piece.
    File(File, u64),
    /// All of it: standard input, decompressed or transcoded content.
    Memory(Vec<u8>),
}

impl Content {
    /// Opens a file, or standard input where the path is `-`.
    ///
    /// # Errors
    /// The operating system's, and refusals with their reason: a folder, an archive too large.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Self::from_stream(io::stdin().lock());
        }
        let mut file = File::open(path)?;
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        if !about.is_file() {
            return Self::from_stream(file);
        }
        let mut head = Vec::with_capacity(HEAD.min(about.len() as usize));
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        if is_compressed(&head) || head.starts_with(MARK) || encoding(&head) != Encoding::Utf8 {
            file.rewind()?;
            return Self::from_stream(file);
        }
        if head.len() < HEAD {
            return Ok(Self { bytes: Bytes::Memory(head.clone()), head, cut: None });
        }
        Ok(Self { bytes: Bytes::File(file, about.len()), head, cut: None })
    }

    /// Takes bytes that are in memory already.
    ///
    /// # Errors
    /// When the decompressed content is larger than can be taken.
    pub fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        Self::from_stream(bytes)
    }

    fn from_stream(stream: impl Read) -> io::Result<Self> {
        let mut stream = io::BufReader::with_capacity(64 << 10, stream);
        let (mut bytes, mut cut) = (Vec::new(), None);
        let magic = io::BufRead::fill_buf(&mut stream)?.to_vec();
        if magic.starts_with(&GZIP) {
            cut = drain(flate2::bufread::MultiGzDecoder::new(stream), &mut bytes)?;
        } else if magic.starts_with(&ZSTD) {
            cut = drain(zstd::stream::read::Decoder::with_buffer(stream)?, &mut bytes)?;
        } else {
            stream.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        }
        if bytes.len() as u64 > MOST_BYTES {
            return Err(io::Error::other("holds more than 8 GiB of text; split it"));
        }
        if cut.is_some() {
            // What stands behind the last line end is a piece of a line; nobody knows of which.
            bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        }
        let bytes = transcode(bytes)?;
        let head = bytes[..bytes.len().min(HEAD)].to_vec();
        Ok(Self { bytes: Bytes::Memory(bytes), head, cut })
    }

    /// The length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.bytes {
            Bytes::File(_, length) => *length as usize,
            Bytes::Memory(bytes) => bytes.len(),
        }
    }

    /// Whether there is no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes.
    ///
    /// # Errors
    /// The operating system's.
    pub fn all(&self) -> io::Result<std::borrow::Cow<'_, [u8]>> {
        match &self.bytes {
            Bytes::Memory(bytes) => Ok(bytes.into()),
            Bytes::File(..) => {
                let mut bytes = vec![0; self.len()];
                let read = self.read_at(&mut bytes, 0)?;
                bytes.truncate(read);
                Ok(bytes.into())
            }
        }
    }

    /// Hands over the whole lines that begin in `start..end`, wherever the last of them ends.
    /// `buffer` is used where the bytes have to be read.
    ///
    /// # Errors
    /// The operating system's.
    pub fn lines_in<'a>(&'a self, start: usize, end: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        // The byte before `start` tells whether a line begins there.
        let before = start.saturating_sub(1);
        let bytes: &[u8] = match &self.bytes {
            Bytes::Memory(bytes) => &bytes[before.min(bytes.len())..],
            Bytes::File(..) => {
                let mut wanted = end - before;
                loop {
                    buffer.resize(wanted, 0);
                    let read = self.read_at(buffer, before)?;
                    buffer.truncate(read);
                    let closed = read < wanted
                        || memchr::memchr(b'\n', &buffer[(end - before).saturating_sub(1)..]).is_some();
                    if closed {
                        break &buffer[..];
                    }
                    wanted += 64 << 10;
                }
            }
        };
        let first =
            if start == 0 { 0 } else { memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1) };
        let reach = end - before;
        let last = match bytes.get(reach - 1..) {
            Some(rest) => memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| reach + at),
            None => bytes.len(),
        };
        Ok(if first >= last { &[] } else { &bytes[first..last] })
    }

    fn read_at(&self, buffer: &mut [u8], offset: usize) -> io::Result<usize> {
        let Bytes::File(file, _) = &self.bytes else { return Ok(0) };
        let mut read = 0;
        while read < buffer.len() {
            match positioned_read(file, &mut buffer[read..], (offset + read) as u64) {
                Ok(0) => break,
                Ok(n) => read += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(read)
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

/// UTF-8's byte order mark.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";
const GZIP: [u8; 2] = [0x1F, 0x8B];
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

fn is_compressed(head: &[u8]) -> bool {
    head.starts_with(&GZIP) || head.starts_with(&ZSTD)
}

/// Decompresses; a stream that ends too early or is damaged gives what came before, and the reason.
fn drain(mut stream: impl Read, bytes: &mut Vec<u8>) -> io::Result<Option<String>> {
    let mut piece = vec![0; 256 << 10];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(None),
            Ok(n) => bytes.extend_from_slice(&piece[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Some(error.to_string())),
        }
        if bytes.len() as u64 > MOST_BYTES {
            return Err(io::Error::other("holds more than 8 GiB when decompressed; split it"));
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Little,
    Utf16Big,
}

/// The encoding by its mark, or by the zero bytes that UTF-16 puts beside every ASCII letter.
fn encoding(head: &[u8]) -> Encoding {
    match head {
        [0xFF, 0xFE, ..] => return Encoding::Utf16Little,
        [0xFE, 0xFF, ..] => return Encoding::Utf16Big,
        // Parquet's numbers are full of zeros.
        [b'P', b'A', b'R', b'1', ..] => return Encoding::Utf8,
        _ => {}
    }
    let sample = &head[..head.len().min(512)];
    let zeros = |offset: usize| sample.iter().skip(offset).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, most) = (zeros(0), zeros(1), sample.len() * 2 / 5);
    match () {
        () if sample.len() < 4 => Encoding::Utf8,
        () if odd > most && even == 0 => Encoding::Utf16Little,
        () if even > most && odd == 0 => Encoding::Utf16Big,
        () => Encoding::Utf8,
    }
}

/// To UTF-8 without a byte order mark.
fn transcode(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let unit: fn([u8; 2]) -> u16 = match encoding(&bytes) {
        Encoding::Utf8 if bytes.starts_with(MARK) => return Ok(bytes[MARK.len()..].to_vec()),
        Encoding::Utf8 => return Ok(bytes),
        Encoding::Utf16Little => u16::from_le_bytes,
        Encoding::Utf16Big => u16::from_be_bytes,
    };
    if bytes.len() % 2 == 1 {
        return Err(io::Error::other("looks like UTF-16 but has an odd number of bytes; write it as UTF-8"));
    }
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    let text = text.map_err(|_| io::Error::other("looks like UTF-16 but is not valid; write it as UTF-8"))?;
    Ok(text.trim_start_matches('\u{FEFF}').as_bytes().to_vec())
}

/// The files that an argument means: itself, everything below a folder, or what a pattern matches,
/// sorted by path. Hidden files in folders are passed over.
///
/// # Errors
/// When there is no such file, or the pattern matches none or is none.
pub fn expand(argument: &Path) -> io::Result<Vec<PathBuf>> {
    if argument == Path::new("-") || argument.is_file() {
        return Ok(vec![argument.to_owned()]);
    }
    if argument.is_dir() {
        let mut found = Vec::new();
        walk(argument, 0, &mut found)?;
        found.sort();
        return Ok(found);
    }
    if argument.exists() {
        return Ok(vec![argument.to_owned()]);
    }
    let pattern = argument.to_string_lossy();
    if !pattern.contains(['*', '?', '[']) {
        return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such file or folder"));
    }
    if argument.to_str().is_none() {
        let why = "a pattern takes only text in UTF-8; name the file itself, or its folder";
        return Err(io::Error::new(io::ErrorKind::NotFound, why));
    }
    let matches =
        glob::glob(&pattern).map_err(|error| io::Error::other(format!("is not a pattern: {}", error.msg)))?;
    let mut found = Vec::new();
    for path in matches.flatten() {
        if path.is_dir() { walk(&path, 0, &mut found)? } else { found.push(path) }
    }
    found.sort();
    if found.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the pattern matches no file"));
    }
    Ok(found)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if depth > 32 {
        return Err(io::Error::other("folders lie more than 32 deep; is there a loop of links?"));
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
            continue;
        }
        if path.is_dir() { walk(&path, depth + 1, found)? } else { found.push(path) }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(Content::open(&file).unwrap().all().unwrap(), text.as_bytes());
        std::fs::remove_file(&file).unwrap();
        let odd = &little[..little.len() - 1];
        assert!(Content::from_bytes(odd).unwrap_err().to_string().contains("UTF-16"));
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
