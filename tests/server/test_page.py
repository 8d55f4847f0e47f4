"""docs/server.md: its blocks lead from nothing to the first page."""

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

# tests/server/test_serve.py leads from uploads to pages on every change.
pytestmark = pytest.mark.later
PAGE = (ROOT / "docs/server.md").read_text()


def test_the_blocks_lead_to_the_first_page(tmp_path):
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 4
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
