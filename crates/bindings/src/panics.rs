//! What becomes of a panic: an exception of Python, and no text beside it.

/// Keeps panics from printing: each reaches Python as an exception, which says the same once.
///
/// With `STATERA_TRACEBACK` the place is printed, and with `RUST_BACKTRACE` the way to it.
pub fn leave_to_python() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::env::var_os("STATERA_TRACEBACK").is_some_and(|value| !value.is_empty()) {
            print(panic);
        }
    }));
}
