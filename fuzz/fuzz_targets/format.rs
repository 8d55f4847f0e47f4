//! A format: the one that `STATERA_FORMAT` names, otherwise each that the bytes fit.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use statera_readers::detection::by_name;
use statera_readers::formats::{FORMATS, Format, Head};
use statera_readers::source::Content;

/// The format with the name that its files have.
static CHOSEN: LazyLock<Option<(&Format, PathBuf)>> = LazyLock::new(|| {
    let name = std::env::var("STATERA_FORMAT").ok()?;
    let format = by_name(&name).expect("STATERA_FORMAT names a format");
    Some((format, place(&name)))
});

/// The decoder of Parquet panics on some damaged files, which the reader turns into an error. The fuzzer stops at the
/// message of any panic, so that hook is removed; a panic that escapes still stops it.
static QUIET: LazyLock<()> = LazyLock::new(|| {
    if matches!(&*CHOSEN, Some((format, _)) if format.name == "parquet") {
        std::panic::set_hook(Box::new(|_| {}));
    }
});

/// The path of a case of this format that has values: some readers look at the path, or beside the file.
fn place(format: &str) -> PathBuf {
    let folder = statera_fuzz::cases().join(format);
    let expected = std::fs::read(folder.join("expected.json")).expect("every format has cases");
    let expected: serde_json::Value = serde_json::from_slice(&expected).expect("it is JSON");
    let has_rows = |case: &serde_json::Value| case["rows"].as_array().is_some_and(|rows| !rows.is_empty());
    let mut cases = expected.as_object().into_iter().flatten().filter(|(_, case)| has_rows(case));
    cases.next().map_or_else(|| folder.clone(), |(name, _)| folder.join(name))
}

fn fits(format: &Format, bytes: &[u8]) -> bool {
    Content::from_bytes(bytes).is_ok_and(|content| (format.fits)(&Head::new(&content.head)).is_ok())
}

fuzz_target!(|bytes: &[u8]| {
    LazyLock::force(&QUIET);
    match &*CHOSEN {
        Some((format, path)) => statera_fuzz::examine(format, path, bytes),
        None => {
            for format in FORMATS.iter().filter(|format| fits(format, bytes)) {
                statera_fuzz::examine(format, Path::new("file"), bytes);
            }
        }
    }
});
