"""The margin `noise`: the larger of the default and the noise floor that A/A runs measured."""

import json
import random

import pytest

import statera
from statera import Policy, Stop
from statera.support.settings import checked
from statera.support.settings.file import from_mapping
from support import go, noisy, write


def rows(run, paths, *options, **where):
    result = run("compare", *paths, "-f", "json", *options, **where)
    assert result.code == 0, result.err
    return json.loads(result.out)


@pytest.fixture
def processes(tmp_path):
    """Five processes of one build, which differ by 3 %; values of one process differ by 0.5 %."""
    dice = random.Random(3)  # noqa: S311 - noise, no secret
    texts = {}
    for process in range(5):
        level = 1 + 0.03 * dice.gauss(0, 1)
        own = {f"B{k}": [v * level for v in noisy(100, 12, seed=20 * process + k)] for k in range(4)}
        texts[f"p{process}"] = go({name: {"ns/op": v, "B/op": [64] * 12} for name, v in own.items()})
    return write(tmp_path, **texts)


def test_a_margin_may_be_the_noise_floor(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(103, seed=2)}))
    settings = tmp_path / "statera.toml"
    for floor, verdict in (("5%", "equivalent"), ("0.1%", "worse")):
        settings.write_text(f'margin = "noise"\n[noise]\n"sec/op" = "{floor}"\n')
        document = rows(run, paths, cwd=tmp_path)
        assert document["rows"][0]["verdict"] == verdict
    # 0.1 % is below the default of 2 %, which holds.
    row = statera.compare(*paths, policy=Policy(margin_time=0.05, margins=(("*", "noise"),), noise=(("*", 0.001),)))[0]
    assert row.verdict == "equivalent"
    assert document["policy"]["margins"] == [{"metrics": "*", "margin": "noise"}]
    assert document["policy"]["noise"] == [{"metrics": "sec/op", "floor": 0.001}]
    said = run("compare", *paths, "--method", cwd=tmp_path).out
    assert "margin * = noise (default none), noise sec/op = 0.001 (default none)" in said


def test_the_first_pattern_decides_between_noise_and_a_number(tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(103, seed=2)}))
    noise = (("sec/*", 0.05),)
    for margins, verdict in (
        ((("sec/op", "noise"), ("*", 0.001)), "equivalent"),
        ((("sec/op", 0.001), ("*", "noise")), "worse"),
    ):
        assert statera.compare(*paths, policy=Policy(margins=margins, noise=noise))[0].verdict == verdict


def test_the_option_takes_the_floors_of_the_settings_file(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(103, seed=2)}))
    (tmp_path / "statera.toml").write_text('[noise]\n"sec/op" = "5%"\n')
    assert rows(run, paths, cwd=tmp_path)["rows"][0]["verdict"] == "worse"
    assert rows(run, paths, "--margin", "noise", cwd=tmp_path)["rows"][0]["verdict"] == "equivalent"


def test_noise_without_a_floor_is_refused_with_the_way_to_measure_one(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(103, seed=2)}))
    result = run("compare", *paths, "--margin", "noise", "--no-config")
    assert (result.code, result.out) == (2, "")
    assert "no noise floors are given. Measure them with `statera inspect --aa FILES --propose`" in result.err
    with pytest.raises(Stop, match="noise sec/op must be a fraction of 0 or more"):
        checked(Policy(noise=(("sec/op", -1.0),)))
    with pytest.raises(Stop, match=r"noise\.sec/op: 5 could be per cent or a factor"):
        from_mapping({"noise": {"sec/op": 5}}, "statera.toml")
    with pytest.raises(Stop, match="noise takes a table of metric patterns"):
        from_mapping({"noise": 0.05}, "statera.toml")


def test_the_proposal_is_the_settings_file_that_silences_the_build_against_itself(run, tmp_path, processes):
    result = run("inspect", "--aa", *processes, "--propose", "--no-config")
    assert result.code == 0, result.err
    # The sizes of allocations are exact: they have no noise.
    assert "B/op" not in result.out
    (tmp_path / "statera.toml").write_text(result.out)
    document = rows(run, processes[:2], cwd=tmp_path)
    (floor,) = document["policy"]["noise"]
    assert floor["metrics"] == "sec/op"
    (metric,) = [m for m in statera.inspect(*processes, aa=True).self_test.metrics if m.rows]
    assert metric.floor <= floor["floor"] <= metric.floor + 1e-4
    assert 0.01 < metric.floor < 0.1
    assert not {"better", "worse"} & {row["verdict"] for row in document["rows"]}
    run("inspect", "--aa", *processes, "--propose", "-o", str(tmp_path / "noise.toml"), "--no-config")
    assert (tmp_path / "noise.toml").read_text() == result.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--propose",), "--propose writes what an A/A test measures. Add --aa"),
        (("--propose", "--aa", "-f", "json"), "--propose writes lines of TOML. Leave out -f"),
        (("--propose", "--aa"), "the results state no more than 1 process, and a noise floor takes four or more"),
    ],
)
def test_what_cannot_be_proposed_is_said(run, processes, options, said):
    result = run("inspect", *processes[:1], *options, "--no-config")
    assert (result.code, result.out) == (2, "")
    assert said in result.err
