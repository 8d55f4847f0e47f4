//! Plain tables: roles, units, detection, and malformed input.

use std::path::Path;

use statera_readers::source::Content;
use statera_readers::{Better, Code, Limits, NONE, Observations, Options, Quantity, Source, formats};

fn options(columns: &[(&str, &str)]) -> Options {
    let columns = columns.iter().map(|(role, column)| ((*role).to_owned(), (*column).to_owned())).collect();
    Options { columns, ..Options::default() }
}

fn attempt(format: &str, bytes: &[u8], columns: &[(&str, &str)]) -> Result<Observations, String> {
    let content = Content::from_bytes(bytes).unwrap();
    let format = formats::by_name(format).unwrap();
    let sheets =
        (format.read)("t", Path::new("t"), &content, &options(columns)).map_err(|e| e.to_string())?;
    let source = Source { name: "t".into(), argument: 0, format: format.name, values: 0 };
    Ok(Observations::join(vec![(source, sheets)], &Limits::default()).unwrap())
}

fn read(format: &str, text: &str, columns: &[(&str, &str)]) -> Observations {
    attempt(format, text.as_bytes(), columns).unwrap()
}

fn rows(all: &Observations) -> Vec<String> {
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
    formats::detect(text.as_bytes(), Path::new("")).ok().map(|format| format.name)
}

#[test]
fn a_tidy_table_needs_no_mapping() {
    let text = "\u{FEFF}benchmark,metric,unit,value,compiler,block,process,order,file,line\r\n\
        \"a,\"\"b\"\"\nc\",time,ms,1.5,ghc,7,p,0,f,1\r\n\
        x,memory,KiB,2, ,,q,1,f,2\r\n\
        x,other,,-3,,,,2,f,3\r\n";
    assert_eq!(detected(text), Some("csv"));
    let all = read("csv", text, &[]);
    assert_eq!(
        rows(&all),
        ["a,\"b\"\nc|time|0.0015|s|compiler=ghc", "x|memory|2048.0|B|compiler= ", "x|other|-3.0||"]
    );
    assert_eq!(all.line, [2, 4, 5]);
    assert_eq!((all.blocks.get(all.block[0]), all.block[1]), ("7", NONE));
    assert_eq!(all.process, [0, 1, NONE]);
    assert_eq!(all.metrics[2].quantity, Quantity::Other);
}

#[test]
fn a_wide_table_has_a_metric_a_column_and_may_have_gaps() {
    let text = "name;time [ms];size (kB)\nx;2;3\n\ny;;4\n";
    assert_eq!(detected(text), Some("csv"));
    let all = read("csv", text, &[]);
    assert_eq!(rows(&all), ["x|time|0.002|s|", "x|size|3000.0|B|", "y|size|4000.0|B|"]);
    assert_eq!(all.line, [2, 2, 4]);
    assert_eq!(problems(&all), []);
    assert_eq!(rows(&read("tsv", "bench\tn\ttime\nx\tlots\t1\n", &[])), ["x|time|1.0||n=lots"]);
}

#[test]
fn a_mapping_names_the_columns() {
    let text = "case,elapsed,heap,commit,better\nx,3,4,abc,higher\n";
    assert_eq!(detected(text), None);
    let tidy = read("csv", text, &[("benchmark", "case"), ("value", "elapsed"), ("variant", "commit")]);
    assert_eq!(rows(&tidy), ["x|elapsed|3.0||variant=abc heap=4"]);
    assert_eq!(tidy.metrics[0].better, Some(Better::Higher));
    let wide = read("csv", text, &[("benchmark", "case"), ("value", "elapsed"), ("value", "heap")]);
    assert_eq!(rows(&wide), ["x|elapsed|3.0||commit=abc", "x|heap|4.0||commit=abc"]);
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
        ("name,min,max,mean\na,1,2,1.5\n", None),
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
    let sandmark = "{\"name\":\"a\",\"command\":\"a.exe\",\"time_secs\":1.5}\n";
    assert!(!matches!(detected(sandmark), Some("ndjson")));
    assert!(
        (formats::by_name("ndjson").unwrap().fits)(&formats::Head::new(
            b"{\"name\":\"a\",\"time_secs\":1.5}\n"
        ))
        .is_err()
    );
    for other in [
        "# Benchmark, evals, total\na, 1, 2\n",
        "Benchmark,count\na,1\n",
        "\"title\";\"name\"\n\"t\";\"n\"\n",
    ] {
        assert!(
            (formats::by_name("csv").unwrap().fits)(&formats::Head::new(other.as_bytes())).is_err(),
            "{other:?}"
        );
    }
}

