"""A short attack, and proof that the checks of an execution find what they are for."""

import re
import subprocess
import sys

from checks import Done, faults

import attack
from attack import run


def test_a_short_attack_finds_nothing():
    """In a process of its own: one that has computed already has threads, which no fork takes along."""
    done = subprocess.run(
        [sys.executable, attack.__file__, "--count", "200", "--lanes", "2"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("nothing found\n")
    ended = re.search(r"\((\d+) with 0, (\d+) with 1, (\d+) with 2\)", done.stdout)
    assert ended is not None
    codes = [int(count) for count in ended.groups()]
    assert sum(codes) == 200
    # Most commands are refused; enough are not.
    assert codes[0] >= 30


def done(tmp_path, *, words=("compare", "a", "b"), code=0, out="", err=""):
    return list(faults(Done(list(words), code, out, err, tmp_path)))


def test_checks_find_what_does_not_hold(tmp_path):
    json, markdown, comma = (("compare", "-f", view) for view in ("json", "markdown", "csv"))
    for planted in (
        {"code": "KeyError: 1"},
        {"code": 1},
        {"code": 2},
        {"code": 2, "err": "statera: x\nTraceback (most recent call last)"},
        {"err": "statera: \x1b[31m"},
        {"out": "a\u202eb"},
        {"words": json, "out": "{}"},
        {"words": json, "out": '{"rows": [NaN]}'},
        {"words": json, "out": '{"rows": [{"change": 1, "change_low": 2, "change_high": 1}]}'},
        {"words": comma, "out": "a,b\n1\n"},
        {"words": comma, "out": "a,b\n1,=1+1\n"},
        {"words": markdown, "out": "![x](https://evil.example/p.png)"},
        {"words": markdown, "out": "<img src=x>"},
        {"words": markdown, "out": "| a |\n|---|\n| @everyone |"},
        {"words": markdown, "out": "see https://evil.example/"},
    ):
        assert done(tmp_path, **planted), planted
    assert done(tmp_path) == []
    assert done(tmp_path, words=comma, out="a,b\n1,-2.5\n") == []
    assert done(tmp_path, words=markdown, out="`@everyone` <details><summary>x</summary></details>") == []
    (tmp_path / "out.svg").write_text("<svg><script/></svg>")
    (tmp_path / "escaped").write_text("")
    assert len(done(tmp_path)) == 2


def test_an_execution_is_the_program_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "worse"], tmp_path).code == 0
    assert run(["explain", "no-such-thing"], tmp_path).code == 2
