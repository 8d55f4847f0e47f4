//! The border to Python: converts values, releases the interpreter lock, maps errors. It has no logic.

mod allocator;
mod arrow;
mod change_points;
mod codes;
mod decisions;
mod factorial;
mod failures;
mod fields;
mod formats;
mod history;
mod inspection;
mod interruption;
mod large_sample;
mod logs;
mod observations;
mod observe;
mod panics;
mod patterns;
mod plug_ins;
mod profiles;
mod raw_values;
mod self_test;
mod stats;
mod texts;
mod weighing;

use pyo3::prelude::*;
use statera_readers::{Better, Quantity};
use statera_tables::{markdown, names};

use decisions::Word;
use failures::{Failure, PairingFailure};
use texts::{AnyDocument, AnyText};

/// Sets the number of threads; 0 means all cores.
#[pyfunction]
fn set_jobs(jobs: usize) {
    // Only the first call has an effect, because the pool exists afterwards.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global();
}

/// Makes a name printable: control, bidirectional and invisible characters are escaped.
#[pyfunction]
fn printable(name: AnyText) -> String {
    names::printable(&name.0).into_owned()
}

/// Makes a text of several lines printable; ends of lines are kept.
#[pyfunction]
fn for_terminal(text: AnyText) -> String {
    names::for_terminal(&text.0).into_owned()
}

/// Escapes the characters of a JSON document that could control a terminal.
#[pyfunction]
fn json_safe(document: AnyDocument) -> String {
    statera_readers::treacherous::json_safe(&document.0).into_owned()
}

/// Guards a cell of a table against being run as a formula by a spreadsheet.
#[pyfunction]
fn guarded(text: AnyText) -> String {
    statera_readers::guard::guarded(&text.0).into_owned()
}

/// Shortens a name to at most `most` columns of a terminal by removing its middle.
#[pyfunction]
fn shortened(name: AnyText, most: usize) -> String {
    names::shortened(&name.0, most).into_owned()
}

/// Shortens different names to at most `most` columns each, so that they remain different.
#[pyfunction]
fn apart(names: Vec<AnyText>, most: usize) -> Vec<String> {
    let names: Vec<&str> = names.iter().map(|name| name.0.as_ref()).collect();
    statera_tables::apart::apart(&names, most)
}

/// Returns the width of a text in columns of a terminal.
#[pyfunction]
fn columns(text: AnyText) -> usize {
    names::width(&text.0)
}

/// Writes a name as a Markdown code span.
#[pyfunction]
#[pyo3(signature = (name, *, in_table = false))]
fn code_span(name: AnyText, in_table: bool) -> String {
    if in_table { markdown::code_in_table(&name.0) } else { markdown::code(&name.0) }
}

/// Escapes a text for Markdown.
#[pyfunction]
fn markdown_text(text: AnyText) -> String {
    markdown::escaped(&text.0)
}

/// Escapes a text for HTML within Markdown.
#[pyfunction]
fn markdown_html(text: AnyText) -> String {
    markdown::escaped_html(&text.0)
}

/// Whether what is worse of a quantity is slower.
#[pyfunction]
fn is_speed(quantity: Word<Quantity>, better: Option<Word<Better>>) -> bool {
    quantity.0.is_speed(better.map(|way| way.0))
}

/// The word for a change of a quantity: faster or slower, less or more, lower or higher.
#[pyfunction]
fn moved(quantity: Word<Quantity>, better: Option<Word<Better>>, rises: bool) -> &'static str {
    statera_tables::moved(quantity.0, better.map(|way| way.0), rises)
}

/// Lets this process write bytes as kB, MB, … of a thousand each.
#[pyfunction]
fn write_decimal_bytes(decimal: bool) {
    statera_tables::numbers::write_decimal_bytes(decimal);
}

/// Writes a relative change, or a dash if there is none.
#[pyfunction]
fn percent(change: Option<f64>) -> String {
    let mut text = String::new();
    statera_tables::numbers::percent(&mut text, change.unwrap_or(f64::NAN));
    text
}

/// Writes the ends of an interval of relative changes: they look equal only if they are.
#[pyfunction]
fn percent_ends(low: f64, high: f64) -> (String, String) {
    statera_tables::numbers::percent_ends(low, high).into()
}

/// Writes a range of relative sizes with two digits, rounded up.
#[pyfunction]
fn percent_span(least: f64, most: f64) -> String {
    statera_tables::numbers::span(least, most)
}

/// The quantile of Student's t.
#[pyfunction]
fn t_quantile(level: f64, degrees: f64) -> f64 {
    statera_kernels::special::t_quantile(level, degrees)
}

