"""What must be said beside the rows: what was pooled, what differs, which warnings ride on them."""

from __future__ import annotations

from itertools import islice
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from statera import _native
from statera.formats import block_name, without_processes
from statera.pairing.keys import MACHINE_KEYS
from statera.wording import counted, form, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.observations import Observations, Words
    from statera.pairing import Arrangement, Request
    from statera.settings import Policy

_FEW = 3
# So many keys of a configuration are shown one by one; a table may have a thousand.
_MOST_KEYS = 12
_WIDE = 60
_MANY_RUNS = 1000
TOO_FEW = "too-few"

_T = TypeVar("_T")

# Each warning in the words of the observations.
_WARNINGS = {
    "one-process": "all values of a side come from one {process}: "
    "the variation between {processes} is not in the interval",
    "pairs-dropped": "{block}s without a partner on the other side were dropped",
    "outliers": "values far outside the rest (double MAD); ranks are robust to them",
    "drift": "values rise or fall over the run order",
    "autocorrelation": "neighbouring values resemble each other: the interval is too narrow",
    "few-distinct": "so few distinct values that a timer's or a printer's rounding shows",
    "order-correlation": "the k-th values of both sides move together: --pair order would see through it",
    "medians-disagree": "the ratio of the medians has another sign than the change, or lies outside its interval",
    "exact-varies": "stated as exact, but the values vary; tested like any other",
    "no-ratio": "zero or negative values: differences instead of ratios",
    "few-processes": "two or three {processes} a side: Welch's t on their values, a parametric test",
    "blocks-repeated": "a {block} occurs several times on a side; its median was taken",
    "beyond-range": "a number is beyond what can be computed (above 10^308); CSV and JSON leave it out",
    "low-level": "so few values cannot reach the level asked for; the attained one is shown",
}


class Note(NamedTuple):
    """Something said once per output.

    Attributes:
        code: as ``statera explain`` takes it.
        text: in words.
        number: of the footnote that rows refer to; 0 where it concerns the whole.
        rows: how many rows it concerns; 0 for the whole.

    """

    code: str
    text: str
    number: int = 0
    rows: int = 0


def notes(
    observations: Observations,
    arrangement: Arrangement,
    weighing: _native.Weighing,
    policy: Policy,
    request: Request,
) -> list[Note]:
    """Gather all notes: those on rows first, numbered, then those on the whole."""
    found = _on_rows(weighing, observations.words)
    found += on_reading(observations)
    found += on_variants(arrangement)
    found += _on_other_circumstances(arrangement, weighing)
    found += _on_runs(observations, arrangement, weighing, policy, request)
    found += _on_the_machine(arrangement, weighing)
    found += on_what_is_left(arrangement, "compared")
    return found


def on_reading(observations: Observations) -> list[Note]:
    """Say what must be known of files and values that were read: the first of each kind, and how many more."""
    remarks = observations.remarks_by_code
    if not remarks:
        return []
    first = {problem.code: problem for problem in reversed(observations.problems)}
    found = []
    for code, count in remarks.items():
        text = _native.printable(str(first[code]).replace(f" [{code}]", ""))
        found.append(Note(code, text + (f" (and {count - 1:,} more)" if count > 1 else "")))
    return found


def on_what_is_left(arrangement: Arrangement, done: str) -> list[Note]:
    """Say which metrics and values were read and took no part in what was done."""
    found = []
    if arrangement.unused_metrics:
        names = [_native.printable(name) for name in arrangement.unused_metrics]
        shown = listed(names, _FEW)
        found.append(Note("metrics-not-compared", f"also read, not {done}: {shown} (--metric or --all-metrics)"))
    if arrangement.unused_values:
        found.append(
            Note(
                "values-unused",
                f"{counted(arrangement.unused_values, 'value belongs', 'values belong')} to no variant or "
                f"{form(arrangement.unused_values, 'was', 'were')} filtered out",
            )
        )
    return found


def _on_rows(weighing: _native.Weighing, words: Words) -> list[Note]:
    counts = [(code, count) for code, count in weighing.warning_counts() if count]
    named = words._replace(block=words.block or "block")._asdict()
    return [
        Note(code, _WARNINGS[code].format(**named), number, count) for number, (code, count) in enumerate(counts, 1)
    ]


def on_variants(arrangement: Arrangement) -> list[Note]:
    """Say what differs between the variants, what was not measured and what was pooled."""
    found: list[Note] = []
    machine = {key: values for key, values in arrangement.differs.items() if key in MACHINE_KEYS}
    for key, values in machine.items():
        text = f"{key} differs between the variants ({_sides(values)}): the difference may be the machine's"
        found.append(Note("machine-differs", text))
    others = {key: values for key, values in arrangement.differs.items() if key not in machine}
    for key, values in _first(others, found, "differ between the variants", "configuration-differs"):
        found.append(Note("configuration-differs", f"{brief(key)}: {_sides(values)}"))
    for group, label in arrangement.empty[:_FEW]:
        text = f"nothing was measured of {_native.printable(label)} at {_native.printable(group)}"
        more = len(arrangement.empty) - _FEW
        found.append(Note("empty-cell", text + (f", nor of {counted(more, 'more combination')}" if more > 0 else "")))
    for key, count in _first(arrangement.pooled, found, "are pooled over", "pooled"):
        text = f"pooled over {brief(key)} ({count} values); --within {brief(key)} keeps them apart"
        found.append(Note("pooled", text))
    return found


