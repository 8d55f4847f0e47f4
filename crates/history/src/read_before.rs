//! The summaries of uploads that were read before, in one file beside them: to read it takes a tenth of the time.
//!
//! An upload counts as the same one by its name, its size and the moments of its last changes.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{Read, Seek, SeekFrom};
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

/// What is known of an upload.
pub struct Content {
    pub jobs: String,
    pub count: u32,
    pub rows: Vec<Row>,
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
        let none = Self { keys: Vec::new(), file: None, blocks: HashMap::new(), header };
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
        Some(Self { keys, file: Some(file), blocks, header: self.header.clone() })
    }

    /// Whether it should be written again: what it lacks is a notable part of all uploads.
    pub fn is_stale(&self, paths: &[PathBuf]) -> bool {
        let (mut all, mut new) = (0, 0);
        for path in paths {
            let size = fs::metadata(path).map_or(0, |about| about.len());
            all += size;
            new += if self.block(path).is_some() { 0 } else { size };
        }
        all >= LEAST && new * SHARE > all
    }

    fn block(&self, path: &Path) -> Option<&Block> {
        if self.blocks.is_empty() {
            return None;
        }
        let block = self.blocks.get(path.file_name()?.to_str()?)?;
        let about = fs::symlink_metadata(path).ok()?;
        (block.size == about.len() && block.changed == moments(&about)?).then_some(block)
    }

    /// The bytes of the uploads of paths that were read before.
    pub fn bytes(&mut self, paths: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
        paths.iter().map(|path| self.bytes_of(path)).collect()
    }

    fn bytes_of(&mut self, path: &Path) -> Option<Vec<u8>> {
        let &Block { begin, length, .. } = self.block(path)?;
        let file = self.file.as_mut()?;
        // What is stated may be damaged: room is made for what is there.
        if begin.checked_add(length)? > file.metadata().ok()?.len() {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        file.seek(SeekFrom::Start(begin)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// What the bytes of an upload say; `None` if they are damaged.
    pub fn content(&self, path: &Path, bytes: &[u8]) -> Option<Content> {
        let block = self.blocks.get(path.file_name()?.to_str()?)?;
        if hash(bytes) != block.seal {
            return None;
        }
        let mut from = bytes;
        let jobs = take_text(&mut from)?.to_owned();
        let count = u32::try_from(take(&mut from)?).ok()?;
        let rows: Vec<Row> = from.as_chunks::<ROW>().0.iter().map(row_of).collect();
        let whole = rows.iter().all(|&(series, job, _)| (series as usize) < self.keys.len() && job < count);
        whole.then_some(Content { jobs, count, rows })
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

fn row_of(bytes: &[u8; ROW]) -> Row {
    let whole = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
    let number = |at: usize| f64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
    let summary =
        Summary { n: whole(8), median: number(12), mad: number(20), least: number(28), largest: number(36) };
    (whole(0), whole(4), summary)
}
