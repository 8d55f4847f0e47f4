"""What a call of the library asks for: the request, the settings and how to read, from its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.api.arguments import levels, of_kind, pairs_of_labels, path, roles, texts
from statera.api.arguments import pairs as pairs_of
from statera.api.tables import as_paths
from statera.comparison import pipeline
from statera.comparison.pairing import Factors, Request, load_manifest
from statera.support.errors import Stop
from statera.support.settings import Limits, Policy, checked
from statera.support.settings.file import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

_PAIRS: Final = ("baseline", "all")


class Asked(NamedTuple):
    """A request, settings, and how to read; ``files`` are those of the table of variants."""

    request: Request
    settings: Settings
    format: str | None
    roles: list[tuple[str, str]]
    files: tuple[str, ...]

    def read(self, sources: tuple[str | PathLike[str] | Iterable[object], ...]) -> pipeline.Read:
        """Read the sources, or the files of the table of variants if there are none."""
        with as_paths(sources, self.format, self.roles) as given:
            found = pipeline.read(
                given.paths or self.files, self.request, self.settings, format=given.format, columns=self.roles
            )
        given.name(found.observations)
        return found


def asked(
    *,
    by: str | Sequence[str] = (),
    baseline: str | None = None,
    pair: str = "auto",
    benchmarks: str | Sequence[str] = (),
    metrics: str | Sequence[str] = (),
    units: str | Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    pool: str | Sequence[str] = (),
    within: str | Sequence[str] = (),
    pairs: str = "baseline",
    factors: Mapping[str, Mapping[str, str]] | None = None,
    rename: Mapping[str, str] | None = None,
    manifest: str | PathLike[str] | None = None,
    name_patterns: str | Sequence[str] = (),
    quantiles: Sequence[float] = (),
    all_metrics: bool = False,
    apart: bool = False,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str | Sequence[str]] | None = None,
    limits: Limits | None = None,
) -> Asked:
    """Gather the parameters of ``compare``, which describes them.

    Raises:
        TypeError: a parameter has another type.
        Stop: a parameter has a value that cannot be.

    """
    if pairs not in _PAIRS:
        raise Stop("bad-option", f"pairs must be {' or '.join(_PAIRS)}, not {pairs!r}")
    variants = path(manifest, "manifest")
    told = Factors() if variants is None else load_manifest(variants)
    request = Request(
        by=texts(by, "by"),
        baseline=of_kind(baseline, "baseline", str),
        pair=of_kind(pair, "pair", str),
        benchmarks=texts(benchmarks, "benchmarks"),
        metrics=texts(metrics, "metrics"),
        units=texts(units, "units"),
        where=tuple(pairs_of(where, "where")),
        rename=tuple("=".join(pair) for pair in pairs_of(rename, "rename")),
        pool=texts(pool, "pool"),
        within=texts(within, "within"),
        all_metrics=of_kind(all_metrics, "all_metrics", bool),
        own_parts=of_kind(apart, "apart", bool),
        pairs=pairs,
        factors=told._replace(
            of_label=(*told.of_label, *pairs_of_labels(factors, "factors")),
            of_name=texts(name_patterns, "name_patterns"),
        ),
        quantiles=levels(quantiles, "quantiles"),
    )
    settings = Settings(
        checked(of_kind(policy, "policy", Policy) or Policy()), limits=of_kind(limits, "limits", Limits) or Limits()
    )
    return Asked(request, settings, of_kind(format, "format", str), roles(columns), tuple(told.files))
