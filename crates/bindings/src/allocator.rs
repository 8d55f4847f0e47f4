//! What the C library does with freed memory.

use pyo3::prelude::*;

/// Blocks of this size and more go back to the system as soon as they are freed. It is where glibc begins.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const THRESHOLD: libc::c_int = 128 * 1024;

/// Gives freed blocks back to the system for the rest of the process.
///
/// Where it may, glibc raises the size up to which it keeps freed blocks to that of the largest one freed, at most
/// 32 MiB: of a pair of large files it then holds as much unused memory as one of them takes. A command whose process is
/// its own calls this; a library leaves the process of its user as it is.
#[pyfunction]
#[allow(unsafe_code, reason = "the C library has no other way")]
pub(crate) fn return_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt takes two numbers and locks what it changes; a value that it does not take has no effect.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, THRESHOLD);
    }
}
