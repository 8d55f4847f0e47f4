//! The table of a row's fields: the names in columns, CSV and JSON, and what a row that lacks a value shows.

use std::collections::BTreeSet;

use arrow_array::Array as _;
use statera_readers::metric::{Metric, Quantity};
use statera_readers::{Limits, Measurement, Observations, ROW, Sheet, Source};
use statera_tables::field::{Field, Kind, Names};
use statera_tables::{
    CELLS, INSPECTED_FIELDS, ROW_FIELDS, Subject, cell, columns, comma_separated, json_rows,
};
use statera_weighing::{Centre, Design, Noise, Reason, Row, Scale, Side, Verdict, Weighing};

const SIDE: Side = Side { variant: 0, values: 8, units: 8, centre: Centre { value: 2.0, ..Centre::NONE } };

/// A row without a test.
fn row(verdict: Verdict, reason: Option<Reason>) -> Row {
    Row {
        share: 1.0,
        group: 0,
        metric: 0,
        benchmark: 0,
        design: Design::Independent,
        scale: Scale::Difference,
        baseline: SIDE,
        contender: Side { variant: 1, values: 0, units: 0, centre: Centre::NONE },
        change: f64::NAN,
        change_low: f64::NAN,
        change_high: f64::INFINITY,
        change_level: f64::NAN,
        change_low_open: false,
        change_high_open: true,
        superiority: f64::NAN,
        statistic: f64::NAN,
        p: None,
        p_apart: None,
        p_corrected: None,
        least_p: f64::NAN,
        session: 0.0,
        effective_units: f64::NAN,
        method: None,
        verdict,
        reason,
        noise: Noise::NONE,
        detectable: f64::NAN,
        runs_needed: f64::NAN,
        tail: None,
        spread: None,
        mean: None,
        tail_shift: None,
        level_change: None,
        runs_needed_low: f64::NAN,
        runs_needed_high: f64::NAN,
        pairs_dropped: 0,
        warnings: 0b11,
    }
}

fn observations() -> Observations {
    let mut sheet = Sheet::new("file");
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    sheet.push(Measurement { benchmark: "b", metric, value: 1.0, line: 1, ..ROW });
    let source = Source { name: "file".to_owned(), argument: 0, format: "test", values: 0 };
    Observations::join(vec![(source, vec![sheet])], &Limits::default()).unwrap()
}

/// Works with the names of rows.
fn with_names(work: impl FnOnce(&Names<'_>)) {
    let labels = ["old".to_owned(), "new".to_owned()];
    work(&Names { observations: &observations(), labels: &labels, groups: &[String::new()] });
}

fn plain<R>(fields: &[Field<R>]) {
    let names: BTreeSet<&str> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names.len(), fields.len(), "a name stands twice");
    for field in fields {
        assert!(field.name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit()));
        assert!(!field.meaning.is_empty() && !field.meaning.ends_with('.'), "{}", field.name);
    }
}

#[test]
fn every_field_has_a_name_of_its_own_and_a_meaning() {
    plain(&ROW_FIELDS);
    plain(&INSPECTED_FIELDS);
}

#[test]
fn columns_comma_separated_values_and_json_have_the_same_names() {
    let row = row(Verdict::Missing, None);
    let wanted: Vec<&str> = ROW_FIELDS.iter().map(|field| field.name).collect();
    with_names(|names| {
        let batch = columns(&ROW_FIELDS, &[row], names).unwrap();
        let schema = batch.schema();
        assert_eq!(schema.fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>(), wanted);
        let comma = comma_separated(&ROW_FIELDS, &[&row], names, false);
        assert_eq!(comma.lines().next().unwrap().split(',').collect::<Vec<_>>(), wanted);
        let json = json_rows(&ROW_FIELDS, &[&row], names);
        let json: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&json).unwrap();
        let keys: BTreeSet<&str> = json[0].keys().map(String::as_str).collect();
        assert_eq!(keys, wanted.iter().copied().collect());
    });
}

