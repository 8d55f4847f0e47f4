"""Reports of one run, of three, of repeats, of runs that lack what others have, and of strangers' names."""

import html
import json
import re
import subprocess
import sys
from urllib.parse import unquote

import pytest
import summaries
from reported import ENDINGS, dense, report, words_of
from strangers import HOSTILE, make, silent

from rendered import HOSTILE as NAMES
from rendered import acting
from statera._native import printable
from statera.cli import main
from statera.cluster.report.chain import outliers
from statera.cluster.samples import Mean, load
from statera.output.plots import ahead
from support import every

UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
PLAIN = ("n0", "n1", "n2", "n3", "n4")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Four runs of five hosts each; the last two are slower."""
    folder = tmp_path_factory.mktemp("runs")
    return [make(folder / f"run{seed}", seed=seed, hosts=PLAIN, slower=1 + seed // 3) for seed in (1, 2, 3, 4)]


@pytest.fixture(scope="module")
def strange(tmp_path_factory):
    """The report of two runs of strangers in every output, with its pictures."""
    folder = tmp_path_factory.mktemp("strange")
    old, new = make(folder / "old"), make(folder / "new", seed=2, slower=2.0)
    return report(folder / "report", f"{HOSTILE[8]}={old}", f"{HOSTILE[5]}={new}", "--title", HOSTILE[3])


@every("ending", ENDINGS)
def test_names_of_strangers_are_text_in_every_output(strange, ending):
    text = words_of(strange[ending])
    for name in (*HOSTILE[:9], HOSTILE[10]):
        assert dense(printable(name)) in text, name
    assert not UNSEEN.search(text)


def test_pictures_are_drawn_in_every_output(strange):
    """Bitmaps of some size beside Markdown, as many drawings in the page, and forms in the PDF."""
    bitmaps = sorted(strange["md"].with_name("report-files").glob("figure-*.png"))
    assert len(bitmaps) > 10
    assert all(path.stat().st_size > 5_000 for path in bitmaps)
    page = strange["html"].read_text(encoding="utf-8")
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" role="img"') == len(bitmaps)
    assert strange["pdf"].read_bytes().count(b"/Subtype/Form") >= len(bitmaps)


def test_the_page_runs_and_fetches_nothing_but_itself(strange):
    page = strange["html"].read_text(encoding="utf-8")
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    outside = re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)
    assert "<script>window" not in outside
    assert not re.search(r"<(img|iframe|object|embed|link|base)\b", outside)
    addresses = re.findall(r'\b(?:href|src)="([^"]*)"', outside)
    assert all(each.startswith(("#", "data:")) for each in addresses)


@pytest.mark.usefixtures("plain_pictures")
def test_one_run_is_reported_by_itself(runs, tmp_path):
    paths = report(tmp_path, runs[0], endings=["html", "md"])
    for path in paths.values():
        text = words_of(path)
        for words in ("Cluster run", "standard deviation", "Half of the cluster had adopted a block", "2.3 Forging"):
            assert dense(words) in text, words
        assert "intervalofΔ" not in text
        assert dense("How verdicts are decided") not in text


@pytest.mark.usefixtures("plain_pictures")
def test_three_runs_stand_side_by_side(runs, tmp_path):
    text = report(tmp_path, f"a={runs[0]}", f"b={runs[1]}", f"c={runs[2]}", endings=["md"])["md"].read_text()
    assert "**b and c against a**" in text
    assert "| metric | a | b | Δ | b, Δ% | c | Δ | c, Δ% |" in text
    assert text.count("**b against a") == text.count("**c against a") == 6
    assert "### c against a" in text


@pytest.mark.usefixtures("plain_pictures")
def test_repeats_make_the_run_the_unit(runs, tmp_path):
    words = [f"{label}={path}" for label, path in zip(("a", "a", "b", "b"), runs, strict=True)]
    path = report(tmp_path, *words, endings=["md"])["md"]
    assert {"blocks-1-a-run1.csv", "summary-4-b-run4.json"} <= {each.name for each in path.parent.rglob("*")}
    text = words_of(path)
    assert "onerunperbuild" not in text
    assert dense("Where a build has several runs the unit is the run") in text
    assert dense("b (") in text
    assert dense("2 runs) compared with a (") in text


@pytest.mark.usefixtures("plain_pictures")
def test_what_has_no_blocks_and_no_resources_is_reported_all_the_same(tmp_path):
    run = silent(tmp_path / "run")
    for path in report(tmp_path / "one", run).values():
        text = words_of(path)
        assert dense("no chain was found") in text
        assert dense("there are no metrics of resources") in text
    text = words_of(report(tmp_path / "two", f"a={run}", f"b={run}", endings=["html"])["html"])
    assert dense("Not compared, because a build has no values") in text


def test_analyses_that_were_made_together_are_runs_of_one_configuration(tmp_path, runs, capsys):
    out = tmp_path / "out"
    (out / "pooled").mkdir(parents=True)
    for path in runs[:2]:
        (out / path.name).symlink_to(path)
    pooled = summaries.pooled(*(path.name for path in runs[:2]))
    (out / "pooled/summary.json").write_text(json.dumps(pooled))
    for given in (out, out / "pooled"):
        assert main(["cluster", "compare", str(given), f"slow={runs[2]}", "-f", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["baseline"], found["numberOfRuns"]) == ("out", {"out": 2, "slow": 1})


def test_analyses_that_nobody_put_together_are_not_guessed_at(tmp_path, runs, capsys):
    for path in runs[:2]:
        (tmp_path / path.name).symlink_to(path)
    assert main(["cluster", "compare", str(tmp_path), str(runs[2])]) == 2
    said = capsys.readouterr().err
    assert "2 separate analyses" in said
    assert f"LABEL={tmp_path}/run1 LABEL={tmp_path}/run2" in said


def test_a_filter_cannot_change_what_is_analysed_already(runs, capsys):
    compare = ["cluster", "compare", str(runs[0]), str(runs[1])]
    assert main([*compare, "--filter", "SlotGEq 5"]) == 2
    assert "was analysed with" in capsys.readouterr().err
    same = load(runs[0]).summary["filters"]
    words = [word for text in same or ["none"] for word in ("--filter", text)]
    assert main([*compare, *words]) == 0


@pytest.mark.usefixtures("plain_pictures")
def test_a_comparison_is_written_as_the_same_document(runs, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (("-o", "x.html"), ("-o", "x.pdf"), ("-f", "html"), ("-f", "html", "-o", "x.txt")):
        assert main(["cluster", "compare", f"a={runs[0]}", f"b={runs[1]}", *words]) == 0
        printed = capsys.readouterr().out.encode()
        made = (tmp_path / words[-1]).read_bytes() if "-o" in words else printed
        assert made.startswith(b"%PDF" if words[-1].endswith("pdf") else b"<!DOCTYPE html>"), words
        assert words[-1].endswith("pdf") or b"6 Data dictionary" in made, words


def test_without_the_extra_the_way_to_it_is_told(runs, tmp_path):
    """An import hook stands for an installation without the packages of reports."""
    script = (
        "import sys; sys.modules['jinja2'] = None; from statera.cli import main; "
        "sys.exit(main(['cluster', 'report', *sys.argv[1:]]))"
    )
    words = [sys.executable, "-c", script, str(runs[0]), "-o", str(tmp_path / "x.html")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr.endswith("run: pip install '.[report]' [missing-package]\n")


class Drawing:
    """A process that draws at once."""

    def __init__(self, _version):
        pass

    def svg(self, **_request):
        return '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

    def kill(self):
        pass

    close = kill


def test_charts_are_drawn_while_the_report_is_made(runs, tmp_path, monkeypatch):
    early, begin = [], ahead.begin
    monkeypatch.setattr(ahead, "DrawingProcess", Drawing)

    def begun(picture):
        early.append(bool(ahead._current) and ahead._current[-1].early)
        return begin(picture)

    monkeypatch.setattr(ahead, "begin", begun)
    assert main(["cluster", "report", str(runs[0]), "-o", str(tmp_path / "x.html")]) == 0
    assert early
    assert all(early)


def test_the_answer_is_written_as_card_and_badge(runs, tmp_path):
    names = ("card.svg", "badge.svg")
    words = [f"a={runs[0]}", f"b={runs[2]}", *(part for name in names for part in ("-o", tmp_path / name))]
    assert main(["cluster", "report", *map(str, words)]) == 0
    card, badge = ((tmp_path / name).read_text() for name in names)
    assert "b against a" in card
    assert ">statera</text>" in badge


@pytest.mark.usefixtures("plain_pictures")
def test_prose_stands_where_it_is_sent_and_its_values_are_those_of_the_tables(runs, tmp_path, capsys):
    said = tmp_path / "notes.md"
    said.write_text('# results\nSlower: {{effect("cdf0.50", "b")}}, n {{n("cdf0.50", "a")}}, {{verdict("cdf0.50")}}.\n')
    words = [f"a={runs[0]}", f"b={runs[2]}", "--notes", said]
    text = report(tmp_path / "made", *words, endings=["md"])["md"].read_text()
    row = r"\| 0\.50 adoption, \w+ \|[^|]*\|[^|]*\|[^|]*\| ([^|]*) \| ([^|]*) \| ([^|]*) \|"
    table = re.search(row, text[text.index("## 2 Analysis") :])
    effect, verdict, n = table.groups()
    assert f"Slower: {effect}, n {n}, {verdict} (one run per build)." in text
    assert text.index("## 2 Analysis") < text.index("Slower:") < text.index("2.1 Resource Usage")
    said.write_text('{{effect("cdf0.51", "b")}}')
    assert main(["cluster", "report", *map(str, words), "-o", str(tmp_path / "x.md")]) == 2
    assert "notes.md:1" in capsys.readouterr().err


def test_a_host_that_uses_more_than_the_others_stands_apart(runs):
    run = load(runs[0])
    means = {f"h{place}": Mean(10.0 + 0.1 * (place % 3), 9) for place in range(9)}
    odd = run._replace(hosts={"CentiCpu": {**means, "odd": Mean(20.0, 9)}})
    assert [(far.host, far.metric.key) for far in outliers(odd)] == [("odd", "CentiCpu")]
    assert outliers(run._replace(hosts={"CentiCpu": means})) == []
    few = {host: Mean(mean, 9) for host, mean in {"a": 1.0, "b": 2.0, "c": 3.0, "d": 90.0}.items()}
    assert outliers(run._replace(hosts={"CentiCpu": few})) == []


@pytest.mark.usefixtures("plain_pictures")
def test_names_of_strangers_act_in_no_view(tmp_path, capsys, monkeypatch):
    names = (*NAMES[:7], HOSTILE[8], *NAMES[7:])
    monkeypatch.setattr("strangers.HOSTILE", names)
    old, new = (make(tmp_path / name, seed=seed, hosts=names[:8]) for seed, name in enumerate(("old", "@user #1 GH-1")))
    labels = (f"{names[4]}={old}", f"{names[7]} www.evil.invalid={new}")
    for command in (["compare", *labels], ["host", str(new), names[7]], ["block", str(new), "5"], ["errors", str(new)]):
        for kind in ("markdown", "terminal", "json"):
            assert main(["cluster", *command, "-f", kind]) == 0
            written = capsys.readouterr().out
            assert not UNSEEN.search(written)
            assert kind != "markdown" or acting(written) == []
    path = tmp_path / "report.md"
    assert main(["cluster", "report", *labels, "--title", names[0], "-o", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    links = re.findall(r'\]\(([^)]*)\)|<img src="([^"]*)"', text)
    ours = {link for each in links for link in each if link and (tmp_path / unquote(link)).is_file()}
    assert acting(text, ours=ours) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["@user #1 GH-1", "old", "report-files", "report.md"]
