"""``statera history ack``, ``ignore``, ``link``, ``expect`` and ``rename``: what people decide and state."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING, Any

from statera.cli import options as common
from statera.cli.history import shared
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse

    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis
    from statera.history.folder import Folder

_IGNORED = ("noise", "wontfix", "expected", "fixed")


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verbs."""
    ack = verbs.add_parser("ack", help="acknowledge an alert: somebody knows", description="Acknowledge an alert.")
    _add_alert(ack)
    ack.add_argument("--reason", default="", metavar="TEXT", help="what is known")
    ack.set_defaults(run=_ack)
    ignore = verbs.add_parser(
        "ignore", help="close an alert, with a reason", description="Close an alert: nothing is to be done about it."
    )
    _add_alert(ignore)
    ignore.add_argument(
        "--as", dest="word", choices=_IGNORED, default="noise", help="the new state of the alert (noise)"
    )
    ignore.add_argument("--reason", required=True, metavar="TEXT", help="the reason, for those who ask later")
    ignore.set_defaults(run=_ignore)
    link = verbs.add_parser("link", help="link an alert to an issue", description="Link an alert to a page.")
    _add_alert(link)
    link.add_argument("url", metavar="URL", help="the page of the issue")
    link.set_defaults(run=_link)
    expect = verbs.add_parser(
        "expect",
        help="announce a change",
        description="Announce a change before it is measured, so that it raises no open alert. A trailer of the "
        "commit's message does the same: Statera-Expect: PATTERN LOW..HIGH REASON.",
    )
    expect.add_argument("commit", metavar="COMMIT", help="the commit that makes the change, or FIRST..LAST")
    expect.add_argument(
        "text", metavar="TEXT", help="PATTERN LOW..HIGH REASON, such as 'Parse/* +5%%..+15%% checks input'"
    )
    shared.add_analysis(expect)
    expect.set_defaults(run=_expect)
    rename = verbs.add_parser(
        "rename",
        help="record that a benchmark has another name",
        description="Record that a benchmark has another name. Its series continue under the new name, with all "
        "decisions about them; the old name still finds them. The same name twice cancels its renaming.",
    )
    rename.add_argument("old", metavar="OLD", help="the whole old name; patterns are not supported")
    rename.add_argument("new", metavar="NEW", help="the new name, whether or not a job has it yet")
    rename.add_argument("--reason", default="", metavar="TEXT", help="the reason, for those who ask later")
    shared.add_place(rename)
    rename.set_defaults(run=_rename)


def _add_alert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("alert", metavar="ALERT", help="the alert, as statera history points names it")
    shared.add_analysis(parser)


def _ack(options: argparse.Namespace) -> int:
    return _state(options, "acknowledged", options.reason)


def _ignore(options: argparse.Namespace) -> int:
    if not options.reason.strip():
        raise Stop("bad-option", "--reason is empty; say why nothing is to be done")
    return _state(options, options.word, options.reason)


def _state(options: argparse.Namespace, word: str, reason: str) -> int:
    from statera.history.alerts import STATE  # noqa: PLC0415 - --help does without

    folder, analysis, alert = _alert(options)
    record(folder, analysis, alert, kind=STATE, state=word, reason=reason)
    common.say(f"statera: alert {alert.id} is {word}")
    return 0


def _link(options: argparse.Namespace) -> int:
    from statera.history.alerts import LINK  # noqa: PLC0415 - --help does without

    if not options.url.startswith(("https://", "http://")):
        raise Stop("bad-option", f"{options.url}: write the address of a page, beginning with https://")
    folder, analysis, alert = _alert(options)
    record(folder, analysis, alert, kind=LINK, url=options.url)
    common.say(f"statera: alert {alert.id} is linked with {options.url}")
    return 0


def _expect(options: argparse.Namespace) -> int:
    from statera.history import job  # noqa: PLC0415 - --help does without
    from statera.history.alerts import EXPECT, expectation  # noqa: PLC0415

    common.set_jobs(options.jobs)
    commits = _commits(options.commit)
    expectation(commits, options.text)
    folder = shared.folder(options, common.reading(options))
    event = {"kind": EXPECT, "commits": commits, "text": options.text, "who": _who(), "when": job.now("milliseconds")}
    folder.record(event)
    common.say(f"statera: announced for {options.commit}: {options.text}")
    return 0


def _rename(options: argparse.Namespace) -> int:
    from statera._native import printable  # noqa: PLC0415 - --help does without
    from statera.history.catalog import renaming  # noqa: PLC0415

    folder, held = shared.read(options, common.reading(options))
    event = renaming(held, options.old, options.new)
    folder.record({**event, "reason": options.reason, "who": _who()})
    old, new = printable(options.old), printable(options.new)
    taken_back = f"{old} has its own name again, and nothing else belongs to it"
    common.say(
        f"statera: {taken_back if old == new else f'{old} is now called {new}; its series continue under this name'}"
    )
    return 0


def _commits(name: str) -> list[str]:
    """Return the full names of a commit, or of those after FIRST up to LAST, with FIRST."""
    from statera.history.checkout import FULL, here  # noqa: PLC0415 - --help does without

    repository = here()
    first, dots, last = name.partition("..")
    found = [repository.resolve(each) if repository else None for each in ([first, last] if dots else [first])]
    if not dots and (found[0] or FULL.fullmatch(name)):
        return [found[0] or name]
    if not repository or None in found:
        raise Stop("no-commit", f"{name}: the repository of this folder has no such commit; write its full name")
    line = [commit.sha for commit in repository.line(str(found[1]))]
    if found[0] not in line:
        raise Stop("no-commit", f"{name}: {first} is not on the first-parent line of {last}")
    return line[: line.index(str(found[0])) + 1]


def _alert(options: argparse.Namespace) -> tuple[Folder, Analysis, Alert]:
    from statera.history.alerts import named  # noqa: PLC0415 - --help does without

    folder, analysis = shared.analysed(options)
    return folder, analysis, named(options.alert, analysis)


def record(folder: Folder, analysis: Analysis, alert: Alert, **words: Any) -> None:
    """Record an event about an alert."""
    from statera.history import job  # noqa: PLC0415 - --help does without
    from statera.history.alerts import event_on  # noqa: PLC0415

    event = event_on(alert, analysis.orders[alert.branch], **words, who=_who(), when=job.now("milliseconds"))
    folder.record(event)


def _who() -> str:
    from statera.support.environment import origin  # noqa: PLC0415 - --help does without

    try:
        return origin().who or getpass.getuser()
    except (OSError, KeyError):
        return ""
