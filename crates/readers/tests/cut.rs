//! A document and a table, cut behind each byte.

use statera_readers::detection::by_name;
use statera_readers::{Code, Sheet};

use crate::support::{problems, sheet};

fn read(format: &str, text: &[u8]) -> (Sheet, Vec<(u32, Code)>) {
    let read = sheet(by_name(format).unwrap(), text);
    let said = problems(&read).into_iter().map(|(line, code, _)| (line, code)).collect();
    (read, said)
}

#[test]
fn a_document_that_is_cut_or_none_is_a_problem() {
    let whole = "{\n\"results\": [\n{\"command\": \"a\",\n\"mean\": 1,\n\"times\": [1, 2]}\n]}";
    for end in 1..whole.len() {
        let (sheet, said) = read("hyperfine", &whole.as_bytes()[..end]);
        let line = whole[..end].split('\n').count() as u32;
        // The parser counts a final line end with the line that it ends.
        assert!(said[0].0.abs_diff(line) <= 1 && said[0].1 == Code::Truncated, "{end}: {said:?}");
        assert!(sheet.is_empty());
    }
    let (record, file) = (Code::MalformedRecord, Code::BrokenFile);
    for (text, line, code) in [
        ("{}", 0, record),
        ("[]", 1, file),
        ("{\"results\": 3}", 0, record),
        ("{\"results\": []} x", 1, file),
    ] {
        assert_eq!(read("hyperfine", text.as_bytes()).1, [(line, code)], "{text}");
    }
    assert!(read("hyperfine", b"{\"results\": []}").0.is_empty());
    for deep in ["{\"a\":", "["] {
        assert_eq!(read("hyperfine", deep.repeat(500_000).as_bytes()).1, [(1, file)]);
    }
}

#[test]
fn a_last_line_without_its_end_is_taken_when_it_is_whole() {
    let header = "# Benchmark, evals, iterations, total, min, max, median\n";
    let whole = format!("{header}A, 1, 1, 2e-05, 1e-05, 3e-05, 2e-05");
    assert_eq!(read("bench_bitcoin", whole.as_bytes()).0.len(), 4);
    for cut in 1..whole.len() - header.len() {
        let (sheet, said) = read("bench_bitcoin", &whole.as_bytes()[..whole.len() - cut]);
        assert_eq!((sheet.len(), said), (0, vec![(2, Code::Truncated)]), "{cut} bytes cut");
    }
}
