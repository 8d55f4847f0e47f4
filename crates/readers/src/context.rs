//! Configurations: sets of keys and values. Each text and each set is stored once.

use hashbrown::HashTable;

use crate::pool::{Pool, hash_of};

/// A set of configuration keys and their values, in the order in which they were stated.
pub type Context = Vec<(String, String)>;

/// States a key of a configuration; a later statement takes the place of an earlier one.
pub(crate) fn state(context: &mut Context, key: &str, value: &str) {
    context.retain(|(known, _)| known != key);
    context.push((key.to_owned(), value.to_owned()));
}

/// Distinct configurations, numbered in the order of their first appearance.
#[derive(Debug, Default, Clone)]
pub struct Contexts {
    texts: Pool,
    pairs: Vec<(u32, u32)>,
    ends: Vec<usize>,
    /// Numbers of the current file's configurations, by hash.
    table: HashTable<u32>,
}

impl Contexts {
    /// Returns the number of a text, from which configurations are built.
    pub fn text(&mut self, text: &str) -> u32 {
        self.texts.intern(text)
    }

    /// Returns the number of a configuration.
    pub fn intern(&mut self, context: &[(String, String)]) -> u32 {
        let pairs: Vec<(u32, u32)> =
            context.iter().map(|(key, value)| (self.text(key), self.text(value))).collect();
        self.intern_pairs(&pairs)
    }

    /// Returns the number of a configuration whose texts are already numbered.
    pub fn intern_pairs(&mut self, pairs: &[(u32, u32)]) -> u32 {
        let hashed = hash_of(pairs);
        if let Some(&id) = self.table.find(hashed, |&known| self.pairs_of(known as usize) == pairs) {
            return id;
        }
        let id = self.ends.len() as u32;
        self.pairs.extend_from_slice(pairs);
        self.ends.push(self.pairs.len());
        let (all, ends) = (&self.pairs, &self.ends);
        self.table.insert_unique(hashed, id, |&known| hash_of(slice(all, ends, known as usize)));
        id
    }

    /// Adds the configurations of another set and returns the number that each has here. It does not look for
    /// equals among earlier ones, so that each configuration belongs to one file.
    pub fn adopt(&mut self, other: &Self) -> Vec<u32> {
        let texts: Vec<u32> = other.texts.iter().map(|text| self.text(text)).collect();
        let mut pairs = Vec::new();
        (0..other.len())
            .map(|number| {
                let own = other.pairs_of(number).iter();
                pairs.clear();
                pairs.extend(own.map(|&(key, value)| (texts[key as usize], texts[value as usize])));
                self.intern_pairs(&pairs)
            })
            .collect()
    }

    /// Starts a new file: later configurations are never equal to earlier ones.
    pub fn begin(&mut self) {
        self.table.clear();
    }

    /// Appends a copy of every configuration.
    pub fn double(&mut self) {
        let (pairs, count) = (self.pairs.len(), self.ends.len());
        self.pairs.extend_from_within(..);
        self.ends.extend_from_within(..);
        self.ends[count..].iter_mut().for_each(|end| *end += pairs);
        self.begin();
    }

    /// States keys in every configuration that does not state them.
    pub fn state(&mut self, keys: &Context) {
        let stated: Vec<(u32, u32)> =
            keys.iter().map(|(key, value)| (self.text(key), self.text(value))).collect();
        let pairs = std::mem::take(&mut self.pairs);
        let mut start = 0;
        for end in &mut self.ends {
            let own = &pairs[start..*end];
            let is_new = |(key, _): &&(u32, u32)| own.iter().all(|(known, _)| known != key);
            self.pairs.extend_from_slice(own);
            self.pairs.extend(stated.iter().filter(is_new));
            start = std::mem::replace(end, self.pairs.len());
        }
        self.begin();
    }

    /// The pairs of a configuration, as the numbers of their texts.
    #[must_use]
    pub fn pairs_of(&self, number: usize) -> &[(u32, u32)] {
        slice(&self.pairs, &self.ends, number)
    }

    /// The keys and values of a configuration.
    pub fn get(&self, number: usize) -> impl Iterator<Item = (&str, &str)> {
        self.pairs_of(number).iter().map(|&(key, value)| (self.texts.get(key), self.texts.get(value)))
    }

    /// A configuration as a value of its own.
    #[must_use]
    pub fn to_context(&self, number: usize) -> Context {
        self.get(number).map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    /// All keys and values, each once.
    #[must_use]
    pub fn texts(&self) -> &Pool {
        &self.texts
    }

    /// The number of distinct keys.
    #[must_use]
    pub fn key_count(&self) -> usize {
        let mut is_key = vec![false; self.texts.len()];
        self.pairs.iter().for_each(|&(key, _)| is_key[key as usize] = true);
        is_key.iter().filter(|&&is_key| is_key).count()
    }

    /// The number of configurations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no configurations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(pairs: &'a [(u32, u32)], ends: &[usize], number: usize) -> &'a [(u32, u32)] {
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &pairs[start..ends[number]]
}
