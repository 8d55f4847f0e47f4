//! Bare numbers: one a line is a sample, two a line are two samples.

use super::headers::Header;
use super::keys::KEYS;
use super::name_words::Holds;
use super::preface::is_comment;
use super::rows::BENCHMARK;
use super::words::is_pair;
use crate::encoding::MARK;
use crate::formats::format::PLAIN_TABLE;
use crate::formats::prelude::*;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "numbers",
    sign: "one number a line, or two",
    harness: PLAIN_TABLE,
    keys: &[KEYS],
    fits: |head| {
        let lines: Vec<_> = rows(head.bytes()).map(|(line, _)| line).take(SAMPLE).collect();
        let columns = lines.last().map_or(0, |line| fields(line).len());
        let skipped = usize::from(lines.first().is_some_and(|line| samples(line).is_some()));
        let rest = &lines[skipped..];
        No::unless(question(head.bytes()).is_none(), "its numbers can be grouped or an index")?;
        No::unless(!names_columns(head.bytes()), "a comment names its columns")?;
        No::unless(matches!(columns, 1 | 2), "its lines are not one or two numbers")?;
        No::unless(rest.len() * columns > 1, "it has fewer than two numbers")?;
        let bare = rest.iter().all(|line| numbers(line).is_some_and(|values| values.len() == columns));
        No::unless(bare, "a line has something else than numbers")
    },
    read: Read::Sheets(read),
    ..Format::PLAIN
};

/// The number of lines that detection looks at.
const SAMPLE: usize = 20;

/// The lines that are neither blank nor comments, with their numbers.
fn rows(text: &[u8]) -> impl Iterator<Item = (&[u8], u32)> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).zip(1..);
    lines.filter(|(line, _)| !line.is_empty() && !is_comment(line))
}

/// The last comment above the numbers.
fn last_comment(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let comment = lines.take_while(|line| is_comment(line)).last()?;
    let mark = comment.iter().take_while(|byte| matches!(byte, b'#' | b' ')).count();
    Some(&comment[mark..])
}

/// Whether the last comment names two columns of which one is no sample: `# threads time_ms`.
fn names_columns(text: &[u8]) -> bool {
    let Some(comment) = last_comment(text).filter(|_| commented(text).is_none()) else { return false };
    let names: Vec<Header> = fields(comment).into_iter().map(|name| Header::of(&lossless(name))).collect();
    let columns = rows(text).next().and_then(|(line, _)| numbers(line)).map_or(0, |numbers| numbers.len());
    columns == 2
        && names.len() == 2
        && names.iter().any(|name| name.holds == Holds::Settings || name.has_unit())
}

/// The header in the last comment above the numbers, if it names as many samples as a line has numbers.
fn commented(text: &[u8]) -> Option<Vec<Header>> {
    let columns = rows(text).next().and_then(|(line, _)| numbers(line))?.len();
    let named = samples(last_comment(text)?)?;
    // A longer comment is a sentence.
    let is_name = named.iter().all(|header| header.subject.len() < 3);
    (is_name && named.len() == columns).then_some(named)
}

/// The fields of a line, between commas, semicolons, tabs or spaces.
fn fields(line: &[u8]) -> Vec<&[u8]> {
    let between = |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b' ');
    line.split(between).map(<[u8]>::trim_ascii).filter(|field| !field.is_empty()).collect()
}

/// What bare numbers ask of the user, if they do.
pub(super) fn question(head: &[u8]) -> Option<String> {
    let lines: Vec<_> = rows(head).map(|(line, _)| line).take(SAMPLE).collect();
    let shown = lines.first().map(excerpt)?;
    if lines.iter().all(|line| has_comma(line)) {
        return Some(format!(
            "has lines such as `{shown}`, whose comma can be a decimal comma, stand between thousands or between two \
             numbers. Write points and no groups, or say the last with --format numbers"
        ));
    }
    if names_columns(head) {
        return None;
    }
    if has_numbers_as_header(&lines) {
        return Some(format!(
            "has the first line `{shown}`, which can number the columns as data frames do. Write their names there, or say \
             with --format numbers that it is a sample like the others"
        ));
    }
    let what = first_of_two(&lines).filter(|_| commented(head).is_none())?;
    Some(format!(
        "has lines such as `{shown}`, whose first number {what}. Leave it out, or say with --format numbers that both are \
         samples"
    ))
}

