//! The summary of ioping, which is all that it prints with `-q` and `-R`.

use super::ioping::{binary, seconds};
use super::load_run::{Run, unreadable};
use super::units::meaning;
use crate::text::number;
use crate::{Quantity, Sheet};

/// The end of the first line of a summary.
const TITLE: &str = " ioping statistics ---";
/// The begin of the last one.
const TIMES: &str = "min/avg/max/mdev = ";

/// The benchmark of requests that are not said to be reads or writes.
pub(super) const REQUESTS: &str = "requests";

/// Whether a line has the times of a summary, each with its unit.
pub(super) fn has_times(line: &str) -> bool {
    line.strip_prefix(TIMES).is_some_and(|times| times.split(" / ").count() == 4)
}

/// The target and the device of `--- . (ext4 /dev/vda 252.0 GiB) ioping statistics ---`.
pub(super) fn title(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("--- ")?.strip_suffix(TITLE)?.strip_suffix(')')?.rsplit_once(" (")
}

/// A run of which there is only a summary.
pub(super) struct Summary {
    run: Run,
    benchmark: &'static str,
}

impl Summary {
    pub(super) fn of((target, device): (&str, &str), process: u32) -> Self {
        let mut run = Run { process, ..Run::default() };
        run.state("target", target);
        run.state("device", device);
        Self { run, benchmark: REQUESTS }
    }

    /// Reads a line; true if the summary is over.
    pub(super) fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) -> bool {
        if let Some((requests, rest)) = text.split_once(" requests completed in ") {
            self.rates(requests, rest, line).unwrap_or_else(|| unreadable(sheet, text, line));
            // Without requests there are no times.
            return self.run.count == Some(0.0);
        }
        let Some(times) = text.strip_prefix(TIMES) else { return false };
        self.times(times, line).unwrap_or_else(|| unreadable(sheet, text, line));
        self.run.end(sheet);
        true
    }

    /// Reads `6.33 ms, 36 KiB read, 1.42 k iops, 5.55 MiB/s`; before version 1.0 it does not say what was moved.
    fn rates(&mut self, requests: &str, rest: &str, line: u32) -> Option<()> {
        let count = thousands(requests)?;
        self.run.count = Some(count);
        if count == 0.0 {
            return Some(());
        }
        let (moved, rate, transfer) = match rest.split(", ").collect::<Vec<_>>()[..] {
            [_, moved, rate, transfer] => (Some(moved), rate, transfer),
            [_, rate, transfer] => (None, rate, transfer),
            _ => return None,
        };
        if let Some(moved) = moved {
            self.moved(moved, count)?;
        }
        self.run.add(self.benchmark, "throughput", thousands(rate.strip_suffix(" iops")?)?, line);
        self.run.add(self.benchmark, "transfer", bytes(transfer.strip_suffix("/s")?)?, line);
        Some(())
    }

    /// Reads `36 KiB read` of so many requests.
    fn moved(&mut self, moved: &str, count: f64) -> Option<()> {
        let (amount, verb) = moved.rsplit_once(' ')?;
        self.benchmark = if verb == "written" { "write" } else { "read" };
        // The amount has three digits, and the size of a request is a power of two in most cases.
        let size = bytes(amount)? / count;
        let power = size.log2().round().exp2();
        if (size / power - 1.0).abs() < 0.02 {
            self.run.state("size", &binary(power.to_string()));
        }
        Some(())
    }

    /// Reads `570.6 us / 703.4 us / 831.0 us / 89.8 us`.
    fn times(&mut self, times: &str, line: u32) -> Option<()> {
        let times: Option<Vec<f64>> = times.split(" / ").map(seconds).collect();
        let [least, mean, most, deviation] = times?[..] else { return None };
        self.run.add(self.benchmark, "latency-min", least, line);
        self.run.add_mean(self.benchmark, "latency-mean", mean, Some(deviation), line);
        self.run.add(self.benchmark, "latency-max", most, line);
        Some(())
    }
}

/// A number whose prefix stands behind a blank: `1.42 k`.
fn thousands(text: &str) -> Option<f64> {
    let (digits, prefix) = text.split_once(' ').unwrap_or((text, ""));
    let factor = match prefix {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return None,
    };
    Some(number(digits.as_bytes())? * factor)
}

/// The bytes of `36 KiB`.
fn bytes(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_once(' ')?;
    let known = meaning(unit);
    (known.quantity == Quantity::Bytes).then_some(known.scale.apply(number(digits.as_bytes())?))
}
