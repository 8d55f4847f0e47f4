"""Every option of a comparison holds for runs of a cluster as for any others: one policy, one gate, one order."""

import json
import re
import shutil

import pytest

from support import every, fails

# Of these options a report shows words.
pytestmark = pytest.mark.usefixtures("plain_pictures")


@pytest.fixture(scope="module")
def runs(noisy, tmp_path_factory):
    """Two runs a side, of which the new ones are slower; a third pair of another era; two of a single host."""
    folder = tmp_path_factory.mktemp("runs")
    of = {}
    for seed in range(3):
        of[f"old{seed}"] = noisy(seed=seed, era="babbage" if seed == 2 else "alonzo")
        of[f"new{seed}"] = noisy(seed=10 + seed, delay=0.12, era="conway")
    for name, delay in (("alone", 0.1), ("slower", 0.12)):
        of[name] = noisy(seed=1, hosts=("h0",), delay=delay)
    for name, run in of.items():
        shutil.copytree(run.path, folder / name)
    return folder


@pytest.fixture
def run(here):
    return here


@pytest.fixture
def words(runs):
    return [f"{label}={runs / label}{seed}" for label in ("old", "new") for seed in range(2)]


@pytest.fixture
def found(run, words):
    """The document of a comparison with some options, and the rows of its means by metric."""

    def compared(*options, of=words):
        done = run("cluster", "compare", *of, *options, "-f", "json")
        assert done.code == 0, done.err
        document = json.loads(done.out)
        return document | {"of": {row["metric"]: row for row in document["rows"] if row["benchmark"] == "cluster"}}

    return compared


def test_the_common_document_and_the_keys_of_the_specification_stand_together(found):
    document = found()
    assert document["schema"].startswith("statera.comparison/")
    assert (document["spec"], document["baseline"], document["runs"]) == (1, "old", ["new"])
    metric, row = document["metrics"]["cdfStarted"], document["of"]["cdfStarted"]
    assert metric.keys() == {"title", "unit", "better", "table", "base", "n", "runs", "values"}
    [change] = metric["runs"]
    assert change.keys() == {"mean", "n", "delta", "deltaPercent"}
    assert change["delta"] == row["change"]
    assert (metric["n"], row["design"], row["verdict"]) == (360, "nested", "worse")


def test_a_margin_decides_what_is_equivalent(found):
    assert found()["of"]["cdfStarted"]["verdict"] == "worse"
    document = found("--margin", "cdfStart*=50%")
    assert document["of"]["cdfStarted"]["verdict"] == "equivalent"
    assert [each["name"] for each in document["settings"]["changed"]] == ["margins"]


def test_a_direction_decides_what_is_better(found):
    for way, verdict in {"higher": "better", "none": "changed", "lower": "worse"}.items():
        assert found("--better", f"cdfStarted={way}")["of"]["cdfStarted"]["verdict"] == verdict


def test_alpha_is_the_level_of_intervals(found):
    # Corrected, a called row has a level that follows the number of called rows.
    plain = ("--correction", "none")
    wide, narrow = (found("--alpha", alpha, *plain)["of"]["cdfStarted"] for alpha in ("0.01", "0.2"))
    assert wide["change_low"] < narrow["change_low"] < narrow["change_high"] < wide["change_high"]
    assert (wide["change_level"], narrow["change_level"]) == (0.99, 0.8)


def test_the_correction_is_that_of_the_policy(found):
    usual = found()
    rows = [row for row in usual["rows"] if row["p"] is not None]
    assert "corrected together (Benjamini-Hochberg" in usual["method"]
    for row in found("--correction", "bonferroni")["rows"]:
        if row["p"] is not None:
            assert row["p_corrected"] == pytest.approx(min(1.0, row["p"] * len(rows)))
    assert all(row["p"] == row["p_corrected"] for row in found("--correction", "none")["rows"])
    assert "the runs cannot be permuted jointly for Westfall-Young" in found("--correction", "westfall-young")["method"]


