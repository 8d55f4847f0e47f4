"""``statera plot``: a picture of a comparison, or of results that are looked at one by one."""

from __future__ import annotations

from statera.cli import options as shared
from statera.cli import output, selection
from statera.output.plots import COMPARES, KINDS
from statera.support import stages
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import listed

if TYPE_CHECKING:
    import argparse

    from statera.output.plots.picture import Picture, Theme
    from statera.output.plots.raw_values import Source
    from statera.support.settings.file import Settings

_ENDINGS = (".svg", ".png", ".html", ".json")
_NARROWEST, _WIDEST = 240, 4000
_NAMED = 3


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "plot",
        help="draw a plot of results",
        description="Draw a plot of results as SVG, PNG, an interactive page or a Vega-Lite specification. Kinds: "
        + "; ".join(f"{kind} ({what})" for kind, what in KINDS.items())
        + ".",
        epilog="examples: statera plot ridgeline old.txt new.txt -o out.svg   |   "
        "statera plot trace runs.json -o out.html --benchmark '*link*'",
    )
    parser.add_argument("kind", metavar="KIND", choices=tuple(KINDS), help=", ".join(KINDS))
    parser.add_argument(
        "paths", nargs="*", metavar="[LABEL=]PATH", help="the baseline first; plots of values need only one"
    )
    what = selection.add_what(parser, "what is drawn")
    selection.add_pairs(what)
    selection.add_factors(parser)
    group = parser.add_argument_group("plot")
    group.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="write to this file, .svg, .png, .html or .json"
    )
    group.add_argument("--theme", choices=("light", "dark", "auto"), help="colour scheme (light; auto for .html)")
    group.add_argument("--width", type=int, default=720, metavar="PIXELS", help="width of the plot (720)")
    group.add_argument("--zoom", type=float, default=2.0, metavar="N", help="PNG dots per pixel (2)")
    group.add_argument("--most", type=int, metavar="N", help="maximum number of panels or rows")
    axis = group.add_mutually_exclusive_group()
    axis.add_argument("--log", action="store_const", const=True, dest="log", help="use a logarithmic axis of values")
    axis.add_argument(
        "--linear",
        action="store_const",
        const=False,
        dest="log",
        help="use a linear axis of values (chosen from the data)",
    )
    shared.add_policy(parser)
    shared.add_reading(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw, write, and return the exit code."""
    _check(options)
    shared.set_jobs(options.jobs)
    settings = shared.settings(options)
    with output.Progress("reading"):
        source = _source(options, settings)
        stages.enter("drawing")
        picture = _picture(source, options)
        theme: Theme = options.theme or ("auto" if options.output.lower().endswith(".html") else "light")
        picture.save(options.output, theme, options.zoom)
    shared.say_settings(settings)
    observations = source.observations
    if observations.left_out:
        shared.say(f"statera: {observations.left_out} left out of reading; statera inspect shows where")
    for remark in [*picture.remarks, *_not_drawn(source)]:
        shared.say(f"statera: {remark}")
    return shared.left_out(options, observations)


def _not_drawn(source: Source) -> list[str]:
    """Name the metrics that this plot leaves out."""
    from statera import _native  # noqa: PLC0415 - --help does without
    from statera.output.plots.raw_values import samples  # noqa: PLC0415

    held = samples(source)
    others = [_native.printable(held.metrics[number].name) for number in held.drawn_metrics()[1:]]
    return [f"--metric draws another one: {listed(others, _NAMED)}"] if others else []


def _check(options: argparse.Namespace) -> None:
    """Refuse impossible options before anything is read."""
    if not options.output.lower().endswith(_ENDINGS):
        raise Stop("bad-option", f"-o {options.output}: a picture has one of the endings {', '.join(_ENDINGS)}")
    if not _NARROWEST <= options.width <= _WIDEST:
        raise Stop("bad-option", f"--width takes pixels from {_NARROWEST} to {_WIDEST}, not {options.width}")
    if not 0 < options.zoom <= 10:  # noqa: PLR2004 - a larger PNG would not fit into memory
        raise Stop("bad-option", f"--zoom takes a number above 0 and up to 10, not {options.zoom}")
    if options.most is not None and options.most < 1:
        raise Stop("bad-option", f"--most takes a number from 1 on, not {options.most}")


def _source(options: argparse.Namespace, settings: Settings) -> Source:
    """Compare if the kind of plot compares or there are several variants to order; otherwise inspect."""
    from statera.comparison import pipeline  # noqa: PLC0415 - --help does without

    request, paths = selection.request(options, baseline=options.baseline, pairs=options.pairs)
    output.check(options.output, [*paths, options.manifest, settings.file])
    reading = {"format": options.format, "columns": shared.columns(options.column)}
    if options.kind not in COMPARES and len(paths) == 1 and not options.by:
        return pipeline.inspect(paths, request, settings, **reading)
    return pipeline.compare(paths, request, settings, **reading)


def _picture(source: Source, options: argparse.Namespace) -> Picture:
    from statera.output import plots  # noqa: PLC0415

    more = {} if options.most is None else {"most": options.most}
    return plots.draw(options.kind, source, width=options.width, log=options.log, **more)
