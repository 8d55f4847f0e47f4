//! The JSON of `NVBench`: the times of a kernel in each state, which is a benchmark with the values of its axes.

use super::prelude::*;
use super::records;
use super::records::{Field, Outcome, Place, Records};

pub static FORMAT: Format = Format {
    name: "nvbench",
    sign: "an object with `devices` and with `benchmarks` that hold `states` with `axis_values` and `summaries`",
    harness: "NVBench",
    export: "--json FILE",
    keys: &[&[Key::environment("gpu_info", "models of the accelerators")]],
    metrics: &[
        Meaning::of("gpu-time", "time of one execution on the accelerator with cold caches, the mean"),
        Meaning::of("cpu-time", "time of one execution for the host with cold caches, the mean"),
        Meaning::of("batch-time", "time of one of many executions in a row on the accelerator, the mean"),
        Meaning::of("item-rate", "elements per second"),
        Meaning::of("transfer", "bytes of global memory per second"),
    ],
    fits: |head| {
        head.has_all(&["devices", "benchmarks[].states[].axis_values", "benchmarks[].states[].summaries"])
    },
    read: Read::Sheet(|sheet, content| records::read_json(sheet, content, &[RECORDS])),
    ..Format::JSON_SUMMARY
};

const RECORDS: Records = Records {
    at: &["benchmarks[].states[]"],
    name: |place| Some(place.text("^name")?.to_owned()),
    repeats: |_| true,
    outcome: |place| match place.find("is_skipped") {
        Some(Value::Bool(true)) => {
            let why = place.text("skip_reason").unwrap_or("without a reason");
            Outcome::Failed(format!("it was skipped: {}", excerpt(why)))
        }
        _ => Outcome::Passed,
    },
    more: axes,
    fields: &[
        Field::of("gpu-time", "summaries.#nv/cold/time/gpu/mean.data.value", "s")
            .summary("summaries.#nv/cold/time/gpu/stdev/absolute.data.value", COLD),
        Field::of("cpu-time", "summaries.#nv/cold/time/cpu/mean.data.value", "s")
            .summary("summaries.#nv/cold/time/cpu/stdev/absolute.data.value", COLD)
            .secondary(),
        Field::of("batch-time", "summaries.#nv/batch/time/gpu/mean.data.value", "s")
            .summary("", "summaries.#nv/batch/sample_size.data.value")
            .secondary(),
        Field::of("item-rate", "summaries.#nv/cold/bw/item_rate.data.value", "elem/s")
            .summary("", COLD)
            .secondary(),
        Field::of("transfer", "summaries.#nv/cold/bw/global/bytes_per_second.data.value", "B/s")
            .summary("", COLD)
            .secondary(),
    ],
    ..Records::PLAIN
};

const COLD: &str = "summaries.#nv/cold/sample_size.data.value";

/// The device of a state, and the values of its axes, which are different work.
fn axes(sheet: &mut Sheet, place: &Place<'_>, context: &mut Context) {
    let devices = place.find("/devices").and_then(Value::list).unwrap_or_default();
    let device = devices.iter().find(|device| device.get("id") == place.find("device"));
    let model = device.and_then(|device| device.get("name")?.text());
    context.extend(model.map(|model| ("gpu_info".to_owned(), model.to_owned())));
    for axis in place.find("axis_values").and_then(Value::list).unwrap_or_default() {
        if let (Some(name), Some(value)) = (axis.text_of("name"), axis.get("value")) {
            parameters::add(sheet, context, name, plain(value));
        }
    }
}
