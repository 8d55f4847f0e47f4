"""A profile of the worst rows: the function that was made dearer is named first, by perf and by callgrind."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import statera
from statera.comparison.profiles import difference
from statera.experiment import counters, profiling
from statera.reading import profiles
from statera.support.errors import Stop
from support import fails

PROGRAM = """
#include <stdlib.h>
__attribute__((noinline)) unsigned parse_row(unsigned s, int n) {
    for (int i = 0; i < n; i++) s = s * 1664525u + 1;
    return s;
}
__attribute__((noinline)) unsigned sum_row(unsigned s) { for (int i = 0; i < 1000; i++) s ^= (s << 3) + i; return s; }
int main(int count, char **words) {
    unsigned s = 1;
    for (int turn = 0; turn < atoi(words[1]); turn++) s = sum_row(parse_row(s, COST));
    return s == 42;
}
"""


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    folder = tmp_path_factory.mktemp("builds")
    (folder / "x.c").write_text(PROGRAM)
    for name, cost in (("old", 1000), ("new", 1300)):
        words = ["cc", "-O1", "-g", "-fno-omit-frame-pointer", f"-DCOST={cost}", "-o", folder / name, folder / "x.c"]
        subprocess.run(words, check=True)
    return folder


def here():
    try:
        return profiling.profiler().name
    except Stop:
        return None


def profiled(run, builds, turns, **more):
    commands = [f"{builds}/{name} {turns}" for name in ("old", "new")]
    return run("run", "-r", "6", "-o", "R", "-n", "old", "-n", "new", *commands, "--decide-by", "cpu", "--profile",
               "--only", "*", **more)  # fmt: skip


@pytest.mark.later
@pytest.mark.skipif(here() != "perf", reason="perf cannot record here")
def test_perf_names_the_dearer_function_first(run, builds, tmp_path):
    ended = profiled(run, builds, 5000)
    assert "where the time went: parse_row +" in ended.out, ended.out + ended.err
    found = json.loads(run("compare", "R", "-f", "json").out)["profiles"]
    first = found[0]["functions"][0]
    assert (first["name"], found[0]["unit"], first["p_corrected"] < 0.05) == ("parse_row", "samples", True)
    assert run("report", "R", "-o", "page.html").code == 0
    assert 'class="frame up-5"' in (tmp_path / "page.html").read_text()


@pytest.mark.skipif(counters.missing() is not None, reason="valgrind is not installed")
def test_callgrind_counts_where_perf_is_missing(run, builds, tmp_path):
    path = without(tmp_path, "perf")
    ended = profiled(run, builds, 100, env={"PATH": path})
    assert "perf is not installed, so that callgrind counts instructions" in ended.err
    assert "with callgrind\n" in ended.err
    assert "where the instructions went: parse_row +" in ended.out, ended.out + ended.err
    found = json.loads(run("compare", "R", "-f", "json").out)["profiles"][0]
    gained = found["functions"][0]
    assert (found["unit"], gained["name"], gained["p_corrected"]) == ("instructions", "parse_row", None)
    # Each turn has 300 more passes of the loop.
    assert (gained["self"][1] - gained["self"][0]) % (100 * 300) == 0
    assert len(statera.compare(tmp_path / "R").profiles) == 1
    kept = sorted(each.name for each in (tmp_path / "R" / "profiles").iterdir())
    assert [name.split(".")[-2:] for name in kept] == [["instructions", "folded"]] * 2 + [["index", "json"]]


def without(folder, missing):
    """Return a PATH of what the folder of valgrind has, but for one program."""
    place = folder / f"without-{missing}"
    place.mkdir()
    for each in Path(shutil.which("valgrind")).parent.iterdir():
        if each.name != missing:
            (place / each.name).symlink_to(each)
    return str(place)


def test_without_a_profiler_nothing_runs(run, tmp_path):
    done = run("run", "-r", "2", "-o", "R", "/bin/true", "/bin/true 1", "--profile", env={"PATH": str(tmp_path)})
    fails(done, "[no-profiler]", "perf is not installed, and valgrind is not installed. Install one")
    assert not (tmp_path / "R").exists()


def test_a_damaged_index_is_told(run, tmp_path):
    run("run", "-r", "2", "-o", "R", "true", "true 1")
    (tmp_path / "R/profiles").mkdir()
    (tmp_path / "R/profiles/index.json").write_text('{"profiles": [{"file": "../../x"}]}')
    fails(run("compare", "R"), "is damaged")


def test_short_programs_run_several_times_and_are_sampled_often():
    def effort(seconds):
        records = [{"kind": "invocation", "benchmark": "b", "time": each} for each in (seconds, seconds, 60.0)]
        return tuple(profiling._effort([*records, {"kind": "invocation", "benchmark": "c", "time": 1e-3}], "b"))

    often, usual = profiling._RATE_OF_SHORT, profiling._RATE
    assert [effort(each) for each in (0.01, 0.125, 0.25, 2.0, 30.0)] == [
        (10, often),
        (8, often),
        (4, usual),
        (3, usual),
        (1, usual),
    ]


def test_runs_that_vary_more_than_samples_do_by_chance_widen_the_noise(tmp_path):
    def read(name, *counts):
        (tmp_path / name).write_text("".join(f"main;f{place} {count}\n" for place, count in enumerate(counts)))
        return profiles.read(tmp_path / name, name)

    steady = [read(f"steady-{turn}", 100 + turn, 50) for turn in range(4)]
    moved = [read(f"moved-{turn}", 100 * turn, 50 * turn) for turn in (1, 1, 2, 2)]
    assert profiling._noise(steady) == 1.0
    # Of the whole: a mean of 225, and a variance of 7500.
    assert profiling._noise(moved) == pytest.approx(7500 / 225)
    assert profiling._noise(moved[:2]) == 1.0
    base, variant = read("base", 1000, 500), read("variant", 1300, 500)
    p = [
        next(each.p for each in difference(base._replace(noise=noise), variant).functions if each.name == "f0")
        for noise in (1.0, 33.0)
    ]
    assert p[0] < 1e-6
    assert p[1] > 0.05
