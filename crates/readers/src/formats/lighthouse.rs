//! Lighthouse's JSON: the measured audits of a page and the score of its performance. A file is a run.

use super::prelude::*;
use super::records;
use super::records::{As, At, Field, Outcome, Place, Records};

pub static FORMAT: Format = Format {
    name: "lighthouse",
    sign: "an object with `lighthouseVersion` and `audits`",
    harness: "Lighthouse",
    export: "lighthouse URL --output json --output-path FILE",
    keys: &[&[
        Key::date("start of the run"),
        Key::setting("version", "version of the harness"),
        Key::work("form_factor", "form of the device: mobile or desktop"),
        Key::work("throttling", "how network and processor are slowed down"),
        Key::setting("browser", "browser with its version, as it names itself").detail(),
    ]],
    metrics: &[
        Meaning::of("score", "score of the performance, from 0 to 1"),
        Meaning::of("first-contentful-paint", "time until the first text or picture"),
        Meaning::of("largest-contentful-paint", "time until the largest text or picture"),
        Meaning::of("speed-index", "time in which the content becomes visible, weighted by its share"),
        Meaning::of("total-blocking-time", "time in which the main thread cannot answer"),
        Meaning::of("cumulative-layout-shift", "how far the content moves, without a unit"),
        Meaning::of("interactive", "time until the page can be used"),
        Meaning::of("max-potential-fid", "longest task of the main thread"),
        Meaning::of("server-response-time", "time until the server answers"),
        Meaning::of("mainthread-work-breakdown", "time in which the main thread works"),
        Meaning::of("bootup-time", "time in which scripts are executed"),
        Meaning::of("total-byte-weight", "bytes that the network moves"),
        Meaning::of("dom-size", "number of elements of the page"),
    ],
    fits: |head| head.has_all(&["lighthouseVersion", "audits"]),
    read: Read::Sheet(|sheet, content| records::read_json(sheet, content, &[RECORDS])),
    ..Format::JSON
};

const RECORDS: Records = Records {
    name: |place| Some(place.text("requestedUrl").or_else(|| place.text("finalUrl"))?.to_owned()),
    outcome: |place| match place.text("runtimeError.code") {
        None | Some("NO_ERROR") => Outcome::Passed,
        Some(code) => Outcome::Failed(format!("the run ended with {}", excerpt(code))),
    },
    keys: &[
        At("date", "fetchTime", As::Text),
        At("version", "lighthouseVersion", As::Text),
        At("form_factor", "configSettings.formFactor", As::Text),
        At("throttling", "configSettings.throttlingMethod", As::Text),
        At("browser", "environment.hostUserAgent", As::Text),
    ],
    more: failures,
    fields: &[
        Field::of("score", "categories.performance.score", "").better(Better::Higher),
        audit("first-contentful-paint", "audits.first-contentful-paint.numericValue", "ms"),
        audit("largest-contentful-paint", "audits.largest-contentful-paint.numericValue", "ms"),
        audit("speed-index", "audits.speed-index.numericValue", "ms"),
        audit("total-blocking-time", "audits.total-blocking-time.numericValue", "ms"),
        audit("cumulative-layout-shift", "audits.cumulative-layout-shift.numericValue", ""),
        audit("interactive", "audits.interactive.numericValue", "ms").secondary(),
        audit("max-potential-fid", "audits.max-potential-fid.numericValue", "ms").secondary(),
        audit("server-response-time", "audits.server-response-time.numericValue", "ms").secondary(),
        audit("mainthread-work-breakdown", "audits.mainthread-work-breakdown.numericValue", "ms").secondary(),
        audit("bootup-time", "audits.bootup-time.numericValue", "ms").secondary(),
        audit("total-byte-weight", "audits.total-byte-weight.numericValue", "B").secondary(),
        audit("dom-size", "audits.dom-size.numericValue", "1").secondary(),
    ],
    ..Records::PLAIN
};

/// An audit of which less is better.
const fn audit(metric: &'static str, at: &'static str, unit: &'static str) -> Field {
    Field::of(metric, at, unit).better(Better::Lower)
}

/// Reports audits that failed.
fn failures(sheet: &mut Sheet, place: &Place<'_>, _context: &mut Context) {
    for (name, audit) in place.find("audits").into_iter().flat_map(Value::iter) {
        let text = |key| audit.text_of(key);
        let is_read = FORMAT.metrics.iter().any(|known| known.metric == name);
        if is_read && text("scoreDisplayMode") == Some("error") {
            let line = audit.object().map_or(0, |audit| audit.line);
            sheet.failed(line, name, text("errorMessage").unwrap_or_default());
        }
    }
}
