//! The parts of Google Benchmark's names: `BM_Copy/size:64/8/min_time:0.5/iterations:9/real_time/threads:4`.

use super::names::{Part, pair, segments};

/// What the name says of the clock, after the arguments.
const TIMES: [&str; 3] = ["process_time", "real_time", "manual_time"];

/// Settings of the run, which are no arguments.
const SETTINGS: [&str; 5] = ["min_time", "min_warmup_time", "iterations", "repeats", "threads"];

/// The arguments by name or, without a name, by place (`arg1` is the first), and the settings.
pub(super) fn parts(name: &str, _keys: &[(&str, &str)]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut place = 0;
    let mut times: Option<Part> = None;
    for (number, segment) in (1..).zip(segments(name, "/")) {
        let (text, range) = (segment.text, segment.range.clone());
        if number > 1 && TIMES.contains(&text) {
            // The time of the process and the real time may stand side by side.
            times = Some(match times {
                Some(before) => {
                    Part::new("time_type", format!("{}/{text}", before.value), before.range.start..range.end)
                }
                None => Part::new("time_type", text, range.clone()),
            });
        } else if number > 1
            && let Some((key, value)) = pair(&segment, ':')
        {
            place += usize::from(!SETTINGS.contains(&key));
            parts.push(Part::new(key, value, range.clone()));
        } else if number > 1 && is_argument(text) {
            place += 1;
            parts.push(Part::new(format!("arg{place}"), text, range.clone()));
        }
        if !text.is_empty() {
            parts.push(Part::new(format!("name.{number}"), text, range));
        }
    }
    parts.extend(times);
    parts
}

fn is_argument(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_settings_are_told_apart() {
        let name = "BM<std::pair<int, 2>>/size:64/8/-1/min_time:0.500/process_time/real_time/threads:4";
        let found: Vec<(String, String)> = parts(name, &[])
            .into_iter()
            .filter(|part| !part.key.starts_with("name."))
            .map(|part| (part.key, part.value))
            .collect();
        let expected = [
            ("size", "64"),
            ("arg2", "8"),
            ("arg3", "-1"),
            ("min_time", "0.500"),
            ("threads", "4"),
            ("time_type", "process_time/real_time"),
        ];
        assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
