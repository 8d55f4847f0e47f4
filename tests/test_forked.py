"""A process that is forked is what a process that is started is."""

import os

import pytest

from forked import FORKS
from support import fails

# What is read at the start of Python cannot be had by a fork.
AFRESH = {"PYTHONHASHSEED": "1"}


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["compare", "old.txt", "new.txt"],
        ["compare", "old.txt", "new.txt", "--fail-on", "worse"],
        ["compare", "old.txt", "-"],
        ["compare", "old.txt", os.fsdecode(b"\xff")],
        ["compare", "--no-such-option"],
        ["plot", "strip", "old.txt"],
    ],
    ids=" ".join,
)
def test_it_ends_and_writes_as_one_that_is_started(pair, tmp_path, words):
    forked, started = (FORKS.run(words, cwd=tmp_path, stdin=pair[1].read_bytes(), env=env) for env in ({}, AFRESH))
    assert forked == started


def test_it_has_the_environment_that_it_is_given(pair, tmp_path):
    words = ["report", *pair, "-o", "r.md"]
    fails(FORKS.run(words, cwd=tmp_path, env={"SOURCE_DATE_EPOCH": "yesterday"}), "SOURCE_DATE_EPOCH: yesterday")
    assert FORKS.run(words, cwd=tmp_path).code == 0
