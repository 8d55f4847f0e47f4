"""What statera asks of a forge, the APIs of GitHub and GitLab, and the CI that a command runs in."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol
from urllib.parse import quote

from statera.support import http
from statera.support.environment import origin
from statera.support.errors import Stop
from statera.support.http import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Request(NamedTuple):
    """An open pull request or merge request."""

    number: int  # its number in the project
    head: str  # the commit that it ends with


class Comment(NamedTuple):
    """A comment, and who wrote it."""

    id: int
    author: str
    body: str


class Issue(NamedTuple):
    """An issue: its number, its page, its author, its text and whether it is open."""

    number: int
    url: str
    author: str
    body: str
    is_open: bool


class Forge(Protocol):
    """A project on a forge. Every call may raise what ``Client`` raises."""

    @property
    def word(self) -> str:
        """Return what the forge calls a request: ``pull request`` or ``merge request``."""

    def requests(self, commit: str) -> list[Request]:
        """Return the open requests that have a commit, also those to which others were pushed since."""

    def author(self) -> str:
        """Return the name under which the token writes."""

    def comments(self, number: int) -> Iterator[Comment]:
        """Return the comments of a request, the oldest first."""

    def comment(self, number: int, body: str) -> None:
        """Write a comment."""

    def edit(self, number: int, comment: int, body: str, /) -> None:
        """Replace the text of a comment."""

    def remove(self, number: int, comment: int, /) -> None:
        """Remove a comment."""

    def issues(self, label: str) -> Iterator[Issue]:
        """Return the issues with a label, closed ones too."""

    def open_issue(self, title: str, body: str, label: str) -> Issue:
        """Open an issue."""

    def close_issue(self, issue: Issue, body: str) -> None:
        """Close an issue, and say why."""


PER_PAGE: Final = 100
# A pull request with more comments than this has no room for ours.
_PAGES: Final = 100


class Client(http.Client):
    """The API of a forge, with the right of a token."""

    def bad(self, what: str) -> Stop:
        """Return the error for an address or a token that cannot be used."""
        return Stop("bad-forge", f"the API of the forge: {what}")

    def failed(self, what: str) -> Stop:
        """Return the error for a forge that does not answer."""
        return Stop("forge-failed", what)

    def pages(self, path: str, **query: str | int) -> Iterator[dict[str, Any]]:
        """Return the objects of a list, page after page."""
        for page in range(1, _PAGES + 1):
            found, more = self.page(path, **query, per_page=PER_PAGE, page=page)
            if not isinstance(found, list):
                raise self.failed(f"{self._base}{path}: the answer is not a list; is this the address of the API?")
            yield from (each for each in found if isinstance(each, dict))
            # GitLab leaves notes out of a page that the token may not read: a short page need not be the last.
            if not (len(found) == PER_PAGE if more is None else more):
                return


# The author of what GITHUB_TOKEN writes, where it may not ask who it is.
_ACTIONS: Final = "github-actions[bot]"
_REPOSITORY: Final = re.compile(r"(?!\.{1,2}/)[A-Za-z0-9_.-]+/(?!\.{1,2}$)[A-Za-z0-9_.-]+")
_NOT_ALLOWED: Final = frozenset({401, 403, 404})


class GitHub:
    """A repository on GitHub."""

    word: Final = "pull request"

    def __init__(self, client: Client, repository: str, head: str | None = None) -> None:
        """Take the repository, by its owner and name.

        ``head`` is ``OWNER:BRANCH`` that a run belongs to, as GitHub states it. A commit of a fork is not in this
        repository, which then may not know its pull requests.

        Raises ``Stop`` if there is no repository.
        """
        if not _REPOSITORY.fullmatch(repository):
            raise Stop("bad-forge", f"the repository is {repository!r}; GITHUB_REPOSITORY must be OWNER/NAME")
        self._client, self._repository, self._head = client, repository, head
        self._at = f"/repos/{repository}"

    def requests(self, commit: str) -> list[Request]:
        """Return the open pull requests of a commit."""
        try:
            known = [*self._client.pages(f"{self._at}/commits/{commit}/pulls")]
        except Refused as refused:
            # 422: no such commit here, since it is in a fork.
            if refused.status not in {404, 422}:
                raise
            known = []
        if self._head and not any(self._is_open_here(each) for each in known):
            known = [*self._client.pages(f"{self._at}/pulls", state="open", head=self._head)]
        return [Request(_number(each), str(each["head"]["sha"])) for each in known if self._is_open_here(each)]

    def _is_open_here(self, pull: dict[str, Any]) -> bool:
        base = pull.get("base", {}).get("repo") or {}
        return pull.get("state") == "open" and str(base.get("full_name", "")).lower() == self._repository.lower()

    def author(self) -> str:
        """Return the login of the token's owner."""
        for ask in (lambda: self._client.get("/user"), self._viewer):
            try:
                return str(ask()["login"])
            except Refused as refused:
                if refused.status not in _NOT_ALLOWED:
                    raise
        return _ACTIONS

    def _viewer(self) -> dict[str, Any]:
        """Return the owner of the token of an app, who is not a user."""
        content = {"Content-Type": "application/json"}
        answer = self._client.put("/graphql", b'{"query":"{viewer{login}}"}', content)
        data = answer.get("data") if isinstance(answer, dict) else None
        return (data or {}).get("viewer") or {"login": _ACTIONS}

    def comments(self, number: int) -> Iterator[Comment]:
        """Return the comments of a pull request."""
        for each in self._client.pages(f"{self._at}/issues/{number}/comments"):
            yield Comment(_number(each, "id"), _login(each), str(each.get("body") or ""))

    def comment(self, number: int, body: str) -> None:
        """Write a comment."""
        self._client.send("POST", f"{self._at}/issues/{number}/comments", body=body)

    def edit(self, _number: int, comment: int, body: str) -> None:
        """Replace the text of a comment."""
        self._client.send("PATCH", f"{self._at}/issues/comments/{comment}", body=body)

    def remove(self, _number: int, comment: int) -> None:
        """Remove a comment."""
        self._client.remove(f"{self._at}/issues/comments/{comment}")

    def issues(self, label: str) -> Iterator[Issue]:
        """Return the issues with a label."""
        for each in self._client.pages(f"{self._at}/issues", state="all", labels=label):
            if "pull_request" not in each:
                yield _issue_of_github(each)

    def open_issue(self, title: str, body: str, label: str) -> Issue:
        """Open an issue."""
        return _issue_of_github(self._client.send("POST", f"{self._at}/issues", title=title, body=body, labels=[label]))

    def close_issue(self, issue: Issue, body: str) -> None:
        """Close an issue, and say why."""
        self._client.send("PATCH", f"{self._at}/issues/{issue.number}", state="closed", state_reason="completed")
        self.comment(issue.number, body)


