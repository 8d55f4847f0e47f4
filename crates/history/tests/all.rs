//! The tests of uploads, as one program.

mod uploads;
