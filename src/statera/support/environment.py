"""What the environment of a command states: the CI that runs it, and the folder of what can be made again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Origin(NamedTuple):
    """The run of a CI, as its variables state it; empty where they do not."""

    project: str = ""
    branch: str = ""
    commit: str = ""
    url: str = ""
    who: str = ""


def origin(variables: Mapping[str, str] = os.environ) -> Origin:
    """Return what the variables of GitHub Actions, GitLab CI or another CI say."""
    get = variables.get
    if get("GITHUB_ACTIONS") == "true":
        page = f"{get('GITHUB_SERVER_URL', '')}/{get('GITHUB_REPOSITORY', '')}/actions/runs/{get('GITHUB_RUN_ID', '')}"
        branch = get("GITHUB_HEAD_REF") or (get("GITHUB_REF_NAME", "") if get("GITHUB_REF_TYPE") != "tag" else "")
        return Origin(get("GITHUB_REPOSITORY", ""), branch, get("GITHUB_SHA", ""), page, get("GITHUB_ACTOR", ""))
    if get("GITLAB_CI") == "true":
        branch = get("CI_COMMIT_BRANCH") or get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "")
        who = get("GITLAB_USER_LOGIN", "")
        return Origin(get("CI_PROJECT_PATH", ""), branch, get("CI_COMMIT_SHA", ""), get("CI_JOB_URL", ""), who)
    return Origin(who=get("USER", ""))


def cache() -> Path:
    """Return the folder of the cache: ``$XDG_CACHE_HOME/statera``, by default ``~/.cache/statera``."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    # The convention ignores a relative path.
    return (Path(stated) if os.path.isabs(stated) else Path.home() / ".cache") / "statera"  # noqa: PTH117 - of a text
