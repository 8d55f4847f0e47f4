"""Whatever the directories of logs, of results and of scratch are called, the numbers are the same."""

import json
import shutil

import pytest

from support import ROOT

EXAMPLE = ROOT / "examples/cluster"
# Each stands below the other.
ODD = "size=1/slot=5/host=x/a{b,c}/it's/%2e/a\nb/a b,c/a\\b"


@pytest.mark.parametrize(("name", "beside"), [(ODD, "size=1/slot=5/host=x/ab"), ("g[1]", "g1"), ("a*", "aa")])
def test_results_do_not_depend_on_where_they_are_written(name, beside, several, run, tmp_path):
    # Where `g[1]` or `a*` is taken for a pattern, another's tables are read.
    whole = several / "base-1"
    shutil.copytree(several / "slower-1", tmp_path / beside / "out")
    (tmp_path / name).mkdir(parents=True, exist_ok=True)
    assert run("cluster", "analyse", EXAMPLE / "base-1", "-o", f"{name}/out").code == 0
    assert (tmp_path / name / "out/summary.json").read_bytes() == (whole / "summary.json").read_bytes()
    block = run("cluster", "block", f"{name}/out", "12", "-f", "json")
    assert (block.code, block.out) == (0, run("cluster", "block", whole, "12", "-f", "json").out)


def test_a_comparison_does_not_depend_on_where_its_scratch_is(run, tmp_path):
    runs = [f"a={EXAMPLE / 'base-1'}", f"b={EXAMPLE / 'slower-1'}"]
    plain = run("cluster", "compare", *runs, "-f", "csv")
    scratch = tmp_path / "slot=5/size=[1]*"
    scratch.mkdir(parents=True)
    assert run("cluster", "compare", *runs, "-f", "csv", env={"TMPDIR": str(scratch)}) == plain
    assert not any(scratch.iterdir())


def test_runs_and_hosts_of_odd_names_are_pooled_as_they_are(run, tmp_path):
    for name in ("size=1", "g[1]", "g1"):
        shutil.copytree(EXAMPLE / "base-1", tmp_path / name)
        described = json.loads((tmp_path / name / "run.json").read_text())
        hosts = described["hosts"]
        (tmp_path / name / hosts[0]).rename(tmp_path / name / "slot=5")
        (tmp_path / name / "run.json").write_text(json.dumps(described | {"hosts": ["slot=5", *hosts[1:]]}))
    assert run("cluster", "analyse", "size=1", "g[1]", "g1", "-o", "host=x").code == 0
    [pooled, one] = [json.loads((tmp_path / "host=x" / name / "summary.json").read_text()) for name in ("pooled", "g1")]
    sizes = pooled["metrics"]["cdfBlockSize"]
    assert (sizes["n"], sizes["mean"]) == (
        3 * one["metrics"]["cdfBlockSize"]["n"],
        one["metrics"]["cdfBlockSize"]["mean"],
    )
