"""The JSON Schema of experiment files, and the tables of their keys, from the keys that statera accepts."""

from __future__ import annotations

from typing import Any, Final

from statera.experiment.file_keys import LEVEL, LEVELS, TABLES, Key

NAME: Final = "experiment-1"
# The name of each table in the marks of docs/experiment.md.
PAGES: Final = {f"experiment_{table}" if table else "experiment": table for table in TABLES}


def schema() -> dict[str, Any]:
    """Give the JSON Schema of a file, once TOML is read."""
    found = _object(TABLES[""])
    found["properties"] |= {
        "factors": {"type": "object", "additionalProperties": LEVELS.schema},
        "variant": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "minProperties": 1, "additionalProperties": LEVEL.schema},
        },
        "source": _object(TABLES["source"]),
        "build": _object(TABLES["build"]),
        "service": {"type": "array", "minItems": 1, "items": _object(TABLES["service"])},
        "benchmark": {"type": "array", "minItems": 1, "items": _object(TABLES["benchmark"])},
    }
    found["not"] = {"required": ["factors", "variant"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "statera.experiment/1",
        "description": "An experiment file of statera, docs/experiment.md",
        **found,
    }


def table(page: str) -> str:
    """Give the keys of a table in Markdown, those that are tables of their own left out."""
    lines = "".join(
        _line(name, key) for name, key in TABLES[PAGES[page]].items() if name not in {*TABLES, "factors", "variant"}
    )
    return "| key | takes | what it states |\n| --- | --- | --- |\n" + lines


def _line(name: str, key: Key) -> str:
    required = " (required)" if key.required else ""
    return f"| `{name}`{required} | {key.kind.words} | {key.meaning} |\n"


def _object(keys: dict[str, Key]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {**key.kind.schema, "description": key.meaning} for name, key in keys.items()},
        "required": [name for name, key in keys.items() if key.required],
        "additionalProperties": False,
    }
