"""``statera plot``: a picture of a comparison, or of results that are looked at one by one."""

from __future__ import annotations

from statera import _native
from statera.cli import arguments, output
from statera.comparison import pipeline
from statera.output import plots
from statera.output.plots import COMPARES
from statera.output.plots.raw_values import averages_beside, samples
from statera.support import stages
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from statera.output.plots.picture import Picture, Theme
    from statera.output.plots.raw_values import Source
    from statera.support.settings.file import Settings

_ENDINGS = (".svg", ".png", ".html", ".json")
_NARROWEST, _WIDEST = 240, 4000
_NAMED = 3
# A larger PNG would not fit into memory.
_MOST_ZOOM = 10


def plot(options: argparse.Namespace) -> int:
    """Draw, write, and return the exit code."""
    is_named = options.output is not None
    options.output = options.output or f"{options.kind}.svg"
    _check(options)
    arguments.set_jobs(options.jobs)
    settings = arguments.settings(options)
    source = _source(options, settings)
    stages.enter("drawing")
    picture = _picture(source, options)
    theme: Theme = options.theme or ("auto" if options.output.lower().endswith(".html") else "light")
    picture.save(options.output, theme, options.zoom)
    arguments.say_settings(settings)
    if not is_named:
        arguments.say(f"statera: the picture is in {options.output}")
    observations = source.observations
    if observations.left_out:
        arguments.say(f"statera: {observations.left_out} left out of reading; statera inspect shows where")
    for remark in [*picture.remarks, *_not_drawn(source, options.kind)]:
        arguments.say(f"statera: {remark}")
    return arguments.left_out(options, observations)


def _not_drawn(source: Source, kind: str) -> list[str]:
    """Name the metrics that this plot leaves out."""
    held = samples(source)
    beside = {each.metric for each in averages_beside(held).values()} if kind == "atlas" else set()
    others = [
        _native.printable(held.metrics[number].name) for number in held.drawn_metrics()[1:] if number not in beside
    ]
    return [f"--metric draws another one: {listed(others, _NAMED)}"] if others else []


def _check(options: argparse.Namespace) -> None:
    """Refuse impossible options before anything is read."""
    if not options.output.lower().endswith(_ENDINGS):
        raise Stop("bad-option", f"-o {options.output}: a picture has one of the endings {', '.join(_ENDINGS)}")
    if not _NARROWEST <= options.width <= _WIDEST:
        raise Stop("bad-option", f"--width takes pixels from {_NARROWEST} to {_WIDEST}, not {options.width}")
    if not 0 < options.zoom <= _MOST_ZOOM:
        raise Stop("bad-option", f"--zoom takes a number above 0 and up to {_MOST_ZOOM}, not {options.zoom}")
    if options.facet is not None and options.kind != "speedup":
        raise Stop("bad-option", f"--facet chooses the panels of speedup; {options.kind} has no choice, leave it out")
    if options.most is not None and options.most < 1:
        raise Stop("bad-option", f"--most takes a number from 1 on, not {options.most}")


def _source(options: argparse.Namespace, settings: Settings) -> Source:
    """Compare if the kind of plot compares or there are several variants to order; otherwise inspect."""
    # A matrix of pairs compares them all.
    pairs = "all" if options.kind == "matrix" else options.pairs
    request, paths = arguments.request(options, baseline=options.baseline, pairs=pairs)
    output.check(options.output, [*paths, options.manifest, settings.file])
    is_one = options.kind not in COMPARES and len(paths) == 1 and not options.by

    def read(roles: Sequence[tuple[str, str]]) -> Source:
        made = {"format": options.format, "columns": roles}
        if not is_one:
            try:
                return pipeline.compare(paths, request, settings, **made)
            except Stop as stop:
                # Values of one variant can be drawn, but not compared.
                if options.kind in COMPARES or stop.code != "one-variant" or options.by:
                    raise
        return pipeline.inspect(paths, request, settings, **made)

    return arguments.with_columns(read, options, settings)


def _picture(source: Source, options: argparse.Namespace) -> Picture:
    more = {} if options.most is None else {"most": options.most}
    facet = options.facet or ""
    return plots.draw(options.kind, source, width=options.width, log=options.log, facet=facet, **more)
