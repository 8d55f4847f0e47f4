"""What a picture should draw by its specification, and what the page has drawn of it."""

import base64
import gzip
import json
import re

SHAPES = {"point": "symbol", "circle": "symbol", "square": "symbol", "tick": "rect", "bar": "rect", "rect": "rect"}
SHAPES |= {"rule": "rule", "text": "text"}
PLACES = ("x", "y", "x2", "y2")
# Children of each group of marks, by the group's name.
COUNTED = """(place) => Object.fromEntries(Array.from(place.querySelectorAll(".live g.role-mark")).map((group) => {
  const name = Array.from(group.classList).find((word) => word.endsWith("marks"));
  return [`${group.classList[0]} ${name}`, group.children.length];
}))"""
# Different colours of a picture of the page; 1 is a blank one.
COLOURS = """async (png) => {
  const image = new Image();
  image.src = png;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  return new Set(pixels).size;
}"""


def specs(path):
    """Give the specifications that a report holds, in order, each by its form (wide, narrow)."""
    packed = re.search(r'id="shapes">([^<]*)<', path.read_text(encoding="utf-8"))
    held = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return [{form: _whole(spec, held["rows"]) for form, spec in each.items()} for each in held["pictures"]]


def _whole(value, rows):
    """Put rows of data where their numbers are."""
    if isinstance(value, list):
        return [_whole(each, rows) for each in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("rows"), list):
        value = {**value, "values": [rows[number] for number in value["rows"]]}
        del value["rows"]
        return value
    return {key: _whole(each, rows) for key, each in value.items()}


def expected(spec):
    """Give the number of marks of each group that draws a mark a row: {"mark-symbol layer_0_marks": 12}."""
    return dict(_units(spec, "", [], {}))


def _units(spec, path, rows, encoding):
    rows = spec.get("data", {}).get("values", rows)
    encoding = {**encoding, **spec.get("encoding", {})}
    for word in ("concat", "hconcat", "vconcat", "layer"):
        for place, inner in enumerate(spec.get(word, ())):
            yield from _units(inner, f"{path}{'layer' if word == 'layer' else 'concat'}_{place}_", rows, encoding)
    mark = spec.get("mark", {})
    shape = SHAPES.get(mark if isinstance(mark, str) else mark.get("type"))
    if shape and _keeps_rows(spec, encoding):
        fields = [encoding[place]["field"] for place in PLACES if "field" in encoding.get(place, {})]
        count = sum(all(row.get(field) is not None for field in fields) for row in rows)
        yield f"mark-{shape} {path}marks", count


def _keeps_rows(spec, encoding):
    """Tell whether each row of the data is one of the marks; a lookup only adds columns."""
    computed = [set(each) & {"aggregate", "bin"} for each in encoding.values() if isinstance(each, dict)]
    return not any(computed) and all("lookup" in each for each in spec.get("transform", ()))
