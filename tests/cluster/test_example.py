"""The example runs of a cluster are what their commands write, and their known effect is found."""

import json
import re
import subprocess
import sys

import pyarrow as pa

from statera.cli import main
from support import ROOT

EXAMPLE = ROOT / "examples/cluster"


def text(path):
    return pa.input_stream(str(path), compression="zstd").read() if path.suffix == ".zst" else path.read_bytes()


def test_the_logs_are_those_that_their_commands_write(tmp_path):
    # The script calls the Python of the repository; this one has the same tools wherever the tests run.
    script = (EXAMPLE / "run.sh").read_text()
    assert "../../.venv/bin/python" in script
    script = script.replace("../../.venv/bin/python", sys.executable).replace("../../tests", str(ROOT / "tests"))
    (tmp_path / "run.sh").write_text(re.sub(r"^run (?!base-1|slower-3).*\n", "", script, flags=re.MULTILINE))
    subprocess.run(["sh", "run.sh"], cwd=tmp_path, check=True)
    made = sorted(path.relative_to(tmp_path) for run in tmp_path.glob("*-[0-9]") for path in run.rglob("*.*"))
    kept = sorted(path.relative_to(EXAMPLE) for run in ("base-1", "slower-3") for path in (EXAMPLE / run).rglob("*.*"))
    assert made == kept
    for name in made:
        assert text(tmp_path / name) == text(EXAMPLE / name), name


def test_a_change_to_zero_is_by_the_whole(analysed, capsys):
    """The mean of one run's battles is 1/6, which no binary number is, and that of the other 0."""
    assert main(["cluster", "compare", f"a={analysed('base-1')}", f"b={analysed('base-2')}"]) == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Height & slot battles")]
    assert "−100%" in line


def test_the_known_effect_is_found_and_no_other(analysed, capsys):
    runs = [f"{side}={analysed(f'{side}-{number}')}" for side in ("base", "slower") for number in (1, 2, 3)]
    assert main(["cluster", "compare", *runs, "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    decided = {row["metric"]: row for row in found["rows"] if row["verdict"] in {"worse", "better"}}
    assert decided.keys() == {"cdfForgerAdoption", "xForgerAddedToChain", "cdfPeerAdoption"}
    for key in ("cdfForgerAdoption", "cdfPeerAdoption"):
        row = decided[key]
        low, high = (100 * row[end] / row["baseline_centre"] for end in ("change_low", "change_high"))
        # The interval holds the effect.
        assert low < 25.8, key
        assert high > 24.8, key
        assert (decided[key]["design"], decided[key]["baseline_n"]) == ("nested", 3)
