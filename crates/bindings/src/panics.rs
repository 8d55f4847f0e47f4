//! Panics become exceptions of Python and print nothing.

/// Keeps panics from printing, because each becomes an exception of Python with the same message.
///
/// With `STATERA_TRACEBACK` the location is printed, and with `RUST_BACKTRACE` the backtrace.
pub fn leave_to_python() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::env::var_os("STATERA_TRACEBACK").is_some_and(|value| !value.is_empty()) {
            print(panic);
        }
    }));
}
