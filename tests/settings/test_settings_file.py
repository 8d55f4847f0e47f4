import json

import pytest

from statera.support.errors import Stop
from statera.support.settings import Limits, Policy
from statera.support.settings.file import find_file, from_mapping, load
from statera.support.settings.limits import parse_limits, parse_size
from statera.support.settings.policy import parse_fraction
from support import ROOT, every, fails, go, noisy, stopped, write


@pytest.fixture
def slower(tmp_path):
    """Three per cent slower: worse by default, equivalent with a margin of 5 %."""
    return write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(103, seed=2)}))


def verdict(result):
    assert result.code == 0, result.err
    return json.loads(result.out)["rows"][0]["verdict"]


def compared(run, paths, *options, **where):
    return run("compare", *paths, "-f", "json", *options, **where)


def test_pyproject_toml_counts_only_with_a_table_for_statera(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.statera]\nalpha = 0.01\n")
    (inner / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find_file(str(inner)).path == str(tmp_path / "pyproject.toml")
    assert load(str(tmp_path / "pyproject.toml")).policy.alpha == 0.01


def test_the_nearest_file_wins_and_statera_toml_over_pyproject(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / ".git").mkdir()
    for folder in (tmp_path, inner):
        (folder / "statera.toml").write_text("")
        (folder / "pyproject.toml").write_text("[tool.statera]\n")
    assert find_file(str(inner)).path == str(inner / "statera.toml")


def test_no_config_ignores_the_file_and_config_names_another(run, tmp_path, slower):
    (tmp_path / "statera.toml").write_text('margin = "5%"\n')
    (tmp_path / "other.toml").write_text("margin_time = 0.10\n")
    assert verdict(compared(run, slower)) == "equivalent"
    assert verdict(compared(run, slower, "--no-config")) == "worse"
    document = json.loads(compared(run, slower, "--config", "other.toml").out)
    assert document["policy"]["margin_time"] == 0.1


def test_options_win_over_the_file(run, tmp_path, slower):
    (tmp_path / "statera.toml").write_text(
        'alpha = 0.01\ncorrection = "holm"\nseed = 7\nmargin = "5%"\n[better]\n"ns/op" = "higher"\n'
    )
    policy = json.loads(compared(run, slower).out)["policy"]
    assert (policy["alpha"], policy["correction"], policy["seed"]) == (0.01, "holm", 7)
    options = ["--alpha", "0.05", "--correction", "none", "--seed", "8", "--margin", "1%", "--better", "sec/op=lower"]
    result = compared(run, slower, *options)
    policy = json.loads(result.out)["policy"]
    assert (policy["alpha"], policy["correction"], policy["seed"]) == (0.05, "none", 8)
    assert verdict(result) == "worse"


def test_margins_and_directions_are_set_per_metric(run, tmp_path, slower):
    (tmp_path / "statera.toml").write_text('[margin]\n"ns/op" = "5%"\n"*" = 0.001\n')
    assert verdict(compared(run, slower)) == "equivalent"
    (tmp_path / "statera.toml").write_text('[better]\n"/^sec/" = "higher"\n')
    assert verdict(compared(run, slower)) == "better"


def test_an_unknown_key_is_named_with_those_that_are_known(run, tmp_path, slower):
    (tmp_path / "statera.toml").write_text("alfa = 0.01\n")
    fails(
        compared(run, slower),
        "statera.toml: there is no setting 'alfa'; the settings are alpha, better, columns, correction",
        "[bad-settings]",
    )


@every(
    ("text", "said"),
    [
        ('fail-on = "worse"', "no setting 'fail-on': --fail-on is an option only. Pass it to the command [bad"),
        ('fail_on = "worse"', "no setting 'fail_on': --fail-on is an option only"),
        ('place = "results"', "no setting 'place' above all tables. It belongs to the table history"),
        ('[policy]\nfail-on = "worse"', "no table 'policy'; the settings, which stand above all tables, are alpha, "),
        ('alpha = "small"', "alpha takes a float, not 'small'"),
        ("seed = 1.5", "seed takes a int, not 1.5"),
        ("correction = 3", "correction takes a str, not 3"),
        ('correction = "bonferonni"', "bonferonni"),
        ("alpha = 2", "alpha"),
        ('margin_time = "a lot"', "margin_time"),
        ("margin_time = [1]", "margin_time"),
        ("margin = [1]", "margin"),
        ("margin = true", "margin"),
        ("[margin]\nx = 7", "margin.x"),
        ("[margin]\nx = {}", "margin.x"),
        ('better = "lower"', "better takes a table"),
        ('[better]\nx = "up"', "lower, higher or none"),
        ('scale = "log"', "scale"),
        ('zeros = "keep"', "zeros"),
        ("power = 7.0", "power"),
        ("resamples = -5", "resamples"),
        ("resamples = 0", "resamples"),
        ("seed = true", "seed"),
        ("alpha = ", "line 1"),
    ],
)
def test_a_value_that_cannot_be_stops_and_names_key_and_file(run, tmp_path, slower, text, said):
    (tmp_path / "statera.toml").write_text(text + "\n")
    result = compared(run, slower)
    assert result.code == 2, "the setting was taken"
    assert "Traceback" not in result.err
    assert said in result.err
    assert "statera.toml" in result.err


def test_a_settings_file_that_is_not_there_or_not_utf8_is_named(run, tmp_path, slower):
    fails(compared(run, slower, "--config", "absent.toml"), "absent.toml")
    (tmp_path / "bytes.toml").write_bytes(b"alpha = \xff\n")
    broken = compared(run, slower, "--config", "bytes.toml")
    assert (broken.code, "Traceback" in broken.err) == (2, False)
    assert "bytes.toml" in broken.err


@every("text", ["tool = 1", "[tool]\nstatera = 1"])
def test_a_table_that_is_none_is_named(run, tmp_path, slower, text):
    (tmp_path / "pyproject.toml").write_text(text + "\n")
    result = compared(run, slower, "--config", "pyproject.toml")
    assert (result.code, "Traceback" in result.err) == (2, False)
    assert "pyproject.toml: " in result.err
    assert "must be a table [tool.statera], not 1 [bad-settings]" in result.err


def documented(heading):
    """The rows of the table of settings.md with this heading, by the name in their first cell."""
    text = (ROOT / "docs/settings.md").read_text(encoding="utf-8").partition(heading)[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:]] for line in text.splitlines() if line[:3] == "| `"]
    return {row[0].strip("`"): row for row in rows}


