"""Small files that mean very much are refused by name or read in proportion: no input takes the machine."""

import json
import re
import subprocess
import sys
from pathlib import Path

import hostile
import pytest

import statera
from statera.support.settings import Limits
from statera.support.wording import counted
from support import every, fails, go, noisy, write

# A child process tells its own peak: that of a process which was forked is at least its parent's.
CHILD = """
import sys
from statera.cli import main
code = main(sys.argv[2:])
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
open(sys.argv[1], "w").write(peak)
sys.exit(code)
"""
LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")


def measured(folder, *arguments):
    """Run a command in a child process; give what it said and its peak of memory in bytes."""
    # What goes wrong here is a machine without memory: the child is stopped before.
    bound = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))\n"
    done = subprocess.run(
        [sys.executable, "-c", bound + CHILD, "peak", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done, int((folder / "peak").read_text()) * 1024


def budget(size):
    return 100_000_000 + 64 * size


def expanded(size):
    """What `expansion` promises of two files that are unpacked side by side, and the program itself."""
    return 40_000_000 + 2 * ((32 << 20) + Limits().expansion * size)


@LINUX
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=make.__name__, marks=[pytest.mark.later] * (make in hostile.LONG))
        for make in hostile.REFUSED
    ],
)
def test_what_means_too_much_is_refused_with_the_name_of_the_setting(tmp_path, make):
    content = make()
    write(tmp_path, f=content)
    done, peak = measured(tmp_path, "compare", "a=f", "b=f")
    assert done.returncode == 2, done.stdout[-300:] + done.stderr[-300:]
    assert re.search(rf"the limit is {hostile.REFUSED[make]}=\d+", done.stderr), done.stderr[-300:]
    assert "[too-much]" in done.stderr
    assert len(done.stderr) < 2000
    # The two variants are read side by side.
    size = len(content)
    assert peak < (expanded(size) if hostile.REFUSED[make] == "expansion" else budget(2 * size))


@LINUX
@pytest.mark.parametrize(
    "make",
    [pytest.param(make, id=make.__name__, marks=[pytest.mark.later] * (make in hostile.LONG)) for make in hostile.READ],
)
def test_what_is_legitimate_takes_memory_in_proportion(tmp_path, make):
    content = make()
    write(tmp_path, f=content)
    values = hostile.READ[make]
    done, peak = measured(tmp_path, "compare", "a=f", "b=f", "--notes")
    assert (done.returncode == 0) == (values > 0), done.stderr[-300:]
    assert peak < budget(2 * len(content))
    assert not values or f"Read {counted(2 * values, 'value')} from 2 files" in done.stdout
    if make in hostile.CONVERTED:
        done, peak = measured(tmp_path, "convert", "f", "-o", "f.ndjson")
        assert f"wrote {counted(values, 'value')} from 1 file " in done.stderr
        assert peak < budget(2 * len(content))


@LINUX
def test_many_small_files_take_memory_in_proportion(tmp_path):
    (tmp_path / "d").mkdir()
    texts = [go({"X": [value]}) for value in noisy(100, 3000)]
    for number, text in enumerate(texts):
        (tmp_path / "d" / f"{number:04}").write_text(text)
    done, peak = measured(tmp_path, "compare", "a=d", "b=d")
    assert done.returncode == 0
    assert peak < budget(2 * sum(map(len, texts)))


def test_the_terminal_shows_a_few_keys_of_many_and_says_how_many_more(run, tmp_path):
    old = {"goos": "linux"} | {f"k{i}": "v" * 5000 for i in range(900)} | {f"d{i}": "a" for i in range(40)}
    new = old | {f"d{i}": "b" for i in range(40)}
    write(tmp_path, old=go({"X": noisy(1)}, config=old), new=go({"X": noisy(1)}, config=new))
    assert len(run("compare", "old", "new").out) < 600
    shown = run("compare", "old", "new", "--notes").out
    assert "889 more" in shown
    assert "28 more keys differ between the variants, not shown" in shown
    assert len(shown) < 6000
    for verb in (("inspect", "old"), ("compare", "old", "new", "-f", "markdown")):
        assert len(run(*verb).out) < 12_000


def calls(folder, count):
    """Count the calls in Python that comparing and writing one benchmark of many metrics takes."""
    folder.mkdir()
    for side, size in (("old", 1), ("new", 2)):
        rows = [f"X,m{i},{'s' if i % 2 else 'B'},{value}" for i in range(count) for value in noisy(size, 4)]
        write(folder, **{side: "benchmark,metric,unit,value\n" + "\n".join(rows) + "\n"})
    found = 0

    def counted_call(_frame, event, _argument):
        nonlocal found
        found += event in {"call", "c_call"}

    sys.setprofile(counted_call)
    try:
        comparison = statera.compare(folder / "old", folder / "new", quantiles=[0.5])
        for text in (repr(comparison), comparison.to_markdown(), comparison.to_json()):
            assert text
        assert repr(statera.inspect(folder / "old"))
    finally:
        sys.setprofile(None)
    return found


