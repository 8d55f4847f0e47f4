//! A row for each request, as load generators write them in CSV.

use super::csv_rows::Row;
use crate::Sheet;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;

/// Adds the times of a request in seconds, by their columns with the names of their metrics. The status of the response
/// is a key: responses of another status are other work.
pub(super) fn request(sheet: &mut Sheet, row: &Row<'_>, status: &str, times: &[(&str, &str)]) {
    let status = row.text(status).map(|status| ("status".to_owned(), status.into_owned()));
    sheet.set_context(status.as_slice());
    for &(column, name) in times {
        let Some(value) = row.number(sheet, column) else { continue };
        // A connection that was open took no time.
        if value == 0.0 && name.starts_with("dns") {
            sheet.dropped(1);
            continue;
        }
        let made = Metric { primary: name == "latency", ..Metric::new(name, "s", Quantity::Time) };
        let metric = sheet.metric(name, || made);
        let (benchmark, line, process) = ("requests", row.line, Some(0));
        sheet.push(Measurement { benchmark, metric, value, line, process, ..Measurement::default() });
    }
}
