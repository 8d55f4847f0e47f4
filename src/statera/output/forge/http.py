"""Requests to the API of a forge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera.support.errors import Stop
from statera.support.http import client
from statera.support.http.client import Refused, Unsure

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PER_PAGE", "Client", "Refused", "Unsure"]

PER_PAGE: Final = 100
# A pull request with more comments than this has no room for ours.
_PAGES: Final = 100


class Client(client.Client):
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
