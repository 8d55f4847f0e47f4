//! Every log that the fuzzer keeps is read here again: no panic, and each line has the class that a JSON parser
//! assigns.

#[path = "../../../fuzz/src/logs.rs"]
mod fuzz;

use std::path::Path;

#[test]
fn every_kept_log_is_read() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/cluster_logs");
    let mut inputs = 0;
    for entry in std::fs::read_dir(corpus).expect("the corpus") {
        fuzz::read_log(&std::fs::read(entry.expect("an entry").path()).expect("a file"));
        inputs += 1;
    }
    assert!(inputs > 0);
}
