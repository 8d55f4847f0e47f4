"""Result files for tests."""

HEAD = "a" * 40
BASE = "b" * 40


def row(benchmark, verdict, change=0.2, **fields):
    """A row of a result."""
    return {
        "benchmark": benchmark,
        "group": "",
        "metric": "time",
        "baseline": BASE,
        "contender": HEAD,
        "quantity": "time",
        "unit": "s",
        "scale": "ratio",
        "baseline_centre": 1e-9,
        "contender_centre": 1e-9 * (1 + change),
        "change": change,
        "p_corrected": 0.001,
        "change_low": change - 0.01,
        "change_high": change + 0.01,
        "runs": [10, 10],
        "verdict": verdict,
        **fields,
    }


def result(*rows, failing=0, **fields):
    """A result of these rows."""
    verdicts = {}
    for each in rows:
        verdicts[each["verdict"]] = verdicts.get(each["verdict"], 0) + 1
    compared = {
        "verdicts": verdicts,
        "noun": "benchmark",
        "states": ["slower", "faster"],
        "rows": [*rows],
        "left_out": 0,
        "gate": {"fail_on": "worse:5%", "failing": failing},
        "noise": [
            {
                "metric": "time",
                "group": "",
                "benchmarks": 3,
                "called": 12,
                "trials": 30,
                "called_low": 0.23,
                "called_high": 0.6,
                "floor": 0.012,
            }
        ],
    }
    return {
        "schema": "statera.result/1",
        "statera": "0.1.0",
        "labels": [BASE, HEAD],
        "experiment": "experiment.toml",
        "factor": "rev",
        "revisions": [{"label": BASE, "commit": BASE, "dirty": False}],
        "machine": {"cpu": "Fast CPU"},
        "seed": 1,
        "rounds": 9,
        "failure": None,
        "compared": compared,
        **fields,
    }


def failure(code="build-failed", text="it does not compile"):
    """A result that is none."""
    return {**result(), "compared": None, "failure": {"code": code, "text": text}}
