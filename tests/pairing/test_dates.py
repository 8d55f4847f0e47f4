"""Variants that were measured one after the other, where the results state when."""

from statera.comparison.pairing.arrange import moment
from support import compare, every, noisy, table


def measured(dates, centre, seed, key="timestamp"):
    values = noisy(centre, len(dates), seed=seed)
    return table([{"benchmark": "X", "value": v, "unit": "s", key: d} for v, d in zip(values, dates, strict=True)])


def dates(day, hours):
    return [f"2026-11-{day:02}T{hour:02}:30:00" for hour in hours]


def said(tmp_path, old, new, key="timestamp"):
    result = compare(tmp_path, measured(old, 10, 1, key), measured(new, 11, 2, key))
    return [note.text for note in result.notes if note.code == "one-after-the-other"]


def test_one_side_measured_before_the_other_is_said_once(tmp_path):
    (text,) = said(tmp_path, dates(1, range(8)), dates(1, range(8, 16)))
    assert text.startswith("All of old was measured before all of new, so a drift of the machine")
    (text,) = said(tmp_path, dates(2, range(8)), dates(1, range(8)))
    assert text.startswith("All of new was measured before all of old")


@every(
    ("old", "new"),
    [
        (dates(1, range(0, 16, 2)), dates(1, range(1, 17, 2))),
        (dates(1, range(8)), [*dates(1, range(9, 16)), ""]),
        (dates(1, range(8)), [*dates(1, range(9, 16)), "yesterday"]),
        (["2026-11-01"] * 8, ["2026-11-01"] * 8),
        (["2026-11-01"] * 8, dates(1, range(8, 16))),
        (dates(1, range(8)), [f"{date}+00:00" for date in dates(1, range(8, 16))]),
    ],
    ids=["in turns", "one unknown", "one unreadable", "one day", "a day and times", "zones unknown"],
)
def test_what_is_not_known_is_not_said(tmp_path, old, new):
    assert said(tmp_path, old, new) == []


def test_the_order_of_files_and_values_is_no_date(tmp_path):
    result = compare(tmp_path, *(table([{"benchmark": "X", "value": v} for v in noisy(c)]) for c in (10, 11)))
    assert "one-after-the-other" not in [note.code for note in result.notes]


def test_days_seconds_and_dates_with_times_are_compared(tmp_path):
    assert said(tmp_path, ["2026-11-01"] * 8, ["2026-11-02"] * 8, key="date")
    seconds = [str(1_790_000_000 + i) for i in range(16)]
    assert said(tmp_path, seconds[:8], seconds[8:])
    assert not said(tmp_path, seconds[::2], seconds[1::2])
    assert moment({"date": "2026-11-01", "time": "05:30"}) == moment({"timestamp": "2026-11-01T05:30"})
    assert moment({"date": "20210915_013015"}).kind == "local"
    assert moment({"commit": "20210915"}) is None