#[test]
fn rows_of_several_pieces_keep_their_order() {
    let rows: Vec<Row> =
        (0..10_000).map(|n| Row { pairs_dropped: n, ..row(Verdict::Missing, None) }).collect();
    let shown: Vec<&Row> = rows.iter().collect();
    let wanted: Vec<u64> = (0..10_000).collect();
    with_names(|names| {
        let comma = comma_separated(&ROW_FIELDS, &shown, names, false);
        let cells = csv::Reader::from_reader(comma.as_bytes()).into_deserialize().map(|line| {
            let line: std::collections::HashMap<String, String> = line.unwrap();
            line["pairs_dropped"].parse::<u64>().unwrap()
        });
        assert_eq!(cells.collect::<Vec<_>>(), wanted);
        let json = json_rows(&ROW_FIELDS, &shown, names);
        let json: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
        assert_eq!(json.iter().map(|row| row["pairs_dropped"].as_u64().unwrap()).collect::<Vec<_>>(), wanted);
        assert_eq!(json_rows(&ROW_FIELDS, &[], names), "[\n\n]");
    });
}

#[test]
fn what_a_row_lacks_is_null_in_columns_too_and_stated_as_optional() {
    let row = row(Verdict::Missing, None);
    with_names(|names| {
        let batch = columns(&ROW_FIELDS, &[row], names).unwrap();
        let absent: Vec<&str> = ROW_FIELDS
            .iter()
            .zip(batch.columns())
            .filter(|(_, column)| column.is_null(0))
            .map(|(field, _)| {
                assert!(field.optional, "{}", field.name);
                field.name
            })
            .collect();
        for name in ["reason", "method", "p", "change", "change_high", "contender_centre", "contender_level"]
        {
            assert!(absent.contains(&name), "{name}");
        }
    });
}

#[test]
fn no_rows_have_all_columns() {
    with_names(|names| {
        assert_eq!(columns(&INSPECTED_FIELDS, &[], names).unwrap().num_columns(), INSPECTED_FIELDS.len());
    });
}

#[test]
fn codes_in_rows_are_codes_of_their_field() {
    with_names(|names| {
        for verdict in Verdict::ALL {
            let row = row(verdict, Some(Reason::TooFewRuns));
            for field in ROW_FIELDS.iter().filter(|field| matches!(field.kind, Kind::Code(_))) {
                if let statera_tables::field::Value::Text(code) = field.value(&row, names) {
                    assert!(field.kind.codes().contains(&&*code), "{}: {code}", field.name);
                }
            }
        }
    });
}

#[test]
fn a_change_states_its_unit() {
    let unit = ROW_FIELDS.iter().find(|field| field.name == "change_unit").unwrap();
    with_names(|names| {
        let difference = row(Verdict::Missing, None);
        let ratio = Row { scale: Scale::Ratio, ..difference };
        let of = |row: &Row| match unit.value(row, names) {
            statera_tables::field::Value::Text(text) => text.into_owned(),
            other => panic!("{other:?}"),
        };
        assert_eq!([of(&difference), of(&ratio)], ["s", "ratio"]);
    });
}

fn with_subject(row: &Row, work: impl FnOnce(&Subject<'_>)) {
    let weighing = Weighing {
        rows: vec![*row],
        directions: vec![None],
        margins: vec![Some(0.02.into())],
        ..Weighing::default()
    };
    with_names(|names| {
        work(&Subject { names: *names, weighing: &weighing, confidence: 0.95, mean: false });
    });
}

#[test]
fn a_cell_without_a_value_is_none() {
    let row = row(Verdict::Missing, None);
    with_subject(&row, |subject| {
        let known: Vec<&str> = CELLS.into_iter().filter(|name| cell(&row, name, subject).is_some()).collect();
        assert_eq!(known, ["word", "old", "benchmark", "baseline", "baseline_centre", "n", "verdict"]);
        assert_eq!(cell(&row, "baseline", subject).unwrap(), "2.000 s ± ?");
        assert_eq!(cell(&row, "baseline_centre", subject).unwrap(), "2.000 s");
    });
}

#[test]
fn the_word_of_a_verdict_is_that_of_its_metric() {
    for (verdict, change, word) in [
        (Verdict::Worse, 0.2, "slower"),
        (Verdict::Better, -0.2, "faster"),
        (Verdict::TailWorse, 0.0, "tail slower"),
        (Verdict::Inconclusive, 0.1, "no clear change"),
        (Verdict::Equivalent, 0.0, "unchanged"),
    ] {
        let one = Row { scale: Scale::Ratio, change, ..row(verdict, None) };
        with_subject(&one, |subject| assert_eq!(cell(&one, "word", subject).unwrap(), word));
    }
}
