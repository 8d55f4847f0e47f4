//! Uploads are written, read together and merged; nothing of a job is lost, and damaged files are named.

use std::path::{Path, PathBuf};

use statera_history::{
    Catalog, Chosen, Column, Export, Line, Most, Part, Retention, Retiring, Step, detect, merge, samples,
    write,
};
use statera_kernels::change_points::Detector;
use statera_readers::{Aggregate, Limits, Measurement, Metric, Observations, Quantity, ROW, Sheet, Source};

const MOST: Most = Most { bytes: 1 << 30, rows: 1 << 20 };
const DETECTOR: Detector = Detector {
    memory: 1024,
    longest: 256,
    first_look: 11,
    look_growth: 1.1,
    per_log: 2.0,
    least_length: 200,
    base: 6.6,
    reach: 0.22,
    values_a_degree: 2.5,
    size_errors: 1.96,
    level: 0.05,
};
const JOBS: &str = r#"[{"commit":"a"}]"#;

/// A file of the test's own folder, empty.
fn file(test: &str, name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("statera-history-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, b"").unwrap();
    path
}

/// Values of two benchmarks: samples of two processes, and a mean with its deviation.
fn observations(shift: f64) -> Observations {
    let mut sheet = Sheet::new("results");
    let time = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let rate = sheet.metric("rate", || Metric::new("rate", "1/s", Quantity::Throughput).secondary());
    for (process, value) in [(0, 3.0), (0, 1.0), (1, 8.0), (1, 9.0)] {
        sheet.push(Measurement {
            benchmark: "a µ",
            metric: time,
            value: value + shift,
            line: 1,
            process: Some(process),
            block: Some("first"),
            ..ROW
        });
    }
    let aggregate = Some(Aggregate { count: Some(50.0), deviation: Some(0.5) });
    sheet.push(Measurement { benchmark: "b", metric: rate, value: 7.0, line: 2, aggregate, ..ROW });
    let source = Source { name: "results".to_owned(), argument: 0, format: "csv", values: 0 };
    Observations::join(vec![(source, vec![sheet])], &Limits::default()).unwrap()
}

fn written(test: &str, name: &str, shift: f64) -> PathBuf {
    let (path, observations) = (file(test, name), observations(shift));
    let factors = vec![Some(r#"{"size":"64"}"#.to_owned()); observations.contexts.len()];
    assert_eq!(write(&observations, &factors, JOBS, &path).unwrap(), 2);
    path
}

fn chosen(path: &Path, job: u32, argument: usize) -> Chosen {
    let keys = vec![("commit".to_owned(), "a".to_owned())];
    Chosen { path: path.to_owned(), job, number: 0, name: "job".to_owned(), argument, keys }
}

#[test]
fn summaries_are_read_together() {
    let paths = [written("together", "1", 0.0), written("together", "2", 1.0)];
    let catalog = Catalog::read(&paths, MOST);
    assert!(catalog.refused.is_empty(), "{:?}", catalog.refused);
    assert_eq!((catalog.count, catalog.jobs.len()), (2, 2));
    assert_eq!(catalog.jobs[0], JOBS);
    let names: Vec<&str> = catalog.series.iter().map(|series| series.benchmark.as_str()).collect();
    assert_eq!(names, ["a µ", "b"]);
    assert_eq!(catalog.series[1].traits.as_deref(), Some("secondary"));
    assert_eq!(catalog.series[0].factors, r#"{"size":"64"}"#);
    let entries: Vec<_> = catalog.entries[0].iter().map(|entry| (entry.job, entry.summary.median)).collect();
    // The processes' medians are 2 and 8.5.
    assert_eq!(entries, [(0, 5.25), (1, 6.25)]);
    let summary = catalog.entries[0][0].summary;
    assert_eq!((summary.n, summary.least, summary.largest), (4, 1.0, 9.0));
}

#[test]
fn values_come_back_as_they_were() {
    let paths = [written("values", "1", 0.0), written("values", "2", 1.0)];
    let jobs = [chosen(&paths[0], 0, 0), chosen(&paths[1], 0, 1)];
    let read = samples(&Catalog::read(&paths, MOST), &jobs, &Limits::default(), MOST).unwrap();
    assert_eq!(read.value, [3.0, 1.0, 8.0, 9.0, 7.0, 4.0, 2.0, 9.0, 10.0, 7.0]);
    // Processes of another job are others.
    assert_eq!(read.process[..4], [0, 0, 1, 1]);
    assert_eq!(read.process[5..9], [2, 2, 3, 3]);
    assert_eq!(read.blocks.get(read.block[0]), "first");
    assert_eq!((read.weight[4], read.deviation[4]), (50.0, 0.5));
    assert_eq!((read.weight[0], read.deviation[0].is_nan()), (1.0, true));
    assert_eq!(read.summaries(), 2);
    assert_eq!(read.metrics, observations(0.0).metrics);
    assert!(read.parameters.contains("size"));
    let keys: Vec<(&str, &str)> = read.contexts.get(0).collect();
    assert_eq!(keys, [("commit", "a"), ("size", "64")]);
    assert_eq!(read.sources.iter().map(|source| source.argument).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn merged_jobs_keep_their_summaries_and_new_ones_their_values() {
    let paths = [written("merged", "1", 0.0), written("merged", "2", 1.0), written("merged", "3", 2.0)];
    let catalog = Catalog::read(&paths, MOST);
    // The jobs stand on their line in the order of the files; the last one keeps its values.
    let line: Line = (0..3).map(|job| Step { job, commit: job }).collect();
    let found = detect(&catalog, &[line], &DETECTOR);
    let retention = Retention::new(&catalog, &found.iter().collect::<Vec<_>>(), 1, 0);
    let target = file("merged", "all");
    let parts = [
        Part { path: paths[0].clone(), first: 0, jobs: vec![Some(1)] },
        Part { path: paths[1].clone(), first: 1, jobs: vec![None] },
        Part { path: paths[2].clone(), first: 2, jobs: vec![Some(0)] },
    ];
    let jobs = r#"[{"commit":"c"},{"commit":"a"}]"#;
    let retiring = Retiring { catalog: &catalog, retention: &retention };
    assert_eq!(merge(&parts, jobs, &target, MOST, &retiring).unwrap(), 4);
    let merged = Catalog::read(std::slice::from_ref(&target), MOST);
    assert_eq!(merged.jobs, [jobs]);
    let of_first: Vec<_> = merged.entries[0].iter().map(|entry| (entry.job, entry.summary.median)).collect();
    assert_eq!(of_first, [(1, 5.25), (0, 7.25)]);
    let kept = samples(&merged, &[chosen(&target, 0, 0)], &Limits::default(), MOST).unwrap();
    assert_eq!(kept.value, [5.0, 3.0, 10.0, 11.0, 7.0]);
    let retired = samples(&merged, &[chosen(&target, 1, 0)], &Limits::default(), MOST).unwrap();
    assert_eq!((retired.value.as_slice(), retired.weight.as_slice()), (&[5.25, 7.0][..], &[4.0, 1.0][..]));
    assert_eq!(retired.summaries(), 1);
}

#[test]
fn configurations_of_other_jobs_are_left_out() {
    let (path, observations) = (file("left", "1"), observations(0.0));
    let none = vec![None; observations.contexts.len()];
    assert_eq!(write(&observations, &none, JOBS, &path).unwrap(), 0);
    assert_eq!(Catalog::read(&[path], MOST).series.len(), 0);
}

#[test]
fn every_damaged_file_is_named_and_the_others_count() {
    let good = written("damaged", "good", 0.0);
    let content = std::fs::read(&good).unwrap();
    let mut refused = 0;
    for at in (0..content.len()).step_by(7) {
        let path = file("damaged", "bad");
        let mut bytes = content.clone();
        bytes[at] ^= 0x55;
        bytes.truncate(if at % 2 == 0 { content.len() } else { at });
        std::fs::write(&path, bytes).unwrap();
        let catalog = Catalog::read(&[good.clone(), path], MOST);
        assert!(!catalog.entries[0].is_empty());
        refused += catalog.refused.len();
        assert!(catalog.refused.iter().all(|refused| refused.file == 1 && !refused.why.is_empty()));
    }
    assert!(refused > content.len() / 20, "{refused} of {}", content.len() / 7);
}

#[test]
fn a_file_beyond_the_limits_is_refused_before_it_is_read() {
    let path = written("limits", "1", 0.0);
    let catalog = Catalog::read(&[path], Most { bytes: 1 << 30, rows: 1 });
    assert_eq!(catalog.refused.len(), 1);
    assert!(catalog.refused[0].why.contains("more than the limits allow"), "{:?}", catalog.refused);
}

#[test]
fn values_under_an_old_name_count_for_the_new_one_and_those_of_both_once() {
    let paths = [written("renamed", "1", 0.0), written("renamed", "2", 1.0)];
    let mut catalog = Catalog::read(&paths, MOST);
    catalog.rename("a µ", "new");
    assert_eq!(catalog.series[2].benchmark, "new");
    assert_eq!((catalog.entries[0].len(), catalog.entries[2].len()), (0, 2));
    assert_eq!((catalog.held_by(0), catalog.held_by(1), catalog.held_by(2)), (2, 1, 2));
    assert_eq!(catalog.counted(0, 0), Some(&catalog.series[2]));
    let read = samples(&catalog, &[chosen(&paths[0], 0, 0)], &Limits::default(), MOST).unwrap();
    assert_eq!(read.benchmarks.iter().collect::<Vec<_>>(), ["new", "b"]);
    // Of the same metric, b and new are measured in both jobs: what is known as b counts no longer.
    let mut twice = Catalog::read(&paths, MOST);
    twice.series[1] = statera_history::Series { benchmark: "b".to_owned(), ..twice.series[0].clone() };
    twice.rename("b", "a µ");
    assert_eq!(twice.entries[0].len(), 2);
    assert!(twice.entries[1].is_empty() && twice.doubled.contains(&(1, 1)));
    assert_eq!((twice.counted(1, 1), twice.counted(1, 0)), (None, Some(&twice.series[0])));
}

/// An upload of a benchmark and of what failed in it, if its harness says so.
fn failing(name: &str, failed: Option<f64>, is_told: bool) -> PathBuf {
    let mut sheet = Sheet::new("results");
    let time = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    sheet.push(Measurement { benchmark: "a", metric: time, value: 1.0, line: 1, ..ROW });
    if let Some(failed) = failed {
        let errors = || Metric::new("errors", "1", Quantity::Count).never_exact().secondary();
        let metric = sheet.metric("errors", || if is_told { errors().of_validity() } else { errors() });
        sheet.push(Measurement { benchmark: "a", metric, value: failed, line: 1, ..ROW });
    }
    let source = Source { name: "results".to_owned(), argument: 0, format: "csv", values: 0 };
    let observations = Observations::join(vec![(source, vec![sheet])], &Limits::default()).unwrap();
    let path = file("failing", name);
    write(&observations, &[Some("{}".to_owned())], JOBS, &path).unwrap();
    path
}

#[test]
fn failures_are_one_series_whatever_they_are_and_none_where_none_are_stated() {
    let paths = [
        failing("1", Some(0.0), true),
        failing("2", None, true),
        failing("3", Some(5.0), true),
        failing("4", Some(3.0), false),
        failing("5", Some(0.0), true),
    ];
    let catalog = Catalog::read(&paths, MOST);
    let traits: Vec<_> = catalog.series[1..].iter().map(|series| series.traits.as_deref()).collect();
    let expected = ["secondary never-exact validity", "never-exact validity", "secondary never-exact"];
    assert_eq!(traits, expected.map(Some));
    assert_eq!([1, 2, 3].map(|series| catalog.held_by(series)), [2; 3]);
    let line: Line = (0..5).map(|job| Step { job, commit: job }).collect();
    let found = detect(&catalog, &[line], &DETECTOR);
    let held: Vec<_> = found.iter().map(|found| (found.series, found.values.clone())).collect();
    assert_eq!(held, [(0, vec![1.0; 5]), (2, vec![0.0, 0.0, 5.0, 3.0, 0.0])]);
    // A comparison of two commits has one metric of them.
    let of = |job: u32| Chosen { number: job, ..chosen(&paths[job as usize], 0, job as usize) };
    let read = samples(&catalog, &[of(0), of(2)], &Limits::default(), MOST).unwrap();
    let metrics: Vec<_> = read.metrics.iter().map(|metric| (&*metric.name, metric.primary)).collect();
    assert_eq!(metrics, [("time", true), ("errors", true)]);
}

#[test]
fn the_same_rows_are_the_same_bytes() {
    let bytes: Vec<Vec<u8>> = ["1", "2"]
        .map(|name| {
            let path = file("export", name);
            let columns = || {
                vec![Column::Text(vec![None, Some("a".to_owned())]), Column::Number(vec![Some(1.5), None])]
            };
            let names = ["text".to_owned(), "number".to_owned()];
            let mut export = Export::open(&path, names.into_iter().zip(columns()).collect()).unwrap();
            export.write(columns()).unwrap();
            export.close().unwrap();
            std::fs::read(path).unwrap()
        })
        .to_vec();
    assert!(!bytes[0].is_empty());
    assert_eq!(bytes[0], bytes[1]);
}
