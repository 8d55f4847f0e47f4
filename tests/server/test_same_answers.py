"""A history in SQLite or PostgreSQL gives the answers of the same history in a folder."""

import json
import time
from math import inf, isnan, nan

import pyarrow as pa
import pytest
from clusters import both
from histories import add, commit, folder, history, job, measured
from pyarrow import parquet
from serving import created, keep, record
from sqlalchemy import func, select

from statera import _native
from statera.history import catalog, upload
from statera.history.alerts import EXPECT, LINK, STATE, alerts, event_on, expectations, state_of
from statera.history.analysis import analyse
from statera.history.compact import compact
from statera.history.folder import About
from statera.history.job import to_json
from statera.history.series import Series
from statera.server import histories, projects, tables
from statera.server.histories import DatabaseStore
from statera.support.errors import Stop
from statera.support.settings.limits import Limits
from support import noisy

LIMITS = Limits()
HOSTILE = [
    "<script>alert(1)</script>",
    "'; drop table value; --",
    '"quoted" and \\ back',
    "%s %(name)s :name ?",
    "\x1b[31mred\x07 \x01\x7f",
    "\u202eright to left",
    "line\nbreak\ttab\r",
    "𝄞 ünï \u0301",
    "x" * 4096,
    " ",
    "NULL",
]


def steps(count=60, at=30):
    """Values with a step at a half."""
    return [value * (1.2 if number >= at else 1) for number, value in enumerate(noisy(100, count))]


def plain(value):
    """A number that is equal to itself."""
    return "nan" if isinstance(value, float) and isnan(value) else value


def answers(store):
    """All that a history says, as plain values."""
    held = catalog.read(store, LIMITS)
    found = analyse(held, store.about.lane)
    announced = expectations(held)
    told = alerts(found)
    return {
        "problems": held.problems,
        "jobs": [(each.id, each.job) for each in held.held],
        "series": [(each.id, tuple(each)) for each in held.series],
        "values": [[tuple(map(plain, row)) for row in held.native.summaries(n)] for n in range(len(held.series))],
        "orders": {branch: order.commits for branch, order in found.orders.items()},
        "tracks": [
            (each.name, each.line.lane, each.changes, each.withdrawn, each.spikes, plain(each.corrected or 0.0))
            for each in found.tracks
        ],
        "alerts": [
            (each._replace(parts=()), [(part.track.name, part.track.line.lane, part.change) for part in each.parts])
            for each in told
        ],
        "states": [state_of(each, found.orders[each.branch], held, announced) for each in told],
        "events": held.events,
    }


@pytest.fixture
def served(database, tmp_path):
    """Give a function that brings a folder's history into the database, and returns its store there."""

    def serve(held):
        made = created(database, held.about)
        store = DatabaseStore(database, made, tmp_path / f"copy {held.about.project}")
        for _, path in held.uploads():
            keep(store, path)
        for _, event in held.events():
            record(store, event)
        return store

    return serve


def rows(database):
    """The values in the rows of the database, by job, series and project."""
    value, series, own_job = tables.value.c, tables.series, tables.job
    wanted = (
        select(own_job.c.project_id, own_job.c.hash, *(series.c[name] for name in Series._fields))
        .add_columns(value.n, value.median, value.mad, value.least, value.largest)
        .join_from(tables.value, own_job, own_job.c.id == value.job_id)
        .join(series, series.c.id == value.series_id)
    )
    with database.reading() as connection:
        return sorted((tuple(row) for row in connection.execute(wanted)), key=repr)


def expected_rows(store, number=1):
    """What the rows of the database have to be, by what the uploads hold."""
    held = catalog.read(store, LIMITS)
    found = []
    for at, series in enumerate(held.series):
        for place, n, *numbers in held.native.summaries(at):
            if each := held.jobs[place]:
                found.append((number, each.id, *series, n, *(None if isnan(one) else one for one in numbers)))
    return sorted(found, key=repr)


@both
def test_the_examples_history_gives_the_same_answers(served, example, database):
    store = served(example)
    own = answers(example)
    assert answers(store) == own
    assert own["alerts"]
    assert rows(database) == expected_rows(example)


