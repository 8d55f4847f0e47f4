"""The options of ``statera run``. Those of hyperfine 2 mean what they mean there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

ORDERS = ("random", "abba", "interleaved", "sequential", "duet")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare all of them."""
    parser.add_argument(
        "commands", nargs="*", metavar="COMMAND", help="commands, the baseline first; or one experiment file, *.toml"
    )
    _add_rounds(parser.add_argument_group("how often, and in which order"))
    _add_around(parser.add_argument_group("commands around the measured ones"))
    _add_commands(parser.add_argument_group("how commands are executed"))
    _add_measured(parser.add_argument_group("what is measured"))
    _add_folders(parser.add_argument_group("folders of runs"))
    _add_instead(parser.add_argument_group("instead of running"))


def _add_rounds(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-r", "--runs", type=int, metavar="N", help="exactly this number of rounds")
    group.add_argument(
        "--until",
        metavar="WHAT",
        help="decided (default: end when every benchmark is decided), or width:1%% (every interval is that narrow)",
    )
    group.add_argument("-m", "--min-runs", type=int, metavar="N", help="decide nothing before this many rounds")
    group.add_argument("-M", "--max-runs", type=int, metavar="N", help="end after at most this many rounds (60)")
    group.add_argument("--max-time", metavar="TIME", help="end at the first look after this time, for instance 10m")
    group.add_argument(
        "-w", "--warmup", type=int, metavar="N", help="warm-up invocations of each command, which give no samples (0)"
    )
    group.add_argument(
        "--order",
        choices=ORDERS,
        help="order within a round: random (default), abba, interleaved, sequential (one command after the other), "
        "duet (two at the same time on two halves of the cores)",
    )
    group.add_argument(
        "--seed",
        type=int,
        dest="order_seed",
        metavar="N",
        help="seed of the order (drawn at random; the manifest records it)",
    )


def _add_around(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-s", "--setup", metavar="CMD", help="execute once before the first round")
    group.add_argument(
        "-p",
        "--prepare",
        action="append",
        default=[],
        metavar="CMD",
        help="execute before every invocation (once for all commands, or once for each)",
    )
    group.add_argument(
        "-C",
        "--conclude",
        action="append",
        default=[],
        metavar="CMD",
        help="execute after every invocation (once for all commands, or once for each)",
    )
    group.add_argument("-c", "--cleanup", metavar="CMD", help="execute once after the last round")


def _add_commands(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-n",
        "--command-name",
        action="append",
        default=[],
        metavar="NAME",
        help="name of a command; repeat it in the order of the commands",
    )
    group.add_argument(
        "-P",
        "--parameter-scan",
        action="append",
        nargs=3,
        default=[],
        metavar=("VAR", "MIN", "MAX"),
        help="run with each number from MIN to MAX in place of {VAR} (repeatable)",
    )
    group.add_argument(
        "-D", "--parameter-step-size", action="append", default=[], metavar="STEP", help="step of -P (1)"
    )
    group.add_argument(
        "-L",
        "--parameter-list",
        action="append",
        nargs=2,
        default=[],
        metavar=("VAR", "VALUES"),
        help="run with each of these values, with commas between, in place of {VAR} (repeatable)",
    )
    group.add_argument(
        "-S",
        "--shell",
        metavar="SHELL",
        help="shell that executes the commands, such as bash; the word default is sh (no shell)",
    )
    group.add_argument("-N", action="store_const", const="none", dest="shell", help="no shell (the default)")
    group.add_argument(
        "-i",
        action="store_const",
        const="all-non-zero",
        dest="ignore_failure",
        help="count invocations with any exit code as samples",
    )
    group.add_argument(
        "--ignore-failure",
        nargs="?",
        const="all-non-zero",
        metavar="CODES",
        help="count invocations with any exit code, or with one of these, as samples: --ignore-failure=1,2",
    )
    group.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="WHERE",
        help="where commands print to: null (default), pipe (kept in the run's folder), inherit (shown, with standard "
        "error), or a file (once for all commands, or once for each)",
    )
    group.add_argument(
        "--input", action="append", default=[], metavar="WHERE", help="standard input: null (default) or a file"
    )
    group.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="set a variable for all commands (repeatable)"
    )
    group.add_argument(
        "--timeout", metavar="TIME", help="end an invocation after this time, for instance 30s; it then gives no sample"
    )
    group.add_argument("--pin", metavar="CPUS", help="cores that commands may use: 2, 0-1 or isolated (all)")


def _add_measured(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--format", metavar="NAME", help="read the results that commands print in this format (time the commands)"
    )
    group.add_argument(
        "--counters", metavar="NAMES", help="also count events: instructions,cycles or callgrind; docs/machine.md"
    )
    group.add_argument("--only", action="append", default=[], metavar="PATTERN", help="only matching benchmarks")
    group.add_argument(
        "--self-test", action="store_true", help="run the baseline a second time as a variant of its own"
    )


def _add_folders(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-o", metavar="DIR", dest="folder", help="folder of the run (statera-runs/DATE-ID)")
    group.add_argument("--resume", metavar="DIR", help="continue an interrupted run to the end of its plan")
    group.add_argument("--status", metavar="DIR", help="show how far a run is, even while it runs")
    group.add_argument("--verify", metavar="DIR", help="run the worst rows of a finished run again, alone and pinned")


def _add_instead(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--check", action="store_true", help="report what on this machine disturbs measurements")
    group.add_argument("--list", action="store_true", help="list variants and benchmarks")
    group.add_argument("--dry-run", action="store_true", help="show commands and the order of the first rounds")
    group.add_argument("--build-only", action="store_true", help="build what the experiment file names")
    group.add_argument("--init", action="store_true", help="write an example experiment.toml for the current folder")
