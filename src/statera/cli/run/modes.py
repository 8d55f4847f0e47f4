"""What ``statera run`` does: run, continue, or one of the things instead."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera.cli import gating, output
from statera.cli import options as shared
from statera.cli.run import planning, results
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable
    from typing import Any

    from statera.comparison.verdicts.gate import Gate

# Options that each mode takes beside its own; every other option that is given is refused.
_VIEW: Final = (
    "output_format", "sort", "colour", "width", "export_json", "fail_on", "accept_one_process", "accept_parametric",
)  # fmt: skip
_TAKEN: Final = {"status": (), "resume": _VIEW, "verify": ("folder", *_VIEW), "check": ("colour", "width"), "init": ()}
_SEQUENTIAL: Final = (
    "--order sequential runs one variant after the other, so that whatever changes on the machine meanwhile looks like "
    "a difference between them; random order has no such error"
)
_NAMES: Final = {
    "runs": "-r", "until": "--until", "min_runs": "-m", "max_runs": "-M", "warmup": "-w", "order_seed": "--seed",
    "command_name": "-n", "parameter_scan": "-P", "parameter_step_size": "-D", "parameter_list": "-L",
    "folder": "-o", "commands": "a command", "accept_one_process": "--accept-one-process",
}  # fmt: skip


def chosen(options: argparse.Namespace, defaults: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    """Return the function of the mode that the options choose.

    Raises:
        Stop: they choose two modes, or one that does not take another option.

    """
    modes: dict[str, Callable[[argparse.Namespace], int]] = {
        "status": _status,
        "resume": _resume,
        "verify": _verify,
        "check": _check,
        "list": _list,
        "dry_run": _dry_run,
        "build_only": _build_only,
        "init": _init,
    }
    asked = [name for name in modes if getattr(options, name)]
    if len(asked) > 1:
        raise Stop("bad-option", f"{_name(asked[0])} and {_name(asked[1])} do different things; give one of them")
    if not asked:
        return _run
    if asked[0] in _TAKEN:
        _refuse(options, defaults, asked[0])
    return modes[asked[0]]


def _refuse(options: argparse.Namespace, defaults: argparse.Namespace, mode: str) -> None:
    """Refuse what would change nothing: the folder of a run holds its plan."""
    names = [name for name in vars(defaults) if name not in {mode, "run", *_TAKEN[mode]}]
    others = planning.given(options, defaults, names)
    if others:
        raise Stop(
            "bad-option",
            f"{_name(mode)} does not take {_name(others[0])}; leave it out",
        )


def _name(name: str) -> str:
    return _NAMES.get(name, "--" + name.replace("_", "-"))


def _checked(options: argparse.Namespace, inputs: Iterable[str]) -> Gate | None:
    """Return the gate; refuse what the end of the run could not write, before anything runs."""
    from statera.support.files import outputs  # noqa: PLC0415 - --help does without

    output.kind(results.view(options))
    if options.export_json is not None:
        outputs.check(options.export_json, inputs)
    return gating.gate(options)


def _run(options: argparse.Namespace) -> int:
    from statera.experiment import run  # noqa: PLC0415 - --help does without

    settings = shared.settings(options)
    plan = planning.plan(options, settings.policy.alpha)
    path = run.default_folder() if options.folder is None else output.folder(options.folder)
    files = options.commands if planning.is_file(options.commands) else []
    gate = _checked(options, [*run.inputs(plan), *files, str(path)])
    run.refuse_overwriting(plan, path)
    shared.say(f"statera: the run is in {path}")
    if plan.order == "sequential":
        shared.say(f"statera: {_SEQUENTIAL} [sequential-order]")
    with results.resumable(path):
        ran = run.begin(plan, path, ["statera", *sys.argv[1:]], settings)
    return results.shown(options, ran, gate)


def _resume(options: argparse.Namespace) -> int:
    from statera.experiment import run  # noqa: PLC0415 - as above

    path = Path(options.resume)
    gate = _checked(options, [str(path)])
    with results.resumable(path):
        ran = run.resume(path)
    return results.shown(options, ran, gate)


def _verify(options: argparse.Namespace) -> int:
    from statera.cli.run import verifying  # noqa: PLC0415 - as above

    return verifying.verify(options, _checked(options, [options.verify]))


def _status(options: argparse.Namespace) -> int:
    from statera.experiment import run  # noqa: PLC0415 - as above

    output.write("".join(f"{line}\n" for line in run.status(Path(options.status))), None)
    return 0


def _check(options: argparse.Namespace) -> int:
    from statera.experiment import check  # noqa: PLC0415 - as above

    width, colour = output.width_and_colour(results.view(options))
    output.write(check.text(check.findings(), width, colour=colour), None)
    return 0


def _list(options: argparse.Namespace) -> int:
    from statera.experiment import selection  # noqa: PLC0415 - as above

    plan = planning.plan(options, shared.settings(options).policy.alpha)
    return _said(options, "--list", lambda: selection.listed(plan), lambda: selection.described(plan))


def _said(
    options: argparse.Namespace, mode: str, text: Callable[[], str], document: Callable[[], dict[str, Any]]
) -> int:
    """Write what a mode says of the plan, as text or as JSON."""
    if options.output_format == "json":
        output.write(json.dumps(document(), indent=1, ensure_ascii=False) + "\n", None)
    elif options.output_format in {None, "terminal"}:
        output.write(text(), None)
    else:
        raise Stop(
            "bad-option", f"{mode} writes text or JSON, not {options.output_format}; leave -f out, or give -f json"
        )
    return 0


def _build_only(options: argparse.Namespace) -> int:
    """Make the builds, and return 2 if one of them failed."""
    from statera.experiment import run  # noqa: PLC0415 - as above

    return 2 if run.build(planning.plan(options, shared.settings(options).policy.alpha)) else 0


def _init(_: argparse.Namespace) -> int:
    """Write an experiment file to begin with, unless there is one."""
    from statera.experiment.initial_file import initial  # noqa: PLC0415 - as above
    from statera.support.files import outputs  # noqa: PLC0415

    path = Path("experiment.toml")
    if path.exists():
        raise Stop("bad-option", f"--init: there is {path} already; remove it, or go to another folder")
    outputs.write(path, initial(Path.cwd()))
    shared.say(f"statera: wrote {path}; edit it, and run it with: statera run {path}")
    return 0


def _dry_run(options: argparse.Namespace) -> int:
    """Show the commands, and the order of the first rounds."""
    from statera.experiment import schedule, selection  # noqa: PLC0415 - as above

    plan = planning.plan(options, shared.settings(options).policy.alpha)
    firsts = list(zip(schedule.passes(plan), range(3), strict=False))
    names = [
        [
            [plan.benchmarks[each.benchmark], plan.variants[each.variant].name]
            for step in schedule.steps(plan, current, range(len(plan.benchmarks)))
            for each in step
        ]
        for current, _ in firsts
    ]

    def text() -> str:
        lines = [
            f"{plan.benchmarks[cell.benchmark]}, {plan.variants[cell.variant].name}: "
            f"{shlex.join(cell.command.arguments)}"
            for cell in plan.cells
        ]
        most = counted(schedule.most_rounds(plan.rounds), "round")
        limit = most if plan.rounds.number is not None else f"at most {most}"
        lines += ["", f"order {plan.order}, seed {plan.seed}, {limit}; the first ones:"]
        for (current, _), places in zip(firsts, names, strict=True):
            lines.append(f"{current.round}: {' | '.join(', '.join(place) for place in places)}")
        return "".join(f"{line}\n" for line in lines)

    def document() -> dict[str, Any]:
        ways = {
            "order": plan.order,
            "seed": plan.seed,
            "most_rounds": schedule.most_rounds(plan.rounds),
            "first_rounds": names,
        }
        return selection.described(plan) | ways

    return _said(options, "--dry-run", text, document)
