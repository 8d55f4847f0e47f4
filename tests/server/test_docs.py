"""docs/server.md leads from nothing to the first page; the tests that docs/server/security.md names exist."""

import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from support import ROOT
from waiting import until


# test_serve.py leads from uploads to pages on every change.
@pytest.mark.later
def test_the_blocks_lead_to_the_first_page(tmp_path):
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs/server.md").read_text(), re.DOTALL)
    assert len(blocks) == 5
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    start, *others = (block.replace("8750", port).replace("examples/", f"{ROOT}/examples/") for block in blocks)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(["bash", "-c", f"exec {start}"], cwd=tmp_path, env=environment, stderr=log)
    try:
        until(lambda: "serving" in (tmp_path / "log").read_text())
        words = ["bash", "-euc", "\n".join(others)]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

        def page():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/p/parser/") as answer:
                return answer.read().decode()

        until(lambda: {"RoundFloor", "Scan"} <= set(re.findall(r"\w+", page())), what=page, pause=0.1)
    finally:
        server.terminate()
        assert server.wait(60) == 0


# The requirements that version 4.0.3 marks for level 1.
LEVEL_ONE = """
2.1.1–2.1.12 2.2.1–2.2.3 2.3.1 2.5.1–2.5.6 2.7.1–2.7.4 2.8.1
3.1.1 3.2.1–3.2.3 3.3.1–3.3.2 3.4.1–3.4.5 3.7.1
4.1.1–4.1.3 4.1.5 4.2.1–4.2.2 4.3.1–4.3.2
5.1.1–5.1.5 5.2.1–5.2.8 5.3.1–5.3.10 5.5.1–5.5.4
6.2.1 7.1.1–7.1.2 7.4.1 8.2.1–8.2.3 8.3.1–8.3.4 9.1.1–9.1.3 10.3.1–10.3.3 11.1.1–11.1.5
12.1.1 12.3.1–12.3.5 12.4.1–12.4.2 12.5.1–12.5.2 12.6.1
13.1.1 13.1.3 13.2.1–13.2.3 13.3.1
14.2.1–14.2.3 14.3.2–14.3.3 14.4.1–14.4.7 14.5.1–14.5.3
"""
PAGE = (ROOT / "docs/server/security.md").read_text()


def test_every_named_test_exists():
    named = re.findall(r"`((?:tests/browser/)?test_\w+)(?:\.py)?::(test_\w+)`", PAGE)
    assert len(named) > 40
    assert PAGE.count("::") == len(named) + 1
    for file, test in named:
        path = ROOT / f"{file}.py" if "/" in file else ROOT / f"tests/server/{file}.py"
        assert f"def {test}(" in path.read_text(), f"{file}::{test}"


def test_every_requirement_of_level_one_is_there_once():
    listed = [each for cell in re.findall(r"^\| ([\d., –]+) \|", PAGE, re.MULTILINE) for each in numbers(cell)]
    assert sorted(listed) == sorted(each for cell in LEVEL_ONE.split() for each in numbers(cell))


def numbers(cell):
    """Yield the requirements of a cell such as ``2.1.1–2.1.12, 2.2.1``."""
    for first, _, last in (part.partition("–") for part in re.split(r"[ ,]+", cell)):
        chapter, section, begin = map(int, first.split("."))
        end = int(last.split(".")[-1]) if last else begin
        assert not last or last.split(".")[:-1] == first.split(".")[:-1]
        yield from ((chapter, section, each) for each in range(begin, end + 1))
