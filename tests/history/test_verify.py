"""``statera history verify`` finds whatever is wrong with a file of a history, and names it."""

import json
from datetime import UTC, datetime

import pytest
from histories import commit as sha
from histories import folder as new
from histories import job, store

from statera.history import catalog
from statera.history.analysis import analyse
from statera.history.compact import compact
from statera.history.folder import event_text, open_folder
from statera.history.verify import verify
from statera.support.errors import Stop
from statera.support.settings.limits import Limits
from support import fails


@pytest.fixture
def history(tmp_path):
    made = new(tmp_path / "h")
    for number in range(3):
        store(made, job(number), {"X": [1.0, 2.0]})
    expected = {"kind": "expect", "commits": [sha(1)], "text": "X +1%..+2% because", "who": "me", "when": ""}
    made.record(expected)
    return made


def problems(history):
    return [(problem.source, problem.what) for problem in verify(history, Limits()).problems]


def test_a_whole_history_has_no_problems(history):
    assert verify(history, Limits())[:3] == (4, 3, [])


def test_a_flipped_bit_is_found_wherever_it_is(history):
    _, path = history.uploads()[0]
    content = path.read_bytes()
    for place in range(0, len(content), len(content) // 7):
        path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        assert problems(history) == [(str(path), "its content does not match its name")]


def test_an_upload_that_was_named_by_its_hash_and_is_none_is_found(history):
    with history.receiving() as part:
        part.write_bytes(b"PAR1 anything PAR1")
        history.keep(part)
    [(_, what)] = problems(history)
    assert "damaged" in what


def test_jobs_of_another_project_are_found(history, tmp_path):
    other = new(tmp_path / "other")
    other.about = other.about._replace(project="q")
    name = store(other, job(1)._replace(project="q"), {"X": [1.0]})
    with history.receiving() as part:
        part.write_bytes(other.file_of(name).read_bytes())
        history.keep(part)
    assert problems(history) == [(str(history.file_of(name)), "its jobs are of another project: q")]


IDLE = [
    ({"kind": "party"}, "its kind is 'party'"),
    ({}, "its kind is None"),
    ({"kind": "state", "branch": "main"}, "a wrong commits, series, state, who, when"),
    (
        {"kind": "state", "branch": "b", "commits": [], "series": [], "state": "asleep", "who": "", "when": ""},
        "its state is 'asleep'",
    ),
    ({"kind": "expect", "commits": ["a"], "text": "any", "who": "", "when": ""}, "write PATTERN LOW..HIGH REASON"),
    ({"kind": "expect", "commits": "a", "text": "any", "who": "", "when": ""}, "a wrong commits"),
]


def test_what_has_no_effect_is_found(history):
    files = [("events", event_text(event).encode(), what) for event, what in IDLE]
    # An event has at most 1 MiB.
    longest = b'{"a":"%s"}' % (b"x" * (2**20 - 8))
    files += [("events", longest, "its kind is None"), ("events", longest + b" ", "it is not an event")]
    files += [("events", b"{", "it is not an event"), ("replaced", b"some words\n", "it is not a list of hashes")]
    for kind, content, what in files:
        path = history.file_of(history._store(kind, content), kind)
        [(source, said)] = problems(history)
        assert (source, what in said) == (str(path), True), what
        path.unlink()
        (history.path / "added.txt").unlink()


def test_links_and_other_files_are_found(history, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    _, path = history.uploads()[0]
    path.with_name("a" * 64 + ".parquet").symlink_to(path)
    (history.path / "uploads/ee").symlink_to(tmp_path / "elsewhere")
    (history.path / "events/note.txt").write_text("by hand")
    found = problems(history)
    assert len(found) == 3
    assert all("nothing reads it" in what for _, what in found)
    assert {source.rpartition("/")[2] for source, _ in found} == {"a" * 64 + ".parquet", "ee", "note.txt"}


def test_a_file_that_is_gone_is_found_until_its_line_is_removed(history):
    for kind in ("uploads", "events"):
        hash_, path = history.named(kind)[0]
        path.unlink()
        assert problems(history) == [(str(path), "it is missing")]
        listed = history.path / "added.txt"
        listed.write_text(listed.read_text().replace(f"{kind} {hash_}\n", ""))
        assert problems(history) == []


def test_what_an_older_version_added_is_listed_with_the_next_file(history):
    _, path = history.uploads()[0]
    (history.path / "added.txt").unlink()
    store(history, job(3), {"X": [1.0]})
    # A clone has what git ignores, and not the list.
    assert (history.path / ".gitignore").read_text() == "added.txt\n"
    path.unlink()
    assert problems(history) == [(str(path), "it is missing")]


def test_the_list_is_not_written_through_a_link(history, tmp_path):
    (history.path / "added.txt").unlink()
    (history.path / "added.txt").symlink_to(tmp_path / "elsewhere")
    with pytest.raises((Stop, OSError)):
        store(history, job(3), {"X": [1.0]})
    assert not (tmp_path / "elsewhere").exists()


def test_replaced_uploads_are_not_missing_but_the_merged_file_is(history):
    names = [name for name, _ in history.uploads()]
    analysis = analyse(catalog.read(history, Limits()), history.about.lane)
    compact(history, analysis, Limits(), 0, datetime(2026, 6, 20, tzinfo=UTC))
    assert problems(history) == []
    [(merged, path)] = history.uploads()
    assert merged not in names
    path.unlink()
    assert problems(history) == [(str(path), "it is missing")]
    [(_, lists)] = history.named("replaced")
    content = lists.read_bytes()
    lists.write_bytes(b"\xff")
    assert (str(lists), "its content does not match its name") in problems(history)
    lists.write_bytes(content)
    (history.path / "added.txt").unlink()
    [(source, what)] = problems(history)
    assert "/replaced/" in source
    assert "a merged file is missing" in what


def test_settings_that_contradict_the_jobs_are_found(history):
    store(history, job(4, environment={"cpu": "c", "platform": "linux"}), {"X": [1.0]})
    settings = history.path / "history.toml"
    whole = settings.read_text()
    facts = "lane names cppu, and no job states this fact about its machine; they state: cpu, platform, runner"
    changes = [
        ('project = "p"', 'project = "q"', "its project is q, and the jobs are of p"),
        ('"runner"', '"os", "cppu"', facts),
        ("samples = 200", "# samples = 200", None),
    ]
    unlisted(history, "settings")
    for before, after, what in changes:
        settings.write_text(whole.replace(before, after))
        assert problems(open_folder(history.path)) == ([(str(settings), what)] if what else []), after


def unlisted(history, word):
    """Remove the lines of a word from the list of what a history has."""
    listed = history.path / "added.txt"
    listed.write_text("".join(line for line in listed.read_text().splitlines(keepends=True) if word not in line))


def test_settings_that_were_changed_are_found_until_the_change_is_accepted(history):
    settings = history.path / "history.toml"
    whole = settings.read_text()
    for before, after, what in (
        ('"cpu", ', "", 'lane was ["cpu", "runner"] and is ["runner"]'),
        ("samples = 200", "samples = 7", "samples was 200 and is 7"),
        ("around = 20\n", "", None),
    ):
        settings.write_text(whole.replace(before, after))
        assert problems(open_folder(history.path)) == ([(str(settings), what)] if what else []), after
    settings.write_text(whole.replace("samples = 200", "samples = 7"))
    unlisted(history, "settings")
    assert problems(open_folder(history.path)) == []
    store(open_folder(history.path), job(7), {"X": [1.0]})
    assert open_folder(history.path).noted_settings()["samples"] == 7
    settings.write_text(whole)
    assert problems(open_folder(history.path)) == [(str(settings), "samples was 7 and is 200")]


def test_each_merged_file_that_is_gone_is_found_without_a_list(tmp_path):
    """Months are merged apart, and again when their values go."""
    made = new(tmp_path / "h", samples=0, around=0)
    now = datetime(2026, 12, 20, tzinfo=UTC)
    for month in range(3):
        for number in range(3 * month, 3 * month + 3):
            store(made, job(number, started=f"2026-0{month + 1}-0{number + 1}T00:00:00+00:00"), {"X": [1.0, 2.0]})
        compact(made, analyse(catalog.read(made, Limits()), made.about.lane), Limits(), 0, now)
    for name in ("added.txt", ".gitignore"):
        (made.path / name).unlink()
    assert len(made.uploads()) == 3
    assert problems(made) == []
    for _, path in made.uploads():
        content = path.read_bytes()
        path.unlink()
        assert any("a merged file is missing" in what for _, what in problems(made))
        path.write_bytes(content)


def test_a_copy_without_a_list_says_so(history, run):
    assert "no list" not in run("history", "verify", "--history", history.path).err
    (history.path / "added.txt").unlink()
    done = run("history", "verify", "--history", history.path)
    assert (done.code, "this copy has no list of its files" in done.err) == (0, True)


def test_settings_that_are_gone_are_found(history):
    (history.path / "history.toml").unlink()
    with pytest.raises(Stop, match="it is gone, but the uploads are there"):
        open_folder(history.path)


def test_the_command_lists_what_is_wrong_and_exits_with_2(history, run, tmp_path):
    done = run("history", "verify", "--history", "h", cwd=tmp_path)
    assert (done.code, done.err) == (0, "statera: h: 4 files with 3 jobs checked, nothing is wrong\n")
    _, path = history.uploads()[0]
    path.write_bytes(b"")
    fails(
        run("history", "verify", "--history", "h", cwd=tmp_path),
        f"h/uploads/{path.parent.name}/{path.name}: its content does not match its name [bad-upload]",
        "4 files with 2 jobs checked, 1 problem",
    )


def test_names_of_strangers_are_harmless_in_the_list(history, run, tmp_path):
    history._store("events", json.dumps({"kind": "\x1b[31m"}).encode())
    (history.path / "events/a\x1b[2J").write_text("")
    done = run("history", "verify", "--history", "h", cwd=tmp_path)
    assert done.code == 2
    assert "\x1b" not in done.err
