"""A file counts once within a variant, whatever its names; and nothing in a folder makes reading wait."""

import json
import os
import socket

import pytest

import statera
from support import every, fails, go, noisy, write

OLD, NEW = go({"X": noisy(100)}), go({"X": noisy(103, seed=2)})


def codes(read):
    return read.remarks_by_code


def again(folder, how):
    """Another name for the file `a` of a folder."""
    if how == "hard link":
        os.link(folder / "a", folder / "b")
    elif how == "symbolic link":
        (folder / "b").symlink_to("a")
    return str(folder / ("a" if how == "same name" else "b")) if how != "dot" else f"{folder}/./a"


@pytest.mark.parametrize("how", ["same name", "hard link", "symbolic link", "dot"])
def test_a_file_counts_once_within_a_variant(tmp_path, how):
    write(tmp_path, a=OLD, y=NEW)
    other = again(tmp_path, how)
    result = statera.compare(f"x={tmp_path / 'a'}", f"x={other}", f"y={tmp_path / 'y'}")
    assert (result[0].baseline_values, result[0].contender_values) == (10, 10)
    assert codes(result.observations) == {"same-file": 1}
    assert "is the same file as" in next(note.text for note in result.notes if note.code == "same-file")


def test_a_link_to_a_folder_counts_once_and_the_folder_keeps_its_own_name(run, tmp_path):
    (tmp_path / "runs" / "run-1").mkdir(parents=True)
    write(tmp_path / "runs" / "run-1", a=OLD)
    (tmp_path / "runs" / "latest").symlink_to("run-1")
    write(tmp_path, new=NEW)
    result = run("compare", "runs", "new", "-f", "json")
    document = json.loads(result.out)
    assert [source["name"] for source in document["sources"]] == ["runs/run-1/a", "new"]
    assert [problem["code"] for problem in document["problems"]] == ["same-file"]
    assert "same-file" in [note["code"] for note in document["notes"]]
    shown = run("compare", "runs", "new", "--notes")
    assert "runs/latest: links to a folder that is read under another name; it counts once [same-file]" in shown.out
    assert "nothing was left out" in shown.out


@pytest.mark.parametrize("second", ["d/a", "d/*", "**/a", "./d"])
def test_arguments_that_overlap_count_once(tmp_path, monkeypatch, second):
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", a=OLD)
    monkeypatch.chdir(tmp_path)
    read = statera.read("d", second)
    assert (len(read), codes(read)) == (10, {"same-file": 1})


def test_one_argument_names_a_file_by_itself_and_by_its_folder_without_a_word(tmp_path, monkeypatch):
    (tmp_path / "d" / "e").mkdir(parents=True)
    write(tmp_path / "d" / "e", a=OLD)
    monkeypatch.chdir(tmp_path)
    read = statera.read("**/*")
    assert ([source.name for source in read.sources], codes(read)) == (["d/e/a"], {})


def test_arguments_that_are_read_together_count_a_file_once(tmp_path):
    rows = "benchmark,value,unit,build\n" + "".join(f"X,{v},s,{b}\n" for b in ("p", "q") for v in noisy(100))
    (path,) = write(tmp_path, t=rows)
    result = statera.compare(path, path, by="build")
    assert (result[0].baseline_values, result[0].contender_values) == (10, 10)


def test_one_file_of_two_variants_is_compared_and_said_to_be(run, tmp_path):
    write(tmp_path, a=OLD)
    (tmp_path / "b").symlink_to("a")
    result = run("compare", "a", "b")
    assert result.code == 0
    assert "\n⚠ b: is the same file as a, which belongs to another variant\n" in result.out


def test_one_file_named_twice_is_one_variant_and_the_message_says_why(run, tmp_path):
    write(tmp_path, a=OLD)
    fails(run("compare", "a", "a"), "a is named twice", "[one-variant]")
    assert run("compare", "x=a", "y=a").code == 0


