"""Changed units: a series whose unit changes would end without a word, and another one begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.history import catalog
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from statera.history.folder import Folder
    from statera.history.series import Series
    from statera.support.settings.limits import Limits


def refuse_changed(folder: Folder, upload: Path, limits: Limits) -> None:
    """Refuse an upload with a series that the history knows in other units only. No values are read, only summaries.

    Raises:
        Stop: there is such a series.

    """
    held = catalog.read(folder, limits)
    refuse(held.series, catalog.series_of(_native.Catalog.read([upload], catalog.most(limits))), held.names)


def refuse(known: Iterable[Series], added: Iterable[Series], names: dict[str, str]) -> None:
    """Refuse series that are known in other units only.

    Args:
        known: the series of the history.
        added: those of an upload.
        names: the present names of benchmarks that were renamed.

    Raises:
        Stop: there is such a series.

    """
    of_work: dict[tuple[str, str, str], set[str]] = {}
    for each in known:
        of_work.setdefault(_work(each, names), set()).add(each.unit)
    changed = [each for each in added if each.unit not in of_work.get(_work(each, names), {each.unit})]
    if changed:
        first = changed[0]
        others = _list(of_work[_work(first, names)])
        what = f"{_native.printable(first.benchmark)}, {_native.printable(first.metric)}"
        more = f" ({counted(len(changed), 'series', 'series')} in all)" if len(changed) > 1 else ""
        raise Stop(
            "other-unit",
            f"{what}: the results have the unit {_list([first.unit])}, and the history {others}{more}: values of two "
            "units have no common level; convert the results, or accept new series with --new-unit",
        )


def _work(series: Series, names: dict[str, str]) -> tuple[str, str, str]:
    return names.get(series.benchmark, series.benchmark), series.metric, series.factors


def _list(units: Iterable[str]) -> str:
    return " and ".join(_native.printable(unit) or "none" for unit in sorted(units))
