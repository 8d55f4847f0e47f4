//! Long texts are written in pieces, on all cores.

use rayon::prelude::*;

/// Rows of a piece.
pub(crate) const ROWS: usize = 4096;

/// Writes each piece of the rows; the pieces keep their order.
pub(crate) fn in_pieces<T: Sync, P: Send>(rows: &[T], write: impl Fn(&[T]) -> P + Sync + Send) -> Vec<P> {
    rows.par_chunks(ROWS).map(write).collect()
}
