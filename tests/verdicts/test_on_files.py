"""Notes on the files of the variants: those that count as runs, and a baseline that comes first by its name."""

import statera
from support import go, noisy


def codes(found):
    return {note.code: note.text for note in found.notes}


def write(folder, names, factor=1.0):
    folder.mkdir(parents=True)
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(exist_ok=True)
        text = go({"X": [factor * value for value in noisy(100 * 3**number, seed=number)]})
        (folder / name).write_text(text)


def test_files_whose_names_mean_something_are_named_where_they_count_as_runs(tmp_path):
    for side in ("old", "new"):
        write(tmp_path / side, ["large.txt", "small.txt", "tiny.txt"])
    text = codes(statera.compare(tmp_path / "old", tmp_path / "new"))["files-pooled"]
    assert text.startswith("Each file counts as a run: large.txt, small.txt, tiny.txt. ")
    assert "--name-pattern '{work}.txt' compares them separately" in text
    found = statera.compare(tmp_path / "old", tmp_path / "new", name_patterns="{work}.txt")
    assert "files-pooled" not in codes(found)
    assert {row.group for row in found} == {"work: large", "work: small", "work: tiny"}
    assert "files-pooled" in codes(statera.inspect(tmp_path / "old"))


def test_folders_of_machines_are_named_with_their_file(tmp_path):
    for side in ("old", "new"):
        write(tmp_path / side, ["ci/bench.txt", "laptop/bench.txt"])
    text = codes(statera.compare(tmp_path / "old", tmp_path / "new"))["files-pooled"]
    assert "ci/bench.txt, laptop/bench.txt. " in text
    assert "'{machine}/bench.txt'" in text


def test_numbered_files_and_files_of_one_side_are_runs_without_a_note(tmp_path):
    for side in ("old", "new"):
        write(tmp_path / side, ["run-1.txt", "run-2.txt", "run-10.txt"])
    write(tmp_path / "other", ["alpha.txt", "beta.txt"])
    assert "files-pooled" not in codes(statera.compare(tmp_path / "old", tmp_path / "new"))
    assert "files-pooled" not in codes(statera.compare(tmp_path / "old", tmp_path / "other"))
    names = [source.name.rsplit("/", 1)[1] for source in statera.read(tmp_path / "old").sources]
    assert names == ["run-1.txt", "run-2.txt", "run-10.txt"]


def test_who_forgets_the_quotes_of_a_pattern_is_told_how_runs_of_a_build_are_named(tmp_path, monkeypatch):
    names = ["old1.txt", "old2.txt", "new1.txt", "new2.txt"]
    write(tmp_path / "r", names)
    monkeypatch.chdir(tmp_path / "r")
    text = codes(statera.compare(*names))["files-are-builds"]
    assert text.endswith("statera compare 'old=old*.txt' 'new=new*.txt'.")
    assert "files-are-builds" not in codes(statera.compare("old*.txt", "new*.txt"))
    assert "files-are-builds" not in codes(statera.compare(*names[:3]))


def test_files_of_different_benchmarks_are_not_runs_of_each_other(tmp_path):
    for side in ("old", "new"):
        write(tmp_path / side, ["parse.txt", "print.txt"])
        path = tmp_path / side / "print.txt"
        path.write_text(path.read_text().replace("BenchmarkX", "BenchmarkY"))
    assert "files-pooled" not in codes(statera.compare(tmp_path / "old", tmp_path / "new"))


def test_a_baseline_that_comes_first_only_by_its_name_is_a_note(tmp_path):
    write(tmp_path / "runs", ["after.txt"])
    write(tmp_path / "others", ["before.txt"])
    after, before = tmp_path / "runs" / "after.txt", tmp_path / "others" / "before.txt"
    text = codes(statera.compare(after, before))["baseline-first"]
    assert text == "The baseline is after, because it comes first. --baseline before compares with before."
    assert "baseline-first" not in codes(statera.compare(before, after))
    assert "baseline-first" not in codes(statera.compare(after, before, baseline="before"))
    assert "baseline-first" not in codes(statera.compare(after, before, baseline="after"))
    assert "baseline-first" not in codes(statera.inspect(after, before))


def test_files_of_one_variant_may_be_named_from_here_and_from_the_root(tmp_path, run):
    write(tmp_path / "a", ["large.txt"])
    write(tmp_path / "b", ["small.txt"])
    words = [f"{side}={path}" for side in ("old", "new") for path in ("a/large.txt", tmp_path / "b" / "small.txt")]
    done = run("compare", *words, "--notes")
    assert done.code == 0
    assert "Each file counts as a run: a/large.txt, b/small.txt. " in done.out
