"""GitLab: merge requests of a commit, their notes, and issues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from statera.output.forge.forge import Client, Comment, Issue, Request
from statera.support.errors import Stop
from statera.support.http import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NOT_FOUND: Final = 404


class GitLab:
    """A project on GitLab."""

    word: Final = "merge request"

    def __init__(self, client: Client, project: str) -> None:
        """Take the project: its number or its path.

        Raises:
            Stop: there is no project.

        """
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
        return map(_issue, self._client.pages(f"{self._at}/issues", labels=label, scope="all"))

    def open_issue(self, title: str, body: str, label: str) -> Issue:
        """Open an issue."""
        return _issue(self._client.send("POST", f"{self._at}/issues", title=title, description=body, labels=label))

    def close_issue(self, issue: Issue, body: str) -> None:
        """Close an issue, and say why."""
        self._client.send("PUT", f"{self._at}/issues/{issue.number}", state_event="close")
        self._client.send("POST", f"{self._at}/issues/{issue.number}/notes", body=body)

    def _notes(self, number: int) -> str:
        return f"{self._at}/merge_requests/{number}/notes"


def _issue(each: Mapping[str, Any]) -> Issue:
    text, is_open = str(each.get("description") or ""), each.get("state") == "opened"
    return Issue(int(each["iid"]), str(each.get("web_url", "")), _username(each), text, is_open)


def _username(each: Mapping[str, Any]) -> str:
    return str((each.get("author") or {}).get("username", ""))
