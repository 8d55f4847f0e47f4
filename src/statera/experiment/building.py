"""The builds of a run: each is recorded, and what needs one that failed is left out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from statera.experiment import builds, selection
from statera.experiment.remains import VARIABLE
from statera.experiment.sources import Source, described
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from statera.experiment.course import Course
    from statera.experiment.invocation import Invocation, Outcome
    from statera.experiment.plan import Plan
    from statera.experiment.watching import Watching
    from statera.reading.store.records import BuildRecord


def built(
    plan: Plan,
    course: Course,
    run: Callable[[Invocation], Outcome],
    *,
    identity: str,
    watching: Watching,
    record: Callable[[BuildRecord], None],
) -> set[tuple[int, int]]:
    """Make all builds of a plan, and return the cells, as (benchmark, variant), that a failed build leaves out.

    Args:
        plan: what is built.
        course: what happened so far; a build that it holds must give the same bytes again.
        run: starts a command, and returns at its end.
        identity: of the run.
        watching: takes what went wrong.
        record: takes the record of each build.

    Raises:
        Stop: a build of a resumed run gives other bytes than before.

    """
    failed = set()
    for number, build in enumerate(plan.builds):
        if build.command is not None:
            watching.say(f"building {_names(plan, number)}")
        made = builds.made(build, run, {**os.environ, VARIABLE: identity})
        _refuse_other_bytes(plan, number, course.builds.get(build.key), made)
        record(made)
        if not made["ok"]:
            watching.complain(f"the build of {_names(plan, number)} failed: {made['message']}")
            failed |= {(cell.benchmark, cell.variant) for cell in plan.cells if cell.build == number}
    for line in selection.identical(plan, list(course.builds.values())):
        watching.say(line)
    return failed


def sources(plan: Plan) -> list[dict[str, Any]]:
    """Describe the source of each variant that has one, for the manifest."""
    found = []
    for number, variant in enumerate(plan.variants):
        numbers = {cell.build for cell in plan.cells if cell.variant == number}
        for build in (plan.builds[each] for each in sorted(each for each in numbers if each is not None)):
            if build.repository is not None:
                source = Source(build.repository, ".", build.revision, build.content or "")
                found.append({"variant": variant.name, **described(source)._asdict()})
    return found


def _refuse_other_bytes(plan: Plan, number: int, before: BuildRecord | None, now: BuildRecord) -> None:
    if before is not None and before["ok"] and now["ok"] and before["artefacts"] != now["artefacts"]:
        raise Stop(
            "build-changed",
            f"the build of {_names(plan, number)} gives other bytes than at the beginning of this run: its times "
            "would be mixed with those of another program; start a new run",
        )


def _names(plan: Plan, number: int) -> str:
    names = dict.fromkeys(plan.variants[cell.variant].name for cell in plan.cells if cell.build == number)
    return ", ".join(names)
