//! The work of the fuzz target of the log reader.

use serde::Deserialize as _;
use statera_logs::{Counts, Piece, Plan, Read, read};

/// Reads bytes as a log with the built-in mapping and checks the result; then the same in two pieces.
///
/// # Panics
/// If an invariant of the reader is broken.
pub fn read_log(bytes: &[u8]) {
    let plan = Plan::new(include_str!("../../crates/logs/tests/cardano.json")).expect("the mapping holds");
    let whole = read(&plan, &mut Piece::new(bytes.to_vec()));
    check(&whole);
    assert_eq!(
        classes(&whole.counts),
        expected(bytes),
        "lines have other classes than a JSON parser assigns"
    );
    let feed = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
    let (head, tail) = bytes.split_at(feed);
    let mut first = Piece::new(head.to_vec());
    let head = read(&plan, &mut first);
    // In the memory of the first piece, with the shapes that it found.
    let mut spare = first.into_spare();
    spare.buffer = tail.to_vec();
    let halves = [head, read(&plan, &mut Piece::of(spare))];
    for (one, sum) in classes(&whole.counts).iter().zip(sums(&halves)) {
        assert_eq!(*one, sum, "pieces do not add up");
    }
}

/// Counts of lines, cut, broken, noise, and objects.
fn classes(counts: &Counts) -> [u64; 5] {
    let objects = counts.emitted + counts.others.iter().sum::<u64>();
    [counts.lines, counts.cut, counts.broken, counts.noise, objects]
}

fn sums(halves: &[Read; 2]) -> [u64; 5] {
    let [one, other] = halves.each_ref().map(|half| classes(&half.counts));
    std::array::from_fn(|at| one[at] + other[at])
}

fn check(read: &Read) {
    let counts = &read.counts;
    let analysed: u64 = counts.analysed.iter().sum();
    let skipped: u64 = counts.skipped.iter().flatten().sum();
    let unmapped: u64 = counts.unmapped.values().sum();
    assert_eq!(counts.emitted, analysed + skipped + unmapped);
    assert_eq!(counts.times.is_some(), counts.emitted > 0);
    assert_eq!(analysed, read.tables.iter().map(|table| table.at.len() as u64).sum::<u64>());
    for table in &read.tables {
        assert!(table.line.is_sorted_by(|one, next| one < next));
        assert!(table.event.len() == table.at.len() && table.line.len() == table.at.len());
        assert!(table.line.iter().all(|line| u64::from(*line) <= read.height));
    }
}

/// The classes by the definition, line by line.
fn expected(bytes: &[u8]) -> [u64; 5] {
    let mut classes = [0; 5];
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    for (number, line) in lines.iter().enumerate() {
        let Some(first) = line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) else {
            continue;
        };
        let valid = std::str::from_utf8(line).is_ok() && is_json(line);
        let class = match (valid, number + 1 == lines.len(), *first == b'{') {
            (true, _, true) => 4,
            (false, true, _) => 1,
            (false, false, true) => 2,
            _ => 3,
        };
        classes[0] += 1;
        classes[class] += 1;
    }
    classes
}

fn is_json(line: &[u8]) -> bool {
    let mut parser = serde_json::Deserializer::from_slice(line);
    parser.disable_recursion_limit();
    serde::de::IgnoredAny::deserialize(&mut parser).is_ok() && parser.end().is_ok()
}
