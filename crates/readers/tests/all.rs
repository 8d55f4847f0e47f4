//! Every format, with real output of its harness, cut files and broken lines: one program, which is linked once.

mod bitcoin;
mod corpus;
mod export;
mod google_benchmark;
mod hyperfine;
mod jmh;
mod k6;
mod ledger;
mod mitata;
mod nanobench;
mod pyperf;
mod pytest_benchmark;
mod sandmark;
mod statera_run;
mod support;
mod tables;
mod tables_repetitions;
mod wrapped;
