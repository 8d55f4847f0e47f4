//! A format: the one that `STATERA_FORMAT` names, otherwise each that the bytes fit.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use statera_readers::formats::{FORMATS, Format, by_name};

/// The format with the name that its files have.
static CHOSEN: LazyLock<Option<(&Format, PathBuf)>> = LazyLock::new(|| {
    let name = std::env::var("STATERA_FORMAT").ok()?;
    let format = by_name(&name).expect("STATERA_FORMAT names a format");
    Some((format, statera_fuzz::place(&name)))
});

/// The decoder of Parquet panics on some damaged files, which the reader turns into an error. The fuzzer stops at the
/// message of any panic, so that hook is removed; a panic that escapes still stops it.
static QUIET: LazyLock<()> = LazyLock::new(|| {
    if matches!(&*CHOSEN, Some((format, _)) if format.name == "parquet") {
        std::panic::set_hook(Box::new(|_| {}));
    }
});

fuzz_target!(|bytes: &[u8]| {
    LazyLock::force(&QUIET);
    match &*CHOSEN {
        Some((format, path)) => statera_fuzz::examine(format, path, bytes),
        None => {
            for format in FORMATS.iter().filter(|format| statera_fuzz::fits(format, bytes)) {
                statera_fuzz::examine(format, Path::new("file"), bytes);
            }
        }
    }
});
