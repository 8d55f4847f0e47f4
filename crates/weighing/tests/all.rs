//! Comparisons from observations to verdicts, and how often they are wrong: one program, which is linked once.

mod calibration;
mod margins;
mod means;
mod ordering;
mod summaries;
mod tails;
mod weigh;
