//! Exported files are read back: three kinds of file, and names that are hard to write.

use std::path::{Path, PathBuf};

use statera_readers::export::{Kind, write, write_to};
use statera_readers::source::Content;
use statera_readers::{
    Better, Limits, Measurement, Metric, NONE, Observations, Options, Quantity, ROW, Sheet, Source, detection,
};

const KINDS: [Kind; 4] = [Kind::Csv, Kind::RawCsv, Kind::Ndjson, Kind::Parquet];

fn join(sheet: Sheet) -> Observations {
    let source = Source { name: sheet.source.clone(), argument: 0, format: "go", values: 0 };
    Observations::join(vec![(source, vec![sheet])], &Limits::default()).unwrap()
}

fn written(all: &Observations, variant_of: &dyn Fn(usize) -> Option<&'static str>, kind: Kind) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(all, variant_of, &mut bytes, kind).unwrap();
    bytes
}

fn read_back(bytes: &[u8]) -> Observations {
    let content = Content::from_bytes(bytes).unwrap();
    let format = detection::detect(&content.head, Path::new("")).unwrap();
    let sheets = format.sheets("t", Path::new("t"), &content, &Options::default()).unwrap();
    let source = Source { name: "t".into(), argument: 0, format: format.name, values: 0 };
    Observations::join(vec![(source, sheets)], &Limits::default()).unwrap()
}

/// Everything about a row that a table carries, as text that shows every bit of the value.
fn rows(all: &Observations) -> Vec<String> {
    let row = |row: usize| {
        let mut metric = all.metrics[all.metric[row] as usize].clone();
        metric.primary = true;
        let mut context = all.contexts.to_context(all.context[row] as usize);
        context.sort();
        let block = all.block.get(row).filter(|&&block| block != NONE).map(|&block| all.blocks.get(block));
        let process = all.process.get(row).filter(|&&process| process != NONE);
        let (name, value) = (all.benchmarks.get(all.benchmark[row]), all.value[row].to_bits());
        format!("{name:?} {value:x} {metric:?} {block:?} {process:?} {context:?}")
    };
    (0..all.len()).map(row).collect()
}

fn pair(key: &str, value: &str) -> (String, String) {
    (key.to_owned(), value.to_owned())
}

fn hard() -> Observations {
    let mut sheet = Sheet::new("a file, \"so named\"");
    let metrics: Vec<u32> = [
        ("time", "s", Quantity::Time),
        ("size", "B", Quantity::Bytes),
        ("flow", "B/s", Quantity::Throughput),
        ("rate", "1/s", Quantity::Throughput),
        ("runs", "1", Quantity::Count),
        ("heap", "words", Quantity::Count),
        ("work", "cycles", Quantity::Count),
        ("free", "", Quantity::Other),
        ("odd, \"one\"", "furlongs", Quantity::Other),
        // The same name in another dimension is another metric.
        ("time", "B", Quantity::Bytes),
    ]
    .into_iter()
    .map(|(name, unit, quantity)| {
        sheet.metric(&format!("{name} {unit}"), || Metric::new(name, unit, quantity))
    })
    .collect();
    let names = [
        "plain",
        "a,b;c\td",
        "\"quoted\" 'x'",
        "two\nlines\r\nand\rthree",
        "µs 漢字 🐢",
        "\x1b[31mred\x07",
        " blanks ",
        "",
        "#x",
        "=\"sum\",1",
    ];
    let values = [0.1, 1e-300, 5e-324, f64::MAX, 0.1 + 0.2, 123_456_789.0, 1e21, 0.0, -7.25, 3.0];
    for (line, ((name, &metric), value)) in names.iter().zip(&metrics).zip(values).enumerate() {
        if line % 3 == 0 {
            sheet.set_context(&[
                pair("compiler", &format!("ghc {line}\n,")),
                pair("unit", "x"),
                pair("-key", "'@value"),
                pair("config.value", "y"),
                pair("file", "z"),
            ]);
        }
        if line == 8 {
            sheet.set_context(&[]);
        }
        let (block, process) = ((line % 2 == 0).then_some(*name), (line > 3).then(|| line as u32 / 2 - 2));
        let block = block.filter(|block| !block.is_empty());
        sheet.push(Measurement {
            benchmark: name,
            metric,
            value,
            line: line as u32 + 1,
            block,
            process,
            ..ROW
        });
    }
    assert!(sheet.problems.is_empty());
    join(sheet)
}

