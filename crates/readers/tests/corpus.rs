//! Every case of every format, and every input that the fuzzers keep, is read here again: no panic, and consistent
//! columns.

#[path = "../../../fuzz/src/lib.rs"]
pub mod fuzz;

use std::path::{Path, PathBuf};

use statera_readers::formats::{FORMATS, Format};

/// The files below a folder, at any depth; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// What the fuzzer begins with: the cases of a format, and what it has kept.
fn inputs(format: &Format) -> Vec<PathBuf> {
    let kinds = ["real", "traps", "hostile"].map(|kind| fuzz::cases().join(format.name).join(kind));
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(format.name);
    kinds.iter().chain([&kept]).flat_map(|folder| files(folder)).collect()
}

#[test]
fn every_kept_input_is_read() {
    for format in FORMATS {
        let inputs = inputs(format);
        for path in &inputs {
            fuzz::examine(format, path, &std::fs::read(path).unwrap());
        }
        assert!(!inputs.is_empty() || !format.has_results(), "{} keeps no input", format.name);
    }
}

#[test]
fn every_kept_input_is_of_a_format() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let others = ["cluster_logs", "compare", "source", "statera_run"];
    for entry in std::fs::read_dir(kept).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(others.contains(&&*name) || FORMATS.iter().any(|format| format.name == name), "{name}");
    }
}
