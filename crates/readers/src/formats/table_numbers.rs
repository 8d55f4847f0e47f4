//! Bare numbers: one a line is a sample, two a line are two samples.

use std::io;
use std::path::Path;

use super::format::{Format, PLAIN_TABLE, Processes, Values};
use super::head::{Fit, Head, No};
use super::table_headers::{Header, Holds};
use super::table_keys::KEYS;
use super::table_units::{Scale, meaning};
use super::table_words::is_pair;
use crate::metric::Metric;
use crate::source::{Content, MARK};
use crate::text::{excerpt, lossless, number};
use crate::{Code, Measurement, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "numbers",
    sign: "one number a line, or two",
    harness: PLAIN_TABLE,
    values: Values::Samples,
    processes: Processes::Unknown,
    keys: &[KEYS],
    fits,
    read,
    ..Format::PLAIN
};

/// The name of the only benchmark.
const BENCHMARK: &str = "numbers";

/// The number of lines that detection looks at.
const SAMPLE: usize = 20;

fn fits(head: &Head<'_>) -> Fit {
    let lines: Vec<_> = head.lines().filter(|line| !line.is_empty()).take(SAMPLE).collect();
    let columns = lines.last().map_or(0, |line| fields(line).len());
    let skipped = usize::from(lines.first().is_some_and(|line| samples(line).is_some()));
    let rest = &lines[skipped..];
    No::unless(question(head.bytes()).is_none(), "the comma of its lines can be a decimal comma")?;
    No::unless(matches!(columns, 1 | 2), "its lines are not one or two numbers")?;
    No::unless(rest.len() * columns > 1, "it has fewer than two numbers")?;
    let bare = rest.iter().all(|line| numbers(line).is_some_and(|values| values.len() == columns));
    No::unless(bare, "a line has something else than numbers")
}

/// The fields of a line, between commas, semicolons, tabs or spaces.
fn fields(line: &[u8]) -> Vec<&[u8]> {
    let between = |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b' ');
    line.split(between).map(<[u8]>::trim_ascii).filter(|field| !field.is_empty()).collect()
}

/// What bare numbers ask of the user, if they do.
pub(super) fn question(head: &[u8]) -> Option<String> {
    let text = head.strip_prefix(MARK).unwrap_or(head);
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let lines: Vec<_> = lines.take(SAMPLE).collect();
    (!lines.is_empty() && lines.iter().all(|line| has_one_comma(line))).then(|| {
        format!(
            "has lines such as `{}`, whose comma can be a decimal comma or stand between two numbers; write points, or say \
             the latter with --format numbers",
            excerpt(lines[0])
        )
    })
}

/// Whether a line has only digits and a comma, such as `4,1`.
fn has_one_comma(line: &[u8]) -> bool {
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let line = line.strip_prefix(b"-").unwrap_or(line);
    line.split(|&byte| byte == b',').count() == 2 && line.split(|&byte| byte == b',').all(digits)
}

/// The numbers of a line, if it has nothing else.
fn numbers(line: &[u8]) -> Option<Vec<f64>> {
    fields(line).into_iter().map(number).collect()
}

/// The samples that a header line names, if it is one.
fn samples(line: &[u8]) -> Option<Vec<Header>> {
    let between = |byte: &u8| matches!(byte, b',' | b';' | b'\t');
    let named: Vec<Header> =
        line.split(between).map(|name| Header::of(lossless(name.trim_ascii()).trim())).collect();
    let is_header = match &named[..] {
        [one] => !matches!(one.holds, Holds::Unknown | Holds::Settings | Holds::Count),
        [one, two] => is_pair(&one.subject, &two.subject),
        _ => false,
    };
    (is_header && numbers(line).is_none()).then_some(named)
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let bytes = content.all()?;
    let text = bytes.strip_prefix(MARK).unwrap_or(&bytes);
    let mut table = Table { sheet: Sheet::new(name), samples: None, columns: 0 };
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    for (line, nth) in lines.zip(1..).filter(|(line, _)| !line.is_empty()) {
        table.line(line, nth);
    }
    table.sheet.count(&content.budget)?;
    Ok(vec![table.sheet])
}

/// The metric, scale and configuration of a column.
type Sample = (u32, Scale, Vec<(String, String)>);

struct Table {
    sheet: Sheet,
    /// The columns, from the first line on.
    samples: Option<Vec<Sample>>,
    columns: usize,
}

impl Table {
    fn line(&mut self, line: &[u8], nth: u32) {
        if self.samples.is_none() {
            let header = samples(line);
            let named =
                header.clone().unwrap_or_else(|| vec![Header::of("value"); fields(line).len().min(2)]);
            self.begin(&named, header.is_some());
            if header.is_some() {
                return;
            }
        }
        if let Some(values) = numbers(line).filter(|values| values.len() == self.columns) {
            return self.row(&values, nth);
        }
        let numbers = if self.columns == 1 { "a number" } else { "two numbers" };
        let what = format!("`{}` is not {numbers}", excerpt(line));
        let hint = "every line has as many numbers as the first, with a decimal point: 1234.5";
        self.sheet.problem(Code::MalformedNumber, nth, what, hint);
    }

    fn begin(&mut self, named: &[Header], has_names: bool) {
        self.columns = named.len();
        let several = named.len() > 1;
        let sample = |(place, header): (usize, &Header)| {
            let meaning = meaning(&header.unit);
            let metric = if several { "value" } else { &header.name };
            let id = self.sheet.metric(&format!("{metric}\0{}", meaning.base), || {
                let mut metric = Metric::new(metric, &meaning.base, meaning.quantity);
                metric.better = metric.better.or(header.better());
                metric
            });
            let variant = if has_names { header.name.clone() } else { format!("column {}", place + 1) };
            let keys = if several { vec![("variant".to_owned(), variant)] } else { Vec::new() };
            (id, meaning.scale, keys)
        };
        self.samples = Some(named.iter().enumerate().map(sample).collect());
    }

    fn row(&mut self, values: &[f64], line: u32) {
        for (&value, (metric, scale, keys)) in values.iter().zip(self.samples.iter().flatten()) {
            self.sheet.set_context(keys);
            let value = scale.apply(value);
            self.sheet.push(Measurement {
                benchmark: BENCHMARK,
                metric: *metric,
                value,
                line,
                ..Measurement::default()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_numbers_fit() {
        for (text, fit) in [
            ("1\n2\n", true),
            ("1.5,2\n3,4\n", true),
            ("1, 2\n3, 4\n", true),
            ("4,1\n3,9\n", false),
            ("1 2\n", true),
            ("time_ms\n1\n2\n", true),
            ("old,new\n1,2\n", true),
            ("1\n", false),
            ("1,2,3\n", false),
            ("1\n2,3\n", false),
            ("x,y\n1,2\n", false),
            ("size,time_ms\n1,2\n", false),
            ("notes\n1\n2\n", false),
            ("1\nx\n", false),
        ] {
            assert_eq!(fits(&Head::new(text.as_bytes())).is_ok(), fit, "{text:?}");
        }
    }
}
