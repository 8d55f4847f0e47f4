"""What statera asks of a forge; GitHub and GitLab answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Request(NamedTuple):
    """An open pull request or merge request.

    Attributes:
        number: its number in the project.
        head: the commit that it ends with.

    """

    number: int
    head: str


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
    """A project on a forge. Every call may raise what ``statera.output.forge.http.Client`` raises."""

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

    def edit(self, number: int, comment: int, body: str) -> None:
        """Replace the text of a comment."""

    def remove(self, number: int, comment: int) -> None:
        """Remove a comment."""

    def issues(self, label: str) -> Iterator[Issue]:
        """Return the issues with a label, closed ones too."""

    def open_issue(self, title: str, body: str, label: str) -> Issue:
        """Open an issue."""

    def close_issue(self, issue: Issue, body: str) -> None:
        """Close an issue, and say why."""
