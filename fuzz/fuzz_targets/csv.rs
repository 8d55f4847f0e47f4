//! Tables of commas, semicolons and tabs, read as they are and with a mapping; what could be read is
//! written and must read back to as much.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    statera_fuzz::read_as("csv", "t.csv", bytes);
    statera_fuzz::read_as("tsv", "t.tsv", bytes);
    statera_fuzz::read_mapped("csv", "t.csv", bytes);
    statera_fuzz::round_trip("csv", bytes);
});
