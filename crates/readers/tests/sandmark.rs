//! Sandmark's records, pause times, perf stat files and configurations.

use std::path::{Path, PathBuf};

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;
use statera_readers::{Code, Limits, Options, Sheet};

const HOST: &str = r#"{"version":"5.15","hostname":"h","kernel":"Linux","arch":"x86_64"}"#;

#[test]
fn sandmarks_log_of_a_run_is_a_companion_by_its_place_and_name() {
    let folder = std::env::temp_dir().join(format!("statera-sandmark-{}", std::process::id()));
    let commit = "eaa2cb358f559fa848e4d05cdab08e908645ade1";
    let record = format!("{HOST}\n{}\n", r#"{"name":"fft","time_secs":1.5,"maxrss_kB":10}"#);
    for id in [commit, "head"] {
        let run = folder.join("sequential/turing/20220407_005522").join(id);
        std::fs::create_dir_all(&run).unwrap();
        std::fs::write(run.join("5.0.0+trunk_1.orun.summary.bench"), &record).unwrap();
        // The output of opam, an empty file, and a file that another reader would accept.
        for (name, text) in
            [("5.0.0+trunk", "opam init --bare\n"), ("5.0.0+a", ""), ("5.0.0+b", "a,value\nx,1\n")]
        {
            std::fs::write(run.join(format!("{name}.20220407_005522.{id}.log")), text).unwrap();
        }
    }
    let read = statera_readers::read(std::slice::from_ref(&folder), &Options::default()).unwrap();
    let codes: Vec<Code> = read.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::Companion; 6]);
    assert_eq!(read.len(), 4);
    // Any other log is an unknown file, as before.
    std::fs::write(folder.join("other.log"), "opam init\n").unwrap();
    let read = statera_readers::read(std::slice::from_ref(&folder), &Options::default()).unwrap();
    assert_eq!(read.problems.iter().filter(|problem| problem.code.loses_data()).count(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Detects the format, asserts that it is the one named, and reads.
fn read(format: &str, path: &str, text: &str) -> Sheet {
    assert_eq!(detect(text.as_bytes(), Path::new("")).map(|found| found.name), Ok(format));
    let limits = Limits { line: 1 << 20, ..Limits::default() };
    let content = Content::limited(text.as_bytes(), limits).unwrap();
    by_name(format).unwrap().sheets("f", Path::new(path), &content, &Options::default()).unwrap().remove(0)
}

fn rows(sheet: &Sheet) -> Vec<(&str, &str, f64, u32)> {
    (0..sheet.len())
        .map(|i| {
            let metric = &sheet.metrics[sheet.metric[i] as usize];
            (sheet.benchmarks.get(sheet.benchmark[i]), &*metric.name, sheet.value[i], sheet.line[i])
        })
        .collect()
}

fn value(sheet: &Sheet, benchmark: &str, metric: &str) -> f64 {
    let found: Vec<f64> = rows(sheet)
        .into_iter()
        .filter(|row| row.0 == benchmark && row.1 == metric)
        .map(|row| row.2)
        .collect();
    assert_eq!(found.len(), 1, "{metric} of {benchmark}");
    found[0]
}

fn problems(sheet: &Sheet) -> Vec<(u32, Code)> {
    sheet.problems.iter().map(|problem| (problem.line, problem.code)).collect()
}

fn context(sheet: &Sheet, row: usize) -> Vec<(&str, &str)> {
    sheet.contexts.get(sheet.context[row] as usize).collect()
}

fn primary(sheet: &Sheet) -> Vec<&str> {
    sheet.metrics.iter().filter(|metric| metric.primary).map(|metric| &*metric.name).collect()
}

#[test]
fn a_record_gives_times_memory_and_the_collectors_counts() {
    let text = format!(
        "{HOST}\n{}\n",
        r#"{"name":"fft.","command":"x","time_secs":1.5,"user_time_secs":1.25,"sys_time_secs":0.25,"maxrss_kB":10,"ocaml":{"version":"5.3","c_compiler":"gcc","tsan":"false","system":"linux"},"gc":{"minor_words":7,"minor_collections":2,"heap_chunks":1,"mean_space_overhead":-0.5},"codesize":64.0}"#
    );
    let sheet = read("sandmark", "5.3.0+trunk.orun.bench", &text);
    let want = [
        ("codesize", 64.0),
        ("maxrss", 10240.0),
        ("sys_time_secs", 0.25),
        ("time_secs", 1.5),
        ("user_time_secs", 1.25),
        ("gc.heap_chunks", 1.0),
        ("gc.mean_space_overhead", -0.5),
        ("gc.minor_collections", 2.0),
        ("gc.minor_words", 7.0),
    ];
    assert_eq!(rows(&sheet), want.map(|(metric, value)| ("fft.", metric, value, 2)));
    assert_eq!(primary(&sheet), ["maxrss", "time_secs"]);
    let unit = |name: &str| &*sheet.metrics.iter().find(|metric| metric.name == name).unwrap().unit;
    assert_eq!([unit("maxrss"), unit("gc.minor_words"), unit("gc.minor_collections")], ["B", "words", "1"]);
    assert!(!sheet.metrics.iter().any(|metric| metric.name == "maxrss" && metric.may_be_exact));
    let want = [
        ("variant", "5.3.0+trunk"),
        ("wrapper", "orun"),
        ("hostname", "h"),
        ("kernel", "Linux"),
        ("kernel.version", "5.15"),
        ("arch", "x86_64"),
        ("ocaml.version", "5.3"),
        ("ocaml.c_compiler", "gcc"),
        ("ocaml.system", "linux"),
    ];
    assert_eq!(context(&sheet, 0), want);
    assert!(sheet.process.is_empty() && sheet.problems.is_empty());
}

#[test]
fn the_path_tells_only_what_it_shows() {
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let text = r#"{"name":"a","time_secs":1,"maxrss_kB":1}"#;
    let keys = |path: &str| {
        let sheet = read("sandmark", path, text);
        context(&sheet, 0).iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    };
    let full = format!("x/sequential/turing/20240706_001001/{commit}/5.3.0+trunk_2.orun.summary.bench");
    let want = format!(
        "kind=sequential host=turing date=20240706_001001 commit={commit} variant=5.3.0+trunk wrapper=orun"
    );
    assert_eq!(keys(&full), want);
    assert_eq!(keys(&(full + ".gz")), want);
    let no_host = format!("pausetimes/20210716_013005/{commit}/4.12_1.orun.summary.bench");
    assert_eq!(
        keys(&no_host),
        format!("kind=pausetimes date=20210716_013005 commit={commit} variant=4.12 wrapper=orun")
    );
    assert_eq!(
        keys(&format!("mine/20240706_001001/{commit}/x")),
        format!("date=20240706_001001 commit={commit}")
    );
    assert_eq!(keys("results/4.06.1+stock_1.orun.bench"), "variant=4.06.1+stock_1 wrapper=orun");
    assert_eq!(keys("a/b/c/5.3.bench"), "");
    assert_eq!(keys("-"), "");
}

#[test]
fn broken_lines_are_named_and_the_rest_is_read() {
    let text = [
        r#"{"name":"a","time_secs":1,"maxrss_kB":1}"#,
        "{}",
        "[1]",
        r#"{"name":"b","time_secs":{"#,
        r#"{"name":"c","time_secs":NaN,"maxrss_kB":-1,"gc":{"minor_words":"x","major_words":null}}"#,
        "",
        r#"{"name":"d","maxrss_kB":1}"#,
        r#"{"name":"e","time_secs":1 2}"#,
        &"[".repeat(100_000),
        &"[".repeat(2 << 20),
        HOST,
        r#"{"name":"f","time_secs":2}"#,
        r#"{"name":"g","time_se"#,
    ]
    .join("\n");
    let sheet = read("sandmark", "f", &text);
    let want = [
        (2, Code::MalformedRecord),
        (3, Code::MalformedRecord),
        (4, Code::Truncated),
        (5, Code::Negative),
        (5, Code::NotFinite),
        (5, Code::MalformedNumber),
        (5, Code::MalformedNumber),
        (7, Code::MalformedRecord),
        (8, Code::MalformedRecord),
        (9, Code::MalformedRecord),
        (10, Code::LineTooLong),
        (13, Code::Truncated),
    ];
    assert_eq!(problems(&sheet), want);
    assert_eq!(rows(&sheet).iter().map(|row| row.3).collect::<Vec<_>>(), [1, 1, 7, 12]);
    assert_eq!((context(&sheet, 0).len(), context(&sheet, 3).len()), (0, 4));
}

#[test]
fn a_host_alone_is_a_run_without_results() {
    assert!(read("sandmark", "f", HOST).is_empty());
}

#[test]
fn pauses_are_nanoseconds_in_arrays_and_milliseconds_by_percentile() {
    let text = [
        r#"{"name": "a", "mean_latency": 1500.5, "max_latency": 3000000000, "distr_latency": [0, 2000]}"#,
        r#"{"name":"b","mean_latency":0,"max_latency":2500,"distr_latency":{"25.0000":0.5,"99.0000":1,"99.9000":2,"100.0000":2500}}"#,
        r#"{"name":"c","mean_latency":8,"max_latency":9,"distr_latency":{}}"#,
        r#"{"name":"d","mean_latency":8,"max_latency":9}"#,
        r#"{"name":"e","distr_latency":{"x":1,"101":1,"50":-1}}"#,
    ]
    .join("\n");
    let sheet = read("sandmark-pausetimes", "f", &text);
    assert_eq!(value(&sheet, "a", "distr_latency[1]"), 2e-6);
    assert_eq!(value(&sheet, "a", "max_latency"), 3.0);
    assert_eq!(value(&sheet, "a", "mean_latency"), 1500.5 / 1e9);
    assert_eq!(value(&sheet, "b", "p25"), 0.0005);
    assert_eq!(value(&sheet, "b", "p99.9"), 0.002);
    assert_eq!(value(&sheet, "b", "max_latency"), 2.5);
    assert_eq!(value(&sheet, "c", "mean_latency"), 0.008);
    assert!(!rows(&sheet).iter().any(|row| row.0 == "b" && row.1 == "mean_latency"));
    assert_eq!(primary(&sheet), ["max_latency", "p99", "p99.9"]);
    let want = [
        (4, Code::MalformedRecord),
        (5, Code::MalformedNumber),
        (5, Code::Negative),
        (5, Code::MalformedNumber),
        (5, Code::MalformedRecord),
    ];
    assert_eq!(problems(&sheet), want);
}

fn perf(command: &str, counters: &str) -> String {
    format!(
        "{HOST}\n# started on Sat Jul  6 03:04:34 2024\n\n\n Performance counter stats for '{command}':\n\n{counters}\n"
    )
}

const ELAPSED: &str = "  1.500000000 seconds time elapsed\n\n  1.25 seconds user\n  0.25 seconds sys\n";

#[test]
fn counters_are_read_with_their_units() {
    let counters = format!(
        "  4,053.54 msec task-clock  #  1.000 CPUs utilized\n 5,88,09,68,361  instructions:u  #  2.58  insn per cycle  (49.9%)\n{ELAPSED}"
    );
    let sheet = read("sandmark-perfstat", "f", &perf("taskset -c 5 ./a.exe b.c", &counters));
    let want = [
        ("a.b_c", "task-clock", 4.05354, 7),
        ("a.b_c", "instructions:u", 5_880_968_361.0, 8),
        ("a.b_c", "time elapsed", 1.5, 9),
        ("a.b_c", "user", 1.25, 11),
        ("a.b_c", "sys", 0.25, 12),
    ];
    assert_eq!(rows(&sheet), want);
    assert_eq!(primary(&sheet), ["instructions:u", "time elapsed"]);
    assert!(sheet.problems.is_empty() && !sheet.metrics[1].may_be_exact);
    let spread = " 3.672,58 msec task-clock ( +-  0.11% )\n 12 cycles ( +- 0.1% )\n 0,125 +- 0,001 seconds time elapsed ( +- 1% )\n";
    let sheet = read("sandmark-perfstat", "f", &perf("./a.exe", spread));
    assert_eq!(sheet.value, [3.67258, 12.0, 0.125]);
}

#[test]
fn what_perf_could_not_count_and_what_is_cut_is_named() {
    let counters = format!(
        " <not supported> cycles\n <not counted> msec task-clock (0.00%)\n x1 branches\n 1,2345 branches\n nonsense\n NaN cycles\n{ELAPSED}\nSome events weren't counted. Try disabling the NMI watchdog:\n\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
    );
    let text =
        format!("{HOST}\n 1 cycles\n{}{}", perf("a", &counters), perf("b", " 7 cycles\n 8 branch-mis"));
    let sheet = read("sandmark-perfstat", "f", text.trim_end());
    let codes: Vec<Code> = sheet.problems.iter().map(|problem| problem.code).collect();
    let want = [
        Code::MalformedRecord,
        Code::MalformedNumber,
        Code::MalformedNumber,
        Code::MalformedNumber,
        Code::MalformedNumber,
        Code::MalformedRecord,
        Code::MalformedNumber,
        Code::Truncated,
        Code::Truncated,
    ];
    assert_eq!(codes, want, "{:?}", sheet.problems);
    assert_eq!(sheet.problems[1].what, "cycles of a. was not supported");
    assert_eq!((sheet.len(), value(&sheet, "b.", "cycles")), (4, 7.0));
}

#[test]
fn a_configuration_has_no_results() {
    let sheet = read("sandmark-config", "f", r#"{"wrappers": [], "benchmarks": []}"#);
    assert_eq!(problems(&sheet), [(0, Code::Companion)]);
}

#[test]
fn real_files_give_their_figures() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/sandmark");
    let Ok(files) = statera_readers::files::expand(&folder, &Limits::default()) else {
        println!("skipped: no {}", folder.display());
        return;
    };
    let mut counts = std::collections::BTreeMap::new();
    for path in files.files.into_iter().map(|found| found.path) {
        let text = std::fs::read_to_string(&path).unwrap();
        let format = detect(text.as_bytes(), Path::new(""))
            .unwrap_or_else(|why| panic!("{}: {why}", path.display()))
            .name;
        let sheet = read(format, path.to_str().unwrap(), &text);
        let real: Vec<_> = sheet.problems.iter().filter(|problem| problem.code != Code::Companion).collect();
        assert!(real.is_empty(), "{}: {real:?}", path.display());
        let has = |name: &str| (0..sheet.len()).filter(|&i| rows(&sheet)[i].1 == name).count();
        let runs = match format {
            "sandmark" => has("time_secs"),
            "sandmark-perfstat" => has("time elapsed"),
            "sandmark-pausetimes" => has("max_latency"),
            _ => 0,
        };
        let (files, total) = counts.entry(format).or_insert((0, 0));
        (*files, *total) = (*files + 1, *total + runs);
        if path.ends_with("5.3.0+trunk+perfstat_1.perfstat.summary.bench") {
            assert_eq!(sheet.len(), 53 * 11);
            assert_eq!(value(&sheet, "owl_gc.", "instructions"), 15_160_955_855.0);
            assert_eq!(value(&sheet, "owl_gc.", "task-clock"), 3.67258);
            assert_eq!(value(&sheet, "mergesort.67108864", "page-faults"), 262_988.0);
            assert_eq!(
                context(&sheet, 0)[..3],
                [("kind", "perfstat"), ("host", "turing"), ("date", "20240706_021330")]
            );
        }
        if path.ends_with("old-2019/4.06.1+stock.orun.bench") {
            assert_eq!(value(&sheet, "lu-decomposition.", "maxrss"), 66396.0 * 1024.0);
            assert_eq!(value(&sheet, "lu-decomposition.", "gc.heap_chunks"), 21.0);
        }
        if path.ends_with("5.3.0+trunk+pausetimes_seq_1.pausetimes.summary.bench") {
            assert_eq!(value(&sheet, "naive-multilayer.", "max_latency"), 0.944_639 / 1e3);
        }
    }
    let want = [
        ("sandmark", (41, 2460)),
        ("sandmark-config", (46, 0)),
        ("sandmark-pausetimes", (9, 761)),
        ("sandmark-perfstat", (3, 159)),
    ];
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), want);
}
