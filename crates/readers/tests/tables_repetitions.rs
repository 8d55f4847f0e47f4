//! Tables with repetitions of one measurement side by side.

use crate::tables::{attempt, read, rows};

#[test]
fn clear_repetitions_are_samples_of_one_metric() {
    for (header, found) in [
        ("run1,run2,run3", ["x|value|1.0||", "x|value|2.0||", "x|value|4.0||"]),
        ("run_0,run_1,run_2", ["x|value|1.0||", "x|value|2.0||", "x|value|4.0||"]),
        ("Rep 2,Rep 1,Rep 3", ["x|value|1.0||", "x|value|2.0||", "x|value|4.0||"]),
        ("trial1 (s),trial2 (s),trial3 (s)", ["x|value|1.0|s|", "x|value|2.0|s|", "x|value|4.0|s|"]),
        ("wall_run1_s,wall_run2_s,wall_run3_s", ["x|wall|1.0|s|", "x|wall|2.0|s|", "x|wall|4.0|s|"]),
        // A summary of each run is no sample.
        ("p50_run1_s,p50_run2_s,p50_run3_s", ["x|p50_run1|1.0|s|", "x|p50_run2|2.0|s|", "x|p50_run3|4.0|s|"]),
    ] {
        let text = format!("benchmark,{header}\nx,1,2,4\n");
        assert_eq!(rows(&read("csv", &text, &[])), found, "{header}");
    }
}

#[test]
fn what_can_be_something_else_is_asked() {
    for (header, offer) in [
        ("run1,run2", "--column repetition='run*'"),
        ("run1 (ms),run2 (ms)", "--column repetition='run* (ms)'"),
        ("run_1,run_2", "--column repetition='run_*'"),
        ("run5,run6,run7", "--column repetition='run*'"),
        ("1,2,3", "--column repetition='*'"),
        ("t1,t2", "--column repetition='t*'"),
        ("it's1,it's2", r"--column repetition='it'\''s*'"),
        ("old_run1,old_run2,new_run1,new_run2", "repetition='new_run*' --column repetition='old_run*'"),
    ] {
        let text = format!("benchmark,{header}\nx{}\n", ",1".repeat(header.split(',').count()));
        let why = attempt("csv", text.as_bytes(), &[]).unwrap_err();
        assert!(why.contains(offer), "{header}: {why}");
    }
    let gap = attempt("csv", b"benchmark,run1,run2,run4\nx,1,2,3\n", &[]).unwrap_err();
    assert!(gap.contains("metric=run4") && !gap.contains("repetition"), "{gap}");
    let beside = attempt("csv", b"benchmark,value,run1,run2,run3\nx,1,2,3,4\n", &[]).unwrap_err();
    assert!(beside.contains("metric=run1"), "{beside}");
}

#[test]
fn the_user_names_repetitions_by_a_pattern() {
    let text = "benchmark,t1,t2,t3\nx,1,2,4\n";
    assert_eq!(rows(&read("csv", text, &[("repetition", "t*")])), ["x|t|1.0||", "x|t|2.0||", "x|t|4.0||"]);
    let warm = read("csv", text, &[("repetition", "t*"), ("ignore", "t1")]);
    assert_eq!(rows(&warm), ["x|t|2.0||", "x|t|4.0||"]);
    let said = read("csv", text, &[("repetition", "t*"), ("metric", "t3")]);
    assert_eq!(rows(&said), ["x|t|1.0||", "x|t|2.0||", "x|t3|4.0||"]);
    let two = read(
        "csv",
        "name,a1_ms,a2_ms,a1_us\nx,1000,2000,1\n",
        &[("repetition", "a*_ms"), ("repetition", "a*_us")],
    );
    assert_eq!(rows(&two), ["x|a*_ms|1.0|s|", "x|a*_ms|2.0|s|", "x|a*_us|1e-6|s|"]);
    for (pattern, why) in [("t1", "Write `*`"), ("run*", "no columns `run*`"), ("**", "no columns `**`")] {
        let error = attempt("csv", text.as_bytes(), &[("repetition", pattern)]).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn repetitions_of_two_variants_keep_their_variants() {
    let text = "name,old_run1,old_run2,old_run3,new_run1,new_run2,new_run3\nx,1,2,3,4,5,6\n";
    let all = rows(&read("csv", text, &[]));
    assert_eq!(all[2..4], ["x|value|3.0||variant=old", "x|value|4.0||variant=new"]);
}

#[test]
fn a_summary_beside_its_repetitions_is_secondary() {
    let all = read("csv", "name,run1,run2,run3,mean\nx,1,2,3,2\n", &[]);
    let primary: Vec<_> = all.metrics.iter().map(|metric| (&*metric.name, metric.primary)).collect();
    assert_eq!(primary, [("value", true), ("mean", false)]);
}
