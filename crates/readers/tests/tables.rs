//! Plain tables: roles, units, detection, and malformed input.

use std::path::Path;

use statera_readers::source::Content;
use statera_readers::{Better, Code, Limits, Observations, Options, Source, detection, formats};

fn options(columns: &[(&str, &str)]) -> Options {
    let columns = columns.iter().map(|(role, column)| ((*role).to_owned(), (*column).to_owned())).collect();
    Options { columns, ..Options::default() }
}

pub(crate) fn attempt(format: &str, bytes: &[u8], columns: &[(&str, &str)]) -> Result<Observations, String> {
    let content = Content::from_bytes(bytes).unwrap();
    let format = detection::by_name(format).unwrap();
    let sheets =
        format.sheets("t", Path::new("t"), &content, &options(columns)).map_err(|e| e.to_string())?;
    let source = Source { name: "t".into(), argument: 0, format: format.name, values: 0 };
    Ok(Observations::join(vec![(source, sheets)], &Limits::default()).unwrap())
}

pub(crate) fn read(format: &str, text: &str, columns: &[(&str, &str)]) -> Observations {
    attempt(format, text.as_bytes(), columns).unwrap()
}

pub(crate) fn rows(all: &Observations) -> Vec<String> {
    let row = |row: usize| {
        let metric = &all.metrics[all.metric[row] as usize];
        let context = all.contexts.to_context(all.context[row] as usize);
        let keys: Vec<String> = context.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let (name, value) = (all.benchmarks.get(all.benchmark[row]), all.value[row]);
        format!("{name}|{}|{value:?}|{}|{}", metric.name, metric.unit, keys.join(" "))
    };
    (0..all.len()).map(row).collect()
}

fn problems(all: &Observations) -> Vec<(u32, Code)> {
    all.problems.iter().map(|problem| (problem.line, problem.code)).collect()
}

fn detected(text: &str) -> Option<&'static str> {
    detection::detect(text.as_bytes(), Path::new("")).ok().map(|format| format.name)
}

#[test]
fn a_short_name_of_a_setting_is_one() {
    assert_eq!(rows(&read("tsv", "bench\tn\ttime\nx\tlots\t1\n", &[])), ["x|time|1.0||n=lots"]);
}

#[test]
fn a_mapping_names_the_columns() {
    let text = "case,elapsed,rss,commit,better\nx,3,4,abc,higher\n";
    assert_eq!(detected(text), None);
    let tidy = read("csv", text, &[("benchmark", "case"), ("value", "elapsed"), ("variant", "commit")]);
    assert_eq!(rows(&tidy), ["x|elapsed|3.0||variant=abc", "x|rss|4.0||variant=abc"]);
    assert_eq!(tidy.metrics.iter().map(|metric| metric.primary).collect::<Vec<_>>(), [true, false]);
    assert_eq!(tidy.metrics[0].better, Some(Better::Higher));
    let wide = read("csv", text, &[("benchmark", "case"), ("value", "elapsed"), ("value", "rss")]);
    assert_eq!(rows(&wide), ["x|elapsed|3.0||commit=abc", "x|rss|4.0||commit=abc"]);
    assert!(attempt("csv", text.as_bytes(), &[("benchmark", "x")]).unwrap_err().contains("no column `x`"));
    assert!(attempt("csv", b"", &[]).is_err());
}

