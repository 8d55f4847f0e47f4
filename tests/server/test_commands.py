"""``statera server``: projects and tokens on the command line."""

import re

import pytest

from statera.server import migrations
from statera.server.database import Database
from support import fails


@pytest.fixture
def server(run, tmp_path):
    url = f"sqlite:///{tmp_path / 'statera.db'}"
    database = Database(url)
    migrations.upgrade(database)
    database.close()

    def start(*words):
        return run("server", *words, env={"STATERA_DATABASE": url})

    return start


def test_projects_are_made_listed_and_changed(server):
    assert server("project", "add", "parser", "--public", "--lane", "cpu").code == 0
    assert server("project", "list").out == "parser  public  analysed\n"
    fails(server("project", "add", "parser"), "[bad-project]")
    assert "[bad-project]" in server("project", "add", "../x").err
    changed = server("project", "change", "parser", "--private", "--commit-url", "https://example.org/{commit}")
    assert changed.code == 0
    assert server("project", "list").out == "parser  private  analysed\n"
    assert "[bad-option]" in server("project", "change", "parser", "--commit-url", "https://example.org/").err
    assert "[no-project]" in server("project", "change", "none", "--public").err
    stated = server("project", "change", "parser", "--margin", "time=5%", "--margin", "P*=1ms", "--margin", "time=2%")
    assert stated.err == "statera: parser is private; margins: time=2%, P*=1ms\n"
    assert "[bad-option]" in server("project", "change", "parser", "--margin", "none", "--margin", "2%").err
    wrong = server("project", "change", "parser", "--margin", "time=x").err
    assert "margins of parser: margin.time: 'x' is no margin. Write 2%" in wrong
    assert server("project", "change", "parser", "--margin", "none").err.endswith("margins: none\n")


def test_tokens_are_made_listed_rotated_and_revoked(server):
    server("project", "add", "parser")
    made = server("token", "add", "ci", "--project", "parser", "--role", "write", "--days", "9")
    assert re.fullmatch(r"statera_[\w-]{43}\n", made.out)
    assert made.out.strip() not in made.err
    listed = server("token", "list", "--project", "parser").out
    assert re.fullmatch(r"1  write  good until \S+  never used  ci\n", listed)
    assert server("token", "list").out == ""
    fresh = server("token", "rotate", "1").out
    assert fresh != made.out
    assert server("token", "revoke", "2").code == 0
    assert server("token", "list", "--project", "parser").out.count("revoked 2") == 2
    assert "[no-such-token]" in server("token", "revoke", "9").err
    assert "[bad-token]" in server("token", "add", "x\x1b[31m").err
    record = server("audit", "--project", "parser").out.splitlines()
    assert [line.split()[1] for line in record] == ["token-revoked", "token-rotated", "token-added", "project-added"]
    assert made.out.strip() not in "".join(record)


def test_a_database_has_to_be_stated(run):
    fails(run("server", "project", "list", env={"STATERA_DATABASE": ""}), "[bad-option]")
