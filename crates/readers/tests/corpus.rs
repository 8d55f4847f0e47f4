//! Every input that the fuzzers keep is read here again: no panic, and consistent columns.

#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

use std::path::Path;

/// The folders of the fuzz targets and the formats that read them.
const FORMATS: [(&str, &str, &str); 14] = [
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
