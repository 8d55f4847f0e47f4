//! What Sandmark's folders and paths say, and its configurations.

use std::path::Path;

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;
use statera_readers::{Code, Options, Sheet};

use crate::support::{context, problems};

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
    let content = Content::from_bytes(text.as_bytes()).unwrap();
    by_name(format).unwrap().sheets("f", Path::new(path), &content, &Options::default()).unwrap().remove(0)
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
fn a_configuration_has_no_results() {
    let sheet = read("sandmark-config", "f", r#"{"wrappers": [], "benchmarks": []}"#);
    assert_eq!(problems(&sheet)[0].1, Code::Companion);
}
