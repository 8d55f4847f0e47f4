//! The results of `ClickBench`: `result`, the seconds of each run of each query. The first run finds cold caches.

use super::prelude::*;
use super::records;
use super::records::{As, At, Field, Outcome, Records};

pub static FORMAT: Format = Format {
    name: "clickbench",
    sign: "an object with `system`, `machine` and `result`, a list of lists",
    harness: "ClickBench",
    export: "a file of its folders results",
    keys: &[&[
        Key::date("day of the run"),
        Key::setting("database", "system of the run"),
        Key::environment("machine", "machine of the run"),
        Key::work("cluster_size", "number of machines"),
        Key::setting("tuned", "whether the system was tuned"),
    ]],
    metrics: &[
        Meaning::of("time", "time of a query, in the runs after the first one"),
        Meaning::of("time-cold", "time of a query in the first run, with cold caches"),
        Meaning::of("load-time", "time in which the data was loaded"),
        Meaning::of("size", "size of the loaded data"),
    ],
    fits: |head| head.has_all(&["system", "machine", "result[][]"]),
    read: Read::Sheet(|sheet, content| records::read_json(sheet, content, &[QUERIES, LOAD])),
    ..Format::JSON
};

const KEYS: &[At] = &[
    At("date", "/date", As::Text),
    At("database", "/system", As::Text),
    At("machine", "/machine", As::Text),
    At("cluster_size", "/cluster_size", As::Text),
    At("tuned", "/tuned", As::Text),
];

const QUERIES: Records = Records {
    at: &["result[]"],
    name: |place| Some(format!("Q{}", place.nth()?)),
    outcome: |place| {
        let runs = place.record().list().unwrap_or_default();
        match runs.iter().filter(|run| **run == Value::Null).count() {
            0 => Outcome::Passed,
            failed => Outcome::Failed(format!("{failed} of its {} runs failed", runs.len())),
        }
    },
    keys: KEYS,
    fields: &[
        Field::of("time-cold", "0", "s").secondary(),
        Field::of("time", "1", "s"),
        Field::of("time", "2", "s"),
    ],
    ..Records::PLAIN
};

/// A system that loads no data states 0.
const LOAD: Records = Records {
    at: &[""],
    name: |_| Some("load".to_owned()),
    keys: KEYS,
    fields: &[
        Field::of("load-time", "load_time", "s").secondary().zero_is_none(),
        Field::of("size", "data_size", "B").secondary().zero_is_none(),
    ],
    ..Records::PLAIN
};
