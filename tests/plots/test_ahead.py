"""Drawings for reports: made once for all files, by another process where there is one, and the same without it."""

import os
import re
from concurrent.futures import CancelledError
from dataclasses import replace

import pytest
from looks import compared

from statera.output import plots
from statera.output.plots import ahead, inline
from statera.output.plots.drawing_process import DrawingProcess
from statera.output.plots.theme import inks
from statera.output.report import drawn
from support import noisy


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    return plots.draw("strip", compared(tmp_path_factory.mktemp("results"), old={"X": noisy(1)}, new={"X": noisy(2)}))


def test_a_process_draws_what_this_one_would(picture):
    here = inline.drawing(picture, "a")
    with ahead.kept(early=True):
        ahead.begin(picture)
        assert inline.drawing(picture, "a") == here


def test_a_picture_is_drawn_once_for_page_and_paper(picture, monkeypatch):
    drawings, svg = [], DrawingProcess.svg
    monkeypatch.setattr(DrawingProcess, "svg", lambda self, **request: drawings.append(request) or svg(self, **request))
    with ahead.kept(early=True):
        assert ahead.begin(picture) is picture
        inline.drawing(picture, "a")
        drawn.drawing(picture)
    assert len(drawings) == 1


def test_without_announcement_nothing_begins_early(picture):
    with ahead.kept(early=False):
        ahead.begin(picture)
        assert not ahead._current[-1].begun
        assert ahead.svg(picture) is ahead.svg(picture)
    assert not ahead._current


def test_where_no_process_starts_or_it_ends_this_one_draws(picture, monkeypatch):
    here = inline.drawing(picture, "a")
    with ahead.kept(early=True):
        ahead._current[-1]._process.kill()
        assert inline.drawing(picture, "a") == here

    def refuse(*_):
        raise OSError

    monkeypatch.setattr(DrawingProcess, "__init__", refuse)
    with ahead.kept(early=True):
        ahead.begin(picture)
        assert inline.drawing(picture, "a") == here


def test_drawings_that_nobody_waits_for_end_with_their_report(picture):
    begun, processes = [], []

    def interrupted():
        with ahead.kept(early=True):
            processes.append(ahead._current[-1]._process)
            begun.extend(ahead._current[-1].begin(replace(picture)) for _ in range(20))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert processes[0]._process.returncode is not None
    assert all(each.done() for each in begun)
    assert sum(each.cancelled() or isinstance(each.exception(), CancelledError) for each in begun) > 1


def test_what_cannot_be_drawn_is_answered_and_the_process_goes_on(picture):
    process = DrawingProcess(ahead.VERSION)
    assert process.svg(vl_spec={"mark": 7}, vl_version=ahead.VERSION) is None
    assert process.svg(**ahead._request(picture)).startswith("<svg")
    process.kill()
    process.close()
    assert process.svg(**ahead._request(picture)) is None


def test_the_process_runs_nothing_from_the_current_folder(picture, tmp_path, monkeypatch):
    for name in ("vl_convert", "statera", "json"):
        (tmp_path / f"{name}.py").write_text(f"open({os.fspath(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    with ahead.kept(early=True):
        assert ahead._current[-1]._process.svg(**ahead._request(picture)).startswith("<svg")
    assert not (tmp_path / "ran").exists()


def test_paper_has_the_colours_of_the_light_theme_and_names_keep_theirs():
    inked = {ink: light for ink, (light, _) in inks().pairs.items() if ink != light}
    assert inked
    for ink, light in inked.items():
        svg = f'<svg><rect fill="{ink}" stroke="#123456"/><text fill="{ink}">fill="{ink}" a &lt; b</text></svg>'
        told = f'<svg><rect fill="{light}" stroke="#123456"/><text fill="{light}">fill="{ink}" a &lt; b</text></svg>'
        assert drawn.in_light(svg) == told


def test_lines_of_a_title_stand_below_each_other_in_a_page(picture):
    assert len(picture.spec["title"]["subtitle"]) > 1
    lines = re.findall(r"<tspan([^>]*)>", inline.drawing(picture, "a").svg)
    assert len(lines) > 1
    assert all(re.search(r' dy="1\d', more) for more in lines if ' x="0"' in more)
    assert any(' x="0"' in more for more in lines)