def _sides(values: list[str]) -> str:
    """Write the values of a key, one a variant."""
    return listed((brief(value) or "(none)" for value in values), _MOST_KEYS, between=" / ")


def _on_other_circumstances(arrangement: Arrangement, weighing: _native.Weighing) -> list[Note]:
    """Name what was measured on either side, but nowhere in the same circumstances."""
    elsewhere = weighing.elsewhere()
    return [Note("measured-elsewhere", elsewhere_words(arrangement, elsewhere), 0, 0)] if elsewhere else []


def elsewhere_words(arrangement: Arrangement, elsewhere: list[tuple[str, int, int]]) -> str:
    """Say which benchmarks have no partner in the same circumstances, and how to compare them anyway."""
    of: dict[str, list[str]] = {}
    for benchmark, group, variant in elsewhere:
        at = f"{arrangement.labels[variant]} at {arrangement.groups[group]}"
        if at not in of.setdefault(benchmark, []):
            of[benchmark].append(at)
    texts = listed((_native.printable(f"{name} ({'; '.join(where)})") for name, where in of.items()), _FEW)
    options = " ".join(f"--pool {_native.printable(key)}" for key in arrangement.circumstances)
    return (
        f"these benchmarks have no row, because the other variant was measured under other circumstances: {texts}; "
        f"{options} compares them anyway"
    )


def _first(keys: dict[str, _T], found: list[Note], what: str, code: str) -> Iterator[tuple[str, _T]]:
    """Go through the first keys, and behind them say how many more there are."""
    yield from islice(keys.items(), _MOST_KEYS)
    if len(keys) > _MOST_KEYS:
        found.append(Note(code, f"{counted(len(keys) - _MOST_KEYS, 'more key')} {what}, not shown"))


def brief(text: str) -> str:
    """Give a key or a value as it is shown; it may be as long as a line of the file."""
    return _native.shortened(_native.printable(text), _WIDE)


def _on_runs(
    observations: Observations,
    arrangement: Arrangement,
    weighing: _native.Weighing,
    policy: Policy,
    request: Request,
) -> list[Note]:
    found = []
    formats = {source.format for source in observations.sources if source.values}
    designs = {design for design, _, _, _ in weighing.kinds()}
    if "paired" in designs:
        found.append(Note("paired", f"paired by {paired_by(observations, arrangement.pair)}"))
    if observations.has_blocks and request.pair == "unpaired":
        block = paired_by(observations, "block")
        text = f"the results could be paired by {block}; --unpaired leaves that information unused"
        found.append(Note("pairing-unused", text))
    if "independent" in designs:
        found += on_processes(formats, arrangement)
    found += _on_numbers_of_runs(weighing, policy)
    return found


def paired_by(observations: Observations, pair: str) -> str:
    """Name what pairs values: a key, the order of measurement, or what the harness calls a block."""
    if pair not in {"auto", "block"}:
        return "order of measurement" if pair == "order" else _native.printable(pair)
    return observations.words.block or block_name({source.format for source in observations.sources if source.values})


def on_processes(formats: set[str], arrangement: Arrangement) -> list[Note]:
    """Say that the formats do not tell processes."""
    harness = without_processes(formats)
    if not harness or all(arrangement.assignment.files_are_runs):
        return []
    text = f"{harness} results do not say which values share a process; all are taken as independent"
    return [Note("runs-not-said", text)]


def _on_numbers_of_runs(weighing: _native.Weighing, policy: Policy) -> list[Note]:
    rows = weighing.with_verdict(["inconclusive"])
    few = 0
    example = None
    least = 1.0
    for index in rows[:_MANY_RUNS]:
        row = weighing.row_dict(index)
        if row["reason"] == TOO_FEW:
            few += 1
            example = example or row
        elif row["least_p"] is not None:
            least = min(least, row["least_p"])
    found = []
    if example is not None:
        paired = example["design"] == "paired"
        runs = str(example["baseline_n"]) + (" pairs" if paired else f" + {example['contender_n']} runs")
        enough = _enough(policy.alpha, paired=paired)
        can = f"{enough} pairs" if paired else f"{enough} + {enough}"
        text = f"{runs} cannot show any change (least p {example['least_p']:.2g}); {can} can"
        found.append(Note("too-few-runs", text, 0, few))
    family = _native.family(weighing)
    if family["too_large"] and rows:
        why = "the rows have unequal numbers of runs, so that there is no joint relabeling of them; "
        text = (
            f"the least p of these runs ({least:.2g}) times {weighing.family} rows exceeds {policy.alpha:g}: "
            f"{why if family['no_joint_relabeling'] else ''}a single changed row cannot pass the correction; "
            "more runs or fewer rows (--benchmark, --metric) can"
        )
        found.append(Note("family-too-large", text))
    return found


def _enough(alpha: float, *, paired: bool) -> int:
    for n in range(1, 100):
        if (2 / 2**n if paired else 2 / comb(2 * n, n)) <= alpha:
            return n
    return 100


def _on_the_machine(arrangement: Arrangement, weighing: _native.Weighing) -> list[Note]:
    found = []
    for summary in weighing.summaries():
        if summary["moves_as_one"]:
            label = _native.printable(arrangement.labels[summary["contender"]])
            text = f"nearly all benchmarks of {label} moved the same small way: perhaps the machine, not the program"
            found.append(Note("moves-as-one", text))
    return list(dict.fromkeys(found))
