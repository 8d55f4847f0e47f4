//! What was found in the values of series before, in one file beside the uploads: more values of a series cost only what
//! these cost.
//!
//! What was found is a function of the values, of which of them begin a commit, and of the constants.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use statera_kernels::change_points::{Changes, Detector, Taken, continued};

use crate::found::Found;
use crate::kept::{hash, opened, put, sealed, take};

/// With fewer values in all, the way through them takes less time than anybody notices.
const LEAST: usize = 20_000;
/// It is written again when so large a share of the values is new.
const SHARE: usize = 32;

/// What was found in so many values, which have this hash: a part of the file, which is read where it is needed.
#[derive(Debug, Clone)]
struct Known {
    hash: u64,
    count: usize,
    part: Range<usize>,
}

/// What was found before, by the series and its first value.
pub struct Before {
    header: Vec<u8>,
    bytes: Vec<u8>,
    known: HashMap<u64, Known>,
}

/// What is found in a series now: the changes, how many values were not known before, and what to keep.
pub struct Now {
    pub changes: Changes,
    pub new: usize,
    pub kept: Option<Kept>,
}

/// What the next search begins with.
pub enum Kept {
    /// A part of the file.
    Before(Range<usize>),
    /// What was found now, by the name of its series.
    Now(u64, Taken),
}

impl Before {
    /// Opens the file; without one, or with one of another version or other constants, nothing was found before.
    pub fn open(path: &Path, version: &str, detector: &Detector) -> Self {
        // All constants, as Rust writes them: no digit is lost.
        let header = format!("statera {version} changes {detector:?}\n").into_bytes();
        let bytes = fs::read(path).unwrap_or_default();
        let known = read(&bytes, &header).unwrap_or_default();
        Self { header, bytes, known }
    }

    /// Nothing was found before, and nothing is kept.
    pub fn nothing() -> Self {
        Self { header: Vec::new(), bytes: Vec::new(), known: HashMap::new() }
    }

    /// Finds the changes of a series, whose key is `key`.
    pub fn find(&self, key: &str, values: &[f64], places: &[bool], detector: &Detector) -> Now {
        if self.header.is_empty() {
            return Now { changes: continued(values, Some(places), detector, None).0, new: 0, kept: None };
        }
        let name = hash(format!("{key}\n{:?}", values.first()).as_bytes());
        let before = self.known.get(&name).and_then(|known| self.taken(known, values, places));
        let ((changes, now), known) = match before {
            Some((changes, taken, part)) if taken.count == values.len() => {
                return Now { changes, new: 0, kept: Some(Kept::Before(part)) };
            }
            Some((_, taken, _)) => (continued(values, Some(places), detector, Some(&taken)), taken.count),
            None => (continued(values, Some(places), detector, None), 0),
        };
        Now { changes, new: values.len() - known, kept: Some(Kept::Now(name, now)) }
    }

    /// What was found, if it was in the first of these values.
    fn taken(
        &self,
        known: &Known,
        values: &[f64],
        places: &[bool],
    ) -> Option<(Changes, Taken, Range<usize>)> {
        let own = bytes_of(values.get(..known.count)?, places.get(..known.count)?);
        if hash(&own) != known.hash {
            return None;
        }
        let mut from = self.bytes.get(known.part.clone())?.get(HEAD..)?;
        let changes = Changes::read(&mut from)?;
        let taken = Taken::read(&mut from).filter(|taken| taken.count == known.count)?;
        Some((changes, taken, known.part.clone()))
    }

    /// The bytes of the file that follows, if writing it is worth the time: of `all` values so many are `new`.
    pub fn after(&self, found: &[Found], kept: &[Option<Kept>], new: usize, all: usize) -> Option<Vec<u8>> {
        if self.header.is_empty() || all < LEAST || new * SHARE <= all {
            return None;
        }
        let parts: Vec<Cow<'_, [u8]>> = found
            .par_iter()
            .zip(kept)
            .filter_map(|(found, kept)| match kept.as_ref()? {
                Kept::Before(part) => self.bytes.get(part.clone()).map(Cow::Borrowed),
                Kept::Now(name, taken) => {
                    let own = hash(&bytes_of(&found.values, &found.begins()));
                    Some(Cow::Owned(part(*name, own, &found.changes, taken)))
                }
            })
            .collect();
        let mut bytes = self.header.clone();
        for part in parts {
            bytes.extend(&*part);
        }
        Some(sealed(bytes))
    }
}

/// The bytes before what was found: name, hash, number of values and length.
const HEAD: usize = 32;

fn part(name: u64, hash: u64, changes: &Changes, taken: &Taken) -> Vec<u8> {
    let mut found = Vec::new();
    changes.write(&mut found);
    taken.write(&mut found);
    let mut bytes = Vec::new();
    for number in [name, hash, taken.count as u64, found.len() as u64] {
        put(&mut bytes, number);
    }
    bytes.extend(found);
    bytes
}

fn read(bytes: &[u8], header: &[u8]) -> Option<HashMap<u64, Known>> {
    let whole = opened(bytes)?;
    let mut from = whole.strip_prefix(header)?;
    let mut known = HashMap::new();
    while !from.is_empty() {
        let begin = whole.len() - from.len();
        let mut next = || take(&mut from);
        let (name, hash, count, length) = (next()?, next()?, next()?, next()?);
        let length = usize::try_from(length).ok()?;
        from = from.get(length..)?;
        let count = usize::try_from(count).ok()?;
        known.insert(name, Known { hash, count, part: begin..begin + HEAD + length });
    }
    Some(known)
}

fn bytes_of(values: &[f64], places: &[bool]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() * 9);
    for value in values {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes.extend(places.iter().map(|&place| u8::from(place)));
    bytes
}
