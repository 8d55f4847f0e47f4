//! Tables separated by commas, semicolons and tabs, read directly and with a mapping; whatever is read is
//! written and must read back the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    statera_fuzz::read_as("csv", "t.csv", bytes);
    statera_fuzz::read_as("tsv", "t.tsv", bytes);
    statera_fuzz::read_mapped("csv", "t.csv", bytes);
    statera_fuzz::round_trip("csv", bytes);
});
