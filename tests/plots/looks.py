"""What the tests of pictures share: results to draw, and a look at what was drawn."""

import functools
import json
import re
import struct
import zlib
from xml.etree import ElementTree as ET

import jsonschema
from altair.vegalite.v6.schema.core import load_schema

import statera

HOSTILE = (
    "<script>alert(1)</script>",
    "${datum.value} ' + alert(1) + '",
    "a.b[0]\\.c",
    "{{7*7}} {% raw %}",
    "#set page(1pt) \\input{x} $\\frac12$",
    "\u202egnp.exe \u0007\n\r\u200b",
    "https://example.invalid/x.png",
    "long-" + "x" * 495,
)

# What a picture is made of.
SHAPES = {"svg", "g", "path", "rect", "text", "line", "defs", "clipPath", "linearGradient", "stop", "tspan", "title"}


def write(folder, name, rows):
    """Write a table of (benchmark, value) rows; a time cannot be below zero, a score can."""
    metric, unit = ("score", "points") if any(value < 0 for _, value in rows) else ("time", "s")
    path = folder / f"{name}.csv"
    lines = ["benchmark,metric,unit,value"]
    lines += [",".join('"' + str(cell).replace('"', '""') + '"' for cell in (b, metric, unit, v)) for b, v in rows]
    path.write_text("\n".join(lines) + "\n", newline="\n")
    return path


def compared(folder, pairs="baseline", **variants):
    """Compare tables of values by benchmark: ``old={"a": [1, 2]}``."""
    paths = []
    for label, table in variants.items():
        rows = [(benchmark, value) for benchmark, values in table.items() for value in values]
        paths.append(f"{label}={write(folder, label, rows)}")
    return statera.compare(*paths, pairs=pairs)


def layers(spec, mark):
    """Give the layers whose mark is of a type."""
    if isinstance(spec, list):
        return [found for each in spec for found in layers(each, mark)]
    if not isinstance(spec, dict):
        return []
    if isinstance(spec.get("mark"), dict):
        return [spec] if spec["mark"]["type"] == mark else []
    return [found for key in ("layer", "concat", "hconcat", "vconcat") for found in layers(spec.get(key, []), mark)]


def rows(found):
    """Give the rows that layers draw."""
    return [row for each in found for row in each["data"]["values"]]


def without_data(spec):
    """Give what is left of a specification without its data and titles: our own words alone."""
    if isinstance(spec, dict):
        return {k: without_data(v) for k, v in spec.items() if k not in {"data", "title", "description", "config"}}
    return [without_data(value) for value in spec] if isinstance(spec, list) else spec


def colours(png):
    """Count the colours of the pixels of a PNG (8 bits, not interlaced)."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed, width, height, channels = 8, b"", 0, 0, 4
    while at < len(png):
        (size,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[colour]
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    raw = zlib.decompress(packed)
    line = width * channels + 1
    # Rows that a filter made equal to a constant are blank; a picture has many that differ.
    return width, height, len({raw[row * line : (row + 1) * line] for row in range(height)})


def is_drawn(picture, themes=("light", "dark")):
    """Hold that a picture shows something, in every way that it can be written."""
    for theme in themes:
        width, height, rows = colours(picture.png(theme, 1.0))
        assert width > 100
        assert height > 50
        assert rows > 20
    json.loads(picture.json())


def is_harmless(picture, names):
    """Hold that names stand in data and titles alone, and that an SVG has nothing but shapes and texts."""
    ours = json.dumps(without_data(picture.spec))
    for name in names:
        assert name not in ours
        assert json.dumps(name)[1:-1] not in ours
    written = json.dumps(picture.spec, ensure_ascii=False)
    assert not {"\u202e", "\u0007", "\u200b"} & set(written)
    for element in ET.fromstring(picture.svg()).iter():  # noqa: S314 - our own
        assert element.tag.partition("}")[2] in SHAPES, element.tag
        assert not [name for name in element.attrib if name.startswith("on") or name.endswith("href")]
        assert not re.search(r"url\((?!['\"]?#)", " ".join(element.attrib.values()))
        assert not {"\u202e", "\u0007", "\u200b"} & set("".join([element.text or "", *element.attrib.values()]))


def fits_the_schema(picture):
    """Hold that a specification is Vega-Lite as its schema has it; the data itself would only cost time."""
    found = [error.message[:200] for error in _schema().iter_errors(_without_values(picture.themed()))]
    assert not found


@functools.cache
def _schema():
    # The schema by itself: Altair would make an object of each part, ten times as slowly.
    return jsonschema.Draft7Validator(load_schema())


def _without_values(spec):
    if isinstance(spec, dict):
        return {k: {"values": []} if k == "data" else _without_values(v) for k, v in spec.items()}
    return [_without_values(value) for value in spec] if isinstance(spec, list) else spec


def data(spec):
    """Give every row of data in a specification."""
    if isinstance(spec, list):
        return [row for value in spec for row in data(value)]
    if not isinstance(spec, dict):
        return []
    own = spec.get("data", {}).get("values", [])
    return own + [row for key in ("layer", "concat", "hconcat", "vconcat") for row in data(spec.get(key, []))]
