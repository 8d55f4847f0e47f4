"""Addresses where only paths are read: refused with a command to copy, and no folder is named after a scheme."""

import pytest

from statera.support.errors import Stop
from statera.support.files import addresses, hadoop
from support import every

COMMANDS = {
    "s3://b/run": "aws s3 cp --recursive s3://b/run run",
    "s3a://b/a.json": "aws s3 cp s3://b/a.json a.json",
    "gs://b/base-1.2/": "gcloud storage cp -r gs://b/base-1.2 base-1.2",
    "https://h/a.log": "curl -fL -o a.log https://h/a.log",
    "hdfs:///logs/a run": "hadoop fs -get 'hdfs:///logs/a run' 'a run'",
    "abfs://c@h/$(id)": "hadoop fs -get 'abfs://c@h/$(id)' '$(id)'",
}


@every("word, command", COMMANDS.items())
def test_the_command_that_copies(word, command):
    assert addresses.copying(word) == command
    with pytest.raises(Stop) as stopped:
        addresses.refuse(word)
    assert str(stopped.value).endswith(f"Copy it and name the copy: {command}")


@every("word", ("run", "./s3:/b", "a=b", "C:/run", "://x", "1a://x", "a/b://c"))
def test_what_is_no_address(word):
    addresses.refuse(word)
    assert not isinstance(hadoop.place(word), hadoop.Remote)


def test_an_address_of_a_file_is_its_path():
    assert str(hadoop.place("file:///a%20b/c", remote=False)) == "/a b/c"
    with pytest.raises(Stop, match="three slashes"):
        addresses.local("file://host/a")


@every("word, name", (("hdfs:///logs/run", "run"), ("hdfs://h:1/a b/c%2F", "c%2F"), ("s3a://bucket", "bucket")))
def test_an_address_keeps_its_slashes(word, name):
    place = hadoop.place(word)
    assert (str(place), place.name, str(place / "x")) == (word, name, f"{word}/x")
    assert str(type(place)(place / "x").parent) == word


VERBS = (
    ("cluster", "analyse", "{}", "-o", "out"),
    ("cluster", "analyse", "run", "-o", "{}"),
    ("cluster", "compare", "a={}", "b=run"),
    ("cluster", "report", "{}", "-o", "a.html"),
    ("cluster", "errors", "{}"),
    ("logs", "{}", "--mapping", "nginx"),
    ("compare", "{}", "b.json"),
    ("inspect", "{}"),
)


@every("words", VERBS)
def test_verbs_refuse_addresses(here, tmp_path, words):
    done = here(*(word.format("s3://b/run") for word in words))
    assert (done.code, done.out, "s3://b/run: " in done.err, "[bad-option]" in done.err) == (2, "", True, True)
    assert list(tmp_path.iterdir()) == []
