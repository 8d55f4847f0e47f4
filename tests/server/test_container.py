"""The container files: what they copy, run and ask is there, as far as that shows without a daemon."""

import json
import re
import subprocess
import sys

import yaml
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from serving import answering

from support import ROOT, fails

CONTAINER = (ROOT / "ci/Containerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "ci/compose.yaml").read_text())
SERVER = COMPOSE["services"]["server"]


def stated(key):
    """The words of an instruction."""
    return json.loads(re.search(rf"^{key} (\[.*\])$", CONTAINER, re.MULTILINE)[1])


def test_what_is_copied_is_in_the_clone_and_let_through():
    copied = [word for line in re.findall(r"^COPY (?!--)(.*)$", CONTAINER, re.MULTILINE) for word in line.split()[:-1]]
    let = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    tracked = set(subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines())
    folders = {path.partition("/")[0] for path in tracked}
    assert len(copied) > 6
    assert not [each for each in copied if each not in folders]
    assert {re.sub(r"^LICENSE-.*", "LICENSE-*", each) for each in copied} == let
    assert (ROOT / SERVER["build"]["context"].replace("..", ".") / SERVER["build"]["dockerfile"]).is_file()


def test_the_server_understands_its_options(run):
    for words in (stated("CMD"), SERVER["command"]):
        given = [re.sub(r"\$\{STATERA_ADDRESS.*\}", "https://perf.example.org", word) for word in words]
        fails(run(*stated("ENTRYPOINT")[1:], *given, "--database", "none://"), "[bad-database]")
    # The folder that the volume has, and no other one, is written to.
    assert "--data=/data" in SERVER["command"]
    assert "data:/data" in SERVER["volumes"]
    assert "VOLUME /data" in CONTAINER


def test_the_database_is_the_one_that_the_server_asks():
    database = COMPOSE["services"]["database"]["environment"]
    user, name = database["POSTGRES_USER"], database["POSTGRES_DB"]
    assert SERVER["environment"]["STATERA_DATABASE"] == f"postgresql://{user}@database/{name}"
    assert SERVER["environment"]["PGPASSWORD"] == database["POSTGRES_PASSWORD"]
    assert set(COMPOSE["volumes"]) == {
        volume.partition(":")[0] for service in COMPOSE["services"].values() for volume in service["volumes"]
    }


def test_the_check_of_health_asks_what_the_server_answers(services):
    _, program, option, code = SERVER["healthcheck"]["test"]
    assert (program, option) == ("python", "-c")
    with answering(services) as address:
        here = code.replace("http://127.0.0.1:8750", address)
        assert here != code
        subprocess.run([sys.executable, "-c", here], check=True)