/// Whether a line has only digits and a comma, such as `4,1`, or can be one number with groups, such as `1,234.5`.
fn has_comma(line: &[u8]) -> bool {
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let line = line.strip_prefix(b"-").unwrap_or(line);
    let point = line.iter().position(|&byte| byte == b'.');
    let (whole, rest) = line.split_at(point.unwrap_or(line.len()));
    let parts: Vec<&[u8]> = whole.split(|&byte| byte == b',').collect();
    let is_grouped = parts[0].len() < 4 && parts.iter().skip(1).all(|part| part.len() == 3);
    let is_plain = parts.len() == 2 && rest.is_empty();
    parts.len() > 1
        && parts.iter().all(|part| digits(part))
        && (is_plain || (is_grouped && (rest.is_empty() || digits(&rest[1..]))))
}

/// Whether the first line counts the columns, `0` or `0,1`, and no other line has such numbers.
fn has_numbers_as_header(lines: &[&[u8]]) -> bool {
    let counts = |line: &[u8]| matches!(&fields(line)[..], [b"0"] | [b"0", b"1"]);
    let [first, rest @ ..] = lines else { return false };
    counts(first) && !rest.is_empty() && !rest.iter().any(|line| counts(line))
}

/// What else than a sample the first of two numbers can be.
fn first_of_two(lines: &[&[u8]]) -> Option<&'static str> {
    if rises(lines) {
        Some("rises from line to line and can be an index")
    } else if falls(lines) {
        Some("falls by equal steps from line to line and can be an index")
    } else if are_moments(lines) {
        Some("can be a moment")
    } else if is_key(lines) {
        Some("is whole, unlike the second, and in order, and can say what was varied")
    } else if has_groups(lines) {
        Some("is whole and in order with repetitions, unlike the second, and can say what was varied")
    } else {
        None
    }
}

/// The numbers of lines with two each, as first and second ones.
fn two_columns(lines: &[&[u8]]) -> Option<(Vec<f64>, Vec<f64>)> {
    lines.iter().map(|line| numbers(line).filter(|two| two.len() == 2).map(|two| (two[0], two[1]))).collect()
}

/// Whether all first numbers are moments of the years 2001 to 2100 in a unit of Unix time, and the second ones are not.
fn are_moments(lines: &[&[u8]]) -> bool {
    let Some((first, second)) = two_columns(lines) else { return false };
    // Two samples are about as large as each other.
    let are_in_unit = |&unit: &f64| {
        first.iter().all(|&at| (1e9..4.1e9).contains(&(at / unit)))
            && second.iter().all(|&at| !(1e8..4.1e10).contains(&(at / unit)))
    };
    [1.0, 1e3, 1e6, 1e9].iter().any(are_in_unit)
}

/// Whether the first numbers are a key, such as threads or sizes: whole beside others that are not, and equal, rising or
/// falling, maybe with repetitions.
fn is_key(lines: &[&[u8]]) -> bool {
    let Some((first, second)) = two_columns(lines).filter(|(first, _)| first.len() > 2) else { return false };
    let are_whole = |numbers: &[f64]| numbers.iter().all(|number| number.fract() == 0.0);
    let rise = first.windows(2).all(|two| two[0] <= two[1]);
    let fall = first.windows(2).all(|two| two[0] >= two[1]);
    are_whole(&first) && !are_whole(&second) && (rise || fall)
}

/// Whether the first of two numbers rises from line to line as an index or a clock does, or threads and sizes.
fn rises(lines: &[&[u8]]) -> bool {
    let Some((first, _)) = two_columns(lines) else { return false };
    let steps: Vec<f64> = first.windows(2).map(|two| two[1] - two[0]).collect();
    // A few samples can rise by chance, but hardly by whole numbers.
    let are_whole = first.iter().all(|number| number.fract() == 0.0);
    let enough = if are_whole { 2 } else { 4 };
    // Threads, sizes and clocks have other steps, too.
    let rise = steps.len() > enough && steps.iter().all(|&step| step > 0.0);
    let are_multiples = are_whole
        && steps.len() >= enough
        && steps[0] > 0.0
        && first.windows(2).all(|two| two[1] * first[0] == two[0] * first[1]);
    rise || are_multiples || steps.first().is_some_and(|&step| step > 0.0 && are_equal(&steps, enough))
}

/// Whether the first of two numbers falls from line to line by equal steps, as an index does that counts down.
fn falls(lines: &[&[u8]]) -> bool {
    let Some((first, _)) = two_columns(lines) else { return false };
    let steps: Vec<f64> = first.windows(2).map(|two| two[0] - two[1]).collect();
    let enough = if first.iter().all(|number| number.fract() == 0.0) { 2 } else { 4 };
    steps.first().is_some_and(|&step| step > 0.0 && are_equal(&steps, enough))
}

