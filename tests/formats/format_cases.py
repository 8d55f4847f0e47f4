"""The folders of cases: real output of harnesses, traps and hostile files, and what statera reads in each.

``cases/NAME/real`` has output as the harness of the format wrote it, ``command`` says how, ``traps`` has files with one
difficulty each and ``hostile`` damaged ones. ``expected.json`` has what each file yields.

Most tests look at all formats in a loop, and name those that fail. With STATERA_FORMAT=NAME they look at one.
"""

import functools
import json
import os
import re
import tempfile
from pathlib import Path

import statera
from statera import _native
from statera.support.errors import Stop

CASES = Path(__file__).parent / "cases"
KINDS = ("real", "traps", "hostile")
ONE = os.environ.get("STATERA_FORMAT")
# Columns that every row has but that say nothing of the format.
_PLACES = ("file", "order", "variant", "statera.work")


def names():
    """Give the formats that have a folder."""
    return sorted(folder.name for folder in CASES.iterdir() if ONE in {None, folder.name})


def failures(check, cases):
    """Make a check of each case, given as {name: arguments}; give what failed by its name, so that all is seen."""
    assert cases or ONE, "there is nothing to check"
    found = {}
    for name, given in cases.items():
        try:
            check(*given)
        except Exception as error:  # noqa: BLE001 - the others are checked too
            found[name] = f"{type(error).__name__}: {error}"[:4000]
    return found


def told(found):
    """Write failures for people."""
    return "\n\n".join(f"{name}: {why}" for name, why in found.items())


def files(name, *kinds):
    """List the files of a format, by kind; all by default. What stands beside a journal is read with it."""
    roots = [CASES / name / kind for kind in kinds or KINDS]
    found = sorted(path for root in roots for path in root.rglob("*") if path.is_file())
    return [path for path in found if name != "statera-run" or path.name == "journal.ndjson"]


def label(path):
    """Name a file as ``expected.json`` does."""
    return path.relative_to(CASES).as_posix().partition("/")[2]


@functools.cache
def expectations(name):
    """Read what the files of a format are expected to yield."""
    path = CASES / name / "expected.json"
    return json.loads(path.read_text()) if path.exists() else {}


def rows(read):
    """Give the observations as dictionaries without empty cells."""
    with tempfile.NamedTemporaryFile() as file:
        # Without the care that users' files get: thousands of calls.
        read.native.write(file.name, "ndjson", [])
        lines = Path(file.name).read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if value is not None} for line in lines]


def outcome(path, **options):
    """Say all that reading a file yields: format, metrics, rows and problems, or the refusal."""
    try:
        read = statera.read(path, **options)
    except Stop as stop:
        return {"refused": _refusal(stop).replace(str(path), path.name)}
    kept = [{key: value for key, value in row.items() if key not in _PLACES} for row in rows(read)]
    metrics = {metric.name: _described(metric) for metric in read.metrics}
    problems = [f"{each.line} {each.code}: {each.what}" for each in read.problems]
    found = {"format": read.sources[0].format, "metrics": metrics, "rows": kept, "problems": problems}
    apart = read.counted_apart_by_code.get("placeholder")
    return found | ({"apart": apart} if apart else {})


def _refusal(stop):
    """Give a refusal; the number of the formats and the nearest ones change with every format."""
    return re.sub(r"of none of the \d+ known formats\..*", "of no known format", stop.typed, flags=re.DOTALL)


def _described(metric):
    facts = {"unit": metric.unit, "quantity": metric.quantity, "better": metric.better, "primary": metric.primary}
    return facts | {"exact": metric.assumed_exact, "may be exact": metric.may_be_exact}


def written(found):
    """Format ``expected.json``: one row a line."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {_outcome(each)}" for name, each in found.items()) + "\n}\n"


def _outcome(found):
    parts = []
    for key, value in found.items():
        if isinstance(value, list) and value:
            body = ",\n".join(f"   {json.dumps(each, ensure_ascii=False)}" for each in value)
            parts.append(f'  "{key}": [\n{body}]')
        elif isinstance(value, dict) and value:
            body = ",\n".join(f"   {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            parts.append(f'  "{key}": {{\n{body}}}')
        else:
            parts.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(parts) + "}"


def formats_with_results():
    """Give the descriptions of the formats that have results."""
    return [each for each in _native.formats() if each.has_results and ONE in {None, each.name}]
