"""Mappings that hold, and what is said of those that do not."""

import pytest
from test_read import rows, small_run

from statera.cluster.logs.mapping import load
from statera.cluster.run import read_run
from statera.support.errors import Stop
from support import every

# A store of keys: requested on one host, persisted and answered on others.
STORE = r"""
name = "store"
[line]
time = "ts"
unit = "s"
name = "msg"
[tables.events]
key = "text"
bytes = "natural"
took = "number"
[[events]]
event = "Requested"
names = ["request received"]
required = ["key"]
fields = { key = ['request.id', 'http\.request\.id'] }
[[events]]
event = "Persisted"
names = ["persisted"]
required = ["key"]
fields = { key = ["id"], bytes = ["size"], took = ["seconds"] }
skip = [{ field = "retry", is = "true" }]
"""

LINES = rb"""{"ts":1739558458.000000001,"msg":"request received","request":{"id":"k1"}}
{"ts":1739558459,"msg":"request received","http.request.id":"k\u0032"}
{"ts":1739558460.5,"msg":"persisted","id":"k1","size":7,"seconds":1e-3}
{"ts":1739558461,"msg":"persisted","id":"k2","retry":true}
{"ts":1739558462,"msg":"persisted","size":7}
{"ts":"now","msg":"persisted","id":"k1"}
{"ts":1739558462,"msg":"compacted"}
"""


def test_another_system_is_a_mapping_away(tmp_path):
    mapping = tmp_path / "store.toml"
    mapping.write_text(STORE)
    read = read_run(small_run(tmp_path, {"a/x.log": LINES}), tmp_path / "out", mapping)
    found = [(row["event"], row["key"], row["at"] % 10**12, row["bytes"], row["took"]) for row in rows(read)]
    assert found == [
        ("Requested", "k1", 558_458_000_000_001 % 10**12, None, None),
        ("Requested", "k2", 558_459_000_000_000 % 10**12, None, None),
        ("Persisted", "k1", 558_460_500_000_000 % 10**12, 7, 0.001),
    ]
    counts = read.hosts[0].counts
    assert counts.skips == (("Persisted", "retry is true", 1), ("Persisted", "no usable key", 1))
    assert counts.others == (("no usable time", 1),)
    assert counts.unmapped == (("compacted", 1),)


WRONG = [
    ('key = "text"', 'key = "texts"', "texts"),
    ('key = "text"', 'at = "text"', "already"),
    ('key = "text"', "key = 1", "needs columns such as"),
    ('["persisted"]', '["request received"]', "two events"),
    ('required = ["key"]\nfields = { key = ["id"]', 'required = ["x"]\nfields = { key = ["id"]', "requires"),
    ('bytes = ["size"]', 'weight = ["size"]', "no column"),
    ('is = "true"', 'is = "odd"', "odd"),
    ('time = "ts"', 'when = "ts"', "when"),
    ("[tables.events]", "[table.events]", "tables.NAME"),
    ('name = "store"', "name = ", "not TOML"),
]


def test_a_mapping_that_does_not_hold_ends_it(subtests, tmp_path):
    run = small_run(tmp_path, {"a/x.log": LINES})
    for old, new, words in WRONG:
        with subtests.test(old=old):
            assert old in STORE
            mapping = tmp_path / "store.toml"
            mapping.write_text(STORE.replace(old, new))
            with pytest.raises(Stop, match=words) as stop:
                read_run(run, tmp_path / "out", mapping)
            assert stop.value.code == "event-mapping"


TOLD = [
    ('received"]\nrequired = ', 'received"]\nrequires = ', 14,
     "[[events]] Requested: there is no field 'requires'; the fields are event, table, names"),
    ('names = ["persisted"]', 'names = "persisted"', 18, "[[events]] Persisted: names takes a list of texts"),
    ('bytes = ["size"]', "bytes = [3]", 20, "[[events]] Persisted: fields takes for each column a list"),
    ('["size"]', '[{ path = "a", less = "b" }]', 20, "[[events]] Persisted: fields takes for each column a list"),
    ('event = "Persisted"', 'event = ""', 17, "[[events]] number 2: event takes a text that is not empty"),
    ('event = "Persisted"\n', "", 16, "[[events]] number 2: event is missing"),
    ('skip = [{ field = "retry", is = "true" }]', "absent = { weight = 1 }", 21, "weight is not one of its fields"),
    ('skip = [{ field = "retry", is = "true" }]', "absent = { bytes = 1.5 }", 21, "for each column an integer"),
    ('skip = [{ field = "retry", is = "true" }]', "[events.odd]", 21, "Persisted: there is no field 'odd'"),
    ('is = "true"', 'is = ["true"]', 21, "skip takes a list such as"),
    ('unit = "s"', 'unit = ["s"]', 5, '[line]: unit takes "s", "ms", "us" or "ns"'),
    ('unit = "s"', 'unit = "min"', 5, '[line]: unit takes "s", "ms", "us" or "ns"'),
    ('time = "ts"\n', "", 3, "[line]: time is missing"),
    ('name = "store"', 'bogus = 1\nname = "store"', 2, "there is no field 'bogus'; the fields are name, line"),
    ('name = "store"', 'name = ""', 2, "name takes a text that is not empty"),
    ('bytes = "natural"', 'bytes = "natur"', 0, '"natur" is not one of natural'),
]  # fmt: skip


@every("old, new, line, words", TOLD)
def test_what_does_not_hold_is_told_with_file_line_table_and_field(tmp_path, old, new, line, words):
    assert STORE.count(old) == 1
    mapping = tmp_path / "store.toml"
    mapping.write_text(STORE.replace(old, new))
    with pytest.raises(Stop) as stop:
        load(mapping)
    assert str(stop.value).startswith(f"{mapping}:{line}: " if line else f"{mapping}: ")
    assert words in str(stop.value)
    assert stop.value.code == "event-mapping"


def test_a_mapping_that_is_not_there_ends_it():
    with pytest.raises(Stop, match="built in: cardano"):
        load("cordano")
