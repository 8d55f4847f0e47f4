//! What the STREAM benchmark of memory prints: the best rate of each kernel and its times.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "stream",
    sign: "a line `Function    Best Rate MB/s  Avg time     Min time     Max time`",
    harness: "STREAM",
    export: "./stream > FILE",
    printed_by: &["stream", "stream_c.exe"],
    keys: &[&[
        Key::work("elements", "number of elements of an array"),
        Key::work("element-size", "bytes of an element"),
        Key::work("threads", "number of threads, with MPI of each rank"),
        Key::work("ranks", "number of MPI ranks"),
    ]],
    metrics: &[
        Meaning::of("transfer", "bytes moved a second in the fastest repetition"),
        Meaning::of("time", "time of a repetition, the mean without the first"),
        Meaning::of("time-max", "time of the slowest repetition without the first"),
    ],
    words: &["MB/s"],
    fits: |head| head.has_line(is_header),
    read: Read::Bytes(read),
    ..Format::REPORT
};

/// Whether a line is the header of the results; up to version 5.9 with `Rate (MB/s)`.
fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(
        words[..],
        ["Function", "Best", "Rate", "MB/s", "Avg", "time", "Min", "time", "Max", "time"]
            | ["Function", "Rate", "(MB/s)", "Avg", "time", "Min", "time", "Max", "time"]
    )
}

/// A run as far as it is read.
#[derive(Default)]
struct Found<'a> {
    context: Context,
    /// The number of repetitions of which the times are.
    count: Option<f64>,
    /// The kernels with the digits of rate, mean, shortest and longest time.
    kernels: Vec<(&'a str, [&'a str; 4], u32)>,
    in_table: bool,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut found, mut process) = (Found::default(), 0);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let begins = text.contains("STREAM version ") || is_header(text);
        if begins && !found.kernels.is_empty() {
            std::mem::take(&mut found).end(sheet, &mut process);
        }
        if text.trim_start().starts_with("Failed Validation") && !found.kernels.is_empty() {
            let what = "the results of the kernels are wrong, and so are their times";
            sheet.problem(Code::NoResults, line, what, "repair the program that STREAM was built to");
            found = Found::default();
        }
        found.line(text, line);
    }
    found.end(sheet, &mut process);
}

impl<'a> Found<'a> {
    fn line(&mut self, text: &'a str, line: u32) {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            _ if is_header(text) => self.in_table = true,
            [kernel, rate, mean, least, most] if self.in_table && kernel.ends_with(':') => {
                self.kernels.push((kernel.trim_end_matches(':'), [rate, mean, least, most], line));
            }
            ["Array", "size", "=", elements, ..]
            | ["Total", "Aggregate", "Array", "size", "=", elements, ..] => {
                self.state("elements", elements.trim_end_matches(','));
            }
            ["Data", "is", "distributed", "across", ranks, "MPI", "ranks"] => self.state("ranks", ranks),
            ["This", "system", "uses", size, "bytes", ..] => self.state("element-size", size),
            ["Number", "of", "Threads", "requested", "=", threads]
            | ["Number", "of", "Threads", "requested", "for", "each", "MPI", "rank", "=", threads] => {
                self.state("threads", threads);
            }
            ["Each", "kernel", "will", "be", "executed", times, "times."] => {
                self.count = number(times).map(|times| times - 1.0);
            }
            _ => self.in_table = false,
        }
    }

    fn state(&mut self, key: &str, value: &str) {
        self.context.push((key.to_owned(), value.to_owned()));
    }

    fn end(self, sheet: &mut Sheet, process: &mut u32) {
        sheet.set_context(&self.context);
        for (kernel, [rate, mean, _, most], line) in &self.kernels {
            let values = [
                (Metric::new("transfer", "B/s", Quantity::Throughput), rate, 1e6),
                (Metric::new("time", "s", Quantity::Time).secondary(), mean, 1.0),
                (Metric::new("time-max", "s", Quantity::Time).secondary(), most, 1.0),
            ];
            for (made, digits, factor) in values {
                let Some(value) = sheet.need_number(number(digits), *line, kernel, "", digits) else {
                    continue;
                };
                let metric = sheet.metric(&made.name.clone(), || made);
                let count = self.count.filter(|&count| count > 1.0);
                let (value, aggregate) = (value * factor, Some(Aggregate { count, deviation: None }));
                let row = Measurement { benchmark: kernel, metric, value, line: *line, aggregate, ..ROW };
                sheet.push(Measurement { process: Some(*process), ..row });
            }
        }
        *process += u32::from(!self.kernels.is_empty());
    }
}
