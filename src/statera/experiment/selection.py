"""What an experiment consists of, as text, and a part of it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from statera.support.errors import Stop
from statera.support.patterns import matcher
from statera.support.wording import counted
from statera.support.wording import listed as some

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from statera.experiment.plan import Plan


def listed(plan: Plan) -> str:
    """List variants, builds and benchmarks, with the command of each benchmark for the baseline."""
    lines = [counted(len(plan.variants), "variant")]
    lines += [f"  {each.name}{' (baseline)' if not number else ''}" for number, each in enumerate(plan.variants)]
    if plan.builds:
        lines += [
            counted(len(plan.builds), "build"),
            *(f"  {_build(plan, number)}" for number in range(len(plan.builds))),
        ]
    lines += [counted(len(plan.benchmarks), "benchmark")]
    for cell in plan.cells:
        if cell.variant == 0:
            measured = cell.format or "timed"
            lines.append(f"  {plan.benchmarks[cell.benchmark]} ({measured}): {shlex.join(cell.command.arguments)}")
    lines += services(plan)
    return "\n".join(lines) + "\n"


def described(plan: Plan) -> dict[str, Any]:
    """Describe variants, builds, benchmarks and the commands of all of them."""
    return {
        "variants": [each.name for each in plan.variants],
        "baseline": plan.variants[0].name,
        "builds": [
            {"key": each.key, "revision": each.revision or None, "repository": bool(each.repository)}
            for each in plan.builds
        ],
        "benchmarks": list(plan.benchmarks),
        "commands": [
            {
                "benchmark": plan.benchmarks[cell.benchmark],
                "variant": plan.variants[cell.variant].name,
                "arguments": list(cell.command.arguments),
                "format": cell.format or None,
                "services": [
                    {"name": each.name, "scope": each.scope, "arguments": list(each.command.arguments)}
                    for each in cell.services
                ],
            }
            for cell in plan.cells
        ],
    }


def services(plan: Plan) -> list[str]:
    """List the services, with the command of each for the baseline."""
    found = dict.fromkeys(each for cell in plan.cells if cell.variant == 0 for each in cell.services)
    shown = [f"  {each.name} (for each {each.scope}): {shlex.join(each.command.arguments)}" for each in found]
    return [counted(len(found), "service"), *shown] if found else []


def _build(plan: Plan, number: int) -> str:
    build = plan.builds[number]
    source = f", {build.revision[:12] if build.revision else 'the tree as it is'}" if build.repository else ""
    return f"{build.key}: {some(plan.built_by(number))}{source}"


def only(plan: Plan, patterns: Sequence[str]) -> Plan:
    """Return the plan of the benchmarks that patterns select, without builds that none of them needs.

    Raises ``Stop`` if no benchmark is left.
    """
    fits = matcher(patterns)
    kept = [number for number, name in enumerate(plan.benchmarks) if fits(name)]
    if not kept:
        raise Stop("bad-option", f"--only {' '.join(patterns)}: fits none of the benchmarks {some(plan.benchmarks)}")
    cells = [cell for cell in plan.cells if cell.benchmark in kept]
    builds = sorted({cell.build for cell in cells if cell.build is not None})
    return plan._replace(
        benchmarks=tuple(plan.benchmarks[number] for number in kept),
        builds=tuple(plan.builds[number] for number in builds),
        cells=tuple(
            cell._replace(
                benchmark=kept.index(cell.benchmark), build=None if cell.build is None else builds.index(cell.build)
            )
            for cell in cells
        ),
    )