#[test]
fn a_mapping_makes_a_table_of_a_file_that_no_format_fits() {
    let folder = std::env::temp_dir().join(format!("statera-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("t.csv");
    std::fs::write(&file, "case,elapsed\nx,3\n").unwrap();
    let files = [file];
    assert!(statera_readers::read(&files, &Options::default()).is_err());
    let mapped = options(&[("benchmark", "case"), ("value", "elapsed")]);
    let all = statera_readers::read(&files, &mapped).unwrap();
    assert_eq!((rows(&all), all.sources[0].format), (vec!["x|elapsed|3.0||".to_owned()], "csv"));
    assert!(statera_readers::read(&files, &options(&[("value", "nix")])).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn only_tables_that_speak_for_themselves_are_detected() {
    for (text, format) in [
        ("benchmark,value\na,1\n", Some("csv")),
        ("benchmark\tvalue\n", Some("tsv")),
        ("name,fast,slow\na,1,2\n", Some("csv")),
        ("name,fast,slow\na,1,quick\n", None),
        ("name,min,max,mean\na,1,2,1.5\n", Some("csv")),
        ("name,compiler,time_ms\na,gcc,1\n", Some("csv")),
        ("Benchmark,Time (ms)\na,1\n", Some("csv")),
        ("name,compiler,time\na,gcc,1\n", None),
        ("name,iterations,real_time,cpu_time,time_unit\na,1,2,3,ns\n", None),
        ("Mode,Score\na,1\n", None),
        ("{\"benchmark\":\"a\",\"value\":1}\n", Some("ndjson")),
        ("{\"name\":\"a\",\"alpha\":1,\"zeta\":2.5}\n{\"name\":\"b\",\"alpha\":1}\n", Some("ndjson")),
        ("{\"name\":\"a\",\"alpha\":1,\"zeta\":\"text\"}\n", None),
        ("{\"type\":\"bench\",\"name\":\"a\",\"median\":1}\n", None),
        ("{\n\"benchmark\": \"a\", \"value\": 1}\n", None),
        ("slot\tslotGap\ttotalTime\tmut\tgc\n", Some("ledger-ops")),
        ("PAR1", Some("parquet")),
    ] {
        assert_eq!(detected(text), format, "{text:?}");
    }
    // A record of Sandmark has more; one with a benchmark and a unit is a table of its own.
    let record = "{\"name\":\"a\",\"command\":\"a.exe\",\"time_secs\":1.5}\n";
    assert_eq!(detected(record), Some("ndjson"));
    for other in [
        "# Benchmark, evals, total\na, 1, 2\n",
        "Benchmark,count\na,1\n",
        "\"title\";\"name\"\n\"t\";\"n\"\n",
    ] {
        assert!(
            (detection::by_name("csv").unwrap().fits)(&formats::Head::new(other.as_bytes())).is_err(),
            "{other:?}"
        );
    }
}

#[test]
fn a_list_is_a_key_if_the_user_says_so() {
    let text = "{\"value\":2,\"benchmark\":\"a\",\"n\":1,\"list\":[1, 2]}\n";
    assert_eq!(rows(&read("ndjson", text, &[("setting", "list")])), ["a|value|2.0||list=[1,2] n=1"]);
}

#[test]
fn large_tables_read_the_same_in_pieces_and_whole() {
    use std::fmt::Write as _;
    let mut text = String::from("benchmark,value,unit,process,k\n");
    for i in 0..250_000 {
        let _ = writeln!(text, "bench{},{}.5,ms,p{},c{}", i % 100, i, i % 7, i / 50_000);
    }
    text.push_str("bad,row\n");
    let pieces = read("csv", &text, &[]);
    let whole = read("csv", &format!("{text}\"q\",1,s,p0,c\n"), &[]);
    assert_eq!(pieces.len() + 1, whole.len());
    assert_eq!(problems(&pieces), [(250_002, Code::MalformedRecord)]);
    assert_eq!(problems(&pieces), problems(&whole));
    let n = pieces.len();
    assert_eq!((&pieces.line[..], &pieces.value[..]), (&whole.line[..n], &whole.value[..n]));
    assert_eq!((&pieces.process[..], pieces.process[8]), (&whole.process[..n], 1));
    assert_eq!(rows(&pieces)[n - 1], rows(&whole)[n - 1]);
}

#[test]
fn a_column_of_numbers_needs_a_unit_a_name_or_the_user() {
    let text = "benchmark,depth of tree,foo,time_ms\nx,1,5,2\ny,2,6,3\n";
    let why = attempt("csv", text.as_bytes(), &[]).unwrap_err();
    for part in [
        "foo (5, 6)",
        "--column metric=foo",
        "--column setting=foo",
        "--column ignore=foo",
        "depth of tree (1, 2)",
        "--column 'ignore=depth of tree'",
    ] {
        assert_eq!(why.contains(part), !part.contains('\''), "{part} in {why}");
    }
    let read = |role| rows(&read("csv", text, &[(role, "foo"), ("ignore", "depth of tree")]));
    assert_eq!(read("metric"), ["x|foo|5.0||", "x|time|0.002|s|", "y|foo|6.0||", "y|time|0.003|s|"]);
    assert_eq!(read("setting"), ["x|time|0.002|s|foo=5", "y|time|0.003|s|foo=6"]);
    assert_eq!(read("ignore"), ["x|time|0.002|s|", "y|time|0.003|s|"]);
    let json = "{\"benchmark\":\"x\",\"foo\":5,\"time_ms\":2}\n";
    assert!(attempt("ndjson", json.as_bytes(), &[]).unwrap_err().contains("foo (5)"));
}

#[test]
fn a_key_by_which_the_user_compares_is_no_result() {
    let text = "benchmark,string_bytes,heap_kb,time_ms\nx,16,7,2\n";
    let content = Content::from_bytes(text.as_bytes()).unwrap();
    let format = detection::by_name("csv").unwrap();
    for (keys, found) in [
        (&["string_bytes"][..], Ok(2)),
        (&["string_bytes", "heap_kb"], Ok(1)),
        (&[], Err("string_bytes (16): --column metric=string_bytes")),
    ] {
        let keys = keys.iter().map(|&key| key.to_owned()).collect();
        let sheets = format.sheets("t", Path::new("t"), &content, &Options { keys, ..Options::default() });
        let read = sheets.map(|sheets| sheets[0].len()).map_err(|error| error.to_string());
        match found {
            Ok(count) => assert_eq!(read, Ok(count)),
            Err(why) => assert!(read.unwrap_err().contains(why)),
        }
    }
}

#[test]
fn a_warm_up_among_numbered_runs_is_no_sample() {
    let warm = read("csv", "benchmark,run,time_s\nx,warm-up,9\nx,1,2\nx,-1,8\n", &[]);
    assert_eq!((rows(&warm), warm.problems.len()), (vec!["x|time|2.0|s|run=1".to_owned()], 2));
    let said = read("csv", "benchmark,run,time_s\nx,warm-up,9\nx,1,2\n", &[("setting", "run")]);
    assert_eq!((said.len(), said.problems.len()), (2, 0));
    // Words alone say what was varied.
    let words = read("csv", "benchmark,run,time_s\nx,plain,9\nx,inlined,2\n", &[]);
    assert!(words.parameters.contains("run") && words.problems.is_empty());
    // Below the rows that tell what a column is, a warm-up is read and said.
    let late = "x,cold,1\n".repeat(25) + &"x,2,1\n".repeat(5);
    let late = read("csv", &format!("benchmark,run,time_s\n{late}"), &[]);
    assert_eq!((late.len(), problems(&late)), (30, vec![(0, Code::Contradiction)]));
}

#[test]
fn results_beside_a_column_of_values_are_secondary_and_no_settings() {
    let text = "label,elapsed,Latency\nx,345,340\n";
    let all = read("csv", text, &[("benchmark", "label"), ("value", "elapsed")]);
    assert_eq!(rows(&all), ["x|elapsed|345.0||", "x|Latency|340.0||"]);
    assert_eq!(all.metrics.iter().map(|metric| metric.primary).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn rows_that_summarise_others_are_counted_apart() {
    let text =
        "name,iterations,real_time,cpu_time,time_unit\nBM_Copy/64,9,3,2,ns\nBM_Copy/64_cv,9,0.03,0.02,ns\n";
    let roles =
        [("benchmark", "name"), ("value", "real_time"), ("unit", "time_unit"), ("ignore", "iterations")];
    let all = read("csv", text, &roles);
    assert_eq!(rows(&all), ["BM_Copy/64|real_time|3e-9|s|", "BM_Copy/64|cpu_time|2.0||"]);
}

#[test]
fn bare_numbers_are_one_sample_or_two() {
    assert_eq!(detected("time_ms\n1\n2\n"), Some("numbers"));
    assert_eq!(detected("old,new\n1,2\n"), Some("numbers"));
    let two = read("numbers", "1 3\n2\nx\n", &[]);
    assert_eq!(rows(&two), ["numbers|value|1.0||variant=column 1", "numbers|value|3.0||variant=column 2"]);
    assert_eq!(problems(&two), [(2, Code::MalformedNumber), (3, Code::MalformedNumber)]);
}

#[test]
fn a_table_of_numbers_alone_is_one_benchmark() {
    let text = "size,time_ms\n8,1000\n16,2000\n";
    assert_eq!(detected(text), Some("csv"));
    assert_eq!(detected("size,time\n8,1000\n16,2000\n"), None);
    assert_eq!(rows(&read("csv", text, &[])), ["numbers|time|1.0|s|size=8", "numbers|time|2.0|s|size=16"]);
    assert!(
        attempt("csv", b"size,compiler,time_ms\n8,gcc,1\n", &[]).unwrap_err().contains("no benchmark column")
    );
    let said = [("variant", "gcc"), ("variant", "clang")];
    let two = read("csv", "gcc,clang\n4.1,3.1\n", &said);
    assert_eq!(rows(&two), ["numbers|value|4.1||variant=gcc", "numbers|value|3.1||variant=clang"]);
}

#[test]
fn a_number_of_samples_needs_a_summary() {
    let why = attempt("csv", b"benchmark,time_ms,reps\nx,4,10\n", &[("count", "reps")]).unwrap_err();
    assert!(why.contains("no summary whose samples `reps`"), "{why}");
    let mean = read("csv", "benchmark,mean_ms,reps\nx,4,10\n", &[("count", "reps")]);
    assert_eq!((rows(&mean), mean.weight), (vec!["x|mean|0.004|s|".to_owned()], vec![10.0]));
}

#[test]
fn another_table_below_ends_the_reading_also_between_pieces() {
    let rows: String = (0..400_000).fold(String::new(), |text, row| text + &format!("b{row},{row}\n"));
    let text = format!("benchmark,time_ms\n{rows}benchmark,mem (MB)\n{rows}");
    let all = read("csv", &text, &[]);
    assert_eq!((all.len(), problems(&all)), (400_000, vec![(400_002, Code::BrokenFile)]));
}

#[test]
fn a_column_of_results_with_a_word_stays_one() {
    for (header, value, holds) in [
        ("time (ms)", "OOM", true),
        ("score", "OOM", false),
        ("widgets", "OOM", false),
        ("threads", "auto", false),
    ] {
        let text = format!("benchmark,mem_mb,{header}\nx,1,{value}\n");
        let all = read("csv", &text, &[]);
        assert_eq!(problems(&all).len() == 1, holds, "{header}");
        let json = format!("{{\"benchmark\":\"x\",\"mem_mb\":1,\"{header}\":\"{value}\"}}\n");
        assert_eq!(rows(&read("ndjson", &json, &[])), rows(&all), "{header}");
    }
    let named = [("benchmark", "case"), ("metric", "widgets")];
    let all = read("csv", "case,widgets\nx,OOM\nx,2\n", &named);
    assert_eq!(
        (rows(&all), problems(&all)),
        (vec!["x|widgets|2.0||".into()], vec![(2, Code::MalformedNumber)])
    );
    let text = "benchmark,score\nx,1\nx,OOM\n";
    assert_eq!(problems(&read("csv", text, &[])), [(3, Code::MalformedNumber)]);
}

#[test]
fn a_unit_column_describes_one_result() {
    let text = "benchmark,time,score,unit\nx,4,1,ms\n";
    let why = attempt("csv", text.as_bytes(), &[]).unwrap_err();
    assert!(why.contains("(time, score)"), "{why}");
    assert_eq!(rows(&read("csv", text, &[("value", "time")])), ["x|time|0.004|s|", "x|score|1.0||"]);
    let same = read("csv", "benchmark,mean,median,unit\nx,4,3,ms\n", &[]);
    assert_eq!(rows(&same), ["x|mean|0.004|s|", "x|median|0.003|s|"]);
}

#[test]
fn a_damaged_parquet_file_is_an_error() {
    for bytes in [&b"PAR1"[..], b"PAR1\xFF\xFF\xFF\x7FPAR1", b"PAR1 and then nothing that ends so"] {
        assert!(attempt("parquet", bytes, &[]).is_err());
    }
}
