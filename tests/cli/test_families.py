"""A command without a verb gets help, or hears which verb may be meant."""

from statera.cli import families
from support import every


def test_statera_alone_shows_what_it_is_for_and_passes_no_gate(run):
    result = run()
    assert (result.code, result.err) == (2, "")
    examples = [line for line in result.out.splitlines() if line.startswith("  statera ")]
    assert [line.split()[1] for line in examples] == ["compare", "run", "report"]
    assert len(result.out.splitlines()) < 12
    assert max(map(len, result.out.splitlines())) <= families.WIDTH


def test_a_family_alone_lists_its_verbs_and_passes_no_gate(run):
    result = run("store")
    assert (result.code, result.err) == (2, "")
    assert "  add " in result.out


@every(
    ("words", "same"),
    [
        (("help",), ("--help",)),
        (("help", "compare"), ("compare", "--help")),
        (("help", "cluster"), ("cluster", "-h")),
        (("help", "history", "add"), ("history", "add", "--help")),
    ],
)
def test_help_is_a_verb_too(run, words, same):
    result, other = run(*words), run(*same)
    assert (result.code, result.out, result.err) == (0, other.out, "")


@every(
    ("words", "said"),
    [
        (("comprae", "a", "b"), "there is no verb 'comprae'; did you mean compare?"),
        (("help", "inspct"), "there is no verb 'inspct'; did you mean inspect?"),
        (("history", "shwo"), "there is no verb 'shwo'; did you mean show?"),
        (("xyzzy",), "there is no verb 'xyzzy'\n"),
        (("-f", "json", "a"), "unrecognized arguments: -f; an option follows its verb"),
        (
            ("old.txt", "new one.txt"),
            "old.txt is a file, not a verb; did you mean: statera compare old.txt 'new one.txt'",
        ),
        (
            ("a=old.txt", "b=new one.txt", "-f", "json"),
            "did you mean: statera compare a=old.txt 'b=new one.txt' -f json",
        ),
        (("old.txt",), "old.txt is a file, not a verb; did you mean: statera inspect old.txt"),
        ((".",), ". is a folder, not a verb; did you mean: statera inspect ."),
        (("compare", "-f", "html", "a", "b"), "html is written by statera report OLD NEW -o report.html"),
        (("inspect", "-f", "svg", "a"), "svg is written by statera plot forest OLD NEW -o changes.svg"),
    ],
)
def test_what_may_be_meant_is_said(run, tmp_path, words, said):
    for name in ("old.txt", "new one.txt"):
        (tmp_path / name).write_text("x\n")
    result = run(*words)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_a_name_of_bytes_that_are_no_text_is_escaped(run, tmp_path):
    (tmp_path / "a\x1b\udcff").write_text("x\n")
    result = run("a\x1b\udcff")
    assert result.code == 2
    assert "\x1b" not in result.err
    assert r"\xFF" in result.err
