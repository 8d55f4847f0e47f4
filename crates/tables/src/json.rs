//! The rows as JSON, one object a row; absent numbers are null.

use serde_json::{Map, Value, json};
use statera_readers::treacherous::json_safe;
use statera_weighing::{Centre, Reason, Row, Side, Warning};

use crate::Subject;
use crate::cells;

/// The rows as a JSON array.
#[must_use]
pub fn json_rows(subject: &Subject<'_>) -> String {
    let mut text = String::from("[");
    for (place, &index) in subject.shown.iter().enumerate() {
        text.push_str(if place == 0 { "\n" } else { ",\n" });
        text.push_str(&json_safe(&object(&subject.weighing.rows[index as usize], subject).to_string()));
    }
    text.push_str("\n]");
    text
}

/// The names of a row's warnings.
pub fn warnings(row: &Row) -> Vec<&'static str> {
    Warning::ALL.into_iter().filter(|&warning| row.warns(warning)).map(Warning::name).collect()
}

fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

fn object(row: &Row, subject: &Subject<'_>) -> Value {
    let metric = &subject.observations.metrics[row.metric as usize];
    let label = |labels: &[String], index: u32| labels.get(index as usize).cloned().unwrap_or_default();
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    put("benchmark", json!(subject.observations.benchmarks.get(row.benchmark)));
    put("metric", json!(metric.name));
    put("unit", json!(metric.unit));
    put("group", json!(label(subject.groups, row.group)));
    put("baseline", json!(label(subject.labels, row.base)));
    put("contender", json!(label(subject.labels, row.contender)));
    put("design", json!(cells::design(row.design)));
    put("scale", json!(cells::scale(row.scale)));
    put("old", side(&row.old));
    put("new", side(&row.new));
    put("change", number(row.change));
    put(
        "interval",
        json!({"low": number(row.low), "high": number(row.high), "level": number(row.level),
        "low_open": row.low_open, "high_open": row.high_open}),
    );
    put("superiority", number(row.superiority));
    put("method", row.method.map_or(Value::Null, |method| json!(format!("{method:?}").to_lowercase())));
    put("statistic", number(row.statistic));
    put("p", row.p.map_or(Value::Null, number));
    put("p_corrected", row.p_corrected.map_or(Value::Null, number));
    put("least_p", number(row.least_p));
    put("verdict", json!(cells::word(row.verdict)));
    put("reason", if row.reason == Reason::None { Value::Null } else { json!(cells::reason(row.reason)) });
    put("detectable", number(row.detectable));
    put("runs_needed", number(row.runs_needed));
    put("pairs_dropped", json!(row.pairs_dropped));
    put("warnings", json!(warnings(row)));
    Value::Object(map)
}

fn side(side: &Side) -> Value {
    let Centre { value, low, high, level } = side.centre;
    json!({"n": side.units, "values": side.values, "centre": number(value), "low": number(low), "high": number(high), "level": number(level)})
}
