//! Google Benchmark's JSON and CSV.

use std::path::Path;

use statera_readers::detection::{by_name, detect};
use statera_readers::{Code, Sheet};

use crate::support::{context, metrics, problems, rows, sheet, stored};

fn json(text: &str) -> Sheet {
    sheet(by_name("google-benchmark").unwrap(), text.as_bytes())
}

fn csv(text: &str) -> Sheet {
    sheet(by_name("google-benchmark-csv").unwrap(), text.as_bytes())
}

#[test]
fn each_repetition_is_a_value_in_base_units_and_summaries_are_none() {
    let bytes = stored("google-benchmark/real/reps.json");
    assert_eq!(detect(&bytes, Path::new("f")).unwrap().name, "google-benchmark");
    let sheet = sheet(by_name("google-benchmark").unwrap(), &bytes);
    // Two benchmarks with a rate and a counter, one without: three repetitions each.
    assert_eq!(sheet.len(), 3 * (4 + 4 + 2));
    assert_eq!(rows(&sheet)[0], "39 0 BM_Copy/64 bytes_per_second 21474149579.132637 B/s");
    let benchmarks: Vec<&str> = sheet.benchmarks.iter().collect();
    assert_eq!(benchmarks, ["BM_Copy/64", "BM_Copy/512", "BM_Sum/real_time/threads:2"]);
    assert_eq!(
        metrics(&sheet),
        [
            ("bytes_per_second", "B/s", "higher", false),
            ("cpu_time", "s", "lower", true),
            ("len", "", "", false),
            ("real_time", "s", "lower", true),
        ]
    );
    // 14 ns, stated in microseconds.
    let slow =
        rows(&sheet).into_iter().find(|row| row.contains("BM_Sum") && row.contains("real_time ")).unwrap();
    assert!(slow.contains("e-8 s"), "{slow}");
    let keys: Vec<&str> = context(&sheet, 0).iter().map(|(key, _)| *key).collect();
    assert_eq!(
        keys,
        ["date", "hostname", "num_cpus", "cpu_scaling_enabled", "executable", "library_build_type"]
    );
    assert_eq!(context(&sheet, sheet.len() - 1).last(), Some(&("label", "plain")));
    assert_eq!(problems(&sheet).len(), 3);
    assert_eq!(sheet.problems[0].what, "BM_Err has no result: failed on purpose");
}

#[test]
fn the_csv_has_the_same_values_with_fewer_digits_and_its_wrong_summaries_are_none() {
    let bytes = stored("google-benchmark-csv/real/reps.csv");
    assert_eq!(detect(&bytes, Path::new("f")).unwrap().name, "google-benchmark-csv");
    let sheet = sheet(by_name("google-benchmark-csv").unwrap(), &bytes);
    assert_eq!((sheet.len(), sheet.problems.len()), (3 * (4 + 4 + 2), 3));
    assert_eq!(
        rows(&sheet)[..4],
        [
            "12 0 BM_Copy/64 real_time 3.09526e-9 s",
            "12 0 BM_Copy/64 cpu_time 3.07419e-9 s",
            "12 0 BM_Copy/64 bytes_per_second 20818500000.0 B/s",
            "12 0 BM_Copy/64 len 64.0",
        ]
    );
    assert_eq!(context(&sheet, sheet.len() - 1), [("label", "plain")]);
}

#[test]
fn without_repetitions_the_mean_has_their_number_and_deviation() {
    let sheet = sheet(by_name("google-benchmark").unwrap(), &stored("google-benchmark/real/aggregates.json"));
    assert_eq!(sheet.len(), 4 + 4 + 2);
    let times: Vec<_> = (0..sheet.len())
        .filter(|&row| sheet.metrics[sheet.metric[row] as usize].name == "real_time")
        .collect();
    let figures: Vec<_> =
        times.iter().map(|&row| (sheet.value[row], sheet.weight[row], sheet.deviation[row])).collect();
    assert_eq!(figures[0], (3.036_145_128_437_586e-9, 3.0, 9.076_141_602_183_124e-11));
    // Microseconds in the file.
    assert_eq!(figures[2], (1.400_578_999_763_754_5e-8, 3.0, 6.042_078_846_387_101e-11));
}