#[test]
fn broken_rows_are_named_by_line() {
    let text = "benchmark,value,unit\na,1,s\na,x,s\na,,s\na,NaN,s\na,-1,s\na,1\n,,\n\na,1,5,s\na,\"1,5\",s\na,2,s\na,\"3,s\nb,4,s\n";
    let all = read("csv", text, &[]);
    let (number, record) = (Code::MalformedNumber, Code::MalformedRecord);
    assert_eq!(
        problems(&all),
        [
            (3, number),
            (4, number),
            (5, Code::NotFinite),
            (6, Code::Negative),
            (7, record),
            (10, record),
            (11, number),
            (13, record)
        ]
    );
    assert_eq!(all.value, [1.0, 2.0]);
    let cut = read("csv", "benchmark,value,unit\na,1,s\na,2", &[]);
    assert_eq!(problems(&cut), [(3, Code::Truncated)]);
    let twice = read("csv", "benchmark,value,k,k\na,1,x,y\n", &[]);
    assert_eq!(
        (problems(&twice), rows(&twice)),
        (vec![(1, Code::Contradiction)], vec!["a|value|1.0||k=x".into()])
    );
}

#[test]
fn bytes_that_are_no_text_and_two_dimensions_of_a_metric_stay_apart() {
    let all = attempt("csv", b"benchmark,metric,value,unit\na\xFF,m,1,s\na\xFE,m,1,B\n", &[]).unwrap();
    assert_eq!(rows(&all), ["a\\xFF|m|1.0|s|", "a\\xFE|m|1.0|B|"]);
    let json = attempt("ndjson", b"{\"benchmark\":\"a\xFF\",\"value\":1}\n", &[]).unwrap();
    assert_eq!(rows(&json), ["a\\xFF|value|1.0||"]);
}

#[test]
fn a_process_belongs_to_its_variant_and_file() {
    let text = "benchmark,value,variant,process,file\na,1,old,1,f\na,1,new,1,f\na,1,old,1,f\na,1,old,1,g\n";
    assert_eq!(read("csv", text, &[]).process, [0, 1, 0, 2]);
}

#[test]
fn json_lines_may_differ_in_their_keys() {
    let text = "{\"value\":2,\"benchmark\":\"a\",\"n\":1,\"on\":true,\"list\":[1, 2]}\n\n{\"benchmark\":\"a\",\"value\":\"3.5\",\"late\":0.1,\"n\":null}\n{\"value\":1}\n{\"benchmark\":\"a\"}\n{\"benchmark\":\"a\",\"value\":NaN}\n[1]\n{\"benchmark\":\"a\",\"val";
    let all = read("ndjson", text, &[]);
    assert_eq!(rows(&all), ["a|value|2.0||list=[1,2] n=1 on=true", "a|value|3.5||late=0.1"]);
    let record = Code::MalformedRecord;
    let want =
        [(4, record), (5, Code::MalformedNumber), (6, Code::NotFinite), (7, record), (8, Code::Truncated)];
    assert_eq!(problems(&all), want);
    assert_eq!(all.line, [1, 3]);
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
fn a_damaged_parquet_file_is_an_error() {
    for bytes in [&b"PAR1"[..], b"PAR1\xFF\xFF\xFF\x7FPAR1", b"PAR1 and then nothing that ends so"] {
        assert!(attempt("parquet", bytes, &[]).is_err());
    }
}
