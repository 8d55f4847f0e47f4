//! Groups of a table, blocks of groups, and refused input.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, RecordBatch, StringArray};
use statera_stats::{
    Columns, Grouped, NAMES, Options, Procedure, Roles, Sample, Setting, Takes, group, procedure, run_samples,
};

fn options() -> Options {
    let number = |name: &str, value| (name.to_owned(), Setting::Number(value));
    let word = |name: &str, value: &str| (name.to_owned(), Setting::Word(value.to_owned()));
    let whole = |name: &str, value| (name.to_owned(), Setting::Whole(value));
    Options::new([
        number("confidence", 0.95),
        number("share", 0.1),
        number("low", -1.0),
        number("high", 1.0),
        whole("resamples", 50),
        whole("seed", 1),
        word("zeros", "drop"),
        word("statistic", "mean"),
        word("rule", "nrd0"),
        ("levels".to_owned(), Setting::Numbers(vec![0.25, 0.5])),
        // Two procedures have methods of their own.
        word("method", "bca"),
    ])
}

fn made(name: &str) -> Box<dyn Procedure> {
    let options = if name == "tost" {
        let words = [("low", Setting::Number(-1.0)), ("high", Setting::Number(1.0))];
        let more =
            [("confidence", Setting::Number(0.95)), ("method", Setting::Word("signed-rank".to_owned()))];
        Options::new(words.into_iter().chain(more).map(|(name, setting)| (name.to_owned(), setting)))
    } else {
        options()
    };
    procedure(name, &options).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Numbers without a pattern, from a multiplicative generator.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let next = |state: &u64| Some(state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(12345));
    std::iter::successors(Some(seed), next).skip(3).take(count).map(|bits| (bits >> 40) as f64).collect()
}

fn same(a: &Columns, row: usize, b: &Columns, other: usize) -> bool {
    let pairs = a.columns.iter().zip(&b.columns);
    pairs
        .clone()
        .all(|(x, y)| x.numbers[row].to_bits() == y.numbers[other].to_bits() || x.numbers[row].is_nan())
        && pairs.count() == b.columns.len()
}

#[test]
fn a_group_has_the_same_row_alone_and_among_blocks_of_others() {
    let groups = (1 << 13) + 3;
    let values = [numbers(groups * 4, 1), numbers(groups * 4, 2)];
    let offsets: Vec<usize> = (0..=groups).map(|g| 4 * g).collect();
    for name in ["mann_whitney", "kruskal_wallis", "friedman", "signed_rank", "hodges_lehmann"] {
        let procedure = made(name);
        let samples: Vec<Sample<'_>> =
            values.iter().map(|values| Sample { values, offsets: &offsets }).collect();
        let all = run_samples(&*procedure, &samples, groups);
        assert_eq!(all.groups, groups);
        for g in [0, 1, (1 << 13) - 1, 1 << 13, groups - 1] {
            let alone: Vec<Sample<'_>> = values
                .iter()
                .map(|values| Sample { values: &values[4 * g..4 * g + 4], offsets: &[0, 4] })
                .collect();
            assert!(same(&all, g, &run_samples(&*procedure, &alone, 1), 0), "{name} {g}");
        }
    }
}

#[test]
fn every_procedure_takes_any_sample_without_panic_and_has_a_column_a_field() {
    let hostile: [&[f64]; 8] = [
        &[],
        &[1.0],
        &[0.0, -0.0],
        &[5.0; 9],
        &[1e300, -1e300, 1e-300, 0.0],
        &[1.0, 1.0, 2.0, 2.0, 3.0],
        &[f64::MAX, f64::MIN, f64::MIN_POSITIVE],
        &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0],
    ];
    for name in NAMES {
        let procedure = made(name);
        let counts = (1..=3).filter(|&count| procedure.takes().fits(count));
        for count in counts {
            for values in hostile {
                let offsets = [0, values.len()];
                let samples = vec![Sample { values, offsets: &offsets }; count];
                let found = run_samples(&*procedure, &samples, 1);
                assert_eq!(found.columns.len(), procedure.fields(count).len(), "{name}");
                assert!(found.columns.iter().all(|column| column.numbers.len() == 1), "{name}");
                let p = found.column("p").map_or(1.0, |p| p.numbers[0]);
                assert!(p.is_nan() || (0.0..=1.0).contains(&p), "{name} {values:?}: {p}");
                let warned = !found.column("warnings").expect("a column of warnings").codes(0).is_empty();
                assert!(warned || !p.is_nan(), "{name} {values:?} has neither p nor warning");
                assert!(warned || !values.is_empty(), "{name} passes over an empty sample");
            }
        }
    }
}

