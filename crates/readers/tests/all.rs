//! Every format, with real output of its harness, cut files and broken lines: one program, which is linked once.

mod bitcoin;
mod corpus;
mod export;
mod hyperfine;
mod ledger;
mod nanobench;
mod sandmark;
mod statera_run;
mod tables;
