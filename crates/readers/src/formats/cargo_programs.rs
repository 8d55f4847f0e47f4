//! The programs that `cargo bench` names on standard error before it runs each: two of them can have benchmarks of the same
//! name.

use std::collections::{HashMap, HashSet};

use super::format::{Key, Role};
use crate::context::Context;

const PROGRAM: &str = "bench_target";

/// The key of a benchmark whose name is that of another program's, too.
pub(super) const KEYS: &[Key] =
    &[Key::of_work(PROGRAM, Role::Setting, "program, where several have a benchmark of this name")];

/// The program of `     Running benches/parse.rs (target/release/deps/parse-0a1b2c3d)`, and without the source, of older
/// versions of cargo.
pub(super) fn running(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("Running ")?;
    let described = rest.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    let (stem, hash) = described.map_or(rest, |(_, file)| file).trim_end_matches(".exe").rsplit_once('-')?;
    let is_hash = !hash.is_empty() && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    let program = described.map_or_else(|| stem.rsplit(['/', '\\']).next(), |(source, _)| Some(source));
    program.filter(|_| is_hash)
}

/// The benchmarks of results, each with its program, whose names several programs have.
pub(super) fn shared<'a>(results: impl Iterator<Item = (&'a str, &'a str)>) -> HashSet<&'a str> {
    let mut first = HashMap::new();
    let other = results.filter(|(program, benchmark)| first.entry(*benchmark).or_insert(*program) != program);
    other.map(|(_, benchmark)| benchmark).collect()
}

/// What distinguishes a benchmark from those of the same name.
pub(super) fn context(shared: &HashSet<&str>, program: &str, benchmark: &str) -> Context {
    let is_shared = shared.contains(benchmark) && !program.is_empty();
    is_shared.then(|| (PROGRAM.to_owned(), program.to_owned())).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::running;

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
            assert_eq!(running(line), program, "{line}");
        }
    }
}
