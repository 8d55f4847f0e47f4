//! Commands that are started for real: one program, which is linked once.
