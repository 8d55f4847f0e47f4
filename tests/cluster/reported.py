"""Reports of generated runs, and their words as a reader finds them in each output."""

import html
import json
import re

import pypdf
from generator.run import generate
from generator.settings import Settings

from statera.cli import main

COMPONENTS = (
    "cardano-node", "ouroboros-consensus", "ouroboros-network", "cardano-ledger-core", "plutus-core", "cardano-crypto",
    "cardano-prelude",
)  # fmt: skip
ENDINGS = ("html", "pdf", "md")


def about(run, **facts):
    """Describe a generated run further."""
    path = run / "run.json"
    found = json.loads(path.read_text())
    path.write_text(json.dumps(found | facts))


def described(side):
    """What people state of a run, different on both sides."""
    return {
        "ghcVersion": f"9.{side}.7",
        "analysisDate": f"2025-03-0{side}",
        "components": {
            name: {"version": f"{place}.{side}.5", "commit": f"{side}{place}abcde9f{'0' * 30}"}
            for place, name in enumerate(COMPONENTS)
        },
        "workload": {
            "delegators": 1000 + side, "utxo": 2000 + side, "dreps": 3000 + side, "addTxSize": 100 + side,
            "inputsPerTx": 4 + side, "outputsPerTx": 6 + side, "tps": 0.5 * side, "txCount": 5000 + side,
            "plutusScript": f"Loop{side}",
        },
    }  # fmt: skip


def make(run, *, side=1, **settings):
    """Generate a run that has values of every metric."""
    usual = {"hosts": 6, "slots": 900, "seed": side, "epoch_length": 300, "restarts": 1, "battles": 0.1, "busy": 3}
    usual |= {"noise": 0.001}
    generate(run, Settings(**(usual | settings)), 1)
    about(run, **described(side))
    return run


def report(folder, *words, endings=ENDINGS):
    """Write the report of runs in this process; give the paths by ending."""
    folder.mkdir(exist_ok=True)
    paths = {ending: folder / f"report.{ending}" for ending in endings}
    every = ["cluster", "report", *words, *(part for path in paths.values() for part in ("-o", path))]
    assert main(list(map(str, every))) == 0
    return paths


def words_of(path):
    """Give the text of a report without blanks, as a reader sees it."""
    if path.suffix == ".pdf":
        text = "".join(map(_body, pypdf.PdfReader(path).pages)).replace("\u200b", "")
    elif path.suffix == ".html":
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.DOTALL)
        text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    else:
        text = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", path.read_text(encoding="utf-8")))
        text = text.replace("\u2060", "")
    return dense(text)


def _body(page):
    """Give the text of a page without its running heads."""
    found = []
    page.extract_text(
        visitor_text=lambda text, matrix, at, *_: found.append(text) if 40 < _height(matrix, at) < 790 else 0
    )
    return "".join(found)


def _height(matrix, at):
    return at[4] * matrix[1] + at[5] * matrix[3] + matrix[5]


def dense(text):
    """Take the blanks out, and the line breaks."""
    return re.sub(r"\s+", "", text)
