"""What statera asks of a forge, and the API that GitHub and GitLab answer it by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from statera.support import http
from statera.support.errors import Stop

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
