//! Parses log times: a date and a time of day, to nanoseconds since the Unix epoch.

const NANOS: i64 = 1_000_000_000;

/// Parses `YYYY-MM-DD`, `T` or a space, `HH:MM:SS`, an optional fraction, and an optional zone: `Z`, `UTC`,
/// `±HH:MM`, `±HHMM`, with or without a space before it. Without a zone the time is UTC. Nine digits of a
/// fraction count; the rest is cut off. A leap second counts as the second after it. Returns `None` if the text
/// is not such a time, if the date does not exist, or if it lies outside the years 1678 to 2261, whose
/// nanoseconds fit 64 bits.
#[must_use]
pub fn parse(text: &[u8]) -> Option<i64> {
    let (head, rest) = text.split_first_chunk::<19>()?;
    let marks = head[4] == b'-' && head[7] == b'-' && head[13] == b':' && head[16] == b':';
    if !marks || !matches!(head[10], b'T' | b' ') {
        return None;
    }
    let year = two(head, 0)? * 100 + two(head, 2)?;
    let (month, day) = (two(head, 5)?, two(head, 8)?);
    let (hour, minute, second) = (two(head, 11)?, two(head, 14)?, two(head, 17)?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, rest) = fraction(rest)?;
    let seconds = days(year, month, day)? * 86_400 + hour * 3_600 + minute * 60 + second - zone(rest)?;
    seconds.checked_mul(NANOS)?.checked_add(fraction)
}

/// Parses consecutive times: most share the minute of the preceding one.
#[derive(Debug, Default)]
pub struct Clock {
    minute: [u8; MINUTE],
    /// The beginning of that minute; `None` before the first time.
    began: Option<i64>,
}

/// `YYYY-MM-DDTHH:MM`
const MINUTE: usize = 16;

impl Clock {
    /// Parses a time, like [`parse`].
    #[must_use]
    pub fn parse(&mut self, text: &[u8]) -> Option<i64> {
        let (minute, rest) = text.split_first_chunk::<MINUTE>()?;
        if self.began.is_some() && *minute == self.minute {
            if let Some(since) = seconds(rest) {
                return self.began?.checked_add(since);
            }
        } else {
            self.minute = *minute;
            self.began = parse(&[minute, &b":00Z"[..]].concat());
        }
        parse(text)
    }
}

/// Parses `:SS`, an optional fraction, and `Z` to nanoseconds; `None` if the text is anything else.
#[inline]
fn seconds(text: &[u8]) -> Option<i64> {
    let (head, rest) = text.split_first_chunk::<3>()?;
    let second = if head[0] == b':' { two(head, 1)? } else { return None };
    let (fraction, zone) = fraction(rest)?;
    (second < 60 && zone == b"Z").then_some(second * NANOS + fraction)
}

/// Parses two digits.
#[inline]
fn two(text: &[u8], at: usize) -> Option<i64> {
    let (tens, ones) = (text[at].wrapping_sub(b'0'), text[at + 1].wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| i64::from(tens) * 10 + i64::from(ones))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar; `None` if the date does not exist.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let before = BEFORE.get(usize::try_from(month - 1).ok()?)?;
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if day < 1 || day > length {
        return None;
    }
    let past = year - 1;
    let leaps = past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400);
    Some(past * 365 + leaps + before + i64::from(leap && month > 2) + day - 1 - 719_162)
}

/// Parses a fraction to nanoseconds, and returns the text after it.
#[inline]
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let Some(digits) = text.strip_prefix(b".") else { return Some((0, text)) };
    if let Some((head, rest)) = digits.split_first_chunk::<9>()
        && let Some(value) = nine(head)
    {
        let more = rest.iter().take_while(|digit| digit.is_ascii_digit()).count();
        return Some((value, &rest[more..]));
    }
    let (mut value, mut count) = (0, 0);
    while let Some(digit) = digits.get(count).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
    {
        if count < 9 {
            value = value * 10 + i64::from(digit);
        }
        count += 1;
    }
    if count == 0 {
        return None;
    }
    Some((value * SCALE[count.min(9)], &digits[count..]))
}

/// Parses nine digits.
#[inline]
fn nine(digits: &[u8; 9]) -> Option<i64> {
    let (eight, last) = digits.split_first_chunk::<8>()?;
    let last = last[0].wrapping_sub(b'0');
    let eight = crate::values::eight(*eight)?;
    (last < 10).then(|| eight as i64 * 10 + i64::from(last))
}

/// The factor for a fraction with this many digits.
const SCALE: [i64; 10] =
    [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];

/// Parses a zone to seconds east of Greenwich.
fn zone(text: &[u8]) -> Option<i64> {
    let bare = text.strip_prefix(b" ").unwrap_or(text);
    match bare {
        b"" if text.is_empty() => return Some(0),
        b"Z" | b"UTC" => return Some(0),
        _ => {}
    }
    let (sign, digits) = bare.split_first()?;
    let sign = match sign {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, minutes) = match digits.len() {
        4 => (two(digits, 0)?, two(digits, 2)?),
        5 if digits[2] == b':' => (two(digits, 0)?, two(digits, 3)?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

/// The unit of numeric times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub enum Unit {
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
    /// Microseconds.
    #[serde(rename = "us")]
    Microseconds,
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
}

impl Unit {
    fn decimals(self) -> usize {
        match self {
            Self::Seconds => 9,
            Self::Milliseconds => 6,
            Self::Microseconds => 3,
            Self::Nanoseconds => 0,
        }
    }
}

/// Parses a numeric time since the Unix epoch, with an optional fraction, exactly; digits below a nanosecond
/// are cut off.
#[must_use]
pub fn from_number(raw: &[u8], unit: Unit) -> Option<i64> {
    let point = raw.iter().position(|byte| *byte == b'.').unwrap_or(raw.len());
    let whole = crate::values::integer(&raw[..point])?;
    let digits = raw.get(point + 1..).unwrap_or(b"");
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let decimals = unit.decimals();
    let kept = &digits[..digits.len().min(decimals)];
    let value = kept.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    let fraction = value * 10_i64.pow((decimals - kept.len()) as u32);
    let fraction = if raw.starts_with(b"-") { -fraction } else { fraction };
    whole.checked_mul(10_i64.pow(decimals as u32))?.checked_add(fraction)
}
