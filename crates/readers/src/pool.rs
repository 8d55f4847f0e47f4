//! String interning: each distinct text is stored once and has a number.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Range;

use hashbrown::HashTable;

use crate::text;

/// Texts numbered in the order of their first appearance.
#[derive(Debug, Default, Clone)]
pub struct Pool {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
    /// The text that was asked for last: values of one name come one after another, or names in the order of the first
    /// run.
    latest: u32,
}

/// The seed is fixed, so that every run gives the same results.
const STATE: foldhash::fast::FixedState = foldhash::fast::FixedState::with_seed(0x57A7_E2A0);

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = STATE.build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

/// The hash of any other value, with the same seed.
pub(crate) fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    STATE.hash_one(value)
}

impl Pool {
    /// Returns the number of a text; a new text gets the next number.
    pub fn intern(&mut self, text: &str) -> u32 {
        self.known(text.as_bytes()).unwrap_or_else(|hashed| self.add(text, hashed))
    }

    /// Returns the number of a text given as bytes, which may be invalid UTF-8.
    #[inline]
    pub fn intern_bytes(&mut self, bytes: &[u8]) -> u32 {
        self.known(bytes).unwrap_or_else(|hashed| match text::lossless(bytes) {
            Cow::Borrowed(text) => self.add(text, hashed),
            Cow::Owned(text) => self.intern(&text),
        })
    }

    fn add(&mut self, text: &str, hashed: u64) -> u32 {
        let id = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        let (all, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hashed, id, |&known| hash(slice(all, ends, known).as_bytes()));
        self.latest = id;
        id
    }

    /// The number of a text, or the hash of one that is not known.
    #[inline]
    fn known(&mut self, bytes: &[u8]) -> Result<u32, u64> {
        let (all, ends) = (self.text.as_bytes(), &self.ends);
        let is = |id: u32| all[range(ends, id)] == *bytes;
        for likely in [self.latest, self.latest + 1] {
            if (likely as usize) < ends.len() && is(likely) {
                self.latest = likely;
                return Ok(likely);
            }
        }
        let hashed = hash(bytes);
        self.latest = *self.table.find(hashed, |&known| is(known)).ok_or(hashed)?;
        Ok(self.latest)
    }

    /// The text with this number; empty if there is none.
    #[must_use]
    pub fn get(&self, id: u32) -> &str {
        if (id as usize) < self.ends.len() { slice(&self.text, &self.ends, id) } else { "" }
    }

    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The texts in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.get(id))
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    &text[range(ends, id)]
}

/// Where the text with this number stands.
#[inline]
fn range(ends: &[usize], id: u32) -> Range<usize> {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    start..ends[id]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_number() {
        let mut pool = Pool::default();
        let names: Vec<String> = (0..1000).map(|i| format!("name{i}")).collect();
        let first: Vec<u32> = names.iter().map(|name| pool.intern(name)).collect();
        let again: Vec<u32> = names.iter().map(|name| pool.intern_bytes(name.as_bytes())).collect();
        assert_eq!(first, again);
        assert_eq!(pool.len(), 1000);
        assert_eq!(pool.get(7), "name7");
        assert_eq!(pool.intern_bytes(b"\xFF"), pool.intern("\\xFF"));
    }
}
