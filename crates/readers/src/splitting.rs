//! Takes names of benchmarks apart where a user asks for a key that stands in them: `X/poly=IEEE/size=64`, compared by
//! `poly`, is the benchmark `X/size=64` with the key `poly`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rayon::prelude::*;

use crate::context::Context;
use crate::formats::FORMATS;
use crate::formats::format::Format;
use crate::formats::names::{COMMAND, Part, Parts};
use crate::formats::parameters::key as key_of_parameter;
use crate::observations::Observations;
use crate::templates::{self, Command};

/// The key of a whole name, whatever the harness.
const WHOLE: &str = "benchmark";

/// A benchmark in a configuration, as the values have it.
struct Pair {
    benchmark: u32,
    context: u32,
    /// Its name after parts of it were taken as keys.
    name: String,
    /// These keys.
    taken: Context,
    /// Keys whose parts stay in the name.
    aside: Context,
}

impl Observations {
    /// The keys that parts of names state, in the order of the names; those of places are the last.
    #[must_use]
    pub fn keys_of_names(&self) -> Vec<String> {
        let (pairs, _) = self.pairs();
        let mut known = HashSet::new();
        let parts = pairs.iter().flat_map(|pair| self.parts(pair).into_iter().map(|part| part.key));
        let (places, mut keys): (Vec<String>, Vec<String>) =
            parts.filter(|key| known.insert(key.clone())).partition(|key| key.starts_with("name."));
        keys.sort_by_key(|key| key == WHOLE);
        keys.extend(places);
        keys
    }

    /// Makes configuration keys of parts of names. Parts with a key of `taken` leave the names; those of `aside` stay,
    /// and are stated beside the configuration. A key that no name has changes nothing.
    #[must_use]
    pub fn with_names_split(&self, taken: &[String], aside: &[String]) -> Self {
        let (mut pairs, pair_of_row) = self.pairs();
        pairs.par_iter_mut().for_each(|pair| {
            let parts = self.parts(pair);
            pair.take(&parts, taken);
            pair.aside = stated(&parts, aside);
        });
        let keys: BTreeSet<String> =
            pairs.iter().flat_map(|pair| pair.taken.iter().map(|(key, _)| key.clone())).collect();
        for key in taken.iter().filter(|key| self.parameters.contains(*key)) {
            self.generalize(&mut pairs, key);
        }
        pairs.par_iter_mut().for_each(|pair| {
            let keys = self.whole_keys(pair);
            pair.take_whole(taken, &keys);
        });
        self.rebuilt(&pairs, &pair_of_row, keys)
    }

    /// The distinct pairs of benchmark and configuration in the order of the values, and the pair of each value.
    fn pairs(&self) -> (Vec<Pair>, Vec<u32>) {
        let mut pairs: Vec<Pair> = Vec::new();
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        let mut last = ((u32::MAX, u32::MAX), 0);
        let rows = self.benchmark.iter().copied().zip(self.context.iter().copied());
        let pair_of_row = rows.map(|(benchmark, context)| {
            if last.0 != (benchmark, context) {
                let number = *numbers.entry((benchmark, context)).or_insert_with(|| {
                    let name = self.benchmarks.get(benchmark).to_owned();
                    let (taken, aside) = (Context::new(), Context::new());
                    pairs.push(Pair { benchmark, context, name, taken, aside });
                    pairs.len() as u32 - 1
                });
                last = ((benchmark, context), number);
            }
            last.1
        });
        let pair_of_row = pair_of_row.collect();
        (pairs, pair_of_row)
    }

