"""Result files as hostile data, and the Markdown that is written from them."""

import json
import random
import re

import jsonschema
import markdown_it
import pytest
from results import BASE, HEAD, failure, result, row

from statera.comparison.codes import VERDICTS
from statera.output.forge import markdown
from statera.output.forge import result as files
from statera.output.views import comment
from statera.support.errors import Stop
from support import ROOT, go, noisy

SCHEMA = json.loads((ROOT / "src/statera/output/schema/result-1.json").read_text())
ABOUT = markdown.About(HEAD, "https://github.com/o/p/actions/runs/1")


def read(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return files.read(path)


def changed(place, value):
    """A good result with another value at a place."""
    document = json.loads(json.dumps(result(row("a", "worse"))))
    *way, last = place
    at = document
    for step in way:
        at = at[step]
    at[last] = value
    return json.dumps(document)


def test_what_compare_writes_is_read(run, pair, tmp_path):
    done = run("compare", *pair, "--result", "r.json", "--fail-on", "worse:5%")
    assert done.code == 1
    found = files.read(tmp_path / "r.json")
    jsonschema.validate(found, SCHEMA)
    assert found["compared"]["verdicts"] == {"worse": 1, "better": 1, "equivalent": 1, "missing": 1, "new": 1} or (
        found["compared"]["verdicts"]["worse"] == 1
    )
    assert found["compared"]["gate"] == {"fail_on": "worse:5%", "failing": 1, "refusal": None}
    [noise] = found["compared"]["noise"]
    # So few alarms may be no more than alpha: they are no noise of the machine.
    assert (noise["metric"], noise["called"], noise["called_low"]) == ("sec/op", None, None)
    assert "false alarms" not in markdown.comment_body(found, ABOUT)
    assert "1 of 5 benchmarks slower (`Slow` +20.2%), 1 gone, 1 faster" in markdown.comment_body(found, ABOUT)


def test_the_schema_knows_every_verdict():
    compared = SCHEMA["properties"]["compared"]["properties"]
    assert set(compared["verdicts"]["properties"]) == set(VERDICTS)
    assert set(compared["rows"]["items"]["properties"]["verdict"]["enum"]) == set(VERDICTS)


def test_a_gate_without_an_answer_does_not_pass_in_the_comment(run, tmp_path):
    (tmp_path / "old.txt").write_text(go({"A": noisy(1)}))
    (tmp_path / "new.txt").write_text(go({"A": noisy(1)})[:-3])
    done = run("compare", "old.txt", "new.txt", "--result", "r.json", "--fail-on", "worse")
    assert done.code == 2
    found = files.read(tmp_path / "r.json")
    text = markdown.comment_body(found, ABOUT)
    assert text.startswith("### 🟠")
    assert "Gate `--fail-on worse` **has no answer**: not everything could be read" in text
    assert markdown.has_news(found)


def test_what_nothing_was_compared_with_is_not_only_gone():
    text = markdown.comment_body(result(row("A", "missing"), row("B", "missing"), row("C", "new")), ABOUT)
    assert text.startswith("### 🟠 Nothing could be compared: 2 gone, 1 new")


def test_a_comparison_that_fails_writes_why(run, tmp_path):
    (tmp_path / "one.txt").write_text(go({"A": noisy(1)}))
    done = run("compare", "one.txt", "--result", "r.json")
    assert done.code == 2
    found = files.read(tmp_path / "r.json")
    assert found["failure"]["code"] == "one-variant"
    assert "Only one build has results" in markdown.comment_body(found, ABOUT)


def test_what_is_no_result_file_is_refused(tmp_path):
    for text in (
        "",
        "[]",
        "null",
        "{}",
        b"\xff\xfe",
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 10_000,
        '{"schema": "statera.result/1", "schema": "statera.result/1"}',
        " " * (files.LARGEST + 1),
        changed(["schema"], "statera.result/2"),
        changed(["more"], 1),
        changed(["seed"], -1),
        changed(["seed"], [1]),
        changed(["seed"], 1e400),
        changed(["experiment"], "-x; rm -rf ~"),
        changed(["experiment"], "a.toml\n"),
        changed(["factor"], "$(id)"),
        changed(["revisions", 0, "commit"], "HEAD"),
        changed(["machine"], {"host": "x"}),
        changed(["machine", "cpu"], "x" * 401),
        changed(["machine", "cpu"], "\ud800"),
        changed(["compared"], None),
        changed(["failure"], {"code": "x", "text": "y"}),
        changed(["compared", "gate", "fail_on"], "`<b>`"),
        changed(["compared", "noun"], "[x](y)"),
        changed(["compared", "states"], ["slower", "<b>"]),
        changed(["compared", "rows"], [{}]),
        changed(["compared", "rows"], [row("a", "worse")] * 501),
        changed(["compared", "rows", 0, "change"], float("nan")),
        changed(["compared", "rows", 0, "change"], "1"),
        changed(["compared", "rows", 0, "change"], 10**400),
        changed(["compared", "rows", 0, "verdict"], ["worse"]),
        changed(["compared", "rows", 0, "verdict"], "great"),
    ):
        with pytest.raises(Stop) as stop:
            pytest.fail(f"it is read: {read(tmp_path / 'r.json', text)!s:.200}")
        assert stop.value.code == "bad-result", text[:200]


def test_a_link_a_folder_and_nothing_are_refused(tmp_path):
    (tmp_path / "to").symlink_to("/etc/passwd")
    for name in ("to", ".", "none"):
        with pytest.raises(Stop):
            files.read(tmp_path / name)


HOSTILE = [
    "[x](javascript:alert(1)) <script>alert(1)</script>",
    "'; DROP TABLE results; --",
    "../../etc/passwd",
    "@everyone #1 GH-1 !1 &1 $1 https://evil.example www.evil.example 0123456789abcdef",
    "`" * 90 + "<b>@x",
    "a|b\n### c\n/close",
    "\u202egnp.exe\x1b[31m\x00",
    "</summary></details><h1>",
]


ALLOWED = {*re.findall(r"\w+", "h3 p table thead tbody tr th td details summary b strong a pre ul li")}


def test_no_name_leaves_its_place():
    for name in HOSTILE:
        stays_in_its_place(name)


def stays_in_its_place(name):
    hostile = row(name, "worse", metric=name, group=name, contender=name, quantity="other", unit=name[:40])
    document = result(
        hostile, {**hostile, "scale": "difference"}, labels=[name, name], machine={"cpu": name, "os": name}
    )
    document["compared"]["noise"][0] |= {"metric": name, "group": name}
    for each in (document, failure("other-code", name)):
        html = markdown_it.MarkdownIt("commonmark").enable("table").render(markdown.comment_body(each, ABOUT))
        tags = set(re.findall(r"<(/?\w+)", re.sub(r"<code[^>]*>.*?</code>", "", html, flags=re.DOTALL)))
        assert {tag.lstrip("/") for tag in tags} <= ALLOWED, name
        # The list of whole names has one item for each.
        assert html.count("<li>") <= 1
        assert set(re.findall(r'href="([^"]*)"', html)) <= {ABOUT.page}
        outside = re.sub(r"<code[^>]*>.*?</code>|<[^>]+>", "", html, flags=re.DOTALL)
        assert not re.search(r"[@#!]\w|GH-\d|https?://\w|www\.\w", outside), name


def test_a_comment_fits_and_opens_at_most_20_rows():
    names = ["😀" * 390, "n" * 400, "`" * 400, "short"]
    for seed in range(5):
        chance = random.Random(seed)
        rows = [
            row(chance.choice(names), chance.choice(["worse", "better", "missing", "inconclusive"])) for _ in range(500)
        ]
        document = result(*rows)
        document["compared"]["left_out"] = 7
        text = markdown.comment_body(document, ABOUT)
        assert comment.size(text) <= comment.MOST, seed
        opened = text.split("<details>")[0]
        assert sum(line.startswith("|") for line in opened.splitlines()) == 22, seed
        assert "more results in the report of the run" in text


def test_a_comment_says_verdicts_noise_and_how_to_run_it():
    text = markdown.comment_body(result(row("Parse", "worse"), row("Emit", "better", -0.5), failing=1), ABOUT)
    assert "### 🔴 1 of 2 benchmarks slower (`Parse` +20.0%), 1 faster" in text
    assert "Gate `--fail-on worse:5%` **failed**: 1 result" in text
    assert "| `time` | 3 | ±1.20% | 12 of 30 (40% \\[23%, 60%\\]) |" in text
    assert f"$ statera run experiment.toml -L rev {BASE},{HEAD} --seed 1" in text


def test_the_dry_run_prints_the_comment(run, tmp_path):
    (tmp_path / "r.json").write_text(json.dumps(result(row("Parse", "worse"))))
    done = run("report", "comment", "r.json", "--dry-run", "--commit", HEAD)
    assert done.code == 0
    assert done.out.startswith("### 🔴 1 of 1 benchmark slower")
