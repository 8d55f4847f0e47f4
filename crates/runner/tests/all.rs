//! Requests to the executable and its answers: one program, which is linked once.

mod protocol;