#[test]
fn a_benchmark_whose_name_ends_like_a_summary_is_read() {
    let row = |name: &str, kind: &str| {
        format!(r#"{{"name": "{name}", {kind} "real_time": 2, "cpu_time": 1, "time_unit": "ms"}}"#)
    };
    let file = |rows: &[String]| format!("{{\"context\": {{}}, \"benchmarks\": [{}]}}", rows.join(",\n"));
    let kind = r#""run_type": "iteration","#;
    let new = json(&file(&[row("geo_mean", kind)]));
    assert_eq!(rows(&new), ["1 0 geo_mean cpu_time 0.001 s", "1 0 geo_mean real_time 0.002 s"]);
    // Before 1.5 there is no `run_type`: the name tells, if the repetitions precede it.
    let old = json(&file(&[row("a", ""), row("a_mean", ""), row("geo_mean", "")]));
    let benchmarks: Vec<&str> = old.benchmarks.iter().collect();
    assert_eq!(benchmarks, ["a", "geo_mean"]);
    assert!(old.problems.is_empty());
}

#[test]
fn what_is_broken_is_named_and_the_rest_is_read() {
    let sheet = json(
        r#"{"context": {"host_name": "h", "mhz_per_cpu": 99, "compiler": "gcc"}, "benchmarks": [
        {"real_time": 1},
        {"name": "a", "run_type": "iteration", "real_time": 1, "time_unit": "days"},
        {"name": "b", "run_type": "iteration", "real_time": NaN, "cpu_time": 1, "time_unit": "s"},
        {"name": "c", "run_type": "iteration", "skipped": true, "skip_message": "no GPU"},
        {"name": "d", "run_type": "iteration", "real_time": "x", "cpu_time": -1, "time_unit": "s", "own": 3},
        7
        ]}"#,
    );
    assert_eq!(rows(&sheet), ["4 0 b cpu_time 1.0 s", "6 0 d own 3.0"]);
    let codes: Vec<_> = sheet.problems.iter().map(|problem| (problem.line, problem.code)).collect();
    assert_eq!(
        codes,
        [
            (2, Code::MalformedRecord),
            (3, Code::MalformedRecord),
            (4, Code::NotFinite),
            (5, Code::NoResults),
            (6, Code::Negative),
            (6, Code::MalformedNumber),
            (7, Code::MalformedRecord),
        ]
    );
    assert_eq!(context(&sheet, 0), [("hostname", "h"), ("compiler", "gcc")]);
}

#[test]
fn a_cut_file_gives_no_value_that_the_whole_one_does_not_have() {
    for (format, place) in [
        (by_name("google-benchmark").unwrap(), "google-benchmark/real/reps.json"),
        (by_name("google-benchmark-csv").unwrap(), "google-benchmark-csv/real/reps.csv"),
    ] {
        let bytes = stored(place);
        let whole = rows(&sheet(format, &bytes));
        // A number on a line of CSV that is cut may have lost digits, which nothing shows.
        let is_seen = |&end: &usize| place.ends_with("json") || bytes[end - 1] == b'\n';
        for end in (bytes.len() / 3..bytes.len() - 2).filter(is_seen) {
            let cut = sheet(format, &bytes[..end]);
            assert!(rows(&cut).iter().all(|row| whole.contains(row)), "{place} cut at {end}");
        }
    }
}

#[test]
fn a_csv_of_other_columns_names_its_line() {
    let sheet = csv(
        "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message\n\
         \"a,b\",1,2,3,ms,,7,,,\n\
         short,1\n\
         \"x\",1,y,3,ns,,,,,\n\
         \"a_stddev\",1,2,3,ms,,,,,\n\
         \"z_mean\",1,2,3,ms,,,,,\n\
         \"z_stddev\",1,2,3,ms,,,,,\n\
         \"z_cv\",1,0.1,0.1,,,,,,\n",
    );
    assert_eq!(
        rows(&sheet),
        [
            "2 0 a,b real_time 0.002 s",
            "2 0 a,b cpu_time 0.003 s",
            "2 0 a,b items_per_second 7.0 1/s",
            "4 0 x cpu_time 3e-9 s",
            "5 0 a_stddev real_time 0.002 s",
            "5 0 a_stddev cpu_time 0.003 s",
            "6 0 z real_time 0.002 s",
            "6 0 z cpu_time 0.003 s",
        ]
    );
    let lines: Vec<u32> = sheet.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [3, 4]);
    // The mean of repetitions that the file does not have.
    assert_eq!(sheet.weight.last(), Some(&1.0));
}
