"""Runs and their comparison from paths; runs that are not analysed yet are analysed first."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster import filters
from statera.cluster.analysis import POOLED, analyse
from statera.cluster.comparison import ClusterComparison, compare
from statera.cluster.logs import mapping as mappings
from statera.cluster.logs.directories import directory_name, free, refuse_repeated, scratch_directory
from statera.cluster.logs.events import logged_hosts
from statera.cluster.observations import Variant
from statera.cluster.samples import Analysed, is_analysed, load, load_summary, newest_log
from statera.support.errors import Stop
from statera.support.files import addresses
from statera.support.files.names import as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.cluster.analysis import Options
    from statera.comparison.pairing import Request
    from statera.support.settings.file import Settings

_Found = tuple[str, list[tuple[Analysed, Path]]]
"""A name, and runs with their paths."""


class Earlier(NamedTuple):
    """Earlier runs of the baseline's build."""

    paths: Sequence[str] = ()  # paths of runs, as those of ``opened`` without labels
    # the label to which they are added; that of the first run if it is None or no run has it.
    baseline: str | None = None


NO_RUNS: Final = Earlier()


@contextmanager
def opened(words: Sequence[str], options: Options, earlier: Earlier = NO_RUNS) -> Iterator[list[Variant]]:
    """Open runs, each written ``[LABEL=]PATH``; their tables can be read until the context ends.

    A path is the directory of a run's logs, of its analysis, or of one analysis of several runs. The latter, and paths
    with the same label, are several runs of one configuration. A run without a label takes the name of its directory
    of logs. The ``earlier`` runs are further runs of the baseline.

    Raises ``Stop`` if a path is neither a run nor an analysis.
    """
    with scratch_directory() as scratch:
        yield _given(words, lambda path, number: _runs(path, scratch / str(number), options), earlier)


def compare_paths(
    words: Sequence[str],
    options: Options,
    settings: Settings | None = None,
    request: Request | None = None,
    earlier: Earlier = NO_RUNS,
) -> ClusterComparison:
    """Compare runs, the baseline first; ``words`` and ``earlier`` are those of ``opened``.

    Raises ``Stop`` if there is nothing to compare, or a path is neither a run nor an analysis.
    """
    with opened(words, options, earlier) as given:
        return compare(given, settings, request)


def changes_of(given: Iterable[Variant]) -> list[int]:
    """Return the last change of the newest log of each run that has logs, in seconds since 1970."""
    newest = [newest_log(run.path) for each in given for run in each.runs]
    return [seconds for seconds in newest if seconds is not None]


def _given(words: Sequence[str], load_all: Callable[[Path, int], _Found], earlier: Earlier) -> list[Variant]:
    found: dict[str, list[tuple[Analysed, Path]]] = {}
    parted = [split(word) for word in words]
    # A path without a label is a side of its own.
    for label in dict.fromkeys(label for label, _ in parted if label):
        refuse_repeated(path for own, path in parted if own == label)
    for number, (label, path) in enumerate(parted):
        name, runs = load_all(path, number)
        found.setdefault(label or free(name, found), []).extend(runs)
    for number, path in enumerate(map(_path, earlier.paths), len(words)):
        found[earlier.baseline if earlier.baseline in found else next(iter(found))] += load_all(path, number)[1]
    for runs in found.values():
        # One argument may name several runs.
        refuse_repeated(path for _, path in runs)
    return [
        Variant(label, tuple(run for run, _ in runs), tuple(path for _, path in runs)) for label, runs in found.items()
    ]


def split(word: str) -> tuple[str, Path]:
    """Split ``LABEL=PATH``; a word that is an existing path has no label."""
    label, equals, rest = word.partition("=")
    if equals and label and not Path(word).exists() and not addresses.scheme(word):
        return as_text(label), _path(rest)
    return "", _path(word)


def _path(word: str) -> Path:
    word = addresses.local(word)
    addresses.refuse(word)
    return Path(word)


def _runs(path: Path, scratch: Path, options: Options) -> _Found:
    """Return the runs of a path, and their name."""
    if is_analysed(path):
        pooled = load_summary(path).get("runs")
        if isinstance(pooled, list):
            out = path.resolve().parent
            return out.name, _pooled(out, pooled, options)
        return _one(_analysed(path, options), path)
    if is_analysed(path / POOLED):
        pooled = load_summary(path / POOLED).get("runs")
        return path.resolve().name, _pooled(path, pooled if isinstance(pooled, list) else [], options)
    _refuse_a_heap(path)
    analyse(path, scratch, options._replace(locks=False))
    return _one(load(scratch), path)


def _one(run: Analysed, path: Path) -> _Found:
    return str(run.summary.get("run") or path.resolve().name), [(run, path)]


def _pooled(out: Path, names: list[object], options: Options) -> list[tuple[Analysed, Path]]:
    """Return the runs that were analysed together: runs of one configuration."""
    folders = [out / directory_name(str(name)) for name in names]
    if not folders:
        raise Stop("not-analysed", f"{out / POOLED}: this analysis of several runs lists none. Analyse the runs again")
    return [(_analysed(folder, options), folder) for folder in folders]


def _refuse_a_heap(path: Path) -> None:
    """Refuse a directory of separate analyses: their labels are unknown."""
    if not path.is_dir() or (path / "run.json").exists() or (path / "meta.json").exists():
        return
    inner = sorted(each.name for each in path.iterdir() if is_analysed(each))
    if inner:
        words = " ".join(f"LABEL={path / name}" for name in inner[:3])
        raise Stop(
            "not-analysed",
            f"{path}: this directory holds {len(inner)} separate analyses. Name each, and use the same label for runs "
            f"of one configuration: {words}",
        )


def _analysed(path: Path, options: Options) -> Analysed:
    run = load(path)
    if options.mapping is not None:
        _refuse_another_mapping(path, run.summary.get("hosts") or (), options.mapping)
    if options.filters is not None:
        wanted = [str(condition) for condition in filters.chosen(options.filters, None)]
        has = run.summary.get("filters")
        if wanted != has:
            raise Stop(
                "bad-option",
                f"--filter: {path} was analysed with {'; '.join(map(str, has or ())) or 'no filter'}. Name the run's "
                "directory of logs instead, or analyse it again with this filter",
            )
    return run


def _refuse_another_mapping(path: Path, hosts: Iterable[str], mapping: str) -> None:
    """Refuse a mapping other than the one of the analysis."""
    digest = mappings.load(mapping).digest
    if any(host.mapping != digest for host in logged_hosts(path, hosts).values()):
        raise Stop(
            "bad-option",
            f"--mapping: {path} was analysed with another mapping than {mapping}. Name the run's directory of logs "
            "instead, or analyse it again with this mapping",
        )
