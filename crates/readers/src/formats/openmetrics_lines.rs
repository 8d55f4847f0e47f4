//! The lines of the text that Prometheus reads: `name{label="value"} 1.5 timestamp`.

/// A sample: the name, the labels and the number as text.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) labels: Vec<(String, String)>,
    pub(super) value: String,
}

/// Reads a line; `None` if it is no sample.
pub(super) fn sample(line: &str) -> Option<Line> {
    let line = line.trim();
    let end = line.find(['{', ' ', '\t']).filter(|&end| end > 0 || line.starts_with('{'))?;
    let (name, rest) = line.split_at(end);
    let (mut name, mut labels) = (name.to_owned(), Vec::new());
    let rest = match rest.trim_start().strip_prefix('{') {
        Some(rest) => braces(rest, &mut name, &mut labels)?,
        None => rest,
    };
    let value = rest.split_ascii_whitespace().next()?.to_owned();
    (!name.is_empty()).then_some(Line { name, labels, value })
}

/// Reads what stands between braces and returns the rest. A text without a label is the name: `{"my.name", a="b"}`.
fn braces<'a>(text: &'a str, name: &mut String, labels: &mut Vec<(String, String)>) -> Option<&'a str> {
    let mut rest = text.trim_start();
    loop {
        if let Some(rest) = rest.strip_prefix('}') {
            return Some(rest);
        }
        let (key, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted_text(quoted)?
        } else {
            let end = rest.find(['=', ',', '}', ' '])?;
            (rest[..end].to_owned(), &rest[end..])
        };
        let after = after.trim_start();
        rest = if let Some(after) = after.strip_prefix('=') {
            let (value, after) = quoted_text(after.trim_start().strip_prefix('"')?)?;
            labels.push((key, value));
            after
        } else if name.is_empty() {
            *name = key;
            after
        } else {
            return None;
        };
        rest = rest.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
}

/// The text up to the closing quote, and the rest.
fn quoted_text(text: &str) -> Option<(String, &str)> {
    let mut found = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((found, &text[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => found.push('\n'),
                other => found.push(other),
            },
            other => found.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(String, Vec<String>, String)> {
        let Line { name, labels, value } = sample(line)?;
        Some((name, labels.into_iter().map(|(key, value)| format!("{key}={value}")).collect(), value))
    }

    #[test]
    fn samples_have_names_labels_and_values() {
        for (line, name, labels, value) in [
            ("a 1", "a", vec![], "1"),
            ("a{b=\"c\"} 1.5 1700000000", "a", vec!["b=c"], "1.5"),
            ("a { b = \"c d\" , e=\"\" , } +Inf # {x=\"y\"} 2", "a", vec!["b=c d", "e="], "+Inf"),
            ("a{b=\"} \\\"\\\\\\n\"} NaN", "a", vec!["b=} \"\\\n"], "NaN"),
            ("{\"my.name\",\"my label\"=\"é\"} 2", "my.name", vec!["my label=é"], "2"),
        ] {
            let wanted =
                (name.to_owned(), labels.iter().map(ToString::to_string).collect(), value.to_owned());
            assert_eq!(read(line), Some(wanted), "{line}");
        }
        for line in ["", "a", "{} 1", "a{b=\"c} 1", "a{b} 1", "a{b=c} 1", "a{", "a{b=\"c\"}", "a{b=\"\\"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
