"""A unit that changed is refused, however uploads come, and whatever their benchmarks are called now."""

import pytest
from clusters import both
from histories import TIME
from serving import upload
from sqlalchemy import func, select

from statera.server import tables, uploads
from statera.support.errors import Stop

RATE = ("time", "1/s", "throughput", "higher", False)


@pytest.fixture
def prepare(services, tmp_path):
    """Give a function that makes an upload as requests hand it to the writer."""

    def prepared(number, **words):
        path = tmp_path / f"{number}.parquet"
        path.write_bytes(upload(tmp_path, number, **words))
        return uploads.prepare(path, "program", services.limits)._replace(new_unit=False)

    return prepared


def test_more_new_benchmarks_than_a_statement_has_parameters(services, project, prepare):
    many = prepare(1, values={f"Parse/{n}": [1.0] for n in range(66_000)})
    assert services.writer.put(project.id, many).result(60).new
    with services.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(tables.value)).scalar() == 66_000
    changed = prepare(2, values={"Parse/65999": [1.0]}, metric=RATE)
    with pytest.raises(Stop, match=r"Parse/65999.*the history s: values"):
        services.writer.put(project.id, changed).result(60)


@both
def test_two_units_that_arrive_together(services, project, prepare):
    together = [(prepare(number, metric=metric), None) for number, metric in enumerate((TIME, RATE))]
    with pytest.raises(Stop) as refused, services.database.writing() as connection:
        uploads.store(services.database, connection, project.id, together)
    assert refused.value.code == "other-unit"
    # The writer then takes each by itself.
    first, second = (services.writer.put(project.id, one) for one, _ in together)
    assert first.result(60).new
    assert second.exception(60).code == "other-unit"


@both
def test_a_unit_that_changed_with_the_name(services, project, prepare):
    assert services.writer.put(project.id, prepare(1, values={"Parse": [1.0]})).result(60).new
    store = services.store(project)
    store.record({"kind": "rename", "from": "Parse", "to": "Read", "when": "2026-02-01T00:00:00"})
    changed = prepare(2, values={"Read": [1.0]}, metric=RATE)
    with pytest.raises(Stop, match="Read, time: the results have the unit 1/s"):
        services.writer.put(project.id, changed).result(60)
    assert services.writer.put(project.id, prepare(3, values={"Read": [1.0]})).result(60).new
    store.record({"kind": "rename", "from": "Read", "to": "Load", "when": "2026-02-02T00:00:00"})
    with pytest.raises(Stop, match="Parse, time"):
        services.writer.put(project.id, prepare(4, values={"Parse": [1.0]}, metric=RATE)).result(60)
