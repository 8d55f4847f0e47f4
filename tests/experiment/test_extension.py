"""More rounds for a run that has ended: what goes on, what the looks spend, and what is said of it."""

import pytest
from plans import plan
from starting import records

import recorded
from statera.experiment.course import Course
from statera.experiment.plan import Rounds
from statera.experiment.run import Extension, extended, extension_in_words, record_of, spent_by
from statera.experiment.schedule import with_looks
from statera.support.errors import Stop

ROUND = {"seconds": 1.0, "machine": {}, "marks": []}
DECIDED = with_looks(Rounds(until="decided"))


def look(number, at, share, undecided):
    return recorded.look(number, at, share, ("sort", "scan"), undecided)


def end(rounds):
    return {"kind": "end", "reason": "limit", "rounds": rounds, "missing": 0}


def ended(rounds, *looks, variants="ab", number=60):
    """A plan and the records of its run."""
    made = plan(*variants, benchmarks=("sort", "scan"), rounds=rounds)
    ending = [{"kind": "round", "round": number, "seconds": 1.0, "machine": {}, "marks": []}, end(number)]
    return made, [*looks, *ending]


def more(made, found, number, way="more"):
    """The run with this extension, and the record of it."""
    made = extended(made, found)
    record = record_of(made, Course(made, found), Extension(number, way, "--more"), "r", 0.05)
    return extended(made, [*found, record]), [*found, record], record


def test_benchmarks_without_a_decision_go_on_and_all_if_there_are_none():
    for undecided, going_on in ((["scan"], (1,)), ([], (0, 1))):
        made, found, record = more(*ended(DECIDED, look(1, 9, 0.1, undecided)), 10)
        assert Course(made, found).active == going_on
        assert record["rounds"] == 70


def test_an_extension_spends_what_is_left_of_alpha():
    made, found, record = more(*ended(DECIDED, look(1, 9, 0.1, []), number=9), 11)
    assert (made.rounds.looks, made.rounds.shares) == ((9, 20), (0.1, pytest.approx(0.9)))
    assert extension_in_words(made, Course(made, found), 0.05) == ""
    assert record["spent"] == pytest.approx(0.1)


@pytest.mark.parametrize("rounds", [DECIDED, Rounds(60)], ids=["looks", "fixed"])
def test_what_is_added_to_an_undecided_end_is_counted_and_never_doubles_the_errors(rounds):
    looks = [look(1, 9, 0.5, ["sort"]), look(2, 60, 0.5, ["sort"])] if rounds.until else []
    made, found = ended(rounds, *looks)
    total, at = 1.0, 60
    for share in (0.5, 0.25, 0.125):
        made, found, _ = more(made, found, 10)
        total, at = total + share, at + 10
        assert (made.rounds.looks[-1], made.rounds.shares[-1]) == (at, pytest.approx(share))
        course = Course(made, found)
        assert f"at most {5 * total:.3g} % in place of 5 %" in extension_in_words(made, course, 0.05)
        # It comes to its end as before.
        found += [look(len(course.looks) + 1, at, share, ["sort"]), {"kind": "round", "round": at, **ROUND}, end(at)]
        assert spent_by(made, Course(made, found)) == pytest.approx(total)
    assert total < 2


def test_a_limit_adds_looks_that_share_what_is_left():
    made, _, _ = more(*ended(DECIDED, look(1, 60, 1.0, ["sort"])), 200, "most")
    assert made.rounds.looks[0] == 60
    assert made.rounds.looks[-1] == 200
    assert len(made.rounds.looks) > 2
    assert sum(made.rounds.shares[1:]) == pytest.approx(0.5)


def test_widths_and_single_variants_have_no_alpha_to_spend():
    wide = with_looks(Rounds(until="width", width=0.01))
    made, found, _ = more(*ended(wide, look(1, 60, 0.6, ["sort"])), 10)
    assert (made.rounds.width, made.rounds.shares[-1], extension_in_words(made, Course(made, found), 0.05)) == (
        0.01,
        0.6,
        "",
    )
    made, found, _ = more(*ended(Rounds(20), variants="a", number=20), 10)
    assert (made.rounds, extension_in_words(made, Course(made, found), 0.05)) == (Rounds(30), "")


def test_what_adds_nothing_is_refused():
    for number, way, words in ((60, "exactly", "60 rounds already"), (5, "most", "60 rounds already")):
        with pytest.raises(Stop, match=words):
            more(*ended(DECIDED), number, way)
    made, found = ended(Rounds(60))
    with pytest.raises(Stop, match="sequential"):
        more(made._replace(order="sequential"), found, 10)


def test_a_finished_run_takes_more_rounds_and_says_what_they_cost(run, tmp_path):
    folder = tmp_path / "statera-runs" / "one"
    begun = run("run", "-r", "4", "-n", "a", "-n", "b", "-o", folder, "true", "true")
    again = run("run", "--resume", folder)
    assert (again.code, again.out) == (0, begun.out)
    done = run("run", "--more", "3")
    assert (done.code, "at most 7.5 % in place of 5 %" in done.err) == (0, True), done.err
    assert run("run", "--resume", folder, "-r", "7").code == 2
    done = run("run", "--resume", folder, "-r", "9")
    assert (done.code, "9 pairs" in done.out, "8.75 %" in done.err) == (0, True, True), done.err
    rounds = [each["round"] for each in records(folder, "round")]
    assert (rounds, [each["after"] for each in records(folder, "extend")]) == ([*range(1, 10)], [4, 7])
