//! Sandmark's perf stat files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as(
    "sandmark-perfstat",
    "perfstat/turing/20240706_001001/0123456789abcdef0123456789abcdef01234567/5.3.0+trunk_1.perfstat.summary.bench",
    bytes
));
