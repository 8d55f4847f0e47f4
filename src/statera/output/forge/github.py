"""GitHub: pull requests of a commit, comments and issues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from statera.output.forge.forge import Client, Comment, Issue, Request
from statera.support.errors import Stop
from statera.support.http import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The author of what GITHUB_TOKEN writes, where it may not ask who it is.
_ACTIONS: Final = "github-actions[bot]"
_REPOSITORY: Final = re.compile(r"(?!\.{1,2}/)[A-Za-z0-9_.-]+/(?!\.{1,2}$)[A-Za-z0-9_.-]+")
_NOT_ALLOWED: Final = frozenset({401, 403, 404})


class GitHub:
    """A repository on GitHub."""

    word: Final = "pull request"

    def __init__(self, client: Client, repository: str, head: str | None = None) -> None:
        """Take the repository.

        Args:
            client: the API.
            repository: its owner and name.
            head: ``OWNER:BRANCH`` that a run belongs to, as GitHub states it. A commit of a fork is not in this
                repository, which then may not know its pull requests.

        Raises:
            Stop: there is no repository.

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
                yield _issue(each)

    def open_issue(self, title: str, body: str, label: str) -> Issue:
        """Open an issue."""
        return _issue(self._client.send("POST", f"{self._at}/issues", title=title, body=body, labels=[label]))

    def close_issue(self, issue: Issue, body: str) -> None:
        """Close an issue, and say why."""
        self._client.send("PATCH", f"{self._at}/issues/{issue.number}", state="closed", state_reason="completed")
        self.comment(issue.number, body)


def _issue(each: Mapping[str, Any]) -> Issue:
    is_open = each.get("state") == "open"
    return Issue(_number(each), str(each.get("html_url", "")), _login(each), str(each.get("body") or ""), is_open)


def _login(each: Mapping[str, Any]) -> str:
    return str((each.get("user") or {}).get("login", ""))


def _number(each: Mapping[str, Any], key: str = "number") -> int:
    return int(each[key])