def test_a_policy_is_frozen_and_every_default_is_the_documented_one():
    policy = Policy()
    with pytest.raises(AttributeError):
        policy.alpha = 0.1
    assert from_mapping({}, "x") == policy
    settings = documented("| setting | option | default |")
    for name, value in policy._asdict().items():
        if name not in {"margins", "directions", "noise"}:
            assert settings[name][2].strip('`"') == str(value).lower(), name


def test_every_limit_has_the_documented_default_and_takes_what_is_documented():
    stated = {name: row[1] for name, row in documented("| limit | default |").items()}
    assert {name: parse_size(size) for name, size in stated.items()} == Limits()._asdict()
    assert parse_limits([f"{name}={size}" for name, size in stated.items()], Limits(*[1] * len(stated))) == Limits()
    # Only the limits that are sizes have units.
    sizes = {name for name in stated if not stopped(parse_limits, [f"{name}=1K"], Limits())}
    assert sizes == {name for name, size in stated.items() if size.endswith("B")}


@every(("text", "value"), [("2%", 0.02), ("0.02", 0.02), (0.02, 0.02), ("0", 0.0), (" 150% ", 1.5)])
def test_a_fraction_is_read_from_per_cent_or_a_number_below_one(text, value):
    assert parse_fraction(text, "x") == pytest.approx(value)


@every("text", ["1", "5", 2, "x", "", "%", "-1%", "-0.1", "nan", "nan%", "inf", "inf%"])
def test_a_fraction_that_nobody_can_know_is_refused(text):
    with pytest.raises(Stop):
        parse_fraction(text, "x")