/// The quantile of the chi-squared distribution.
#[pyfunction]
fn chi_squared_quantile(level: f64, degrees: f64) -> f64 {
    statera_kernels::chi_squared::chi_squared_quantile(level, degrees)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    panics::leave_to_python();
    module.add("Failure", module.py().get_type::<Failure>())?;
    module.add("PairingFailure", module.py().get_type::<PairingFailure>())?;
    module.add_class::<observations::Observations>()?;
    module.add_class::<formats::Format>()?;
    module.add_class::<formats::Key>()?;
    module.add_class::<patterns::Pattern>()?;
    module.add_class::<weighing::Weighing>()?;
    module.add_function(wrap_pyfunction!(observations::read, module)?)?;
    module.add_class::<profiles::Profile>()?;
    module.add_function(wrap_pyfunction!(profiles::read_profile, module)?)?;
    module.add_function(wrap_pyfunction!(profiles::two_counts, module)?)?;
    module.add_function(wrap_pyfunction!(observe::observe, module)?)?;
    module.add_function(wrap_pyfunction!(weighing::weigh, module)?)?;
    module.add_function(wrap_pyfunction!(weighing::own_part, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::family, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::omnibus, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::interactions, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::quantiles, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::shift_functions, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::amount, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::p_value, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::p_equals, module)?)?;
    module.add_class::<stats::Table>()?;
    stats::register(module)?;
    stats::register_others(module)?;
    change_points::register(module)?;
    history::register(module)?;
    interruption::register(module)?;
    module.add_class::<inspection::Inspection>()?;
    module.add_function(wrap_pyfunction!(inspection::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(inspection::forecast, module)?)?;
    module.add_function(wrap_pyfunction!(fields::row_fields, module)?)?;
    module.add_function(wrap_pyfunction!(fields::inspected_fields, module)?)?;
    module.add_function(wrap_pyfunction!(self_test::self_test, module)?)?;
    module.add_class::<large_sample::Sample>()?;
    module.add_function(wrap_pyfunction!(logs::log_time, module)?)?;
    module.add_function(wrap_pyfunction!(logs::log_moment, module)?)?;
    module.add_function(wrap_pyfunction!(logs::log_digest, module)?)?;
    module.add_function(wrap_pyfunction!(logs::read_logs, module)?)?;
    module.add_function(wrap_pyfunction!(logs::gather_logs, module)?)?;
    module.add_function(wrap_pyfunction!(logs::trace_logs, module)?)?;
    module.add_function(wrap_pyfunction!(logs::summarise_logs, module)?)?;
    module.add_function(wrap_pyfunction!(raw_values::raw_values, module)?)?;
    module.add_function(wrap_pyfunction!(raw_values::block_names, module)?)?;
    module.add_function(wrap_pyfunction!(raw_values::unit, module)?)?;
    module.add_function(wrap_pyfunction!(set_jobs, module)?)?;
    module.add_function(wrap_pyfunction!(allocator::return_freed, module)?)?;
    module.add_function(wrap_pyfunction!(decisions::choices, module)?)?;
    module.add_function(wrap_pyfunction!(patterns::nearest, module)?)?;
    module.add_function(wrap_pyfunction!(formats::formats, module)?)?;
    module.add_function(wrap_pyfunction!(formats::fitting_formats, module)?)?;
    module.add_function(wrap_pyfunction!(plug_ins::plug_in, module)?)?;
    module.add_function(wrap_pyfunction!(plug_ins::lacking, module)?)?;
    module.add_function(wrap_pyfunction!(codes::codes, module)?)?;
    module.add_function(wrap_pyfunction!(codes::verdicts, module)?)?;
    module.add_function(wrap_pyfunction!(printable, module)?)?;
    module.add_function(wrap_pyfunction!(for_terminal, module)?)?;
    module.add_function(wrap_pyfunction!(json_safe, module)?)?;
    module.add_function(wrap_pyfunction!(guarded, module)?)?;
    module.add_function(wrap_pyfunction!(markdown_text, module)?)?;
    module.add_function(wrap_pyfunction!(markdown_html, module)?)?;
    module.add_function(wrap_pyfunction!(shortened, module)?)?;
    module.add_function(wrap_pyfunction!(apart, module)?)?;
    module.add_function(wrap_pyfunction!(columns, module)?)?;
    module.add_function(wrap_pyfunction!(code_span, module)?)?;
    module.add_function(wrap_pyfunction!(t_quantile, module)?)?;
    module.add_function(wrap_pyfunction!(chi_squared_quantile, module)?)?;
    module.add_function(wrap_pyfunction!(is_speed, module)?)?;
    module.add_function(wrap_pyfunction!(moved, module)?)?;
    module.add_function(wrap_pyfunction!(write_decimal_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(percent, module)?)?;
    module.add_function(wrap_pyfunction!(percent_ends, module)?)?;
    module.add_function(wrap_pyfunction!(percent_span, module)?)?;
    Ok(())
}
