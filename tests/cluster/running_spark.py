"""A real Spark of several processes for the tests: a driver and two executors on this machine."""

import os
from contextlib import contextmanager

import pytest

from statera.cluster.logs.spark import Session, check_java
from statera.support.errors import Stop

MASTER = "local-cluster[2,1,1024]"


def need_java():
    """Skip without Java; STATERA_SPARK=absent says that there is to be none."""
    asked = os.environ.get("STATERA_SPARK", "")
    try:
        if asked != "absent":
            check_java()
            return
        why = "STATERA_SPARK=absent"
    except Stop as stop:
        why = str(stop)
    if os.environ.get("CI") == "true" and asked != "absent":
        pytest.fail(f"{why}; STATERA_SPARK=absent says that this is meant", pytrace=False)
    pytest.skip(f"{why}: the tests of Spark are skipped")


@contextmanager
def running():
    """Start it."""
    need_java()
    with Session(MASTER) as session:
        yield session


def same(one, other, place=""):
    """Hold two documents against each other: counts, texts and nulls exactly, other numbers to 1e-12."""
    if isinstance(one, dict):
        assert list(one) == list(other), place
        for key in one:
            same(one[key], other[key], f"{place}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), place
        for number, pair in enumerate(zip(one, other, strict=True)):
            same(*pair, f"{place}[{number}]")
    else:
        assert type(one) is type(other), place
        assert (place, one) == (place, pytest.approx(other, rel=1e-12, abs=1e-15) if isinstance(one, float) else other)
