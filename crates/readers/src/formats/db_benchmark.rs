//! The `time.csv` of h2o's database-like operations benchmark: a row for each run of a question.

use super::prelude::*;
use super::records;
use super::records::{As, At, Field, Outcome, Place, Records};

pub static FORMAT: Format = Format {
    name: "db-benchmark",
    sign: "a CSV header with `batch`, `task`, `data`, `question`, `solution`, `run` and `time_sec`",
    harness: "db-benchmark",
    export: "its file time.csv",
    files: &["*.csv"],
    keys: &[&[
        Key::date("end of the run of the question"),
        Key::of_run("run", Role::Run, "number of the run of the question; the first one is often slower"),
        Key::setting("solution", "program that answers"),
        Key::setting("version", "version of the program"),
        Key::of_run("commit", Role::Commit, "commit of the program"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("machine", "kind of the machine"),
    ]],
    metrics: &[
        Meaning::of("time", "time of a run of the question"),
        Meaning::of("memory", "memory that the program uses after the run"),
    ],
    fits: |head| head.header_has(&["batch", "task", "data", "question", "solution", "run", "time_sec"]),
    read: Read::Sheet(|sheet, content| records::read_csv(sheet, content, &RECORDS)),
    ..Format::PLAIN
};

const RECORDS: Records = Records {
    name: |place| Some(format!("{}: {}", place.text("task")?, place.text("question")?)),
    repeats: |_| true,
    outcome: |place| match place.text("time_sec") {
        None | Some("NA") => Outcome::Failed("it has no time".to_owned()),
        Some(_) => Outcome::Passed,
    },
    keys: &[
        At("date", "timestamp", As::Seconds),
        At("run", "run", As::Text),
        At("solution", "solution", As::Text),
        At("version", "version", As::Text),
        At("commit", "git", As::Text),
        At("hostname", "nodename", As::Text),
        At("machine", "machine_type", As::Text),
    ],
    more: work,
    fields: &[Field::of("time", "time_sec", "s"), Field::of("memory", "mem_gb", "GiB").secondary()],
    one_process: false,
    ..Records::PLAIN
};

/// The data of the question and how it is answered are different work.
fn work(sheet: &mut Sheet, place: &Place<'_>, context: &mut Context) {
    for name in ["data", "in_rows", "cache", "on_disk"] {
        if let Some(value) = place.text(name) {
            parameters::add(sheet, context, name, value.to_owned());
        }
    }
    context.retain(|(_, value)| value != "NA");
}
