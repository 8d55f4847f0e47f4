//! The programs that `cargo bench` names on standard error before it runs each: two of them can have benchmarks of the same
//! name.

use super::format::Key;
use crate::context::Context;
use std::collections::{HashMap, HashSet};

const PROGRAM: &str = "bench_target";

/// The key of a benchmark whose name is that of another program's, too.
pub(super) const KEYS: &[Key] = &[Key::work(PROGRAM, "program, where several have a benchmark of this name")];

/// A program that ran.
#[derive(Clone, Copy, Default)]
pub(super) struct Program<'a> {
    source: &'a str,
    /// Its place among the programs of this source: packages of a workspace can have the same.
    place: usize,
    /// The number of programs that ran before it; `None` if the output does not name it.
    pub(super) process: Option<u32>,
}

impl<'a> Program<'a> {
    pub(super) fn of_source(source: &'a str) -> Self {
        Self { source, ..Self::default() }
    }

    fn id(&self) -> (&'a str, usize) {
        (self.source, self.place)
    }
}

/// The programs of an output as far as it is read.
#[derive(Default)]
pub(super) struct Programs<'a> {
    /// The program that runs.
    pub(super) now: Program<'a>,
    /// The places of the programs, by their sources and the hashes in the names of their files.
    places: HashMap<(&'a str, &'a str), usize>,
    /// The number of programs of each source.
    counts: HashMap<&'a str, usize>,
    runs: u32,
}

impl<'a> Programs<'a> {
    /// Reads a line; false if it names no program.
    pub(super) fn line(&mut self, line: &'a str) -> bool {
        let Some((source, hash)) = running(line) else { return false };
        let place = *self.places.entry((source, hash)).or_insert_with(|| {
            let count = self.counts.entry(source).or_default();
            *count += 1;
            *count - 1
        });
        self.now = Program { source, place, process: Some(self.runs) };
        self.runs += 1;
        true
    }
}

/// The program of `     Running benches/parse.rs (target/release/deps/parse-0a1b2c3d)`, and without the source, of older
/// versions of cargo; with the hash of its package and options.
fn running(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix("Running ")?;
    let described = rest.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    let (stem, hash) = described.map_or(rest, |(_, file)| file).trim_end_matches(".exe").rsplit_once('-')?;
    let is_hash = !hash.is_empty() && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    let program = described.map_or_else(|| stem.rsplit(['/', '\\']).next(), |(source, _)| Some(source));
    program.filter(|_| is_hash).map(|program| (program, hash))
}

/// The benchmarks of results, each with its program, whose names several programs have.
pub(super) fn shared<'a>(results: impl Iterator<Item = (Program<'a>, &'a str)>) -> HashSet<&'a str> {
    let mut first = HashMap::new();
    let other = results.filter(|(program, name)| *first.entry(*name).or_insert(program.id()) != program.id());
    other.map(|(_, benchmark)| benchmark).collect()
}

/// What distinguishes a benchmark from those of the same name.
pub(super) fn context(shared: &HashSet<&str>, program: Program<'_>, benchmark: &str) -> Context {
    let Program { source, place, .. } = program;
    let is_shared = shared.contains(benchmark) && !source.is_empty();
    let name = if place == 0 { source.to_owned() } else { format!("{source} #{}", place + 1) };
    is_shared.then(|| (PROGRAM.to_owned(), name)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{Programs, running};

    #[test]
    fn cargo_names_a_program_by_its_source_or_its_file() {
        for (line, program) in [
            ("     Running benches/parse.rs (target/release/deps/parse-0a1b2c3d)", Some("benches/parse.rs")),
            (
                "     Running unittests src/lib.rs (target/release/deps/lib-0a1b)",
                Some("unittests src/lib.rs"),
            ),
            ("     Running benches\\a.rs (target\\release\\deps\\a-b-12.exe)", Some("benches\\a.rs")),
            ("     Running target/release/deps/two-words-0a1b2c3d", Some("two-words")),
            ("Running with 10*40 (== 400) tasks.", None),
            ("Running 3 benchmarks", None),
            ("running 1 test", None),
        ] {
            assert_eq!(running(line).map(|(program, _)| program), program, "{line}");
        }
    }

    #[test]
    fn packages_with_the_same_source_are_told_apart_by_the_hash() {
        let mut programs = Programs::default();
        let found = ["0a", "1b", "0a"].map(|hash| {
            let line: &str = Box::leak(format!("     Running benches/a.rs (deps/a-{hash})").into_boxed_str());
            assert!(programs.line(line));
            (programs.now.place, programs.now.process)
        });
        assert_eq!(found, [(0, Some(0)), (1, Some(1)), (0, Some(2))]);
    }
}
