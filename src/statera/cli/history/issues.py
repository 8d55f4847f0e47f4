"""``statera history issues``: one issue for each new alert, closed when its level returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli.history import shared
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.history.alerts import Alert, State
    from statera.history.analysis import Analysis
    from statera.history.folder import Folder
    from statera.history.issues import Done


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "issues",
        help="open an issue for each new alert, and close it when its level returns",
        description="Open an issue on GitHub or GitLab for each new alert for the worse, link it to the alert, and "
        "close it when the level returns or somebody decides. A second call does nothing again. If the token may not "
        "write, the command says so and exits with code 0.",
    )
    parser.add_argument("--label", default="statera", metavar="NAME", help="the label of the issues (statera)")
    parser.add_argument("--most", type=int, default=5, metavar="N", help="open at most this many in one call (5)")
    shared.add_analysis(parser)
    parser.set_defaults(run=_issues)


def _issues(options: argparse.Namespace) -> int:
    from statera.history import issues  # noqa: PLC0415 - --help does without
    from statera.output.forge.here import here  # noqa: PLC0415
    from statera.support.http.client import Refused  # noqa: PLC0415

    if not options.label or "," in options.label:
        raise Stop("bad-option", "--label takes one label without a comma")
    where = here()
    folder, analysis = shared.analysed(options)
    if where.forge is None:
        common.say(f"statera: there is no token in {where.lacks}, so no issue is opened")
        return 0
    try:
        done = issues.update(where.forge, analysis, _decided(analysis), label=options.label, most=options.most)
    except Refused as refused:
        common.say(f"statera: the token may not write issues ({refused})")
        return 0
    except (KeyError, TypeError, ValueError) as error:
        raise Stop("forge-failed", f"the API gave an unexpected answer ({error!r}); check its address") from None
    _link(folder, analysis, done)
    return 0


def _decided(analysis: Analysis) -> list[tuple[Alert, State]]:
    from statera.history.alerts import alerts, expectations, state_of  # noqa: PLC0415

    announced = expectations(analysis.catalog)
    return [
        (alert, state_of(alert, analysis.orders[alert.branch], analysis.catalog, announced))
        for alert in alerts(analysis)
    ]


def _link(folder: Folder, analysis: Analysis, done: Done) -> None:
    """Record the pages of issues in the history, and say what happened."""
    from statera.cli.history.deciding import record  # noqa: PLC0415 - --help does without
    from statera.history.alerts import LINK  # noqa: PLC0415

    for alert, issue in done.linked:
        record(folder, analysis, alert, kind=LINK, url=issue.url)
        common.say(f"statera: alert {alert.id} is issue {issue.url}")
    for issue in done.closed:
        common.say(f"statera: closed {issue.url}")
    if done.waiting:
        common.say(
            f"statera: {counted(done.waiting, 'more alert waits', 'more alerts wait')} for the next time (--most)"
        )
