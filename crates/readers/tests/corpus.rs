//! Every input that the fuzzers keep is read here again: no panic, and consistent columns.

#[path = "../../../fuzz/src/lib.rs"]
pub mod fuzz;

use std::path::Path;

/// The folders of the fuzz targets and the formats that read them.
const FORMATS: [(&str, &str, &str); 43] = [
    ("go", "go", "t"),
    ("csv", "csv", "t.csv"),
    ("numbers", "numbers", "t.txt"),
    ("ndjson", "ndjson", "t.ndjson"),
    ("parquet", "parquet", "t.parquet"),
    ("ledger_csv", "ledger-ops", "ledger-ops-cost-a-b-from-1-nr-blocks-2.csv"),
    ("ledger_json", "ledger-ops-json", "t.json"),
    ("bench_bitcoin", "bench_bitcoin", "t"),
    ("nanobench_json", "nanobench-json", "t.json"),
    ("nanobench_csv", "nanobench-csv", "t.csv"),
    ("hyperfine", "hyperfine", "t.json"),
    ("google_benchmark", "google-benchmark", "x.json"),
    ("google_benchmark_csv", "google-benchmark-csv", "x.csv"),
    ("pyperf", "pyperf", "x.json"),
    ("jmh", "jmh", "x.json"),
    ("pytest_benchmark", "pytest-benchmark", "x.json"),
    ("criterion", "criterion", "sample.json"),
    ("jmh_csv", "jmh-csv", "x.csv"),
    ("criterion_text", "criterion-text", "x.txt"),
    ("benchmarkdotnet", "benchmarkdotnet", "x.json"),
    ("hyperfine_csv", "hyperfine-csv", "x.csv"),
    ("hyperfine_2", "hyperfine-2", "x.json"),
    ("tinybench", "tinybench", "x.json"),
    ("vitest", "vitest", "x.json"),
    ("mitata", "mitata", "x.json"),
    ("benchmark_js", "benchmark.js", "x.txt"),
    ("libtest", "libtest", "x.txt"),
    ("benchmark_ips", "benchmark-ips", "x.txt"),
    ("asv", "asv", "x.json"),
    ("catch2", "catch2", "x.xml"),
    ("divan", "divan", "x.txt"),
    ("go_json", "go-json", "x.json"),
    ("benchstat", "benchstat", "x.csv"),
    ("benchmarktools", "benchmarktools", "x.json"),
    ("perf_stat", "perf-stat", "x.txt"),
    ("perf_stat_csv", "perf-stat-csv", "x.csv"),
    ("perf_stat_json", "perf-stat-json", "x.json"),
    ("phpbench", "phpbench", "x.xml"),
    ("gungraun", "gungraun", "x.json"),
    ("gungraun_text", "gungraun-text", "x.txt"),
    ("sandmark_orun", "sandmark", "a_1.orun.summary.bench"),
    ("sandmark_pausetimes", "sandmark-pausetimes", "a_1.pausetimes.summary.bench"),
    ("sandmark_perfstat", "sandmark-perfstat", "a_1.perfstat.summary.bench"),
];

#[test]
fn every_kept_input_is_read() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (folder, format, name) in FORMATS {
        let mut inputs = 0;
        for entry in std::fs::read_dir(corpus.join(folder)).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            fuzz::read_as(format, name, &bytes);
            if matches!(format, "csv" | "ndjson") {
                fuzz::read_mapped(format, name, &bytes);
                fuzz::round_trip(format, &bytes);
            }
            inputs += 1;
        }
        assert!(inputs > 0, "{folder} keeps no input");
    }
}
