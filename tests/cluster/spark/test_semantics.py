"""What a query means is the same in both engines, down to the last digit."""

from __future__ import annotations

import random

import pytest

from statera.cluster.engines.duckdb import DuckDB
from statera.cluster.engines.spark.engine import Spark
from statera.cluster.metrics import METRICS
from statera.cluster.statistics import LEVELS, exact_sum, measure

pytestmark = pytest.mark.later

# Each is a query of what follows, over the table of numbers.
QUERIES = {
    "division of whole numbers": "SELECT a / b FROM numbers WHERE b <> 0 ORDER BY number",
    "division without rest": "SELECT a // b FROM numbers WHERE b > 0 AND a >= 0 ORDER BY number",
    "rest of negative numbers": "SELECT a % b FROM numbers WHERE b <> 0 ORDER BY number",
    "whole numbers and doubles": "SELECT a / 1e9, a / 1024e0, b * 0.5e0 FROM numbers ORDER BY number",
    "rounding": "SELECT round(x), floor(x), CAST(round(x) AS BIGINT) FROM numbers ORDER BY number",
    "nulls in order": "SELECT number FROM numbers ORDER BY y, number",
    "nulls in descending order": "SELECT number FROM numbers ORDER BY y DESC, number",
    "nulls in conditions": "SELECT y > 1 AND flag, y > 1 OR flag, NOT flag, coalesce(y < 2, FALSE) FROM numbers "
    "ORDER BY number",
    "the first of equals": "SELECT number, row_number() OVER (PARTITION BY flag ORDER BY b, number) FROM numbers "
    "ORDER BY number",
    "the one before": "SELECT number, lag(y) OVER (PARTITION BY flag ORDER BY number) FROM numbers ORDER BY number",
    "counts of nulls": "SELECT flag, count(*), count(y), sum(y), min(y), max(y) FROM numbers GROUP BY flag ORDER BY 1",
    "no row": "SELECT count(y), sum(y), max(y) FROM numbers WHERE FALSE",
    "a case without else": "SELECT CASE flag WHEN TRUE THEN a END, NOT CASE WHEN y > 1 THEN flag END FROM numbers "
    "ORDER BY number",
    "sets": "SELECT b FROM numbers UNION SELECT a FROM numbers ORDER BY 1",
    "a name that is a word": 'SELECT n."at" AS "at", number AS length FROM numbers AS n ORDER BY number',
    "a constant as group": "SELECT 0 AS host, count(*) FROM numbers GROUP BY 1 ORDER BY 1",
}


@pytest.fixture(scope="module")
def engines(spark, tmp_path_factory):
    """Both engines, with the same table of numbers."""
    chance = random.Random(1)
    folder = tmp_path_factory.mktemp("engines")
    columns = {
        "number": "BIGINT", "a": "BIGINT", "b": "BIGINT", "x": "DOUBLE", "y": "DOUBLE", "flag": "BOOLEAN",
        "at": "BIGINT",
    }  # fmt: skip
    rows = [
        (
            number,
            chance.choice([0, 7, -7, 2**53 + 1, -(2**62), 1_739_558_458_250_000_001]),
            chance.choice([0, 1, 2, 3, -3, 10**9]),
            chance.choice([0.5, -0.5, 1.5, -2.5, 1.0, 0.49999999999999994, -1e15 - 0.5]),
            chance.choice([None, 1.0, 2.0, -0.0, 1e-300]),
            chance.choice([None, True, False]),
            -number,
        )
        for number in range(200)
    ]
    with DuckDB(folder / "duckdb") as duck, Spark(spark, folder / "spark") as other:
        for engine in (duck, other):
            engine.put("numbers", columns, rows)
        yield duck, other


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_query_gives_the_same(engines, query):
    duck, spark = engines
    assert spark.rows(query) == duck.rows(query)


def test_sums_are_exact_in_any_order_of_magnitude(engines):
    chance = random.Random(2)
    values = [chance.choice([-1, 1]) * 10 ** chance.uniform(-20, 15) for _ in range(2000)]
    values += [(k + 0.5) * 2.0**-60 for k in range(-20, 20)] + [2.0**-8 + 2.0**-61, 0.0, -0.0, 8.0, -(2.0**40)]
    found = []
    for engine in engines:
        engine.put("values_of", {"value": "DOUBLE"}, [(value,) for value in [*values, None]])
        [(total,)] = engine.rows(f"SELECT {exact_sum('value')} FROM values_of")
        found.append(int(total))
    assert found[0] == found[1]