fn are_equal(steps: &[f64], enough: usize) -> bool {
    steps.len() >= enough && steps.iter().all(|step| (step - steps[0]).abs() < steps[0] * 1e-6)
}

/// Whether the first numbers are whole and in order and some are equal, as those of threads with repetitions are, and no two
/// of the second are.
fn has_groups(lines: &[&[u8]]) -> bool {
    let Some((first, second)) = two_columns(lines).filter(|(first, _)| first.len() > 2) else { return false };
    let rise = first.windows(2).all(|two| two[0] <= two[1]);
    let fall = first.windows(2).all(|two| two[0] >= two[1]);
    let are_whole = first.iter().all(|number| number.fract() == 0.0);
    let mut sorted = second;
    sorted.sort_by(f64::total_cmp);
    let has_ties = |numbers: &[f64]| numbers.windows(2).any(|two| two[0] == two[1]);
    are_whole && (rise || fall) && has_ties(&first) && !has_ties(&sorted)
}

/// The numbers of a line, if it has nothing else.
fn numbers(line: &[u8]) -> Option<Vec<f64>> {
    fields(line).into_iter().map(number).collect()
}

/// The samples that a header line names, if it is one.
fn samples(line: &[u8]) -> Option<Vec<Header>> {
    let of = |between: &[u8]| -> Vec<Header> {
        let names = line.split(|byte| between.contains(byte));
        names.map(|name| Header::of(lossless(name.trim_ascii()).trim())).collect()
    };
    // Two words are two samples (`old new`) or a name (`run time`).
    let (blanks, named) = (of(b" "), of(b",;\t"));
    let is_two = named.len() == 1 && blanks.len() == 2 && is_pair(&blanks[0].subject, &blanks[1].subject);
    let named = if is_two { blanks } else { named };
    let is_header = match &named[..] {
        [one] => !matches!(one.holds, Holds::Unknown | Holds::Settings | Holds::Count),
        [one, two] => is_pair(&one.subject, &two.subject),
        _ => false,
    };
    (is_header && numbers(line).is_none()).then_some(named)
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let text = content.all()?;
    let mut table = Table { sheet: Sheet::new(name), samples: None, columns: 0 };
    if let Some(named) = commented(&text) {
        table.begin(&named, true);
    }
    for (line, nth) in rows(&text) {
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
            self.sheet.push(Measurement { benchmark: BENCHMARK, metric: *metric, value, line, ..ROW });
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
            ("# time_ms\n1\n2\n", true),
            ("# host: a\n\n1\n# more\n2\n", true),
            ("old new\n1 2\n2 3\n3 4\n", true),
            ("# old new\n1 2\n2 3\n3 4\n", true),
            ("1 4.1\n2 4.3\n3 4.0\n", false),
            ("# run time\n0.1 4\n0.2 5\n0.3 4\n0.4 5\n0.5 4\n", false),
            ("1.5 2\n1.6 2.1\n1.7 2.2\n", true),
            ("1 3\n2 4\n", true),
            ("8 2.5\n4 4.5\n2 9.5\n", false),
            ("6 2.5\n6 2.25\n7 2.5\n", false),
            ("6 2.5\n6 2.25\n6 2.5\n", false),
            ("6 2.5\n7 2.25\n6 2.5\n", true),
            ("6 25\n6 22\n6 25\n", true),
            ("1 1500\n1 1510\n2 2500\n2 2510\n", false),
            ("8 410\n8 400\n4 700\n", false),
            ("1 1500\n2 2500\n4 4500\n", false),
            ("10 41\n9 42\n8 40\n", false),
            ("10 41\n9 42\n9 42\n", true),
            ("1500 1510\n1490 1500\n1512 1499\n", true),
            ("1790000100 2\n1790000040 3\n", false),
            ("1790000100123 2\n1790000100223 3\n", false),
            ("1205000000 1301000000\n1206000000 1300000000\n", true),
            ("1,234.5\n1,301.2\n", false),
            ("1,234,567\n1,301,201\n", false),
            ("0,1\n4.1,3.1\n4.2,3.2\n", false),
            ("0\n4.1\n4.2\n", false),
            ("0\n3\n0\n", true),
            ("0.0,1\n4.1,3.1\n", true),
        ] {
            assert_eq!((FORMAT.fits)(&Head::new(text.as_bytes())).is_ok(), fit, "{text:?}");
        }
    }
}
