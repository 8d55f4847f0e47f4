"""The table of docs/how-to/exit-codes.md: every situation, with every verb that has a gate, ends as it says."""

import re
import shutil

import pytest
from histories import add, commit, history

from support import ROOT, go, noisy, write

VERBS = ("compare", "run", "history compare", "history check")
SAME, AGAIN, SLOW = noisy(100, 12), noisy(100, 12, seed=3), noisy(150, 12, seed=2)
WIDE = [noisy(100, 8, seed=seed, spread=0.3) for seed in (1, 7)]


def table():
    """Give the exit code of each situation and verb; a dash where a verb knows no such situation."""
    text = (ROOT / "docs/how-to/exit-codes.md").read_text()
    section = text.partition("## What a gate answers")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    head, _, *body = rows
    assert tuple(each.strip("`") for each in head[1:]) == VERBS
    return {(row[0], verb): code for row in body for verb, code in zip(VERBS, row[1:], strict=True)}


TABLE = table()


def sides(situation):
    """Give both sides of a comparison, and what the gate asks for."""
    old, new, what = {"A": SAME}, {"A": AGAIN}, "worse"
    match situation:
        case "something is worse":
            new = {"A": SLOW}
        case "nothing is decided":
            old, new = ({"A": values} for values in WIDE)
        case "a benchmark is missing":
            old = {"A": SAME, "B": SAME}
        case "a benchmark is missing, and the gate counts it":
            old, what = {"A": SAME, "B": SAME}, "worse,missing"
        case "a file of one build repeats the other":
            new = old
        case "no benchmark and metric is in both builds":
            new = {"C": SAME}
        case "every build has one value":
            old, new = {"A": [1.0]}, {"A": [9.0]}
        case "what is worse does not count: one process or few runs per build":
            old, new = {"A": SAME[:3]}, {"A": noisy(300, 3, seed=2)}
    return old, new, what


def compare(run, tmp_path, situation):
    old, new, what = sides(situation)
    paths = write(tmp_path, old=go(old), new=go(new))
    if situation == "a file, or a part of a folder, cannot be read":
        (tmp_path / "folder").mkdir()
        shutil.move(paths[1], tmp_path / "folder")
        paths[1] = tmp_path / "folder"
        (tmp_path / "folder/damaged.txt").write_text("no results")
    if situation == "a file or a commit does not exist":
        paths[1] = tmp_path / "nothing"
    return run("compare", *paths, "--fail-on", what).code


def run_verb(run, tmp_path, situation):
    margin = ["--margin", "time=1000000%", "--margin", "cpu=1000000%"]
    words = {
        "nothing is worse": ["-r", "9", *margin, "true", "true"],
        "something is worse": ["-r", "9", "sleep 0.001", "sleep 0.05", "--metric", "time"],
        "every build has one value": ["-r", "1", "true", "true"],
    }[situation]
    metric = [] if "--metric" not in words else words[words.index("--metric") :]
    words = words[: len(words) - len(metric)]
    return run("run", "-o", tmp_path / "out", "-n", "a", "-n", "b", *words, "--fail-on", "worse").code


def history_compare(run, tmp_path, situation):
    old, new, what = sides(situation)
    made = history(tmp_path / "h", {"Z": [1.0]})
    for number, of in enumerate((old, new), 1):
        add(made, number, of)
    new_commit = "nothing" if situation == "a file or a commit does not exist" else commit(2)
    wanted = f"{commit(1)}..{new_commit}"
    return run("history", "compare", wanted, "--history", tmp_path / "h", "--fail-on", what).code


def history_check(run, tmp_path, situation):
    levels = (
        noisy(100, 40, spread=0.01),
        noisy(150 if situation == "something is worse" else 100, 40, seed=2, spread=0.01),
    )
    made = history(tmp_path / "h", {"A": [value for level in levels for value in level], "B": noisy(1, 79)})
    if "missing" not in situation:
        add(made, 79, {"B": [1.0]})
    what = "worse,missing" if "counts it" in situation else "worse"
    since = commit(79 if situation.startswith("no commit after") else 30)
    return run("history", "check", "--since", since, "--history", tmp_path / "h", "--fail-on", what).code


OF = {"compare": compare, "run": run_verb, "history compare": history_compare, "history check": history_check}


@pytest.mark.parametrize(("situation", "verb"), [key for key, code in TABLE.items() if code != "—"])
def test_it_ends_as_the_table_says(run, tmp_path, situation, verb):
    code = OF[verb](run, tmp_path, situation)
    assert f"{code}" == re.match(r"\d+", TABLE[situation, verb])[0]
