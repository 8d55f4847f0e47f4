"""What an analysis leaves out: files that cannot be read or are missing, and jobs that are not on the line of commits.

Every output says it: nothing that is out of sight may look like nothing that happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.wording import counted, form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statera.history.analysis import Analysis
    from statera.history.order import Order

FILES: Final = "files"
UNCONNECTED: Final = "unconnected"
OFF_LINE: Final = "off-line"


class LeftOut(NamedTuple):
    """Something that is left out."""

    code: str  # files: damaged or missing ones; unconnected, off-line: jobs
    branch: str  # of jobs, their branch; empty for files
    number: int  # how many files or jobs
    what: str  # a sentence without its full stop
    advice: str  # what to do about it; empty if there is nothing to do

    @property
    def is_lost(self) -> bool:
        """Return whether it may have told something: jobs of a branch that was rewritten are history."""
        return self.code != OFF_LINE

    def __str__(self) -> str:
        """Write it as sentences."""
        return f"{self.what}. {self.advice}." if self.advice else f"{self.what}."


def left_out(analysis: Analysis) -> list[LeftOut]:
    """Return what an analysis leaves out."""
    return [*_files(len(analysis.catalog.problems)), *of_orders(analysis.orders)]


def _files(count: int) -> Iterator[LeftOut]:
    if count:
        what = f"{counted(count, 'file')} of the history {form(count, 'is', 'are')} damaged or missing and left out"
        yield LeftOut(FILES, "", count, what, f"statera history verify names {form(count, 'it', 'them')}")


def of_orders(orders: Mapping[str, Order]) -> Iterator[LeftOut]:
    """Yield the jobs that the lines of branches lack."""
    for branch, order in orders.items():
        if count := len(order.unconnected):
            jobs = f"{branch}: {counted(count, 'job')} of commits that nothing connects with the newest one"
            what = f"{jobs} {form(count, 'is', 'are')} left out"
            advice = "Run this in a clone of the repository that reaches back to them"
            yield LeftOut(UNCONNECTED, branch, count, what, advice)
        if count := len(order.off_line):
            jobs = f"{branch}: {counted(count, 'job')} of commits that are no longer on the branch"
            yield LeftOut(OFF_LINE, branch, count, f"{jobs} {form(count, 'is', 'are')} left out", "")


def briefly(analysis: Analysis) -> str:
    """Say in a few words what may have told something; an empty text if nothing may."""
    found = [each for each in left_out(analysis) if each.is_lost]
    files = sum(each.number for each in found if each.code == FILES)
    jobs = sum(each.number for each in found if each.code == UNCONNECTED)
    parts = [counted(number, word) for number, word in ((files, "file"), (jobs, "job")) if number]
    return f"{' and '.join(parts)} {form(files + jobs, 'is', 'are')} left out" if parts else ""