@both
def test_decisions_and_announcements_have_the_same_effect(served, tmp_path):
    made = history(tmp_path / "one", {"A": steps(), "B": steps(at=45)})
    found = analyse(catalog.read(made, LIMITS), made.about.lane)
    first, second = alerts(found)
    words = {"who": "me", "when": "2026-01-01T00:00:00+00:00"}
    made.record(event_on(first, found.orders["main"], kind=STATE, state="noise", reason="x'y", **words))
    made.record(event_on(first, found.orders["main"], kind=LINK, url="https://x.example/1", **words))
    place = found.orders["main"].commits[second.last]
    made.record({"kind": EXPECT, "commits": [place], "text": "A +1%..+90% as meant", **words})
    own = answers(made)
    assert {each.word for each in own["states"]} == {"noise", "expected"}
    assert answers(served(made)) == own


def test_a_merged_file_and_an_older_copy_of_its_uploads(served, database, tmp_path):
    made = history(tmp_path / "one", {"A": steps()})
    store = served(made)
    before = answers(store)["alerts"]
    count = len(rows(database))
    held = catalog.read(made, LIMITS)
    assert compact(made, analyse(held, made.about.lane), LIMITS, 0).months
    # The jobs of the merged file are there already: it adds nothing, and no job counts twice.
    for _, path in made.uploads():
        assert not keep(store, path).new
    assert len(rows(database)) == count
    assert answers(store)["alerts"] == before


@both
def test_hostile_names_are_kept_to_the_letter(served, database, tmp_path):
    made = folder(tmp_path / "one")
    for number, name in enumerate(HOSTILE):
        facts = {"branch": name, "subject": name, "who": name, "url": name, "environment": {"cpu": name[:2000]}}
        add(made, number, {each: [1.0 + number] for each in HOSTILE}, **facts, parents=(name,), line=(commit(number),))
        upload.store(made, measured({name: [2.0]}), [json.dumps({name: name})], job(number, commit=name))
    own = answers(made)
    assert {each[1].branch for each in own["jobs"]} == {*HOSTILE, "main"}
    store = served(made)
    assert answers(store) == own
    assert rows(database) == expected_rows(made)


# For each place of a text: the name of a series, its factors, and what is stated of the job.
NUL = {
    "job": ("A", {}, {"subject": "a\0b"}),
    "environment": ("A", {}, {"environment": {"x\0": "y"}}),
    "series": ("A\0", {}, {}),
    "factors": ("A", {"k": "a\0b"}, {}),
}
NO_FACTORS = ["[]", '{"a": 1}', "{", r'{"a": "\ud800"}', "[" * 100_000]


def refused(made, why):
    """Check that the only upload of a history is refused before it comes to a database."""
    ((_, path),) = made.uploads()
    with pytest.raises(Stop, match=why) as stop:
        histories.prepare(path, "p", LIMITS)
    assert stop.value.code == "bad-upload"


def test_a_character_that_postgresql_cannot_store_is_refused(tmp_path):
    for where, (name, factors, facts) in NUL.items():
        made = folder(tmp_path / where)
        upload.store(made, measured({name: [1.0]}), [json.dumps(factors)], job(1, **facts))
        refused(made, r"U\+0000")


def test_half_a_character_is_refused(tmp_path):
    made = folder(tmp_path / "one")
    text = to_json([("", job(1))]).replace("commit 1", r"\ud800")
    with made.receiving() as part:
        _native.write_upload(measured({"A": [1.0]}).native, ["{}"], text, part)
        made.keep(part)
    refused(made, "not an upload of statera")


def test_factors_that_are_none_are_refused(tmp_path):
    for number, factors in enumerate(NO_FACTORS):
        made = folder(tmp_path / str(number))
        upload.store(made, measured({"A": [1.0]}), [factors], job(1))
        refused(made, "factors")


def altered(made, change):
    """Put another file in the place of a history's only upload: its columns as lists, changed."""
    ((_, path),) = made.uploads()
    table = parquet.read_table(path)
    jobs = parquet.ParquetFile(path).schema_arrow.metadata or parquet.read_metadata(path).metadata
    columns = table.to_pydict()
    change(columns)
    with made.receiving() as part:
        new = pa.table(columns, schema=table.schema).replace_schema_metadata(jobs)
        parquet.write_table(new, part)
        path.unlink()
        # The other file is the only one that the history ever had.
        (made.path / "added.txt").unlink()
        made.keep(part)
    return made