def _issue_of_github(each: Mapping[str, Any]) -> Issue:
    is_open = each.get("state") == "open"
    return Issue(_number(each), str(each.get("html_url", "")), _login(each), str(each.get("body") or ""), is_open)


def _login(each: Mapping[str, Any]) -> str:
    return str((each.get("user") or {}).get("login", ""))


def _number(each: Mapping[str, Any], key: str = "number") -> int:
    return int(each[key])


_NOT_FOUND: Final = 404


class GitLab:
    """A project on GitLab."""

    word: Final = "merge request"

    def __init__(self, client: Client, project: str) -> None:
        """Take the project: its number or its path. Raises ``Stop`` if there is no project."""
        if not project:
            raise Stop("bad-forge", "the project is unknown. Set CI_PROJECT_ID to its number or path")
        self._client, self._at = client, f"/projects/{quote(project, safe='')}"

    def requests(self, commit: str) -> list[Request]:
        """Return the open merge requests of a commit."""
        try:
            known = [*self._client.pages(f"{self._at}/repository/commits/{commit}/merge_requests")]
        except Refused as refused:
            if refused.status != _NOT_FOUND:
                raise
            known = []
        return [Request(int(each["iid"]), str(each["sha"])) for each in known if each.get("state") == "opened"]

    def author(self) -> str:
        """Return the name of the token's owner."""
        return str(self._client.get("/user")["username"])

    def comments(self, number: int) -> Iterator[Comment]:
        """Return the notes of a merge request."""
        notes = self._client.pages(f"{self._notes(number)}", sort="asc", order_by="created_at")
        return (Comment(int(each["id"]), _username(each), str(each.get("body") or "")) for each in notes)

    def comment(self, number: int, body: str) -> None:
        """Write a note."""
        self._client.send("POST", self._notes(number), body=body)

    def edit(self, number: int, comment: int, body: str) -> None:
        """Replace the text of a note."""
        self._client.send("PUT", f"{self._notes(number)}/{comment}", body=body)

    def remove(self, number: int, comment: int) -> None:
        """Remove a note."""
        self._client.remove(f"{self._notes(number)}/{comment}")

    def issues(self, label: str) -> Iterator[Issue]:
        """Return the issues with a label."""
        return map(_issue_of_gitlab, self._client.pages(f"{self._at}/issues", labels=label, scope="all"))

    def open_issue(self, title: str, body: str, label: str) -> Issue:
        """Open an issue."""
        return _issue_of_gitlab(
            self._client.send("POST", f"{self._at}/issues", title=title, description=body, labels=label)
        )

    def close_issue(self, issue: Issue, body: str) -> None:
        """Close an issue, and say why."""
        self._client.send("PUT", f"{self._at}/issues/{issue.number}", state_event="close")
        self._client.send("POST", f"{self._at}/issues/{issue.number}/notes", body=body)

    def _notes(self, number: int) -> str:
        return f"{self._at}/merge_requests/{number}/notes"


