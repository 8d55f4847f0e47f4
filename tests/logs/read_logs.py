"""What the tests of logs share: files of runs, and the values that are read of them."""

import pyarrow as pa

from statera.reading import logs, observations
from statera.support.settings import Limits


def written(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


FIXED = (
    "benchmark", "metric", "unit", "variant", "value", "block", "process", "order", "file", "line", "better", "traits",
)  # fmt: skip


def values(read):
    """Return the values: benchmark, metric, keys → list."""
    table = pa.table(read).to_pydict()
    keys = [column for column in table if column not in FIXED]
    found = {}
    for row, value in enumerate(table["value"]):
        of = (table["benchmark"][row], table["metric"][row], *(table[key][row] for key in keys))
        found.setdefault(of, []).append(value)
    return found


def read(tmp_path, text, mapping, name="log"):
    found = logs.named(written(tmp_path, "own.toml", mapping))
    native, [account] = logs.read([written(tmp_path, f"run/{name}", text)], found, Limits())
    return observations.Observations(native, words=observations.OF_LOGS), account
