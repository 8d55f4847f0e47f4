"""Results that are imported in portions have the order that they would have if all were imported at once."""

import random

from histories import add, analysed, commit, folder, job
from projects import START
from test_batch import order

from statera.history.folder import open_folder
from statera.history.job import Stored, iso
from statera.history.order import joined, of_branches
from statera.history.verify import verify
from statera.support.settings.limits import Limits
from support import table

DAY = 86_400.0


class Simulated:
    """A history to which commits are imported in portions; commits are numbers, and dates follow them."""

    def __init__(self, *, dated=True):
        self.jobs, self.events, self.dated, self.apart = [], [], dated, 0

    def bring(self, numbers):
        said = [f"c{number:03}" for number in numbers]
        dates = {f"c{number:03}": START.timestamp() + number * DAY for number in numbers} if self.dated else {}
        found = joined(said, dates, self.jobs, self.events)
        lines = found.lines()
        known = {each.commit for each in self.jobs}
        self.jobs += [
            job(0, commit=each, line=lines[each], started=iso(dates.get(each))) for each in said if each not in known
        ]
        when = f"2026-01-01T00:00:00.{len(self.events):03}"
        self.events += [
            (str(len(self.events) + number), {**each, "when": when}) for number, each in enumerate(found.events)
        ]
        self.apart = found.apart
        return self

    @property
    def commits(self):
        stored = [Stored(f"{number:064}", each, number, 0) for number, each in enumerate(self.jobs)]
        return [int(each[1:]) for each in of_branches(stored, self.events)["main"].commits]


def test_any_portions_of_dated_results_are_joined_in_any_order():
    chance = random.Random(1)
    for _ in range(60):
        count = chance.randrange(2, 40)
        numbers = list(range(count))
        chance.shuffle(numbers)
        portions = [numbers[at::4] for at in range(4) if numbers[at::4]]
        # Portions may share commits.
        portions = [sorted({*portion, *chance.sample(range(count), chance.randrange(2))}) for portion in portions]
        made = Simulated()
        for portion in portions:
            made.bring(portion)
        assert made.commits == list(range(count)), portions


def test_portions_that_follow_each_other_need_no_event():
    made = Simulated().bring(range(600)).bring(range(600, 700))
    assert (made.commits, made.events) == (list(range(700)), [])
    assert max(len(each.line) for each in made.jobs) == 500


def test_without_dates_common_commits_join_and_the_whole_mends_what_nothing_joined():
    made = Simulated(dated=False).bring([3, 4, 5]).bring([1, 2, 3]).bring([5, 6])
    assert made.commits == [1, 2, 3, 4, 5, 6]
    made = Simulated(dated=False).bring([3, 4]).bring([1, 2])
    assert made.apart == 2
    assert len(made.commits) == 2
    for _ in range(2):
        made.bring([1, 2, 3, 4])
        assert (made.commits, made.apart, len(made.events)) == ([1, 2, 3, 4], 0, 1)


def test_the_order_that_was_stated_last_counts():
    made = Simulated(dated=False).bring([1, 3, 2, 4]).bring([1, 2, 3, 4])
    assert made.commits == [1, 2, 3, 4]


def test_many_commits_are_stated_in_several_events():
    made = Simulated().bring(range(0, 1000, 2)).bring(range(1, 1000, 2))
    assert made.commits == list(range(1000))
    assert max(len(event["commits"]) for _, event in made.events) == 200


def test_what_a_repository_knew_of_a_commit_counts_more_than_an_event(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(3):
        add(made, number, {"a": [1.0]}, parents=(commit(number - 1),) if number else ())
    wrong = {"kind": "order", "commits": [commit(1), commit(2), commit(0)], "who": "", "when": "2026"}
    made.record(wrong)
    made.record({**wrong, "commits": [commit(1), {}, 5]})
    assert analysed(made).orders["main"].commits == [commit(number) for number in range(3)]
    [problem] = verify(made, Limits()).problems
    assert "a decision of the kind order with a wrong commits" in problem.what


def week(tmp_path, name, *numbers):
    """A table with the results of some days."""
    rows = [
        {"commit": f"aaa{at}", "date": f"2026-01-0{at + 1}", "benchmark": "Scan", "value": 10.4 - at / 10}
        for at in numbers
    ]
    path = tmp_path / f"{name}.csv"
    path.write_text(table(rows))
    return path


def test_weeks_are_imported_one_after_the_other_and_the_whole_mends_them(run, tmp_path):
    first, second = week(tmp_path, "week1", 0, 1), week(tmp_path, "week2", 2, 3)
    whole = week(tmp_path, "all", 0, 1, 2, 3)
    expected = ["aaa0", "aaa1", "aaa2", "aaa3"]
    for name, parts in (("a", (first, second)), ("b", (second, first)), ("c", (whole, first)), ("d", (first, whole))):
        for part in parts:
            done = run("history", "import", part, "--history", tmp_path / name, "--branch", "main")
            assert done.code == 0, done.err
        assert order(tmp_path / name) == expected, name
        assert verify(open_folder(tmp_path / name), Limits()).problems == []
    # An older version joined no portions.
    apart = folder(tmp_path / "e")
    for at in range(4):
        line = (f"aaa{at}", f"aaa{at - 1}") if at % 2 else (f"aaa{at}",)
        add(apart, at, {"Scan": [1.0]}, commit=f"aaa{at}", line=line, started="", environment={})
    assert len(order(apart.path)) == 2
    words = ("history", "import", whole, "--history", apart.path, "--project", "p")
    assert "this order also connects jobs that the history had before" in run(*words).err
    assert order(apart.path) == expected
    assert "this order also" not in run(*words).err


def test_portions_that_nothing_joins_are_said(run, tmp_path):
    for name, text in (("a", "commit,benchmark,value\nx,Scan,1\n"), ("b", "commit,benchmark,value\ny,Scan,1\n")):
        (tmp_path / f"{name}.csv").write_text(text)
        done = run("history", "import", f"{name}.csv", "--history", "h", "--branch", "main", cwd=tmp_path)
        assert done.code == 0, done.err
    assert "1 commit of the history: neither dates nor commits say where it stands among these" in done.err
