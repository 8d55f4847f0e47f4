"""Charts draw the values, levels and changes of the analysis."""

import re

import pytest
from sites import commit, make, steady, written

from statera.history.material import courses, stretch
from statera.history.site.chart import STEPS, Scale, Texts, chart, extent, scale


@pytest.fixture
def drawn(tmp_path):
    """Give the courses of the only series of a history."""

    def draw(count, value, **facts):
        site = written(make(tmp_path / "h", count, {"Parse": value}, **facts), tmp_path / "out")
        analysis = site.material.analysis
        return courses([stretch(track, analysis) for track in analysis.tracks], site.material.following)

    return draw


def svg(course):
    return chart(course, scale(course), Texts("title", "about", []), "chart-0", 300)


def dots(drawing, kind="dots"):
    """Give the places of the dots of a kind."""
    [path] = re.findall(rf'<path class="{kind}" d="([^"]*)"', drawing)
    places, at = [], (0, 0)
    for x, y in re.findall(r"m(-?\d+) ?(-?\d+)h0", path):
        at = at[0] + int(x), at[1] + int(y)
        places.append(at)
    return places


def test_every_value_is_a_dot_at_its_commit(drawn):
    [course] = drawn(60, steady(1e-3, (40, 1.2)))
    own = scale(course)
    [only] = course.stretches
    assert dots(svg(course)) == [(number, own.step(value)) for number, value in enumerate(only.values)]
    left, right = extent(course)
    assert left < 0
    assert right > 59


def test_levels_are_medians_between_changes_with_the_interval_of_the_change(drawn):
    [course] = drawn(60, steady(1e-3, (40, 1.2)))
    [only] = course.stretches
    [change] = only.track.changes
    first, second = only.levels
    assert (first.begin, first.end, second.end) == (0, change.place, 60)
    assert first.low is None
    assert [second.low, second.high] == pytest.approx([first.value * (1 + end) for end in (change.low, change.high)])
    assert first.value == sorted(only.values[:40])[20] / 2 + sorted(only.values[:40])[19] / 2
    assert f'class="edge worse" d="M{change.place - 0.5:g} 0v100"' in svg(course)
    assert "+" in re.search(r'<text class="worse"[^>]*>([^<]*)<', svg(course))[1]


def test_a_replaced_machine_is_marked_and_nothing_is_claimed_across_it(drawn):
    found = drawn(60, steady(1e-3, (30, 0.5)), cpu=lambda number: "old" if number < 30 else "new")
    [course] = found
    assert [len(each.values) for each in course.stretches] == [30, 30]
    assert not any(each.track.changes for each in course.stretches)
    drawing = svg(course)
    assert drawing.count('class="machine" d="M29.5 0v100"') == 1
    assert "machine changed" in drawing
    assert 'class="edge' not in drawing


def test_machines_that_take_turns_are_charts_of_their_own(drawn):
    found = drawn(60, steady(1e-3), cpu=lambda number: "even" if number % 2 == 0 else "odd")
    assert [len(course.stretches) for course in found] == [1, 1]


def test_a_far_value_is_marked_at_the_edge_and_does_not_press_the_others_flat(drawn):
    plain = steady(1e-3)
    [course] = drawn(60, lambda number: plain(number) * (20 if number == 50 else 1))
    own = scale(course)
    assert own.high < 2e-3
    assert 'class="beyond" d="M50 0v' in svg(course)


def test_a_calm_series_is_drawn_calm(drawn):
    [course] = drawn(60, steady(1e-3, noise=0.001))
    steps = [scale(course).step(value) for value in course.newest.values]
    assert max(steps) - min(steps) < 0.75 * STEPS


@pytest.mark.parametrize("value", [0.0, -5.0, 1e-300, 1e300, 3.0])
def test_a_series_of_one_value_has_a_scale(drawn, value):
    [course] = drawn(2, lambda _: value)
    own = scale(course)
    assert own.low < value < own.high
    assert 0 < own.step(value) < STEPS
    assert own.ticks()


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.96e-3, 1.21e-3, ["0.95 ms", "1.00 ms", "1.05 ms", "1.10 ms", "1.15 ms", "1.20 ms"][1:]),
        (0.0, 10e-3, ["0 ms", "2 ms", "4 ms", "6 ms", "8 ms", "10 ms"]),
    ],
)
def test_ticks_are_round_numbers(low, high, labels):
    own = Scale(low, high, 1e-3, "ms")
    assert [label for _, label in own.ticks()] == labels
    assert [step for step, _ in own.ticks()] == sorted((step for step, _ in own.ticks()), reverse=True)


def test_commits_that_were_not_measured_have_their_place(drawn):
    [course] = drawn(60, lambda number: 1e-3 if number % 3 == 0 else None)
    assert [x for x, _ in dots(svg(course))] == list(range(0, 60, 3))
    assert course.newest.jobs[1].job.commit == commit(3)


@pytest.mark.parametrize(("begins", "hidden"), [(15, ""), (45, 'visibility="hidden"')])
def test_labels_that_would_touch_on_a_phone_are_hidden_the_older_first(drawn, begins, hidden):
    [course] = drawn(100, steady(1e-3, (60, 1.3)), cpu=lambda number: "old" if number < begins else "new")
    labels = re.findall(r'<text class="(\w+)"[^>]*?(visibility="hidden")?>', svg(course))
    assert labels == [("worse", ""), ("machine", hidden)]