def test_settings_of_the_folder_reach_clusters_and_are_named(run, words, tmp_path):
    (tmp_path / "statera.toml").write_text('alpha = 0.4\nmargin = "900%"\n')
    done = run("cluster", "compare", *words)
    assert done.code == 0
    assert "Settings: file statera.toml; alpha 0.4" in done.out
    assert "Intervals of Δ at 60 %" in done.out
    assert "  slower" not in done.out
    assert "  slower" in run("cluster", "compare", *words, "--no-config").out
    assert "settings: file statera.toml" in run("cluster", "compare", *words, "-f", "csv").err
    (tmp_path / "other.toml").write_text("alpha = 0.01\n")
    assert "Intervals of Δ at 99 %" in run("cluster", "compare", *words, "--config", "other.toml").out


GATES = [
    (("--fail-on", "worse"), 1, "the gate:"),
    (("--fail-on", "worse:5%"), 1, "cdfStarted"),
    (("--fail-on", "worse:90%"), 0, "with no clear change"),
    (("--fail-on", "nothing"), 2, "bad-option"),
]


@every("options, code, said", GATES)
def test_the_gate_closes(run, words, options, code, said):
    done = run("cluster", "compare", *words, *options)
    assert (done.code, said in done.err) == (code, True), done.err


def test_the_gate_counts_one_run_a_side_where_it_is_asked_to(run, runs):
    words = ("cluster", "compare", runs / "alone", runs / "slower", "--fail-on", "worse")
    fails(
        run(*words),
        "--accept-one-process makes the gate judge it",
        "for the worse, but each build has one run, so the gate does not judge",
    )
    accepted = run(*words, "--accept-one-process")
    assert accepted.code == 1
    assert "\n  cdfStarted  " in accepted.err
    assert "differs (one run per build)" in accepted.err
    assert "--fail-on worse --accept-one-process" in accepted.err


@every("how", ["whole", "lost", "of fewer hosts", "ends early", "copied"])
def test_what_a_build_lost_or_repeats_leaves_the_gate_without_an_answer(run, runs, tmp_path, how):
    words = []
    for seed in range(2):
        made = tmp_path / how / f"run{seed}"
        shutil.copytree(runs / f"old{seed}", made)
        summary = json.loads((made / "summary.json").read_text())
        match how:
            case "lost":
                lost = {"code": "host-without-logs", "source": "", "line": 0, "what": "'h1' has no log file"}
                summary["warnings"].append(lost)
            case "of fewer hosts":
                next(iter(summary["hosts"].values()))["analysed"] = 0
            case "ends early":
                summary["manifest"]["nodeStopSpread"] = summary["manifest"]["runTime"] / 2
        (made / "summary.json").write_text(json.dumps(summary))
        words.append(f"faster={made}")
    before = [f"base={runs / name}" for name in (("old0", "old1") if how == "copied" else ("new0", "new1"))]
    done = run("cluster", "compare", *before, *words, "--fail-on", "worse")
    said = {
        "lost": ", the first: run0: 'h1' has no log file [unread-results]",
        "of fewer hosts": "faster has a run with events of ",
        "ends early": "run0: the logs of its hosts end ",
        "copied": "faster has the values of base, all of them.",
    }
    assert (done.code, said.get(how, "no clear change") in done.err) == (0 if how == "whole" else 2, True), done.err


@pytest.fixture
def earlier(runs):
    return ["--baseline-runs", f"{runs}/old1", f"{runs}/old2"]


def test_earlier_runs_of_the_baseline_judge_a_single_new_run(run, runs, found, earlier):
    pair = (f"old={runs}/old0", f"new={runs}/new0")
    assert found(of=pair)["of"]["cdfStarted"]["warnings"] == ["one-process"]
    document = found(*earlier, of=pair)
    row = document["of"]["cdfStarted"]
    assert (row["verdict"], row["design"], row["method"]) == ("worse", "nested", "prediction")
    assert (row["baseline_n"], row["contender_n"], document["numberOfRuns"]) == (3, 1, {"old": 3, "new": 1})
    # A run without a label is a baseline as well, and so is the one that is named.
    unlabelled = found(*earlier, of=(runs / "old0", runs / "new0"))
    assert unlabelled["of"]["cdfStarted"]["p"] == row["p"]
    turned = found(*earlier, "--baseline", "old", of=reversed(pair))
    assert turned["of"]["cdfStarted"]["p"] == row["p"]
    done = run("cluster", "compare", *pair, *earlier, "--fail-on", "worse")
    assert (done.code, "\n  cdfStarted  " in done.err) == (1, True)


