"""Selection, names and widths of the panels of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.output.plots.frame.names import benchmark, fitting, for_panels, name, whole
from statera.output.plots.ranking import heaviest
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.raw_values import Samples, Series, Source

NARROW = 700  # from this width in pixels, panels have two columns


class Options(NamedTuple):
    """Options of a picture.

    Attributes:
        width: the width of the whole picture in pixels.
        metric: the number of the metric; None for the first that has values.
        benchmarks: the numbers of the benchmarks, in order; those that matter most if empty.
        groups: the numbers of the groups; all if empty.
        variants: the numbers of the variants of panels; all if empty.
        most: the largest number of panels.
        log: whether the axis of values is logarithmic; None to let the data decide.
        explained: whether a picture of values says how it is read; otherwise the text around it does.

    """

    width: int = 720
    metric: int | None = None
    benchmarks: Sequence[int] = ()
    groups: Sequence[int] = ()
    variants: Sequence[int] = ()
    most: int = 12
    log: bool | None = None
    explained: bool = True


def explanation(options: Options, *sentences: str) -> list[str]:
    """Return the sentences on how a picture is read, if it says them itself."""
    return [*sentences] if options.explained else []


class Panel(NamedTuple):
    """A benchmark of a metric in a group, with a series for each variant that has values."""

    group: int
    metric: int
    benchmark: int
    series: tuple[Series, ...]


def panels(source: Source, samples: Samples, options: Options) -> tuple[list[Panel], list[str]]:
    """Return the panels, those that matter most first, and sentences about what is left out.

    Raises:
        Stop: nothing that was selected has values.

    """
    metric = first_metric(samples, options)
    found: dict[tuple[int, int], list[Series]] = {}
    for series in samples.series:
        wanted = series.metric == metric and (not options.groups or series.group in options.groups)
        wanted = wanted and (not options.variants or series.variant in options.variants)
        if wanted and (not options.benchmarks or series.benchmark in options.benchmarks):
            found.setdefault((series.benchmark, series.group), []).append(series)
    if not found:
        raise Stop("nothing-to-draw", "nothing that was selected has values")
    held = list(dict.fromkeys(benchmark for benchmark, _ in found))
    order = [b for b in (options.benchmarks or heaviest(source, samples, metric, options.most)) if b in set(held)]
    rank = {benchmark: place for place, benchmark in enumerate(order)}
    keys = sorted(found, key=lambda key: (rank.get(key[0], len(rank)), key[0], key[1]))
    shown = [
        Panel(group, metric, benchmark, tuple(found[benchmark, group])) for benchmark, group in keys[: options.most]
    ]
    return shown, _left_out(held, shown, len(keys), chosen=bool(options.benchmarks))


def by_benchmark(shown: Iterable[Panel]) -> dict[int, list[Panel]]:
    """Group the panels by benchmark; the panels of a benchmark share an axis."""
    found: dict[int, list[Panel]] = {}
    for panel in shown:
        found.setdefault(panel.benchmark, []).append(panel)
    return found


def first_metric(samples: Samples, options: Options) -> int:
    """Return the number of the metric to draw."""
    if options.metric is not None:
        return options.metric
    metrics = samples.drawn_metrics()
    if not metrics:
        raise Stop("nothing-to-draw", "there are no values to draw")
    return metrics[0]


def _left_out(held: list[int], shown: list[Panel], panels_held: int, *, chosen: bool) -> list[str]:
    said = []
    drawn = len({panel.benchmark for panel in shown})
    if drawn < len(held):
        which = "the first that were named" if chosen else "those that matter most"
        said.append(f"{drawn} of {len(held)} benchmarks, {which}")
    elif len(shown) < panels_held:
        said.append(f"{len(shown)} of {panels_held} panels")
    return said


def panel_name(samples: Samples, panel: Panel, shown: Sequence[Panel]) -> str:
    """Name a panel by what distinguishes it from the others: benchmark, group, or both."""
    benchmarks = len({each.benchmark for each in shown}) > 1
    groups = len({each.group for each in shown}) > 1
    parts = [samples.benchmarks[panel.benchmark]] if benchmarks else []
    if groups and samples.groups[panel.group]:
        parts.append(samples.groups[panel.group])
    return " · ".join(whole(part) for part in parts)


def panel_names(samples: Samples, shown: Sequence[Panel], width: int) -> tuple[dict[Panel, str], list[str]]:
    """Name panels in forms that fit on titles of a width and stay apart; also say what all names leave out."""
    names, said = for_panels((panel_name(samples, panel, shown) for panel in shown), width)
    return dict(zip(shown, names, strict=True)), said


def heading(samples: Samples, shown: Sequence[Panel], words: str) -> str:
    """Return the title of a picture: its content and metric, and the benchmark and group if there is only one."""
    one = shown[0]
    parts = [f"{words} of {name(samples.metrics[one.metric].name)}"]
    if len({panel.benchmark for panel in shown}) == 1 and len(samples.benchmarks) > 1:
        parts.append(benchmark(samples, one.benchmark))
    if len({panel.group for panel in shown}) == 1 and samples.groups[one.group]:
        parts.append(name(samples.groups[one.group]))
    return ", ".join(parts)


def columns_of(options: Options, shown: Sequence[Panel]) -> int:
    """Return the number of columns; a few panels that share an axis are stacked."""
    few = len({panel.benchmark for panel in shown}) == 1 and len(shown) <= 4  # noqa: PLR2004
    return 1 if options.width < NARROW or few else 2


def inner_width(options: Options, columns: int, beside: int) -> int:
    """Return the width of a panel's data, beside ``beside`` pixels of labels at its left."""
    padding, spacing = 24, 18
    whole_width = options.width - padding - spacing * (columns - 1)
    return max(int(whole_width / columns) - beside - 8, 80)


def variant_labels(samples: Samples, shown: Sequence[Panel], options: Options) -> tuple[dict[int, str], int]:
    """Return the names of the variants for the left of rows, and the pixels that they take."""
    held = sorted({series.variant for panel in shown for series in panel.series})
    short, beside, _ = fitting((samples.labels[variant] for variant in held), options.width * 0.22)
    return dict(zip(held, short, strict=True)), beside


def compared(source: Source) -> Comparison:
    """Return the source if it is a comparison.

    Raises:
        Stop: the source is an inspection.

    """
    from statera.comparison.results.comparison import Comparison  # noqa: PLC0415

    if not isinstance(source, Comparison):
        raise Stop("bad-option", "this picture compares variants, and there is one; name several results or use --by")
    return source
