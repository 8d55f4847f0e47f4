"""The CI that a command runs in: its forge, the commit of its run, and where its summary goes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.output.forge.forge import Client, GitHub, GitLab
from statera.support.environment import origin
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera.output.forge.forge import Forge

COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_PAGE: Final = re.compile(r"https?://[A-Za-z0-9.:_/-]+")
_HEAD: Final = re.compile(r"[A-Za-z0-9-]+:[^\x00-\x20\x7f]+")
_GITHUB: Final = "https://api.github.com"


class Here(NamedTuple):
    """Where a command runs.

    Attributes:
        forge: the project; None if no token is there to ask it with.
        commit: the last commit of the pull request whose run this is, as the CI states it; empty if nobody does.
        page: the page of that run; empty if nobody states it.
        summary: the file of the job's summary, if the CI has one.
        lacks: the variable that a token belongs into.

    """

    forge: Forge | None
    commit: str
    page: str
    summary: Path | None
    lacks: str


def here(commit: str | None = None, variables: Mapping[str, str] = os.environ) -> Here:
    """Return where this runs.

    Args:
        commit: the commit, if the caller knows better.
        variables: the environment.

    Raises:
        Stop: it is neither GitHub nor GitLab, or the environment is not as they make it.

    """
    if variables.get("GITHUB_REPOSITORY"):
        return _github(commit, variables)
    if variables.get("GITLAB_CI") == "true":
        return _gitlab(commit, variables)
    raise Stop(
        "bad-forge",
        "the forge of the pull request is unknown. Run this in GitHub Actions or GitLab CI, or set "
        "GITHUB_REPOSITORY and GITHUB_TOKEN, and name the commit with --commit; --dry-run only prints the comment",
    )


def _github(commit: str | None, variables: Mapping[str, str]) -> Here:
    run, pull = (_object(_event(variables), name) for name in ("workflow_run", "pull_request"))
    found = commit or run.get("head_sha") or _object(pull, "head").get("sha") or variables.get("GITHUB_SHA")
    owner = _object(_object(run, "head_repository"), "owner").get("login")
    head = f"{owner}:{run.get('head_branch')}"
    token = variables.get("GITHUB_TOKEN") or variables.get("GH_TOKEN") or ""
    forge = None
    if token:
        headers = {"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": "2022-11-28"}
        client = Client(variables.get("GITHUB_API_URL") or _GITHUB, headers, token)
        forge = GitHub(client, variables["GITHUB_REPOSITORY"], head if _HEAD.fullmatch(head) else None)
    summary = variables.get("GITHUB_STEP_SUMMARY")
    page = _page(run.get("html_url") or origin(variables).url)
    return Here(forge, _full(found), page, Path(summary) if summary else None, "GITHUB_TOKEN")


def _gitlab(commit: str | None, variables: Mapping[str, str]) -> Here:
    get = variables.get
    found = commit or get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or get("CI_COMMIT_SHA")
    # STATERA_TOKEN may be that of a server of histories, which is none of GitLab's business.
    token = get("GITLAB_TOKEN") or get("STATERA_TOKEN") or ""
    forge = None
    if token:
        client = Client(get("CI_API_V4_URL", ""), {"PRIVATE-TOKEN": token}, token)
        forge = GitLab(client, get("CI_MERGE_REQUEST_PROJECT_ID") or get("CI_PROJECT_ID", ""))
    return Here(forge, _full(found), _page(origin(variables).url), None, "STATERA_TOKEN")


def _event(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the event that GitHub started the job for."""
    path = variables.get("GITHUB_EVENT_PATH")
    if not path:
        return {}
    try:
        found = json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        raise Stop("bad-forge", f"GITHUB_EVENT_PATH={path}: {error}") from None
    return found if isinstance(found, dict) else {}


def _object(of: dict[str, Any], name: str) -> dict[str, Any]:
    found = of.get(name)
    return found if isinstance(found, dict) else {}


def _full(commit: object) -> str:
    if isinstance(commit, str) and COMMIT.fullmatch(commit):
        return commit
    return ""


def _page(address: object) -> str:
    return address if isinstance(address, str) and _PAGE.fullmatch(address) else ""
