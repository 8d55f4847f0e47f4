//! The summaries of uploads that were read before, in one file beside them: to read it takes a tenth of the time.
//!
//! An upload counts as the same one by its name, its size and the moments of its last changes.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::file::Most;
use crate::kept::{hash, put, put_text, take, take_text};
use crate::summary::Summary;

/// Histories of fewer bytes are read faster than anybody notices.
const LEAST: u64 = 1 << 20;
/// It is written again when so large a share of the bytes is new.
const SHARE: u64 = 32;
/// Bytes of a row.
const ROW: usize = 44;

/// The rows of an upload: number of the series in the list of the file, number of the job in the upload, summary.
pub type Row = (u32, u32, Summary);

/// What is known of an upload; its rows stand where they were read.
pub struct Content<'a> {
    pub jobs: &'a str,
    pub count: u32,
    rows: &'a [[u8; ROW]],
}

impl Content<'_> {
    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        self.rows.iter().map(row_of)
    }
}

struct Block {
    size: u64,
    changed: u64,
    begin: u64,
    length: u64,
    seal: u64,
}

/// The file with the uploads that were read before.
pub struct Before {
    /// The series that its rows count, each as its key.
    pub keys: Vec<String>,
    file: Option<File>,
    /// How many bytes the file has.
    length: u64,
    blocks: HashMap<String, Block>,
    header: String,
}

/// The uploads as they are written.
pub struct After {
    bytes: Vec<u8>,
    index: Vec<u8>,
    count: u64,
}

impl Before {
    /// Opens it; without one, or with one of another version or other limits, no upload was read before.
    pub fn open(path: &Path, version: &str, most: Most) -> Self {
        let header = format!("statera {version} uploads {} {}\n", most.bytes, most.rows);
        let none = Self { keys: Vec::new(), file: None, length: 0, blocks: HashMap::new(), header };
        none.filled(path).unwrap_or(none)
    }

    fn filled(&self, path: &Path) -> Option<Self> {
        let mut file = File::open(path).ok()?;
        let length = file.metadata().ok()?.len();
        let mut header = vec![0; self.header.len()];
        file.read_exact(&mut header).ok()?;
        let mut end = [0; 16];
        file.seek(SeekFrom::Start(length.checked_sub(16)?)).ok()?;
        file.read_exact(&mut end).ok()?;
        let mut from = &end[..];
        let (begin, seal) = (take(&mut from)?, take(&mut from)?);
        let mut index = vec![0; usize::try_from(length.checked_sub(16)?.checked_sub(begin)?).ok()?];
        file.seek(SeekFrom::Start(begin)).ok()?;
        file.read_exact(&mut index).ok()?;
        if header != self.header.as_bytes() || hash(&index) != seal {
            return None;
        }
        let mut from = &index[..];
        let mut blocks = HashMap::new();
        for _ in 0..take(&mut from)? {
            let name = take_text(&mut from)?.to_owned();
            let mut next = || take(&mut from);
            let (size, changed) = (next()?, next()?);
            blocks.insert(name, Block { size, changed, begin: next()?, length: next()?, seal: next()? });
        }
        let mut keys = Vec::new();
        while !from.is_empty() {
            keys.push(take_text(&mut from)?.to_owned());
        }
        Some(Self { keys, file: Some(file), length, blocks, header: self.header.clone() })
    }

    /// Whether it should be written again: what it lacks is a notable part of all uploads.
    pub fn is_stale(&self, paths: &[PathBuf]) -> bool {
        let (mut all, mut new) = (0, 0);
        for path in paths {
            let Ok(about) = fs::symlink_metadata(path) else { continue };
            all += about.len();
            new += if self.block(path, &about).is_some() { 0 } else { about.len() };
        }
        all >= LEAST && new * SHARE > all
    }

    fn block(&self, path: &Path, about: &Metadata) -> Option<&Block> {
        let block = self.blocks.get(path.file_name()?.to_str()?)?;
        (block.size == about.len() && block.changed == moments(about)?).then_some(block)
    }

    /// About how many rows a series has on average.
    pub fn rows_a_series(&self) -> usize {
        usize::try_from(self.length).unwrap_or(0) / ROW / self.keys.len().max(1)
    }