def test_what_has_no_room_is_an_overflow_in_both(engines):
    for engine in engines:
        engine.put("large", {"value": "DOUBLE", "whole": "BIGINT"}, [(1e25, 2**62), (-1e25, 2**62)])
        with pytest.raises(OverflowError):
            engine.rows(f"SELECT {exact_sum('value')} FROM large")
        with pytest.raises(OverflowError):
            engine.rows("SELECT whole + whole FROM large")


def test_steps_are_counted_for_each_row(engines):
    query = "SELECT w.number, n.step FROM wide AS w JOIN step_series AS n ON n.step <= w.last - 1 ORDER BY 1, 2"
    found = []
    for engine in engines:
        engine.put("wide", {"number": "BIGINT", "last": "BIGINT"}, [(1, 3), (2, 1), (3, 0), (4, -5), (5, None)])
        engine.series("step_series", "step", 0, 9)
        found.append(engine.rows(query))
    assert found[1] == found[0] == [(1, 0), (1, 1), (1, 2), (2, 0)]


def test_a_series_may_be_empty(engines):
    for engine in engines:
        engine.series("none", "number", 0, -1)
        assert engine.rows("SELECT count(*) FROM none") == [(0,)]


@pytest.fixture
def samples(engines):
    """Put tables of metrics, with values of the tardiness of the forge loop alone."""

    def put(numbers):
        for engine in engines:
            for source in {metric.source for metric in METRICS}:
                columns = {metric.column: "DOUBLE" for metric in METRICS if metric.source == source}
                columns |= {metric.where: "BOOLEAN" for metric in METRICS if metric.source == source} | {
                    "host": "INTEGER"
                }
                columns.pop("TRUE", None)
                rows = [(value, number % 3) for number, value in enumerate(numbers)] if source == "host_slots" else []
                order = {"started": "DOUBLE", "host": "INTEGER"} | columns if rows else columns
                engine.put(source, order, [(*row, *[None] * (len(order) - 2)) for row in rows])
        return [measure(engine) for engine in engines]

    return put


def test_statistics_of_a_metric(subtests, samples):
    for size in (1, 2, 1001):
        with subtests.test(size=size):
            chance = random.Random(size)
            numbers = [chance.lognormvariate(-7, 2) for _ in range(size)]
            duck, spark = samples(numbers)
            assert spark.hosts == duck.hosts
            one, other = duck.metrics["cdfStarted"], spark.metrics["cdfStarted"]
            assert list(other["quantiles"]) == list(LEVELS)
            # A quantile is put together from two values by another order of the same operations.
            assert list(other.pop("quantiles").values()) == pytest.approx(
                list(one.pop("quantiles").values()), rel=1e-14
            )
            assert other == one | {"median": pytest.approx(one["median"], rel=1e-14)}


def test_many_values_are_put_in_order_on_disk(samples, monkeypatch):
    chance = random.Random(3)
    numbers = [chance.lognormvariate(-7, 2) for _ in range(3000)]
    monkeypatch.setattr(Spark, "most_held", 1)
    duck, spark = samples(numbers)
    one, other = duck.metrics["cdfStarted"], spark.metrics["cdfStarted"]
    assert list(other["quantiles"].values()) == pytest.approx(list(one["quantiles"].values()), rel=1e-13)


def test_values_without_room_in_fixed_point(samples):
    duck, spark = samples([1e30, 3e30, -2e30, 5.0])
    one, other = duck.metrics["cdfStarted"], spark.metrics["cdfStarted"]
    assert other["mean"] == pytest.approx(one["mean"], rel=1e-12)
    assert other["stddev"] == pytest.approx(one["stddev"], rel=1e-12)


NAMES = ["a b", "50%20", "host=x", "é", "a,b", "{b}", "a:b", "it's", "#1", "[b]", "*", "b?", "a\\b"]


def test_directories_may_have_any_name(subtests, spark, tmp_path):
    for name in NAMES:
        with subtests.test(name=name):
            with Spark(spark, tmp_path / name) as engine:
                engine.put("given", {"value": "BIGINT"}, [(1,), (2,)])
                engine.store("stored", "SELECT value + 1 AS value FROM given")
                engine.keep("kept", "SELECT value + 1 AS value FROM stored")
                engine.read("again", [engine.path("stored")], {"value": "BIGINT"})
                assert engine.rows("SELECT k.value, a.value FROM kept AS k JOIN again AS a ON a.value = k.value") == [
                    (3, 3)
                ]
            assert [path.name for path in (tmp_path / name).iterdir()] == ["stored.parquet"]