def test_outputs_take_time_in_proportion_to_the_metrics(tmp_path):
    few, some, many = (calls(tmp_path / str(count), count) for count in (60, 120, 240))
    assert many - some < 2.6 * (some - few)


def test_groups_of_very_many_keys_are_named_by_a_few(run, tmp_path):
    rows = [{"benchmark": "X", "value": v, **{f"k{i}": f"{n}" for i in range(200)}} for n in range(2) for v in noisy(1)]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    write(tmp_path, a=text, b=text)
    shown = run("compare", "a", "b", "--all-rows").out
    assert "…188 more (level 1)" in shown
    assert "…188 more (level 2)" in shown
    assert len(shown) < 600


def test_a_limit_is_an_option_and_a_setting(run, tmp_path):
    write(tmp_path, x=go({"X": noisy(100, 50)}))
    fails(run("convert", "x", "-o", "out.csv", "--limit", "values=10"), "the limit is values=10.")
    (tmp_path / "statera.toml").write_text("[limits]\nvalues = 10\n")
    assert run("convert", "x", "-o", "out.csv").code == 2
    assert run("convert", "x", "-o", "out.csv", "--no-config").code == 0
    assert run("convert", "x", "-o", "out.csv", "--limit", "values=100000").code == 0


def test_a_line_that_is_too_long_is_left_out_at_the_length_that_is_set(run, tmp_path):
    write(tmp_path, x=go({"X": [1], "Y" * 200: [2]}))
    result = run("convert", "x", "-o", "x.csv", "--limit", "line=100")
    assert "line-too-long" in result.err
    assert "wrote 1 value from" in result.err


@every(
    ("word", "said"),
    [
        ("bytes", "NAME=VALUE"),
        ("byte=1", "there is no limit 'byte'; the limits are files, bytes"),
        ("bytes=much", "bytes takes a size such as 512MiB or 2GiB"),
        ("keys=1.5", "keys takes a whole number"),
        ("keys=0", "keys takes a whole number"),
        ("keys=-1", "keys takes a whole number"),
    ],
)
def test_a_limit_that_cannot_be_is_named(run, tmp_path, word, said):
    write(tmp_path, x=go({"X": [1]}))
    fails(run("convert", "x", "-o", "x.csv", "--limit", word), said, "[bad-option]")


@every("text", ["limits = 3", "[limits]\nnix = 1", "[limits]\nkeys = true", '[limits]\nbytes = "x"'])
def test_a_table_of_limits_that_cannot_be_names_its_file(run, tmp_path, text):
    write(tmp_path, x=go({"X": [1]}))
    (tmp_path / "statera.toml").write_text(text + "\n")
    fails(run("convert", "x", "-o", "x.csv"), "statera.toml: limits", "[bad-settings]")


def test_sizes_are_written_as_people_write_them(run, tmp_path):
    write(tmp_path, x=go({"X": [1]}))
    (tmp_path / "statera.toml").write_text('[limits]\nbytes = "1KiB"\n')
    assert run("convert", "x", "-o", "x.csv").code == 0
    assert "bytes=1024" in run("convert", *write(tmp_path, y=go({"X": noisy(1, 200)})), "-o", "y.csv").err


def test_the_library_takes_limits(tmp_path):
    paths = write(tmp_path, x=go({"X": noisy(1)}))
    with pytest.raises(statera.Stop, match="values=5"):
        statera.read(*paths, limits=Limits(values=5))
    with pytest.raises(statera.Stop, match="keys takes"):
        statera.read(*paths, limits=Limits(keys=0))
    assert len(statera.read(*paths, limits=Limits(values=10))) == 10
    # Of JSON all elements of a list count.
    write(tmp_path, x='{"results":[{"command":"x","times":[1,2,3,4,5,6,7,8,9,10,11]}]}')
    with pytest.raises(statera.Stop, match="values=9"):
        statera.read(*paths, limits=Limits(values=9))


def test_a_broken_file_prints_no_panic(run, tmp_path):
    content = hostile.parquet_wide(200)
    step = len(content) // 60
    (tmp_path / "d").mkdir()
    for number, at in enumerate(range(0, len(content), step)):
        broken = bytearray(content)
        broken[at : at + 8] = b"\xff" * 8
        (tmp_path / "d" / f"{number:02}.parquet").write_bytes(broken)
    write(tmp_path, x=go({"X": [1]}))
    result = run("convert", "d", "x", "-o", "out.ndjson", env={"RUST_BACKTRACE": "1"})
    assert "panicked" not in result.err
    assert (tmp_path / "out.ndjson").exists()


def test_very_many_pairs_of_variants_are_refused(run, tmp_path):
    rows = [f"b,v{number},{number}.5" for number in range(1, 3001)]
    (tmp_path / "t.csv").write_text("benchmark,variant,value\n" + "\n".join(rows) + "\n")
    done = run("compare", "t.csv", "--by", "variant", "--pairs", "all")
    fails(done, "4,498,500 pairs to compare: the limit is pairs=5000")
    assert run("compare", "t.csv", "--by", "variant").code == 0
