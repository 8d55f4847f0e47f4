"""What a call of the library asks for: the request, the settings and how to read, from its parameters."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from statera import pipeline
from statera.api.tables import as_paths
from statera.pairing import Factors, Request, load_manifest
from statera.settings import Limits, Policy, checked
from statera.settings.provenance import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike


class Asked(NamedTuple):
    """A request, settings, and how to read; ``files`` are those of the table of variants."""

    request: Request
    settings: Settings
    format: str | None
    roles: list[tuple[str, str]]
    files: tuple[str, ...]

    def read(self, sources: tuple[str | PathLike[str] | Iterable[object], ...]) -> pipeline.Read:
        """Read the sources, or the files of the table of variants if there are none."""
        with as_paths(sources) as paths:
            return pipeline.read(
                paths or self.files, self.request, self.settings, format=self.format, columns=self.roles
            )


def asked(
    *,
    by: str | Sequence[str] = (),
    baseline: str | None = None,
    pair: str = "auto",
    benchmarks: Sequence[str] = (),
    metrics: Sequence[str] = (),
    units: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    pool: Sequence[str] = (),
    within: Sequence[str] = (),
    pairs: str = "baseline",
    factors: Mapping[str, Mapping[str, str]] | None = None,
    manifest: str | PathLike[str] | None = None,
    name_patterns: Sequence[str] = (),
    quantiles: Sequence[float] = (),
    all_metrics: bool = False,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str | Sequence[str]] | None = None,
    limits: Limits | None = None,
) -> Asked:
    """Gather the parameters of ``compare``, which describes them."""
    told = load_manifest(os.fspath(manifest)) if manifest is not None else Factors()
    given = [(label, key, value) for label, pairs_of in (factors or {}).items() for key, value in pairs_of.items()]
    request = Request(
        by=(by,) if isinstance(by, str) and by else tuple(by),
        baseline=baseline,
        pair=pair,
        benchmarks=tuple(benchmarks),
        metrics=tuple(metrics),
        units=tuple(units),
        where=tuple((where or {}).items()),
        pool=tuple(pool),
        within=tuple(within),
        all_metrics=all_metrics,
        pairs=pairs,
        factors=told._replace(of_label=(*told.of_label, *given), of_name=tuple(name_patterns)),
        quantiles=tuple(quantiles),
    )
    settings = Settings(checked(policy or Policy()), limits=limits or Limits())
    return Asked(request, settings, format, roles(columns), tuple(told.files))


def roles(columns: Mapping[str, str | Sequence[str]] | None) -> list[tuple[str, str]]:
    """Return each role with each of its columns."""
    named = ((role, (names,) if isinstance(names, str) else names) for role, names in (columns or {}).items())
    return [(role, name) for role, names in named for name in names]
