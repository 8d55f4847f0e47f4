//! Panics that input may cause: caught, and kept off the user's screen.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many calls are at work whose panics are caught.
static CAUGHT: AtomicUsize = AtomicUsize::new(0);
static HOOK: Once = Once::new();

/// Runs a piece of work that strange input might break; a panic becomes its message. Nothing that the work was
/// filling survives it.
///
/// # Errors
/// The message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // The message is written before a panic is caught, on whatever thread it arises; so it is kept back while
    // any such work goes on.
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if CAUGHT.load(Ordering::SeqCst) == 0 {
                before(panic);
            }
        }));
    });
    CAUGHT.fetch_add(1, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(work));
    CAUGHT.fetch_sub(1, Ordering::SeqCst);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        crate::text::excerpt(text.unwrap_or("no reason given").as_bytes())
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
