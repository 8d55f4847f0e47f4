"""The description of the API is complete and true: requests made from it find no answer that it does not describe."""

import re

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance
from serving import answering, bearer, brought, sharing, token, upload

from statera.history.folder import open_folder
from statera.server import migrations
from statera.server.access import Role
from statera.server.api.uploads import MEDIA
from statera.server.database import Database
from support import ROOT


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of a server with the example, and a token of each role."""
    path = tmp_path_factory.mktemp("served")
    database = Database(f"sqlite:///{path / 'statera.db'}")
    migrations.upgrade(database)
    with sharing(database, path) as services:
        project = brought(services, open_folder(ROOT / "examples/history/history"))
        contents = [upload(path, number, project=project.name) for number in range(3)]
        schemathesis.openapi.media_type(MEDIA, st.sampled_from(contents))
        with answering(services) as address:
            yield address, {role: token(services, project, role) for role in Role}
    database.close()


def is_refused_unsaid(case):
    """Say whether a request may be refused for what no description can say.

    That is whether the least size of an announced change is more than the largest one, whether the host of a hook
    has an address, which the network alone knows, and whether a margin has the unit of the metrics that it names, which
    the project alone knows.
    """
    text = case.body.get("text") if case.path.endswith("/expectations") and isinstance(case.body, dict) else None
    sizes = re.search(r" ([^ %]+)%\.\.([^ %]+)%", text) if isinstance(text, str) else None
    is_margin = case.method == "PATCH" and isinstance(case.body, dict) and "margins" in case.body
    return is_margin or case.path.endswith("/hooks") or (sizes is not None and float(sizes[1]) > float(sizes[2]))


def asking(operation, headers, count):
    """Return a test that asks a route for whatever its description allows, and for what it does not."""

    @seed(1)
    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(GenerationMode.POSITIVE) | operation.as_strategy(GenerationMode.NEGATIVE))
    def ask(case):
        unsaid = [positive_data_acceptance] if is_refused_unsaid(case) else []
        case.call_and_validate(headers=headers, excluded_checks=unsaid)

    return ask


# Who may do everything comes farthest into each route.
ASKED = [
    pytest.param(Role.ADMIN, 3, id="briefly"),
    *(pytest.param(role, 10, id=role.word, marks=pytest.mark.later) for role in Role),
]


@pytest.mark.parametrize(("role", "count"), ASKED)
def test_answers_are_as_described(served, role, count):
    address, tokens = served
    schema = schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json")
    asked = []
    for found in schema.get_all_operations():
        operation = found.ok()
        asking(operation, bearer(tokens[role]), count)()
        asked.append(operation.label)
    assert len(asked) > 20