fn table(keys: &[&str], sides: &[i32], values: &[f64]) -> Vec<RecordBatch> {
    let whole = RecordBatch::try_from_iter([
        ("key", Arc::new(StringArray::from(keys.to_vec())) as ArrayRef),
        ("side", Arc::new(Int32Array::from(sides.to_vec()))),
        ("value", Arc::new(Float64Array::from(values.to_vec()))),
    ])
    .expect("columns of one length");
    // In pieces, as tables arrive.
    (0..whole.num_rows()).step_by(2).map(|at| whole.slice(at, 2.min(whole.num_rows() - at))).collect()
}

fn grouped(batches: Vec<RecordBatch>, samples: &[String]) -> Result<Grouped, String> {
    let keys = ["key".to_owned()];
    let roles = Roles { value: "value", keys: &keys, sample: Some("side"), samples, own: false };
    group(&batches[0].schema(), batches.into_iter().map(Ok), roles)
}

#[test]
fn rows_of_a_group_need_not_stand_together() {
    let batches = table(&["b", "a", "b", "a", "b"], &[2, 1, 1, 2, 2], &[1.0, 2.0, 3.0, 4.0, 5.0]);
    let found = grouped(batches.clone(), &[]).expect("a table that can be grouped");
    assert_eq!((found.groups, &found.samples[..]), (2, &["2".to_owned(), "1".to_owned()][..]));
    let samples = found.samples();
    assert_eq!((samples[0].of(0), samples[0].of(1)), (&[1.0, 5.0][..], &[4.0][..]));
    assert_eq!((samples[1].of(0), samples[1].of(1)), (&[3.0][..], &[2.0][..]));
    assert!(found.suits(Takes::Two).is_ok());
    let unlike = found.suits(Takes::Pairs).expect_err("two values of one side and one of the other");
    assert!(unlike.starts_with("group \"b\" has 2 of \"2\" and 1 of \"1\""), "{unlike}");
    let turned = grouped(batches.clone(), &["1".to_owned(), "2".to_owned()]).expect("both are named");
    assert_eq!(turned.samples()[0].of(0), [3.0]);
    let unknown = grouped(batches, &["1".to_owned()]).expect_err("2 is not named");
    assert!(unknown.contains("sample \"2\" is not among \"1\""), "{unknown}");
}

#[test]
fn runs_are_known_in_their_own_groups() {
    let batches = table(&["a", "b", "a", "b", "a"], &[7, 8, 9, 9, 7], &[1.0, 2.0, 3.0, 4.0, 5.0]);
    let keys = ["key".to_owned()];
    let roles = Roles { value: "value", keys: &keys, sample: Some("side"), samples: &[], own: true };
    let found = group(&batches[0].schema(), batches.into_iter().map(Ok), roles).expect("two runs a group");
    let samples = found.samples();
    assert_eq!(samples.len(), 2);
    assert_eq!((samples[0].of(0), samples[1].of(0)), (&[1.0, 5.0][..], &[3.0][..]));
    assert_eq!((samples[0].of(1), samples[1].of(1)), (&[2.0][..], &[4.0][..]));
}

#[test]
fn what_is_not_finite_is_named_with_its_row() {
    let batches = table(&["a", "a", "a"], &[1, 1, 1], &[1.0, 2.0, f64::NAN]);
    let why = grouped(batches, &[]).expect_err("a value is NaN");
    assert!(why.contains("in row 2"), "{why}");
}

#[test]
fn what_is_not_known_is_refused_with_what_there_is() {
    let why = procedure("mode", &options()).err().expect("no such procedure");
    assert!(why.contains("the procedures are anderson_darling, autocorrelation"), "{why}");
    let none = Options::default();
    assert!(procedure("median", &none).err().is_some_and(|why| why.contains("between 0 and 1")));
    assert!(procedure("median", &options()).is_ok());
}
