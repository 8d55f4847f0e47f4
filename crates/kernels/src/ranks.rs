//! ranks
