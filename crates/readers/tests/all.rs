//! Every format, with real output of its harness, cut files and outputs in logs: one program, which is linked once.

mod corpus;
mod cut;
mod data_beside;
mod export;
mod k6;
mod mitata;
mod sandmark;
mod statera_run;
mod support;
mod tables;
mod tables_repetitions;
mod wrapped;
