//! Ledger replays in JSON.
#![no_main]

const FILE: &str = "ledger-ops-cost-abc-haskell96-from-63-nr-blocks-100.json";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("ledger-ops-json", FILE, bytes));
