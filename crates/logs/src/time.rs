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

const MONTHS: [&[u8; 3]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// Parses the times of common logs. `year` stands in for the year where the log writes none: without it such times are
/// no times. A time without a zone is UTC.
///
/// | form | example |
/// | --- | --- |
/// | ISO 8601, RFC 3339, `PostgreSQL`, Log4j | `2026-11-21T18:44:07.4Z`, `2026-11-21 18:44:07.439 UTC`, `2026-11-21 18:44:07,439` |
/// | with slashes: nginx's errors, Go, Spark | `2026/11/21 18:44:07`, `26/11/21 18:44:07` |
/// | Common Log Format | `21/Nov/2026:18:44:07 +0000` |
/// | `ctime`, Apache's errors | `Sat Nov 21 18:44:07.439 2026` |
/// | syslog | `Nov 21 18:44:07` |
/// | klog, `CockroachDB` | `I1121 18:44:07.439123`, `I261121 18:44:07.439123` |
/// | Hadoop | `261121 184407` |
/// | Geth | `11-21\|18:44:07.439` |
#[must_use]
pub fn parse_any(text: &[u8], year: Option<i64>) -> Option<i64> {
    let text = text.trim_ascii();
    let bare = text.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")).unwrap_or(text);
    parse(bare)
        .or_else(|| with_comma(bare))
        .or_else(|| with_slashes(bare))
        .or_else(|| common_log(bare))
        .or_else(|| named_month(bare, year))
        .or_else(|| klog(bare, year))
        .or_else(|| geth(bare, year))
}

/// A year, month and day, a time of day, and what follows it: a fraction and a zone.
fn of_parts(year: i64, month: i64, day: i64, clock: &[u8]) -> Option<i64> {
    let written = format!("{year:04}-{month:02}-{day:02}T");
    parse(&[written.as_bytes(), clock].concat())
}

fn number_of(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

/// Log4j writes the decimal sign of some languages.
fn with_comma(text: &[u8]) -> Option<i64> {
    let comma = text.get(19).filter(|byte| **byte == b',')?;
    let mut pointed = text.to_vec();
    pointed[19] = if *comma == b',' { b'.' } else { *comma };
    parse(&pointed)
}

fn with_slashes(text: &[u8]) -> Option<i64> {
    let first = text.iter().position(|byte| *byte == b'/')?;
    let year = match (first, number_of(&text[..first])?) {
        (4, year) => year,
        (2, year) => 2000 + year,
        _ => return None,
    };
    let rest = &text[first + 1..];
    let is_date = rest.len() > 6 && rest[2] == b'/' && matches!(rest[5], b' ' | b'T');
    if !is_date {
        return None;
    }
    of_parts(year, two(rest, 0)?, two(rest, 3)?, &rest[6..])
}

fn month_of(name: &[u8]) -> Option<i64> {
    MONTHS.iter().position(|month| month.as_slice() == name).map(|place| place as i64 + 1)
}

fn common_log(text: &[u8]) -> Option<i64> {
    let (head, clock) = text.split_at_checked(12)?;
    let marks = head[2] == b'/' && head[6] == b'/' && head[11] == b':';
    if !marks {
        return None;
    }
    of_parts(number_of(&head[7..11])?, month_of(&head[3..6])?, two(head, 0)?, clock)
}

/// `Nov 21 18:44:07`, with the day of the week before it or not, and with the year behind it or not; and
/// `21 Nov 2026 18:44:07`.
fn named_month(text: &[u8], year: Option<i64>) -> Option<i64> {
    let mut words = text.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let mut word = words.next()?;
    if let Some(day) = number_of(word) {
        let (month, year) = (month_of(words.next()?)?, words.next().filter(|year| year.len() == 4)?);
        return of_parts(number_of(year)?, month, day, words.next()?);
    }
    if month_of(word).is_none() {
        word = words.next()?;
    }
    let (month, day, clock) = (month_of(word)?, number_of(words.next()?)?, words.next()?);
    let year = match words.next() {
        Some(year) if year.len() == 4 => number_of(year)?,
        Some(_) => return None,
        None => year?,
    };
    of_parts(year, month, day, clock)
}

/// `I1121 18:44:07.4` and `I261121 18:44:07.4`, with the letter or without it, and `261121 184407`.
fn klog(text: &[u8], year: Option<i64>) -> Option<i64> {
    let bare =
        text.strip_prefix(b"I").or_else(|| text.strip_prefix(b"W")).or_else(|| text.strip_prefix(b"E"));
    let bare = bare.or_else(|| text.strip_prefix(b"F")).unwrap_or(text);
    let space = bare.iter().position(|byte| *byte == b' ')?;
    let (date, clock) = (&bare[..space], bare[space + 1..].trim_ascii_start());
    if !date.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let (year, rest) = match date.len() {
        4 => (year?, date),
        6 => (2000 + two(date, 0)?, &date[2..]),
        _ => return None,
    };
    let (month, day) = (two(rest, 0)?, two(rest, 2)?);
    if clock.len() == 6 && clock.iter().all(u8::is_ascii_digit) {
        let clock = [&clock[..2], b":", &clock[2..4], b":", &clock[4..]].concat();
        return of_parts(year, month, day, &clock);
    }
    of_parts(year, month, day, clock)
}

fn geth(text: &[u8], year: Option<i64>) -> Option<i64> {
    let (head, clock) = text.split_at_checked(6)?;
    let marks = head[2] == b'-' && head[5] == b'|';
    if marks { of_parts(year?, two(head, 0)?, two(head, 3)?, clock) } else { None }
}
