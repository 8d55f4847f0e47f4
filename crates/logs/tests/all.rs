//! Lines of logs, their times, and what the fuzzer keeps: one program, which is linked once.

mod corpus;
mod lines;
mod times;