def _issue_of_gitlab(each: Mapping[str, Any]) -> Issue:
    text, is_open = str(each.get("description") or ""), each.get("state") == "opened"
    return Issue(int(each["iid"]), str(each.get("web_url", "")), _username(each), text, is_open)


def _username(each: Mapping[str, Any]) -> str:
    return str((each.get("author") or {}).get("username", ""))


COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_PAGE: Final = re.compile(r"https?://[A-Za-z0-9.:_/-]+")
_HEAD: Final = re.compile(r"[A-Za-z0-9-]+:[^\x00-\x20\x7f]+")
_GITHUB: Final = "https://api.github.com"


class Here(NamedTuple):
    """Where a command runs."""

    forge: Forge | None  # the project; None if no token is there to ask it with
    commit: str  # the last commit of the pull request whose run this is, as the CI states it; empty if nobody does
    page: str  # the page of that run; empty if nobody states it
    summary: Path | None  # the file of the job's summary, if the CI has one
    lacks: str  # the variable that a token belongs into


def here(commit: str | None = None, variables: Mapping[str, str] = os.environ) -> Here:
    """Return where this runs; the caller may know the commit better than the environment.

    Raises ``Stop`` if it is neither GitHub nor GitLab, or the environment is not as they make it.
    """
    if variables.get("GITHUB_REPOSITORY"):
        return _github(commit, variables)
    if variables.get("GITLAB_CI") == "true":
        return _gitlab(commit, variables)
    # Only a comment belongs to a commit, and can be printed in place of being written.
    comment = ", and name the commit with --commit. --dry-run only prints the comment" if commit is not None else ""
    raise Stop(
        "bad-forge",
        "this runs neither in GitHub Actions nor in GitLab CI. Run it there, or set GITHUB_REPOSITORY and "
        f"GITHUB_TOKEN{comment}",
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
