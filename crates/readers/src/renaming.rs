//! Gives benchmarks other names, where a user states which of a build is which of another.

use std::collections::{BTreeSet, HashMap};

use crate::observations::Observations;
use crate::pool::Pool;

/// Why benchmarks cannot be renamed as wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// None of the splits of this word at an equals sign begins with the name of a benchmark.
    Unknown(String),
    /// Several splits of this word do.
    Ambiguous(String),
    /// A file has both benchmarks: they are not the same.
    Both(String, String, String),
}

impl Observations {
    /// Renames benchmarks by words `OLD=NEW`; names may contain equals signs.
    ///
    /// # Errors
    /// If a word names no benchmark, or if a file has both.
    pub fn renamed(&self, words: &[String]) -> Result<Self, Unfit> {
        let known: HashMap<&str, u32> = self.benchmarks.iter().zip(0..).collect();
        let mut names: HashMap<u32, &str> = HashMap::new();
        for word in words {
            let splits = word.match_indices('=').map(|(at, _)| (&word[..at], &word[at + 1..]));
            let fitting: Vec<(&str, &str)> =
                splits.filter(|(old, new)| known.contains_key(old) && !new.is_empty()).collect();
            // Of `a=1=b` a benchmark `b` that is there decides which equals sign is meant.
            let both: Vec<_> = fitting.iter().filter(|(_, new)| known.contains_key(new)).copied().collect();
            let (old, new) = match (&fitting[..], &both[..]) {
                ([one], _) | (_, [one]) => *one,
                ([], _) => return Err(Unfit::Unknown(word.clone())),
                _ => return Err(Unfit::Ambiguous(word.clone())),
            };
            let named_so = names.iter().filter(|(_, name)| **name == new).map(|(&number, _)| number);
            let mut others =
                known.get(new).copied().into_iter().chain(named_so).filter(|&each| each != known[old]);
            if let Some(source) = others.find_map(|each| self.source_of_both(known[old], each)) {
                return Err(Unfit::Both(
                    old.to_owned(),
                    new.to_owned(),
                    self.sources[source as usize].name.clone(),
                ));
            }
            names.insert(known[old], new);
        }
        let mut benchmarks = Pool::default();
        let numbers: Vec<u32> = (0..)
            .zip(self.benchmarks.iter())
            .map(|(number, name)| benchmarks.intern(names.get(&number).copied().unwrap_or(name)))
            .collect();
        let mut made = self.clone();
        made.benchmark.iter_mut().for_each(|number| *number = numbers[*number as usize]);
        made.benchmarks = benchmarks;
        Ok(made)
    }

    /// A file that has values of both benchmarks.
    fn source_of_both(&self, old: u32, new: u32) -> Option<u32> {
        let sources = |wanted: u32| -> BTreeSet<u32> {
            let own = self.benchmark.iter().zip(&self.context).filter(|(benchmark, _)| **benchmark == wanted);
            own.map(|(_, &context)| self.context_source[context as usize]).collect()
        };
        sources(old).intersection(&sources(new)).next().copied()
    }
}
