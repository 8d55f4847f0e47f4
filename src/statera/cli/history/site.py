"""``statera history site``: the history as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli import output
from statera.cli.history import shared
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.history.analysis import Analysis
    from statera.history.material import Fact


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "site",
        help="write the history as pages for a browser",
        description="Write pages with the open alerts, all alerts, and every series with its chart. They need no "
        "server: open index.html, or put the folder on a static host. If you write again, unchanged "
        "pages stay untouched.",
    )
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder of the pages")
    parser.add_argument(
        "--commit-url",
        metavar="URL",
        help="the address of a commit's page, with {commit} for its name (commit_url in the table [history] of the "
        "settings)",
    )
    shared.add_analysis(parser)
    parser.set_defaults(run=_site)


def _site(options: argparse.Namespace) -> int:
    from statera.history import site  # noqa: PLC0415 - --help does without
    from statera.history.material import gather  # noqa: PLC0415
    from statera.history.site import rendering  # noqa: PLC0415

    target = output.folder(options.output)
    rendering.check()
    opened, analysis = shared.analysed(options)
    url = options.commit_url or common.reading(options).history.commit_url
    written = site.write(gather(opened.about.project, analysis, _known(analysis), url), target)
    removed = f", {counted(written.removed, 'file')} of earlier pages removed" if written.removed else ""
    files = counted(written.files, "file")
    common.say(f"statera: {target / 'index.html'}: {files}, {written.changed} of them written{removed}")
    return 0


def _known(analysis: Analysis) -> dict[str, Fact]:
    """Return what the repository of the current folder knows of the commits of all branches."""
    from statera.history.checkout import here  # noqa: PLC0415 - --help does without
    from statera.history.material import Fact  # noqa: PLC0415

    repository = here()
    found: dict[str, Fact] = {}
    for order in analysis.orders.values() if repository else ():
        tip = order.commits[-1]
        if repository and repository.resolve(tip) == tip:
            found |= {each.sha: Fact(each.subject, each.committed) for each in repository.line(tip)}
    return found
