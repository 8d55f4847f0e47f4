"""A directory is no pattern, no list and no value to Spark, whatever its name."""

import pytest

from statera.cluster.engines.spark.engine import Spark

pytestmark = pytest.mark.later

ODD = ("size=1", "g[1]", "a*", "a{b,c}", "it's", "%2e", "a\nb", "a b,c", "a\\b", "s3:")


def stored(spark, folder, value):
    with Spark(spark, folder) as engine:
        engine.store("numbers", f"SELECT {value} AS size")


@pytest.fixture(scope="module")
def beside(spark, tmp_path_factory):
    """A folder of tables whose names the patterns would find."""
    folder = tmp_path_factory.mktemp("names")
    for number, name in enumerate(("g1", "ab", "1"), 100):
        stored(spark, folder / name, number)
    return folder


def test_a_directory_is_no_pattern_and_no_value(subtests, spark, beside):
    for name in ODD:
        with subtests.test(name=name):
            stored(spark, beside / name, 7)
            with Spark(spark, beside / name) as engine:
                engine.read("numbers", [beside / name / "numbers.parquet"], {"size": "INTEGER"})
                assert engine.rows("SELECT * FROM numbers") == [(7,)]
                engine.open("numbers")
                assert engine.rows("SELECT * FROM numbers") == [(7,)]
                engine.keep("kept", "SELECT size FROM numbers")
                assert engine.rows("SELECT * FROM kept") == [(7,)]