@both
def test_values_that_are_no_numbers_or_without_end(served, database, tmp_path):
    odd = [inf, -inf, nan, 5e-324, 1.7976931348623157e308, -0.0, 1 / 3]

    def change(columns):
        columns["median"], columns["least"], columns["largest"] = odd, odd[::-1], odd
        columns["mad"] = [inf, nan, 0.0, 1.0, nan, inf, 5e-324]
        columns["n"] = [2**32 - 1, 0, 1, 1, 1, 1, 1]

    made = folder(tmp_path / "one")
    add(made, 1, {f"A{number}": [1.0] for number in range(len(odd))})
    store = served(altered(made, change))
    assert answers(store) == answers(made)
    assert rows(database) == expected_rows(made)
    found = {row[-1] for row in rows(database)}
    assert {inf, -inf, None, 5e-324, 1.7976931348623157e308, -0.0, 1 / 3} == found


def test_a_series_that_a_job_has_twice_is_refused(tmp_path):
    def change(columns):
        for name in columns:
            columns[name] *= 2

    made = folder(tmp_path / "one")
    add(made, 1, {"A": [1.0]})
    refused(altered(made, change), "a job has the same series twice")


def test_the_same_upload_twice_is_one(served, database, tmp_path):
    made = history(tmp_path / "one", {"A": [1.0, 2.0, 3.0]})
    store = served(made)
    before, count = answers(store), len(rows(database))
    with database.reading() as connection:
        changed = projects.named(connection, "p").changed
    assert [keep(store, path).new for _, path in made.uploads()] == [False] * 3
    assert answers(store) == before
    assert len(rows(database)) == count
    with database.reading() as connection:
        # Nothing is analysed again.
        assert projects.named(connection, "p").changed == changed


@both
def test_the_same_upload_twice_in_one_transaction_is_one(database, tmp_path):
    made = history(tmp_path / "one", {"A": [1.0]})
    ((_, path),) = made.uploads()
    with database.writing() as connection:
        project = projects.create(connection, made.about)
        prepared = histories.prepare(path, "p", LIMITS)
        stored = histories.store(connection, project.id, [(prepared, None), (prepared, None)])
    assert [each.new for each in stored] == [True, False]
    assert rows(database) == expected_rows(made)


def test_an_upload_of_another_project_is_refused(tmp_path):
    made = history(tmp_path / "one", {"A": [1.0]})
    ((_, path),) = made.uploads()
    with pytest.raises(Stop, match="of the project p, and this is program") as stop:
        histories.prepare(path, "program", LIMITS)
    assert stop.value.code == "other-project"


def test_projects_know_nothing_of_each_other(served, database, tmp_path):
    made = history(tmp_path / "one", {"A": [1.0, 2.0]})
    store = served(made)
    with database.writing() as connection:
        other = DatabaseStore(database, projects.create(connection, About("other")), tmp_path / "copy")
    assert (other.uploads(), other.events()) == ([], [])
    assert len(store.uploads()) == 2


def test_a_clock_in_1970_changes_no_answer(served, monkeypatch, tmp_path):
    made = history(tmp_path / "one", {"A": steps()})
    monkeypatch.setattr(time, "time", lambda: 0.0)
    monkeypatch.setattr("statera.server.histories.now", lambda: "1970-01-01T00:00:00+00:00")
    store = served(made)
    assert answers(store) == answers(made)
    assert answers(store)["alerts"]


@pytest.mark.later
def test_84_000_series_in_one_upload_take_seconds(served, database, tmp_path):
    made = folder(tmp_path / "one")
    add(made, 1, {f"Benchmark{number}": [1.0 + number] for number in range(84_000)})
    begin = time.process_time()
    store = served(made)
    took = time.process_time() - begin
    with database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(tables.value)).scalar() == 84_000
    assert [each.id for each in catalog.read(store, LIMITS).series] == [
        each.id for each in catalog.read(made, LIMITS).series
    ]
    # Of the processor, so that a busy machine changes nothing.
    assert took < 60