    /// Puts the bytes of the uploads of paths that were read before into a room; returns where they stand in it.
    pub fn bytes(&mut self, paths: &[PathBuf], room: &mut Vec<u8>) -> Vec<Option<Range<usize>>> {
        room.clear();
        paths.iter().map(|path| self.bytes_of(path, room)).collect()
    }

    fn bytes_of(&mut self, path: &Path, room: &mut Vec<u8>) -> Option<Range<usize>> {
        if self.blocks.is_empty() {
            return None;
        }
        let &Block { begin, length, .. } = self.block(path, &fs::symlink_metadata(path).ok()?)?;
        let file = self.file.as_mut()?;
        // What is stated may be damaged: room is made for what is there.
        if begin.checked_add(length)? > self.length {
            return None;
        }
        let from = room.len();
        file.seek(SeekFrom::Start(begin)).ok()?;
        file.take(length).read_to_end(room).ok()?;
        (room.len() - from == usize::try_from(length).ok()?).then_some(from..room.len())
    }

    /// What the bytes of an upload say; `None` if they are damaged.
    pub fn content<'a>(&self, path: &Path, bytes: &'a [u8]) -> Option<Content<'a>> {
        let block = self.blocks.get(path.file_name()?.to_str()?)?;
        if hash(bytes) != block.seal {
            return None;
        }
        let mut from = bytes;
        let jobs = take_text(&mut from)?;
        let count = u32::try_from(take(&mut from)?).ok()?;
        let content = Content { jobs, count, rows: from.as_chunks().0 };
        let last = content.rows().map(|(series, job, _)| (series, job));
        let (series, job) = last.fold((0, 0), |most, each| (most.0.max(each.0), most.1.max(each.1)));
        let is_empty = content.rows.is_empty();
        (is_empty || (series as usize) < self.keys.len() && job < count).then_some(content)
    }

    /// Begins the file that follows it.
    pub fn after(&self) -> After {
        After { bytes: self.header.clone().into_bytes(), index: Vec::new(), count: 0 }
    }
}

impl After {
    /// Appends an upload; `rows` count the series as the keys do that [`After::ended`] gets.
    pub fn add(&mut self, path: &Path, jobs: &str, count: u32, rows: impl Iterator<Item = Row>) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        let about = fs::symlink_metadata(path).ok();
        let Some((size, changed)) = about.and_then(|about| Some((about.len(), moments(&about)?))) else {
            return;
        };
        let begin = self.bytes.len();
        put_text(&mut self.bytes, jobs);
        put(&mut self.bytes, u64::from(count));
        for (series, job, of) in rows {
            for number in [series, job, of.n] {
                self.bytes.extend(number.to_le_bytes());
            }
            for number in [of.median, of.mad, of.least, of.largest] {
                self.bytes.extend(number.to_le_bytes());
            }
        }
        let own = &self.bytes[begin..];
        put_text(&mut self.index, name);
        for number in [size, changed, begin as u64, own.len() as u64, hash(own)] {
            put(&mut self.index, number);
        }
        self.count += 1;
    }

    /// The bytes of the file.
    pub fn ended<'a>(self, keys: impl Iterator<Item = &'a str>) -> Vec<u8> {
        let mut index = Vec::new();
        put(&mut index, self.count);
        index.extend(self.index);
        for key in keys {
            put_text(&mut index, key);
        }
        let mut bytes = self.bytes;
        let begin = bytes.len() as u64;
        let seal = hash(&index);
        bytes.extend(index);
        put(&mut bytes, begin);
        put(&mut bytes, seal);
        bytes
    }
}

/// A number of the moments of the last changes of a file, of its content and of its place.
fn moments(about: &Metadata) -> Option<u64> {
    let mut bytes = Vec::new();
    let content = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    put(&mut bytes, content.as_secs());
    put(&mut bytes, u64::from(content.subsec_nanos()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        bytes.extend(about.ctime().to_le_bytes());
        bytes.extend(about.ctime_nsec().to_le_bytes());
    }
    Some(hash(&bytes))
}

#[inline]
fn row_of(bytes: &[u8; ROW]) -> Row {
    let (words, _) = bytes.as_chunks();
    let whole = |at: usize| u32::from_le_bytes(words[at]);
    let number = |at: usize| f64::from_bits(u64::from(whole(at)) | u64::from(whole(at + 1)) << 32);
    let summary =
        Summary { n: whole(2), median: number(3), mad: number(5), least: number(7), largest: number(9) };
    (whole(0), whole(1), summary)
}
