"""The history of a project on a server, which takes uploads and shows them itself."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode, urlsplit

from statera.history.folder import About
from statera.support import http
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.support.settings.limits import Limits

VARIABLE: Final = "STATERA_TOKEN"
_SCHEMES: Final = ("https://", "http://")
_BETWEEN: Final = "/p/"
_PAGE: Final = 1000


def is_remote(place: str) -> bool:
    """Return whether a place is the address of a server."""
    return place.startswith(_SCHEMES)


def refuse(place: str) -> None:
    """Refuse the address of a server where a verb works with files."""
    if is_remote(place):
        raise Stop(
            "bad-option",
            f"{place}: a server shows its histories itself, and takes only statera history add. Open the address in a "
            "browser, or name a folder or a branch",
        )


class Remote:
    """The history of a project on a server."""

    def __init__(self, place: str) -> None:
        """Take the address ``https://HOST/p/PROJECT``; the token is that of ``STATERA_TOKEN``."""
        base, between, project = place.rstrip("/").rpartition(_BETWEEN)
        if not between or not project or set("/?#") & set(project) or not _is_server(base):
            raise Stop("bad-server", f"{place}: write the address of a project, such as https://HOST/p/PROJECT")
        token = os.environ.get(VARIABLE, "")
        if not token:
            raise Stop("bad-server", f"{place}: the server wants a token. Set {VARIABLE}")
        self.name = place  # its address
        self._project = project
        self._client = _Client(f"{base}/api/v1", {"Authorization": f"Bearer {token}"}, token)
        known = self._got("")
        try:
            # what is known of it
            self.about = About(known["name"], tuple(known["lane"]), known["samples"], known["around"])
        except (KeyError, TypeError):
            raise self._strange() from None

    def commits(self) -> set[str]:
        """Return the commits that the project has jobs of."""
        found: set[str] = set()
        query = {"limit": _PAGE}
        while True:
            page = self._got(f"/commits?{urlencode(query)}")
            try:
                found.update(each["commit"] for each in page["items"])
                following = page["next"]
            except (KeyError, TypeError):
                raise self._strange() from None
            if following is None:
                return found
            query["cursor"] = following

    @contextmanager
    def receiving(self) -> Iterator[Path]:
        """Yield the path of an empty file for an upload; it vanishes."""
        with tempfile.TemporaryDirectory(prefix="statera-") as folder:
            part = Path(folder, "upload.parquet")
            try:
                part.touch()
                yield part
            except OSError as error:
                raise outputs.failure(part, error) from None

    def keep(self, part: Path, checked: Limits | None = None) -> tuple[str, bool]:
        """Send a whole upload; return its hash, and whether it is new."""
        content = part.read_bytes()
        hash_ = hashlib.sha256(content).hexdigest()
        headers = {"Content-Type": "application/vnd.apache.parquet", "Idempotency-Key": hash_}
        try:
            query = {"project": self._project, "new_unit": "false" if checked else "true"}
            answer = self._client.put(f"/uploads?{urlencode(query)}", content, headers)
        except http.Refused as refused:
            raise _refused(refused) from None
        if not isinstance(answer, dict) or not isinstance(answer.get("new"), bool):
            raise self._strange()
        return hash_, answer["new"]

    def sweep(self) -> None:
        """Do nothing: nothing is left behind."""

    def _got(self, path: str) -> dict[str, Any]:
        """Return a document of the project."""
        try:
            found = self._client.get(f"/projects/{quote(self._project, safe='')}{path}")
        except http.Refused as refused:
            raise _refused(refused) from None
        if not isinstance(found, dict):
            raise self._strange()
        return found

    def _strange(self) -> Stop:
        return self._client.failed(f"{self.name}: the answer is that of another program")


def _is_server(address: str) -> bool:
    try:
        parts = urlsplit(address)
        # A host whose name has empty or endless parts has none in the network.
        return bool(parts.hostname and parts.hostname.encode("idna") and "@" not in parts.netloc) and not (
            parts.query or parts.fragment
        )
    except ValueError:
        return False


class _Client(http.Client):
    refused = frozenset({400, 401, 403, 404, 405, 409, 410, 411, 413, 415, 422})

    def bad(self, what: str) -> Stop:
        return Stop("bad-server", f"the server of the history: {what}")

    def failed(self, what: str) -> Stop:
        return Stop("server-failed", what)


def _refused(refused: http.Refused) -> Stop:
    return Stop("server-refused", str(refused))
