"""Full disks and interruptions: no half of a result is taken for a whole one, and what is complete is used again."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest
from generator.run import generate
from generator.settings import Settings


def command(*words):
    return [sys.executable, "-m", "statera", *words]


def analyse(run, out):
    words = command("cluster", "analyse", str(run), "-o", str(out))
    return subprocess.run(words, check=False, capture_output=True, text=True)


def files(out):
    """All that an analysis wrote: tables have the same rows in any order, everything else has the same bytes.

    But for the times of log files: of one that changed just now they are not written down.
    """
    found = {str(path.relative_to(out)): path for path in sorted(out.rglob("*")) if path.is_file()}
    return {name: content(name, path) for name, path in found.items()}


def content(name, path):
    if name.startswith("tables/"):
        return rows(path)
    if path.name != "host.json":
        return path.read_bytes()
    record = json.loads(path.read_bytes())
    record["key"][2] = [[file, size, digest] for file, size, _, digest in record["key"][2]]
    return record


def rows(path):
    table = duckdb.read_parquet(str(path))
    return sorted(map(repr, table.fetchall()))


def size(out):
    return sum(path.stat().st_size for path in out.rglob("*"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    run = tmp_path_factory.mktemp("whole") / "run"
    generate(run, Settings(hosts=3, slots=1200), processes=1)
    return run


@pytest.fixture(scope="module")
def undisturbed(run):
    out = run.parent / "out"
    assert analyse(run, out).returncode == 0
    return files(out)


@pytest.fixture
def disk(tmp_path):
    """A disk of 1 MiB, and a way to give it more."""
    place = tmp_path / "disk"
    place.mkdir()

    def mount(*options):
        return subprocess.run(["mount", *options, str(place)], check=False, capture_output=True).returncode == 0

    if sys.platform != "linux" or not mount("-t", "tmpfs", "-o", "size=1m", "tmpfs"):
        pytest.skip("only root can mount a small disk")
    yield place, lambda size: mount("-o", f"remount,size={size}k")
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.later
def test_a_full_disk_ends_it_at_any_point_and_more_room_mends_it(run, undisturbed, disk):
    place, resize = disk
    out = place / "out"
    whole = size(run.parent / "out") // 1024
    seen = set()
    for room in range(64, 3 * whole, max(64, whole // 6)):
        assert resize(room)
        done = analyse(run, out)
        if done.returncode == 0:
            break
        assert done.returncode == 2
        assert done.stderr.rstrip().endswith("[disk-full]"), done.stderr
        assert "Traceback" not in done.stderr
        assert not (out / "summary.json").exists()
        seen.add(any((out / "tables").iterdir()))
        refused = subprocess.run(command("cluster", "errors", str(out)), check=False, capture_output=True, text=True)
        assert refused.stderr.rstrip().endswith("[not-analysed]")
    else:
        pytest.fail("there was room for three times the result, and it did not do")
    # It was full once while events were written and once while tables were.
    assert seen == {False, True}
    assert files(out) == undisturbed


def ended(run, out, ending, reached):
    """Analyse until a file is there, and then end it."""
    process = subprocess.Popen(command("cluster", "analyse", str(run), "-o", str(out)), stderr=subprocess.PIPE)
    while process.poll() is None and not any(out.glob(reached)):
        time.sleep(0.001)
    process.send_signal(ending)
    _, told = process.communicate()
    return process.returncode, told


@pytest.mark.parametrize(
    ("reached", "ending"),
    [
        ("events/*/host.json", signal.SIGINT),
        ("tables/known_blocks.parquet", signal.SIGKILL),
        pytest.param("tables/host_slots.part", signal.SIGINT, marks=pytest.mark.later),
        pytest.param("tables/host_slots.part", signal.SIGKILL, marks=pytest.mark.later),
        pytest.param("events/*/host.json", signal.SIGKILL, marks=pytest.mark.later),
        pytest.param("tables/known_blocks.parquet", signal.SIGINT, marks=pytest.mark.later),
    ],
)
def test_an_analysis_that_was_ended_is_taken_up_again(run, undisturbed, tmp_path, ending, reached):
    out = tmp_path / "out"
    for _ in range(20):
        code, told = ended(run, out, ending, reached)
        if code:
            break
        # It was done before the signal came: the machine is busy.
        shutil.rmtree(out)
    assert b"Traceback" not in told
    assert code in {-ending, 128 + ending}
    assert not (out / "summary.json").exists()
    kept = {path: path.stat().st_mtime_ns for path in out.glob("events/[!.]*/host.json")}
    assert analyse(run, out).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert files(out) == undisturbed
    assert not [path for path in out.rglob("*") if path.name.startswith(".")]


def test_an_analysis_of_before_is_gone_when_a_new_one_begins(run, undisturbed, tmp_path):
    """Otherwise its summary would stand beside the new tables."""
    out = tmp_path / "out"
    assert analyse(run, out).returncode == 0
    process = subprocess.Popen(command("cluster", "analyse", str(run), "-o", str(out)), stderr=subprocess.DEVNULL)
    while process.poll() is None and (out / "summary.json").exists():
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert process.returncode == -signal.SIGKILL
    assert not (Path(out) / "summary.json").exists()
    assert analyse(run, out).returncode == 0
    assert files(out) == undisturbed
