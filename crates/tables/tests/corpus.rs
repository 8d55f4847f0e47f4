//! Every comparison that the fuzzer keeps is made here once more: no panic, and tables that hold together.

#[path = "../../../fuzz/src/verbs.rs"]
mod fuzz;

use std::path::Path;

#[test]
fn every_kept_input_is_compared() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/compare");
    let mut inputs = 0;
    for entry in std::fs::read_dir(corpus).expect("the corpus is there") {
        fuzz::compare(&std::fs::read(entry.expect("an entry").path()).expect("a file"));
        inputs += 1;
    }
    assert!(inputs > 5, "the corpus keeps {inputs} inputs");
}