    /// The parts of a name under the keys that users write, and the whole name. What the configuration states otherwise
    /// keeps its key: the part is then `param.KEY`.
    fn parts(&self, pair: &Pair) -> Vec<Part> {
        let keys: Vec<(&str, &str)> = self.contexts.get(pair.context as usize).collect();
        let stated = |key: &str| keys.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| *value);
        let name = self.benchmarks.get(pair.benchmark);
        let mut parts = self.parts_of_format(pair.context)(name, &keys);
        for part in &mut parts {
            part.key = match stated(&part.key) {
                Some(value) if value == part.value => continue,
                None if part.key != WHOLE => key_of_parameter(&part.key),
                _ => format!("param.{}", part.key),
            };
        }
        if stated(WHOLE).is_none() {
            parts.push(Part { key: WHOLE.to_owned(), value: name.to_owned(), range: 0..name.len() });
        }
        parts
    }

    fn parts_of_format(&self, context: u32) -> Parts {
        let source = &self.sources[self.context_source[context as usize] as usize];
        let known = FORMATS.iter().find(|format| format.name == source.format);
        known.map_or(Format::PLAIN.parts, |format| format.parts)
    }

    /// The keys of the whole name: that of every harness, and that of its own.
    fn whole_keys(&self, pair: &Pair) -> Vec<String> {
        let whole = 0..self.benchmarks.get(pair.benchmark).len();
        let keys = self.parts(pair).into_iter().filter(|part| part.range == whole).map(|part| part.key);
        let is_free = |key: &String| !self.contexts.get(pair.context as usize).any(|(known, _)| known == key);
        keys.filter(is_free).collect()
    }

    /// Replaces the value of a parameter within commands by its key, where commands of other values then agree. Other
    /// names do not contain the parameters of their benchmarks: `v1` and `v2` are not the levels of a parameter `n`.
    fn generalize(&self, pairs: &mut [Pair], key: &str) {
        let value = |pair: &Pair| -> Option<String> {
            let mut keys = self.contexts.get(pair.context as usize);
            keys.find(|(known, _)| *known == key).map(|(_, value)| value.to_owned())
        };
        let mut works = HashMap::new();
        let mut work = |pair: &Pair| {
            let (next, work) = (works.len(), self.other_parameters(pair, key));
            *works.entry(work).or_insert(next)
        };
        let (places, named): (Vec<usize>, Vec<Command>) = (0..)
            .zip(pairs.iter())
            .filter(|(_, pair)| self.whole_keys(pair).iter().any(|key| key == COMMAND))
            .filter_map(|(place, pair)| {
                Some((place, Command { work: work(pair), name: pair.name.clone(), value: value(pair)? }))
            })
            .unzip();
        for (place, found) in places.into_iter().zip(templates::shared(&named, key)) {
            if let Some(template) = found {
                pairs[place].name = template;
            }
        }
    }

    /// The values of a configuration's other parameters.
    fn other_parameters(&self, pair: &Pair, key: &str) -> BTreeMap<&str, &str> {
        let keys = self.contexts.get(pair.context as usize);
        keys.filter(|(known, _)| *known != key && self.parameters.contains(*known)).collect()
    }

    /// The same values under the new names and configurations. Configurations stay in the order of their sources.
    fn rebuilt(&self, pairs: &[Pair], pair_of_row: &[u32], keys: BTreeSet<String>) -> Self {
        let mut made = self.clone();
        made.parameters.extend(keys);
        made.benchmarks = crate::pool::Pool::default();
        made.contexts = crate::context::Contexts::default();
        made.context_source.clear();
        let benchmark: Vec<u32> = pairs.iter().map(|pair| made.benchmarks.intern(&pair.name)).collect();
        let mut context = vec![0; pairs.len()];
        let mut of: Vec<Vec<usize>> = vec![Vec::new(); self.contexts.len()];
        for (place, pair) in pairs.iter().enumerate() {
            of[pair.context as usize].push(place);
        }
        for (old, places) in of.iter().enumerate() {
            let mut new: HashMap<(&Context, &Context), u32> = HashMap::new();
            if places.is_empty() {
                made.add(self, old, &Context::new(), Context::new());
            }
            for &place in places {
                let Pair { taken, aside, .. } = &pairs[place];
                context[place] =
                    *new.entry((taken, aside)).or_insert_with(|| made.add(self, old, taken, aside.clone()));
            }
        }
        made.benchmark = pair_of_row.iter().map(|&pair| benchmark[pair as usize]).collect();
        made.context = pair_of_row.iter().map(|&pair| context[pair as usize]).collect();
        made
    }

    /// Adds a configuration of another table with more keys, and returns its number.
    fn add(&mut self, other: &Self, old: usize, taken: &Context, aside: Context) -> u32 {
        // Two configurations may differ only in the parts that stay in the names.
        self.contexts.begin();
        let mut keys = other.contexts.to_context(old);
        keys.extend(taken.iter().cloned());
        let number = self.contexts.intern(&keys);
        self.context_source.push(other.context_source[old]);
        self.aside.push(aside);
        number
    }
}

impl Pair {
    /// Takes the parts with these keys out of the name. A part that is the whole name waits for the others. Of several
    /// parts with one key the last states the value, and the others stay.
    fn take(&mut self, parts: &[Part], taken: &[String]) {
        let (whole, mut seen) = (0..self.name.len(), HashSet::new());
        let mut is_wanted =
            |part: &&Part| taken.contains(&part.key) && part.range != whole && seen.insert(part.key.clone());
        let mut wanted: Vec<&Part> = parts.iter().rev().filter(|part| is_wanted(part)).collect();
        wanted.reverse();
        self.taken = wanted.iter().map(|part| (part.key.clone(), part.value.clone())).collect();
        let mut ranges: Vec<_> = wanted.into_iter().map(|part| part.range.clone()).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        let (mut rest, mut end) = (String::new(), 0);
        for range in ranges {
            rest.push_str(self.name.get(end..range.start).unwrap_or_default());
            end = end.max(range.end);
        }
        rest.push_str(self.name.get(end..).unwrap_or_default());
        if rest.is_empty() { WHOLE.clone_into(&mut self.name) } else { self.name = rest }
    }

    /// Takes what is left of the name, if a key of the whole name is wanted.
    fn take_whole(&mut self, taken: &[String], keys: &[String]) {
        if let Some(key) = keys.iter().find(|key| taken.contains(key)) {
            let value = std::mem::replace(&mut self.name, key.clone());
            self.taken.push((key.clone(), value));
        }
    }
}

/// The parts with these keys.
fn stated(parts: &[Part], keys: &[String]) -> Context {
    let wanted = parts.iter().filter(|part| keys.contains(&part.key));
    wanted.map(|part| (part.key.clone(), part.value.clone())).collect()
}
