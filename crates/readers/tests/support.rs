//! What the tests of readers share.

use std::path::{Path, PathBuf};

use statera_readers::source::Content;
use statera_readers::{Code, Format, Options, Sheet};

/// Reads some bytes in a format.
pub fn sheet(format: &Format, bytes: &[u8]) -> Sheet {
    let content = Content::from_bytes(bytes).unwrap();
    format.sheets("f", Path::new("f"), &content, &Options::default()).unwrap().remove(0)
}

/// The values of a sheet as `line process benchmark metric value unit`.
pub fn rows(sheet: &Sheet) -> Vec<String> {
    (0..sheet.len())
        .map(|row| {
            let metric = &sheet.metrics[sheet.metric[row] as usize];
            let process = sheet.process.get(row).map_or_else(|| "-".to_owned(), ToString::to_string);
            let (line, value) = (sheet.line[row], sheet.value[row]);
            let benchmark = sheet.benchmarks.get(sheet.benchmark[row]);
            format!("{line} {process} {benchmark} {} {value:?} {}", metric.name, metric.unit)
                .trim_end()
                .to_owned()
        })
        .collect()
}

/// The problems of a sheet: line, code and text.
pub fn problems(sheet: &Sheet) -> Vec<(u32, Code, &str)> {
    sheet.problems.iter().map(|problem| (problem.line, problem.code, &*problem.what)).collect()
}

/// The configuration of a row.
pub fn context(sheet: &Sheet, row: usize) -> Vec<(&str, &str)> {
    sheet.contexts.get(sheet.context[row] as usize).collect()
}

/// A stored output of a harness.
pub fn stored(place: &str) -> Vec<u8> {
    let cases = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/formats/cases");
    std::fs::read(cases.join(place)).unwrap()
}

/// The first stored real output of each format that scripts collect in one file, with its place.
pub fn printed() -> Vec<(&'static Format, String, String)> {
    let cases = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/formats/cases");
    let first = |format: &&'static Format| {
        let folder = cases.join(format.name).join("real");
        let mut places: Vec<PathBuf> = std::fs::read_dir(folder)
            .ok()?
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .collect();
        places.sort();
        let text = |path: &PathBuf| {
            Some(path.display().to_string()).zip(String::from_utf8(std::fs::read(path).unwrap()).ok())
        };
        let (place, text) = places.iter().filter_map(text).find(|(_, text)| text.len() < 64 << 10)?;
        Some((*format, place, text))
    };
    statera_readers::FORMATS.iter().filter(|format| !format.printed_by.is_empty()).filter_map(first).collect()
}
