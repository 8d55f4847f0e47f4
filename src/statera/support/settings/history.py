"""The table ``[history]`` of the settings file: where a project's history is, and what its results belong to."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class History(NamedTuple):
    """The settings of histories; an empty text is not set.

    Attributes:
        place: a folder, or ``git:BRANCH``.
        project: the name of the project.
        branch: the branch that is watched.
        commit_url: the address of a commit's page, with ``{commit}`` for its name.

    """

    place: str = ""
    project: str = ""
    branch: str = ""
    commit_url: str = ""


def history_settings(table: Mapping[str, Any], path: str) -> History:
    """Read the table; an unknown key or a wrong type raises Stop, which names the key."""
    for key, value in table.items():
        if key not in History._fields:
            known = ", ".join(History._fields)
            raise Stop("bad-settings", f"{path}: history has no setting {key!r}; the settings are {known}")
        if not isinstance(value, str):
            raise Stop("bad-settings", f"{path}: history.{key} takes a text, not {value!r}")
    return History(**table)
