"""What the tests of pictures share: results to draw, and a look at what was drawn."""

import json
import struct
import zlib

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


def write(folder, name, rows):
    """Write a table of (benchmark, value) rows; a time cannot be below zero, a score can."""
    metric, unit = ("score", "points") if any(value < 0 for _, value in rows) else ("time", "s")
    path = folder / f"{name}.csv"
    lines = ["benchmark,metric,unit,value"]
    lines += [",".join('"' + str(cell).replace('"', '""') + '"' for cell in (b, metric, unit, v)) for b, v in rows]
    path.write_text("\n".join(lines) + "\n", newline="\n")
    return path


def compared(folder, **variants):
    """Compare tables of values by benchmark: ``old={"a": [1, 2]}``."""
    paths = []
    for label, table in variants.items():
        rows = [(benchmark, value) for benchmark, values in table.items() for value in values]
        paths.append(f"{label}={write(folder, label, rows)}")
    return statera.compare(*paths)


def data(spec):
    """Give every row of data in a specification."""
    if isinstance(spec, dict):
        rows = list(spec["values"]) if isinstance(spec.get("values"), list) and "name" not in spec else []
        rows = [row for row in rows if isinstance(row, dict)]
        return rows + [row for value in spec.values() for row in data(value)]
    return [row for value in spec for row in data(value)] if isinstance(spec, list) else []


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


def is_drawn(picture):
    """Hold that a picture shows something, in every way that it can be written."""
    for theme in ("light", "dark"):
        width, height, rows = colours(picture.png(theme, 1.0))
        assert width > 100
        assert height > 50
        assert rows > 20
        svg = picture.svg(theme)
        assert "NaN" not in svg
        assert "Infinity" not in svg
    json.loads(picture.json())
    picture.altair()  # the schema of Vega-Lite holds


def is_harmless(picture, names):
    """Hold that names stand in data and titles alone."""
    ours = json.dumps(without_data(picture.spec))
    for name in names:
        assert name not in ours
        assert json.dumps(name)[1:-1] not in ours
    written = json.dumps(picture.spec, ensure_ascii=False)
    assert not {"\u202e", "\u0007", "\u200b"} & set(written)
    page = picture.html()
    assert "<script>alert" not in page
    assert "</script><" not in page.replace("</script>\n", "")
