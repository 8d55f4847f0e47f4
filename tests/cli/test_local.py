"""Results go to this machine: an address of another system is refused before anything is done."""

import pytest

from statera.cli.local import refuse_scheme
from statera.errors import Stop

ADDRESSES = ("hdfs://host:9000/out", "s3://bucket/out", "file:///tmp/out", "HTTPS://host", "abfs+x.1-2://a")


@pytest.mark.parametrize("word", ADDRESSES)
def test_an_address_is_refused_with_what_to_do(word):
    with pytest.raises(Stop, match=r"results are written to this machine, not to \w.*; name a path") as stop:
        refuse_scheme(word)
    assert stop.value.code == "bad-option"


@pytest.mark.parametrize("word", [None, "", "out", "./hdfs:/out", "/s3://x", "c:/x", "a b://x", "x:y", "://x", "1x://"])
def test_a_path_is_none(word):
    refuse_scheme(word)


@pytest.mark.parametrize(
    "command",
    [
        ("cluster", "analyse", "nowhere", "-o", "hdfs://host/out"),
        ("cluster", "report", "nowhere", "-o", "s3://host/report.html"),
        ("report", "nowhere", "-o", "hdfs://host/report.html"),
    ],
)
def test_verbs_refuse_it_before_any_work(run, tmp_path, command):
    done = run(*command)
    assert (done.code, "results are written to this machine" in done.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
