"""The settings file: TOML that changes the policy and the limits."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.settings.history import History, history_settings
from statera.support.settings.limits import Limits, limited
from statera.support.settings.policy import Policy, checked, parse_fraction, parse_margin
from statera.support.typed import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from statera.support.settings.policy import Direction


def load(path: str) -> tuple[Policy, Limits, History]:
    """Read policy, limits and history from a settings file; Stop names an unknown key or a wrong type."""
    document = dict(_document(path))
    history = document.pop("history", {})
    if not isinstance(history, dict):
        raise Stop(
            "bad-settings",
            f'{path}: history must be a table, such as [history] with place = "results", not {history!r}',
        )
    table = document.pop("limits", {})
    if not isinstance(table, dict):
        raise Stop(
            "bad-settings", f'{path}: limits must be a table, such as [limits] with bytes = "4GiB", not {table!r}'
        )
    limits = Limits()
    for name, value in cast("dict[str, Any]", table).items():
        limits = limited(limits, name, value, f"{path}: limits", "bad-settings")
    return from_mapping(document, path), limits, history_settings(history, path)


def _document(path: str) -> Mapping[str, Any]:
    from statera.support.files import toml  # noqa: PLC0415 - only where there are settings

    try:
        document, _ = toml.load(path, "bad-settings")
    except OSError as error:
        raise Stop("bad-settings", f"{path}: {error.strerror}") from None
    if path.endswith("pyproject.toml"):
        for name in ("tool", "statera"):
            document = document.get(name, {})
            if not isinstance(document, dict):
                raise Stop("bad-settings", f"{path}: {name} must be a table [tool.statera], not {document!r}")
    return document


def from_mapping(document: Mapping[str, Any], path: str) -> Policy:
    """Build a policy from the keys of a settings file."""
    policy = Policy()
    known = set(Policy._fields) - {"margins", "directions"} | {"margin", "better", "limits", "history"}
    for key, value in document.items():
        if key not in known:
            raise Stop(
                "bad-settings", f"{path}: there is no setting {key!r}; the settings are {', '.join(sorted(known))}"
            )
        if key in {"margin", "better", "noise"}:
            policy = _table(policy, key, value, path)
            continue
        wanted = type(getattr(Policy(), key))
        if key.startswith("margin_") or key == "session":
            policy = _with(policy, key, parse_fraction(value, f"{path}: {key}"))
        elif isinstance(value, bool) == (wanted is bool) and isinstance(
            value, (int, float) if wanted is float else wanted
        ):
            policy = _with(policy, key, wanted(value))
        else:
            raise Stop("bad-settings", f"{path}: {key} takes a {wanted.__name__}, not {value!r}")
    try:
        return checked(policy)
    except Stop as stop:
        raise Stop("bad-settings", f"{path}: {stop}") from None


def _with(policy: Policy, key: str, value: object) -> Policy:
    return Policy(**{**policy._asdict(), key: value})


def _table(policy: Policy, key: str, value: object, path: str) -> Policy:
    if key == "margin" and isinstance(value, (str, float, int)):
        return policy._replace(margins=(("*", parse_margin(value, f"{path}: margin")),))
    if not isinstance(value, dict):
        raise Stop("bad-settings", f"{path}: {key} takes a table of metric patterns, not {value!r}")
    table = cast("dict[str, Any]", value)
    if key == "margin":
        margins = tuple(
            (pattern, parse_margin(amount, f"{path}: margin.{pattern}")) for pattern, amount in table.items()
        )
        return policy._replace(margins=margins)
    if key == "noise":
        floors = tuple(
            (pattern, parse_fraction(amount, f"{path}: noise.{pattern}")) for pattern, amount in table.items()
        )
        return policy._replace(noise=floors)
    # Every word is checked with the whole policy.
    return policy._replace(directions=tuple((pattern, cast("Direction", str(word))) for pattern, word in table.items()))
