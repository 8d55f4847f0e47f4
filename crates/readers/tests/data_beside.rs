//! Real results that are kept beside the repository: where they are, they give their figures.

use std::path::PathBuf;

use statera_readers::{Code, Limits, Observations, Options, files};

/// The files below a folder of such results, in order; none, and a word about it, if it is not there.
fn all(folder: &str) -> Vec<PathBuf> {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder);
    let found = files::expand(&place, &Limits::default());
    found.map_or_else(
        |_| {
            println!("skipped: no {}", place.display());
            Vec::new()
        },
        |found| found.files.into_iter().map(|file| file.path).collect(),
    )
}

/// Reads a file alone; nothing of it is a problem.
fn read(path: &PathBuf) -> Observations {
    let read = statera_readers::read(std::slice::from_ref(path), &Options::default()).unwrap();
    let lost: Vec<_> = read.problems.iter().filter(|problem| problem.code != Code::Companion).collect();
    assert!(lost.is_empty(), "{}: {lost:?}", path.display());
    read
}

/// The values of a metric with their benchmarks.
fn values(read: &Observations, metric: &str) -> Vec<(String, f64)> {
    let rows = (0..read.len()).filter(|&row| read.metrics[read.metric[row] as usize].name == metric);
    rows.map(|row| (read.benchmarks.get(read.benchmark[row]).to_owned(), read.value[row])).collect()
}

fn value(read: &Observations, benchmark: &str, metric: &str) -> f64 {
    let found: Vec<_> = values(read, metric).into_iter().filter(|(name, _)| name == benchmark).collect();
    assert_eq!(found.len(), 1, "{metric} of {benchmark}");
    found[0].1
}

fn context(read: &Observations, row: usize) -> Vec<(&str, &str)> {
    read.contexts.get(read.context[row] as usize).collect()
}

#[test]
fn tables_of_bench_bitcoin_and_of_nanobench() {
    let found = all("bench_bitcoin");
    for path in &found {
        let (name, read) = (path.to_str().unwrap(), || read(path));
        if name.ends_with("bchn-doc-sample.txt") {
            assert_eq!(read().len(), 31 * 4);
            assert_eq!(values(&read(), "median")[0], ("Base58CheckEncode".to_owned(), 3.29183e-06));
            assert_eq!(values(&read(), "average")[0].1, 5.28577 / 1_600_000.0);
        } else if name.ends_with("doc-sample-1cb9ec52.txt") {
            let averages = values(&read(), "average");
            assert_eq!(averages.iter().filter(|row| row.0 == "RollingBloom-refresh").count(), 4);
        } else if name.ends_with("xt-2015-style.txt") {
            assert_eq!(read().value[0], 0.100443);
        } else if name.ends_with("core-pr18011-legacy.csv") {
            let second = ("Base58CheckEncode".to_owned(), 2.07709090909091e-06);
            assert_eq!(values(&read(), "median")[1], second);
        } else if name.ends_with("legacy.run10.csv") {
            assert_eq!(read().len(), 3 * 4);
        } else if name.ends_with("bench.nanobench.csv") {
            let medians = [4.81059869706979e-09, 9.93099460497488e-09, 7.28809405413085e-09];
            assert_eq!(read().value, medians);
            assert_eq!(context(&read(), 1), [("unit", "byte"), ("batch", "200")]);
        } else if name.contains("/bench.") {
            assert_eq!(
                (read().sources[0].format, read().len(), read().metrics.len()),
                ("nanobench-json", 33, 1)
            );
        }
    }
}

#[test]
fn documents_of_hyperfine() {
    for path in all("hyperfine") {
        let name = path.file_name().unwrap().to_str().unwrap();
        match name {
            // Two commands of 15 runs with time and memory, and two means each.
            "seq-1.20.0.json" => {
                let read = read(&path);
                assert_eq!((read.len(), context(&read, 0)), (2 * (15 * 2 + 2), vec![("n", "10000")]));
                assert_eq!(values(&read, "time")[0], ("seq 10000".to_owned(), 0.000_810_489_000_000_000_1));
            }
            "seq-1.15.0.json" => assert_eq!(read(&path).len(), 2 * (15 + 2)),
            // And of each run that it failed.
            "nonzero-exit.json" => {
                let read = read(&path);
                assert_eq!((read.len(), context(&read, 0)), (5 * 3 + 2, vec![("exit_code", "3")]));
            }
            _ => {}
        }
    }
}

#[test]
fn replays_of_the_ledger() {
    for path in all("db-analyser") {
        let (name, read) = (path.to_str().unwrap(), read(&path));
        let mut total: Vec<f64> = values(&read, "totalTime").into_iter().map(|(_, time)| time).collect();
        let rows = if name.ends_with("nr-blocks-100.csv") { 100 } else { 122 };
        assert_eq!((read.sources[0].format, total.len()), ("ledger-ops", rows), "{name}");
        if name.contains("e3917f684e8b60e7bfc453d6d8114b800bdf167d-haskell810") {
            total.sort_by(f64::total_cmp);
            // The published median.
            assert!((f64::midpoint(total[60], total[61]) - 32200.5e-6).abs() < 1e-12);
        }
    }
}

#[test]
fn records_of_sandmark() {
    let mut counts = std::collections::BTreeMap::new();
    for path in all("sandmark") {
        let (name, read) = (path.to_str().unwrap(), read(&path));
        let format = read.sources[0].format;
        let metric = match format {
            "sandmark" => "time_secs",
            "sandmark-perfstat" => "time elapsed",
            _ => "max_latency",
        };
        let (files, total) = counts.entry(format).or_insert((0, 0));
        (*files, *total) = (*files + 1, *total + values(&read, metric).len());
        if name.ends_with("5.3.0+trunk+perfstat_1.perfstat.summary.bench") {
            assert_eq!(read.len(), 53 * 11);
            assert_eq!(value(&read, "owl_gc.", "instructions"), 15_160_955_855.0);
            assert_eq!(value(&read, "owl_gc.", "task-clock"), 3.67258);
            assert_eq!(value(&read, "mergesort.67108864", "page-faults"), 262_988.0);
            let place = [("kind", "perfstat"), ("host", "turing"), ("date", "20240706_021330")];
            assert_eq!(context(&read, 0)[..3], place);
        } else if name.ends_with("old-2019/4.06.1+stock.orun.bench") {
            assert_eq!(value(&read, "lu-decomposition.", "maxrss"), 66396.0 * 1024.0);
            assert_eq!(value(&read, "lu-decomposition.", "gc.heap_chunks"), 21.0);
        } else if name.ends_with("5.3.0+trunk+pausetimes_seq_1.pausetimes.summary.bench") {
            assert_eq!(value(&read, "naive-multilayer.", "max_latency"), 0.944_639 / 1e3);
        }
    }
    let want = [
        ("sandmark", (41, 2460)),
        ("sandmark-config", (46, 0)),
        ("sandmark-pausetimes", (9, 761)),
        ("sandmark-perfstat", (3, 159)),
    ];
    assert!(counts.is_empty() || counts.into_iter().eq(want));
}
