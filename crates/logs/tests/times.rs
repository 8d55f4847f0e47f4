//! Log times in every accepted form, and texts that are not times.

use statera_logs::time::{Unit, from_number, parse, parse_any};

const DAY: i64 = 1_739_491_200_000_000_000; // 2025-02-14
const AT: i64 = DAY + (18 * 3600 + 40 * 60 + 58) * 1_000_000_000;

#[test]
fn the_forms_of_a_time() {
    for (text, expected) in [
        ("2025-02-14T18:40:58Z", AT),
        ("2025-02-14 18:40:58", AT),
        ("2025-02-14 18:40:58 UTC", AT),
        ("2025-02-14T18:40:58UTC", AT),
        ("2025-02-14T18:40:58.1Z", AT + 100_000_000),
        ("2025-02-14T18:40:58.13Z", AT + 130_000_000),
        ("2025-02-14T18:40:58.000000001Z", AT + 1),
        ("2025-02-14T18:40:58.0000000019999Z", AT + 1),
        ("2025-02-14T19:40:58+01:00", AT),
        ("2025-02-14T19:40:58 +0100", AT),
        ("2025-02-14T18:10:58.5-0030", AT + 500_000_000),
        ("2025-02-14T18:40:60Z", AT + 2_000_000_000),
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.25Z", -750_000_000),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000_000_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000_000_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
    ] {
        assert_eq!(parse(text.as_bytes()), Some(expected), "{text}");
    }
}

#[test]
fn what_is_no_time() {
    for text in [
        "",
        "not a time",
        "2025-02-14",
        "2025-02-14T18:40Z",
        "2025-02-14t18:40:58Z",
        "2025-02-14  18:40:58Z",
        "2025-02-14T18:40:58.Z",
        "2025-02-14T18:40:58z",
        "2025-02-14T18:40:58  Z",
        "2025-02-14T18:40:58 ",
        "2025-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2025-13-01T00:00:00Z",
        "2025-00-01T00:00:00Z",
        "2025-04-31T00:00:00Z",
        "2025-01-00T00:00:00Z",
        "2025-01-01T24:00:00Z",
        "2025-01-01T00:60:00Z",
        "2025-01-01T00:00:61Z",
        "2025-02-14T18:40:58+1",
        "2025-02-14T18:40:58+01",
        "2025-02-14T18:40:58+24:00",
        "2025-02-14T18:40:58+01:60",
        "2025-02-14T18:40:58Zx",
        " 2025-02-14T18:40:58Z",
        "+025-02-14T18:40:58Z",
        "0001-01-01T00:00:00Z",
        "9999-01-01T00:00:00Z",
        "2025-02-14T18:40:58GMT",
    ] {
        assert_eq!(parse(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn numbers_since_the_epoch() {
    assert_eq!(from_number(b"1739558458.000000001", Unit::Seconds), Some(AT + 1));
    assert_eq!(from_number(b"1739558458000.5", Unit::Milliseconds), Some(AT + 500_000));
    assert_eq!(from_number(b"-1.5", Unit::Seconds), Some(-1_500_000_000));
    assert_eq!(from_number(b"1739558458000000000.9", Unit::Nanoseconds), Some(AT));
    assert_eq!(from_number(b"1e9", Unit::Seconds), None);
    assert_eq!(from_number(b"99999999999999", Unit::Seconds), None);
}

#[test]
fn the_times_of_common_logs() {
    const SECOND: i64 = 1_000_000_000;
    for (text, year, expected) in [
        ("2025-02-14T18:40:58Z", None, Some(AT)),
        ("[2025-02-14 18:40:58,250]", None, Some(AT + SECOND / 4)),
        ("2025/02/14 18:40:58", None, Some(AT)),
        ("25/02/14 18:40:58", None, Some(AT)),
        ("14/Feb/2025:19:40:58 +0100", None, Some(AT)),
        ("Fri Feb 14 18:40:58.5 2025", None, Some(AT + SECOND / 2)),
        ("Feb 14 18:40:58", Some(2025), Some(AT)),
        ("Feb  4 18:40:58", Some(2025), Some(AT - 10 * 86_400 * SECOND)),
        ("I0214 18:40:58.250000", Some(2025), Some(AT + SECOND / 4)),
        ("E250214 18:40:58.250000", None, Some(AT + SECOND / 4)),
        ("250214 184058", None, Some(AT)),
        ("02-14|18:40:58.250", Some(2025), Some(AT + SECOND / 4)),
        // Without a year nobody knows it.
        ("Feb 14 18:40:58", None, None),
        ("I0214 18:40:58", None, None),
        ("02-14|18:40:58", None, None),
        ("18:40:58", Some(2025), None),
        ("Feb 30 18:40:58", Some(2025), None),
        ("2025/2/14 18:40:58", None, None),
        ("14/Fev/2025:19:40:58 +0100", None, None),
        ("", Some(2025), None),
        ("[", Some(2025), None),
        ("Mon", Some(2025), None),
    ] {
        assert_eq!(parse_any(text.as_bytes(), year), expected, "{text}");
    }
}