def test_earlier_runs_are_read_by_the_report_too(run, runs, earlier, tmp_path):
    pair = (f"old={runs}/old0", f"new={runs}/new0")
    single = (f"old={runs}/alone", f"new={runs}/slower")
    assert run("cluster", "report", *single, "-o", "one.md").code == 0
    assert run("cluster", "report", *pair, *earlier, "-o", "several.md").code == 0
    one, several = ((tmp_path / name).read_text() for name in ("one.md", "several.md"))
    assert re.search(r"\*\*\S+ 1 of 18 metrics differs \(Forge loop tardiness \+[\d.]+%, one run per build\)", one)
    assert re.search(r"\| Forge loop tardiness, ms \|.*\| differs \|", one)
    assert not re.search(r"\| Forge loop tardiness, ms \|.*\| slower \|", one)
    assert re.search(r"\| Forge loop tardiness, ms \|.*\| slower \|", several)
    assert "judged by a prediction interval" in several


def test_earlier_runs_that_cannot_be_used_say_why(run, runs, earlier):
    pair = (f"old={runs}/old0", f"new={runs}/new0")
    done = run("cluster", "compare", *pair, *earlier, "--by", "era")
    fails(done, "--baseline-runs adds runs to a label, and --by ignores labels")
    fails(run("cluster", "compare", *pair, "--baseline-runs", f"{runs}/old0"), "[same-run]")
    fails(run("cluster", "compare", *pair, "--baseline-runs", f"{runs}/nowhere"), "nowhere")
    done = run("cluster", "compare", *pair, *earlier, "-f", "csv", "-o", f"{runs}/old2/run.json")
    assert done.code == 2, done.err


def test_notes_speak_of_hosts_and_runs(found, runs):
    notes = {note["code"]: note["text"] for note in found(of=(runs / "old0", runs / "new0"))["notes"]}
    assert notes["paired"] == "Paired by host."
    assert notes["one-process"].startswith("Each build has one run, so the interval lacks the variation between runs.")


def test_findings_and_method_name_metrics_and_runs(found):
    document = found()
    worse = [row for row in document["rows"] if row["verdict"] == "worse"]
    [finding] = [each for each in document["findings"] if each.startswith(("Worse: ", "Slower: "))]
    assert set(re.findall(r"(\w+) \(\+", finding)) == {row["metric"] for row in worse} != set()
    assert any(finding.startswith(f"Slower: {row['metric']} (+") for row in worse)
    assert "t on one value per run" in document["method"]


def test_only_what_changed_in_the_order_asked_for(run, words, found):
    every, changed = found()["rows"], found("--changed")["rows"]
    assert {row["verdict"] for row in changed} <= {"better", "worse", "changed"}
    assert len(changed) < len(every)
    by_p = [row["p_corrected"] for row in found("--sort", "p")["rows"] if row["p_corrected"] is not None]
    assert by_p == sorted(by_p)
    verdicts = [row["verdict"] for row in found("--sort", "worst")["rows"]]
    assert verdicts[: verdicts.count("worse")] == ["worse"] * verdicts.count("worse") != []
    out = run("cluster", "compare", *words, "--changed").out
    assert "\nForge loop tardiness, ms" in out
    assert "\nChain density" not in out
    assert run("cluster", "compare", *words, "--changed", "-f", "html").code == 2


def test_metrics_are_chosen_by_patterns(run, words, found):
    document = found("--metric", "cdfStart*")
    assert document["metrics"].keys() == document["of"].keys() == {"cdfStarts", "cdfStarted"}
    out = run("cluster", "compare", *words, "--metric", "cdfStart*").out
    assert "Forge loop starts" in out
    assert "Block size" not in out
    assert "2.3 Forging" not in out
    assert run("cluster", "compare", *words, "--metric", "nope").code == 2


