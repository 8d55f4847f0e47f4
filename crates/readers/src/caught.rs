//! Catches panics that input may cause. Silencing their output is up to the program that reads.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs work that malformed input might break and turns a panic into its message. Whatever the work was filling
/// is discarded.
///
/// # Errors
/// The message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        crate::text::excerpt(text.unwrap_or("no reason given"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(caught(|| 1), Ok(1));
        assert_eq!(caught(|| -> u8 { panic!("at {}", 3) }), Err("at 3".to_owned()));
    }
}
