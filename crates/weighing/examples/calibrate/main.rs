//! Simulates comparisons of which the truth is known, and counts what is said of them:
//! `cargo run --release -p statera-weighing --example calibrate [repetitions [table …]]`.
//!
//! `bench/calibration.py` makes the tables of docs/calibration.md of it. With the same number of repetitions the same
//! numbers are printed, on any number of threads.

mod advice;
mod alone;
mod among_many;
mod bootstrap;
mod comparison;
mod dependence;
mod few_runs;
mod labelled;
mod looks;
mod nested;
mod noise;
mod power;
mod processes;
mod rules;
mod series;
mod settings;
mod suites;
mod sure;
mod tails;
mod tally;
mod variance;
mod warm_up;
mod warnings;

/// A table, what fills it, and which share of the repetitions it gets, in hundredths.
type Table = (&'static str, fn(u64), u64);

const TABLES: [Table; 32] = [
    ("alone", alone::false_alarms, 400),
    ("warnings", warnings::on_unchanged, 400),
    ("suite", suites::false_alarms, 100),
    ("three", suites::three_variants, 50),
    ("nested", nested::false_alarms, 400),
    ("processes", processes::single, 100),
    ("prediction", processes::predicted, 1000),
    ("coverage", alone::coverage, 400),
    ("mean", suites::means, 100),
    ("bootstrap", bootstrap::intervals, 100),
    ("series", bootstrap::series, 100),
    ("bands", bootstrap::bands, 50),
    ("change-points", series::change_points, 25),
    ("power-alone", power::alone, 100),
    ("power-in-suites", power::in_suites, 25),
    ("beside-welch", power::beside_welch, 200),
    ("beside-welch-in-suites", power::beside_welch_in_suites, 100),
    ("corrections", power::corrections, 50),
    ("few-runs", few_runs::false_alarms, 200),
    ("sure", sure::false_alarms, 100),
    ("sure-found", sure::found, 50),
    ("dependent", dependence::false_alarms, 50),
    ("among-many", among_many::power, 20),
    ("neighbours", among_many::neighbours, 50),
    ("looks", looks::unchanged, 400),
    ("looks-changed", looks::changed, 400),
    ("looks-width", looks::narrow, 200),
    ("tails", tails::false_alarms, 50),
    ("tails-found", tails::found, 400),
    ("advice", advice::runs_needed, 50),
    ("warm-up", warm_up::reported, 100),
    ("variance", variance::components, 100),
];

fn main() {
    let mut words = std::env::args().skip(1);
    let repetitions: u64 = words.next().map_or(2000, |word| word.parse().expect("a number of repetitions"));
    let chosen: Vec<String> = words.collect();
    for (name, fill, share) in TABLES {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            let start = std::time::Instant::now();
            fill((repetitions * share / 100).max(1));
            eprintln!("{name}: {:.1} s", start.elapsed().as_secs_f64());
        }
    }
}