#[test]
fn a_mark_in_front_of_a_name_is_no_part_of_it() {
    for kind in KINDS {
        let mut sheet = Sheet::new("t");
        let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
        for benchmark in ["\u{FEFF}mark", "mark"] {
            sheet.push(Measurement { benchmark, metric, value: 1.0, line: 1, ..ROW });
        }
        let back = read_back(&written(&join(sheet), &|_| None, kind));
        assert_eq!(back.benchmarks.iter().collect::<Vec<_>>(), ["mark"], "{kind:?}");
    }
}

#[test]
fn every_kind_reads_back_to_the_same() {
    let all = hard();
    for kind in KINDS {
        let back = read_back(&written(&all, &|_| None, kind));
        assert_eq!(back.problems, [], "{kind:?}");
        assert_eq!(rows(&back), rows(&all), "{kind:?}");
    }
}

#[test]
fn a_table_says_that_its_cells_are_guarded() {
    let text = |kind| String::from_utf8(written(&hard(), &|_| None, kind)).unwrap();
    let guarded = text(Kind::Csv);
    assert!(guarded.lines().next().unwrap().ends_with(",statera.guard"));
    assert!(guarded.contains(",'-key,") && guarded.contains(",''@value,") && guarded.contains("\"'=\"\"sum"));
    assert!(text(Kind::RawCsv).contains("\n\"=\"\"sum") && !text(Kind::RawCsv).contains("statera.guard"));
}

#[test]
fn a_direction_that_the_unit_does_not_tell_is_kept() {
    let mut sheet = Sheet::new("f");
    let mut metric = Metric::new("score", "", Quantity::Other);
    metric.better = Some(Better::Higher);
    let metric = sheet.metric("score", || metric);
    sheet.push(Measurement { benchmark: "a", metric, value: 1.0, line: 1, ..ROW });
    let all = join(sheet);
    for kind in KINDS {
        assert_eq!(rows(&read_back(&written(&all, &|_| None, kind))), rows(&all));
    }
}

#[test]
fn variants_are_a_column_and_come_back_as_configuration() {
    let mut sheet = Sheet::new("f");
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    for variant in ["old", "new", "old"] {
        sheet.set_context(&[pair("variant", variant)]);
        sheet.push(Measurement { benchmark: "a", metric, value: 1.0, line: 1, ..ROW });
    }
    let all = join(sheet);
    let names: Vec<&'static str> = (0..all.contexts.len())
        .map(|number| {
            all.contexts.get(number).next().map_or("", |(_, v)| if v == "old" { "old" } else { "new" })
        })
        .collect();
    for kind in KINDS {
        // Without a given variant it is a key like any other; given, it occurs once; given differently, both
        // are kept.
        assert_eq!(rows(&read_back(&written(&all, &|_| None, kind))), rows(&all), "{kind:?}");
        assert_eq!(rows(&read_back(&written(&all, &|at| Some(names[at]), kind))), rows(&all), "{kind:?}");
        let other = read_back(&written(&all, &|_| Some("third"), kind));
        let context = other.contexts.to_context(other.context[1] as usize);
        assert_eq!(*context, [pair("variant", "third"), pair("config.variant", "new")]);
        let again = read_back(&written(&other, &|_| None, kind));
        assert_eq!(rows(&again), rows(&other), "{kind:?}");
    }
}

#[test]
fn nothing_to_write_is_a_table_without_rows() {
    let none = Observations::default();
    for kind in KINDS {
        let bytes = written(&none, &|_| None, kind);
        assert!(kind == Kind::Ndjson || read_back(&bytes).is_empty());
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("statera-export-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn what_a_file_held_is_gone() {
    let folder = folder("overwritten");
    let all = hard();
    for (name, kind) in [("t.csv", Kind::Csv), ("t.ndjson", Kind::Ndjson), ("t.parquet", Kind::Parquet)] {
        let path = folder.join(name);
        std::fs::write(&path, "what was there, which is longer than nothing").unwrap();
        write(&all, &|_| None, &path, kind).unwrap();
        let back = statera_readers::read(&[path], &Options::default()).unwrap();
        assert_eq!(rows(&back), rows(&all));
    }
    // The caller creates the file.
    assert!(write(&all, &|_| None, &folder.join("absent.csv"), Kind::Csv).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_damaged_parquet_file_never_panics_the_caller() {
    let whole = written(&hard(), &|_| None, Kind::Parquet);
    let format = detection::by_name("parquet").unwrap();
    for step in 0..400 {
        let mut bytes = whole.clone();
        let at = 4 + (step * 7919) % (bytes.len() - 4);
        bytes[at] ^= 1 << (step % 8);
        let content = Content::from_bytes(&bytes).unwrap();
        let _ = format.sheets("t", Path::new("t"), &content, &Options::default());
        let content = Content::from_bytes(&whole[..at]).unwrap();
        assert!(format.sheets("t", Path::new("t"), &content, &Options::default()).is_err());
    }
}