@every("words", [("a", "."), (".", "a"), ("old=a", "new=."), ("a", "*"), ("a", "d", "./a"), ("d", ".")])
def test_a_file_of_two_builds_is_refused(run, tmp_path, words):
    (tmp_path / "d").mkdir(exist_ok=True)
    write(tmp_path, a=OLD, b=NEW, **{"d/c": NEW})
    fails(run("compare", *words), "[named-twice]")


@every("words", [("x=a", "y=a"), ("x=d", "y=d"), ("a", "b", "--by", "file"), ("x=a", "x=a", "b"), ("d", "b")])
def test_what_is_named_twice_on_purpose_is_compared(run, tmp_path, words):
    (tmp_path / "d").mkdir(exist_ok=True)
    write(tmp_path, a=OLD, b=NEW, **{"d/c": NEW})
    result = run("compare", *words)
    assert "[named-twice]" not in result.err


def test_standard_input_counts_once_and_cannot_be_two_variants(run, tmp_path):
    write(tmp_path, new=NEW)
    both = run("compare", "x=-", "x=-", "new", "-f", "json", stdin=OLD)
    assert json.loads(both.out)["values"] == 20
    fails(run("compare", "x=-", "y=-", stdin=OLD), "standard input: can be read only once")


def test_thirty_folders_of_two_links_each_end_at_once(tmp_path):
    # 2^30 paths lead to one file.
    (tmp_path / "0").mkdir()
    write(tmp_path / "0", a=OLD)
    for level in range(1, 31):
        (tmp_path / str(level)).mkdir()
        for name in "xy":
            (tmp_path / str(level) / name).symlink_to(tmp_path / str(level - 1))
    assert len(statera.read(tmp_path / "30")) == 10
    assert len(statera.read(f"{tmp_path / '30'}/**/a")) == 10


def test_a_loop_of_links_is_walked_once(tmp_path):
    write(tmp_path, a=OLD)
    (tmp_path / "again").symlink_to(tmp_path)
    read = statera.read(tmp_path)
    assert (len(read), codes(read)) == (10, {"same-file": 1})


def test_a_pipe_and_a_socket_in_a_folder_are_passed_over_and_named(tmp_path, monkeypatch):
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", a=OLD)
    os.mkfifo(tmp_path / "d" / "pipe")
    # The path of a socket must be short.
    monkeypatch.chdir(tmp_path / "d")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        read = statera.read(tmp_path / "d")
        matched = statera.read("*")
    assert (len(read), codes(read)) == (10, {"not-a-file": 2})
    assert (len(matched), codes(matched)) == (10, {"not-a-file": 2})


@pytest.mark.parametrize("argument", ["d", "d/*", "d/?*", "d/[!x]*", "d/**", "d/**/*"])
def test_folders_and_patterns_pass_over_hidden_files(tmp_path, monkeypatch, argument):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d/.folder").mkdir(parents=True)
    write(tmp_path / "d", a=OLD, **{".a": OLD, ".folder/b": OLD})
    assert [source.name for source in statera.read(argument).sources] == ["d/a"]


@pytest.mark.parametrize(
    ("argument", "names"), [("d/.*", ["d/.a", "d/.folder/b"]), ("d/.folder/*", ["d/.folder/b"]), (".e/**", [".e/c"])]
)
def test_a_pattern_that_writes_the_dot_reads_hidden_files(tmp_path, monkeypatch, argument, names):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d/.folder").mkdir(parents=True)
    (tmp_path / ".e").mkdir()
    write(tmp_path, **{"d/a": OLD, "d/.a": OLD, "d/.folder/b": OLD, ".e/c": OLD})
    assert [source.name for source in statera.read(argument).sources] == names


def test_a_pipe_that_is_named_is_read():
    read, write_end = os.pipe()
    with os.fdopen(write_end, "w") as into:
        into.write(OLD)
    with os.fdopen(read) as source:
        values = len(statera.read(f"/dev/fd/{source.fileno()}"))
    assert values == 10


def test_a_folder_that_cannot_be_listed_is_a_problem_and_the_rest_is_read(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root lists everything")
    (tmp_path / "closed").mkdir(mode=0)
    write(tmp_path, a=OLD)
    assert statera.read(tmp_path).left_out_by_code == {"unreadable-file": 1}
