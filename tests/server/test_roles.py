"""Who may what: each route of the description with each role, so that no new route is forgotten."""

import pytest
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from histories import commit
from serving import answering, ask, bearer, created, token, upload
from sqlalchemy import delete

from statera.history.folder import About
from statera.server import hooks, projects, tables, tokens
from statera.server.access import Role
from statera.server.app import build

# The least role that each route needs in a project; None of what anybody may ask.
NEEDS = {
    "POST /api/v1/uploads": Role.WRITE,
    "GET /api/v1/projects": None,
    "GET /api/v1/projects/{project}": Role.READ,
    "PATCH /api/v1/projects/{project}": Role.ADMIN,
    "GET /api/v1/projects/{project}/commits": Role.READ,
    "GET /api/v1/projects/{project}/series": Role.READ,
    "GET /api/v1/projects/{project}/series/{key}": Role.READ,
    "GET /api/v1/projects/{project}/points": Role.READ,
    "GET /api/v1/projects/{project}/alerts": Role.READ,
    "GET /api/v1/projects/{project}/alerts/{alert}": Role.READ,
    "POST /api/v1/projects/{project}/alerts/{alert}/state": Role.WRITE,
    "POST /api/v1/projects/{project}/alerts/{alert}/link": Role.WRITE,
    "POST /api/v1/projects/{project}/expectations": Role.WRITE,
    "GET /api/v1/projects/{project}/compare": Role.READ,
    "GET /api/v1/projects/{project}/badge.svg": Role.READ,
    "GET /api/v1/projects/{project}/tokens": Role.ADMIN,
    "POST /api/v1/projects/{project}/tokens": Role.ADMIN,
    "POST /api/v1/projects/{project}/tokens/{token}/rotate": Role.ADMIN,
    "DELETE /api/v1/projects/{project}/tokens/{token}": Role.ADMIN,
    "GET /api/v1/projects/{project}/audit": Role.ADMIN,
    "GET /api/v1/projects/{project}/hooks": Role.ADMIN,
    "POST /api/v1/projects/{project}/hooks": Role.ADMIN,
    "DELETE /api/v1/projects/{project}/hooks/{hook}": Role.ADMIN,
    "POST /api/v1/projects/{project}/hooks/{hook}/test": Role.ADMIN,
    "GET /api/v1/projects/{project}/hooks/{hook}/deliveries": Role.ADMIN,
    "GET /health/live": None,
    "GET /health/ready": None,
}
DONE = {200, 201, 202, 204}
HOOK = "https://93.184.215.14/alerts"
BODIES = {
    "state": {"state": "acknowledged"},
    "link": {"url": "https://example.org/1"},
    "expectations": {"commits": [commit(1)], "text": "P +1%..+2% why"},
    "tokens": {"name": "ci", "role": "read"},
    "hooks": {"url": HOOK},
}


class Asker:
    """Asks every route about a project, with things of it that exist."""

    def __init__(self, services, address, project, path):
        self.services, self.address, self.project = services, address, project
        self.content = upload(path, project=project.name)
        base = f"{address}/api/v1/projects/{project.name}"
        headers = bearer(token(services, None))
        self.series = ask("GET", f"{base}/series", headers=headers).json()["items"][0]["key"]
        self.alert = ask("GET", f"{base}/alerts", headers=headers).json()["items"][0]["id"]
        # Two that the same machine measured.
        self.commits = ["5b175825402843aba572119f30668905d469ef48", "91052ef0452b90c4b9c75b36208c22208c309f9c"]

    def ask(self, route, secret):
        method, path = route.split()
        with self.services.database.writing() as connection:
            number, _ = tokens.issue(connection, "spent", Role.READ, self.project.id)
            # A project has so many hooks at most.
            connection.execute(delete(tables.hook))
            hook, _ = hooks.add(connection, self.project.id, HOOK, "json")
        path = path.format(project=self.project.name, key=self.series, alert=self.alert, token=number, hook=hook.id)
        headers = bearer(secret) if secret else {}
        query = {}
        body = {}
        if path.endswith("/compare"):
            query = {"base": self.commits[0], "head": self.commits[1]}
        if path.endswith("/uploads"):
            query = {"project": self.project.name}
            body = {"content": self.content}
        if method == "PATCH":
            body = {"json": {"margins": {"time": "5%"}}}
        if method == "POST" and path.rpartition("/")[2] in BODIES:
            body = {"json": BODIES[path.rpartition("/")[2]]}
        return ask(method, self.address + path, headers=headers, params=query, **body).status_code


@pytest.fixture
def asker(services, shown_example, tmp_path):
    with answering(services) as address:
        yield Asker(services, address, shown_example, tmp_path)


def test_every_route_is_in_the_table(services):
    paths = build(services).openapi()["paths"]
    found = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert found == set(NEEDS)


def test_each_route_with_each_role(services, asker):
    other = created(services.database)
    secrets = {role: token(services, asker.project, role) for role in Role}
    theirs, servers = token(services, other, Role.ADMIN), token(services, None)
    for route, needed in NEEDS.items():
        if needed is None:
            assert asker.ask(route, None) == 200, route
            continue
        assert asker.ask(route, None) == 401, route
        assert asker.ask(route, theirs) == 404, route
        assert asker.ask(route, servers) in DONE, route
        for role in Role:
            status = asker.ask(route, secrets[role])
            assert status in DONE if role >= needed else status == 403, (route, role)


def test_everybody_reads_what_is_public_and_nothing_else(services, asker):
    with services.database.writing() as connection:
        projects.change(connection, asker.project.name, is_public=True)
    for route, needed in NEEDS.items():
        assert asker.ask(route, None) == (200 if needed in {None, Role.READ} else 401), route


@pytest.mark.parametrize("kind", ["postgresql"])
def test_each_route_answers_on_postgresql(services, asker):
    secret = token(services, None)
    wrong = [route for route in NEEDS if asker.ask(route, secret) not in DONE]
    assert not wrong


def test_a_private_project_looks_like_none(services, asker):
    other = created(services.database)
    for headers in ({}, bearer(token(services, other, Role.ADMIN))):
        private, none = (
            ask("GET", f"{asker.address}/api/v1/projects/{name}/series", headers=headers)
            for name in (asker.project.name, "none")
        )
        assert private.status_code == none.status_code
        assert private.text.replace(asker.project.name, "none") == none.text
    listed = ask("GET", f"{asker.address}/api/v1/projects", headers=bearer(token(services, other)))
    assert [each["name"] for each in listed.json()["items"]] == ["other"]
    assert ask("GET", f"{asker.address}/api/v1/projects").json()["items"] == []


def test_a_token_of_one_project_ends_none_of_another(services, asker):
    with services.database.writing() as connection:
        other = projects.create(connection, About("other"))
        number, secret = tokens.issue(connection, "theirs", Role.WRITE, other.id)
    admin = bearer(token(services, asker.project, Role.ADMIN))
    base = f"{asker.address}/api/v1/projects/{asker.project.name}/tokens/{number}"
    assert ask("DELETE", base, headers=admin).status_code == 404
    assert ask("POST", f"{base}/rotate", headers=admin).status_code == 404
    assert ask("GET", f"{asker.address}/api/v1/projects/other", headers=bearer(secret)).status_code == 200