def test_variants_are_the_values_of_a_key(run, runs, found):
    every = [runs / f"{label}{seed}" for label in ("old", "new") for seed in range(3)]
    document = found("--by", "era", of=every)
    assert document["labels"] == ["alonzo", "babbage", "conway"]
    assert document["numberOfRuns"] == {"alonzo": 2, "babbage": 1, "conway": 3}
    assert [len(manifests) for manifests in document["manifests"].values()] == [2, 1, 3]
    assert found("--by", "era", "--baseline", "conway", of=every)["baseline"] == "conway"
    fails(run("cluster", "compare", *every, "--by", "nope"), "there are: ", "era")


def test_runs_that_a_key_puts_together_count_once(run, runs):
    fails(run("cluster", "compare", runs / "old0", runs / "old0", runs / "new0", "--by", "era"), "is the same run as")


def test_runs_of_one_label_are_one_configuration_whatever_they_state(found, runs):
    words = [f"old={runs}/old{seed}" for seed in (0, 2)] + [f"new={runs}/new{seed}" for seed in (0, 2)]
    document = found(of=words)
    assert len(document["of"]) == sum(row["benchmark"] == "cluster" for row in document["rows"])
    assert document["numberOfRuns"] == {"old": 2, "new": 2}


def test_all_pairs_are_compared(run, runs, found):
    words = [f"a={runs}/old0", f"b={runs}/new0", f"c={runs}/old1"]
    document = found("--pairs", "all", of=words)
    pairs = {(row["baseline"], row["contender"]) for row in document["rows"]}
    assert pairs == {("a", "b"), ("a", "c"), ("b", "c")}
    # The specification's keys are of the baseline.
    assert [len(metric["runs"]) for metric in document["metrics"].values()] == [2] * 57
    # Of means there is no test over all variants, and so no first stage of two.
    assert (document["omnibus"], document["correction"]["how"]) == ([], "flat")
    assert run("cluster", "compare", *words, "--pairs", "all").out.count("2.1 Resource Usage") == 3


def test_the_report_of_one_run_has_the_metrics_chosen(run, runs, tmp_path):
    assert run("cluster", "report", runs / "old0", "-o", "r.md", "--metric", "cdfStart*").code == 0
    text = (tmp_path / "r.md").read_text()
    assert "Forge loop tardiness, ms" in text
    assert "2.3 Forging" not in text
    assert run("cluster", "report", runs / "old0", "-o", "r.md", "--metric", "nope").code == 2
    (tmp_path / "n.md").write_text('It is {{mean("cdfBlockSize")}}.\n')
    done = run("cluster", "report", runs / "old0", "-o", "r.md", "--metric", "cdfStart*", "--notes", "n.md")
    fails(done, "--metric excludes it")


def test_limits_hold(run, runs, words):
    fails(run("cluster", "compare", *words, "--limit", "values=10"), "values=10", "[too-much]")
    fails(run("cluster", "compare", *words, f"third={runs}/old2", "--limit", "pairs=1"), "pairs=1")


@pytest.mark.later
def test_a_report_obeys_the_same_policy(run, words, tmp_path):
    def report(*options, name="r.md"):
        done = run("cluster", "report", *words, "-o", name, *options)
        assert done.code == 0, done.err
        return (tmp_path / name).read_text()

    def verdict(text):
        verdicts = "slower|higher|unchanged|no clear change"
        return re.search(rf"Forge loop tardiness, ms\b.*?\b({verdicts})\b", text, re.DOTALL)[1]

    assert verdict(report()) == verdict(report(name="r.html")) == "slower"
    assert verdict(report("--better", "cdfStarted=higher")) == "higher"
    text = report("--margin", "cdfStarted=50%", "--correction", "holm", "--metric", "cdfStart*")
    assert verdict(text) == "unchanged"
    assert "Holm" in text
    assert "50 %" in text
    assert "Block size is" not in text
    assert report("--pairs", "all", "--by", "era")
