//! Points in time: as harnesses write them, as numbers, and as dates.

/// The nanoseconds since 1970 of a time in the form of RFC 3339, such as `2024-05-06T07:08:09.123456789+02:00`.
pub(super) fn instant(text: &[u8]) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let (clock, rest) = rest.split_at_checked(9)?;
    let shape = [(date, 4, b'-'), (date, 7, b'-'), (clock, 3, b':'), (clock, 6, b':')];
    if shape.iter().any(|&(part, at, mark)| part[at] != mark) || !matches!(clock[0], b'T' | b't' | b' ') {
        return None;
    }
    let days = days(digits(&date[..4])?, digits(&date[5..7])?, digits(&date[8..])?)?;
    let seconds = digits(&clock[1..3])? * 3600 + digits(&clock[4..6])? * 60 + digits(&clock[7..])?;
    let (nanos, zone) = fraction(rest)?;
    (days * 86_400 + seconds - offset(zone)?).checked_mul(1_000_000_000)?.checked_add(nanos)
}

/// The nanoseconds since 1970 of a count of seconds or of a fraction of them, which its length shows.
pub(super) fn unix(text: &[u8]) -> Option<i64> {
    let factor = match text.len() {
        10 => 1_000_000_000,
        13 => 1_000_000,
        16 => 1000,
        19 => 1,
        _ => return None,
    };
    digits(text)?.checked_mul(factor)
}

fn digits(text: &[u8]) -> Option<i64> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(text).ok()?.parse().ok())?
}

/// The days since 1970 in the Gregorian calendar. Years are counted from March, so that a leap day ends its year.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468)
}

/// The nanoseconds of a fraction such as `.123`, and what follows it.
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let Some(text) = text.strip_prefix(b".") else { return Some((0, text)) };
    let end = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let scale = 10_i64.checked_pow(9_u32.checked_sub(u32::try_from(end).ok()?)?)?;
    Some((digits(&text[..end])? * scale, &text[end..]))
}

/// The seconds of a zone such as `Z` or `+02:00`.
fn offset(zone: &[u8]) -> Option<i64> {
    match zone {
        b"Z" | b"z" => Some(0),
        [sign @ (b'+' | b'-'), rest @ ..] if rest.len() == 5 && rest[2] == b':' => {
            let seconds = digits(&rest[..2])? * 3600 + digits(&rest[3..])? * 60;
            Some(if *sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

/// A moment in UTC, from the seconds since 1970: `2024-05-01T12:00:00Z`. `None` if it is no date that anybody can mean.
pub(super) fn moment(seconds: f64) -> Option<String> {
    const DAY: i64 = 86_400;
    if !(0.0..253_402_300_800.0).contains(&seconds) {
        return None;
    }
    let seconds = seconds as i64;
    let (year, month, day) = date(seconds / DAY);
    let time = seconds % DAY;
    Some(format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60))
}

/// A moment in UTC with its milliseconds, from a number of the seconds since 1970 or of parts of them as a harness writes
/// it; another text stays.
pub(super) fn of_unix(text: &str, a_second: f64) -> String {
    let milliseconds = text.parse().ok().map(|number: f64| (number / a_second * 1e3).round());
    let found = milliseconds.and_then(|all| Some((moment((all / 1e3).floor())?, all.rem_euclid(1e3))));
    match found {
        Some((moment, 0.0)) => moment,
        Some((moment, part)) => format!("{}.{part:03}Z", moment.trim_end_matches('Z')),
        None => text.to_owned(),
    }
}

/// The date that is this many days after 1970-01-01, counted from 0000-03-01: leap days are then the last of a year.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_in_utc() {
        for (seconds, wanted) in [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_782_400.0, "2000-02-29T00:00:00Z"),
            (1_573_312_140.323, "2019-11-09T15:09:00Z"),
            (4_107_542_399.0, "2100-02-28T23:59:59Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00Z"),
            (253_402_300_799.0, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(moment(seconds).as_deref(), Some(wanted));
        }
        assert!([-1.0, 1e12, f64::NAN, f64::INFINITY].iter().all(|&seconds| moment(seconds).is_none()));
    }

    #[test]
    fn numbers_of_harnesses_are_moments() {
        for (text, a_second, wanted) in [
            ("1700000000000", 1e3, "2023-11-14T22:13:20Z"),
            ("1700000000007", 1e3, "2023-11-14T22:13:20.007Z"),
            ("1700000000.123", 1.0, "2023-11-14T22:13:20.123Z"),
            ("1700000000.9996", 1.0, "2023-11-14T22:13:21Z"),
            ("-1", 1e3, "-1"),
            ("nan", 1.0, "nan"),
            ("yesterday", 1.0, "yesterday"),
        ] {
            assert_eq!(of_unix(text, a_second), wanted);
        }
    }

    #[test]
    fn times_are_nanoseconds_since_1970() {
        for (text, seconds, nanos) in [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("2000-02-29T23:59:59.5Z", 951_868_799, 500_000_000),
            ("2024-03-01T01:00:00.123456789+01:00", 1_709_251_200, 123_456_789),
            ("1969-12-31T23:59:59-00:30", 1799, 0),
        ] {
            assert_eq!(instant(text.as_bytes()), Some(seconds * 1_000_000_000 + nanos), "{text}");
        }
        for text in ["", "2024-03-01", "2024-13-01T00:00:00Z", "2024-03-01T00:00:00", "2024-03-01T00:00:00.Z"]
        {
            assert_eq!(instant(text.as_bytes()), None, "{text}");
        }
        assert_eq!(instant(b"9999-12-31T23:59:59Z"), None);
        assert_eq!(unix(b"1700000000"), unix(b"1700000000000000000"));
        assert_eq!(unix(b"170000000"), None);
    }
}
