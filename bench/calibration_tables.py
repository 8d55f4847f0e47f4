"""The tables of docs/calibration.md, made from counts."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

RULES = ("statera", "benchstat", "±5 %", "Welch")


class Share(NamedTuple):
    """A count out of a total."""

    count: int  # type: ignore[assignment] # nobody counts in the tuple
    of: int

    @property
    def value(self) -> float:
        """The share as a fraction."""
        return self.count / self.of

    @property
    def percent(self) -> str:
        """The share in per cent."""
        return f"{100 * self.value:.1f}" if self.of else "withheld"

    def error(self, share: float | None = None) -> float:
        """Return the standard error of the simulation if the true share is this one."""
        share = self.value if share is None else share
        return (share * (1 - share) / self.of) ** 0.5


# By table, row, column and what is counted.
Cells: TypeAlias = dict[tuple[str, str, str, str], Share]


def markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def rows_of(cells: Cells, table: str) -> list[str]:
    return list(dict.fromkeys(row for name, row, _, _ in cells if name == table))


def columns_of(cells: Cells, table: str) -> list[str]:
    columns = dict.fromkeys(column for name, _, column, _ in cells if name == table)
    return sorted(columns, key=int)


def counted_in(cells: Cells, table: str) -> list[str]:
    return list(dict.fromkeys(counted for name, _, _, counted in cells if name == table))


def repetitions(cells: Cells, table: str, share: float, counted: str | None = None) -> list[str]:
    """Describe how often each cell was simulated, and the resulting standard error.

    Where some shares of a table are those of what was found, ``counted`` names one that is not.
    """
    asked = (found.of for (name, *_, what), found in cells.items() if name == table and counted in {None, what})
    least = min(of for of in asked if of)
    error = 100 * Share(0, least).error(share)
    return [f"{least:,} repetitions a cell; one standard error at {100 * share:g} % is {error:.2f}.", ""]


def grid(cells: Cells, table: str, counted: str, head: str) -> list[str]:
    """One number per cell."""
    columns = columns_of(cells, table)
    rows = [[row, *(cells[table, row, n, counted].percent for n in columns)] for row in rows_of(cells, table)]
    return markdown([head, *columns], rows)


def alone(cells: Cells) -> list[str]:
    return [
        *grid(cells, "alone", "alarms", "% called changed, runs per build"),
        *repetitions(cells, "alone", 0.05),
    ]


def dependence(cells: Cells) -> list[str]:
    return [
        *grid(cells, "dependent-suite", "any", "suite of fifty: % with any false alarm, runs per build"),
        *repetitions(cells, "dependent-suite", 0.05),
        *grid(cells, "dependent-alone", "any", "one benchmark: % called changed, runs per build"),
        *repetitions(cells, "dependent-alone", 0.05),
    ]


# What is asked for of suites of fifty where nothing changed, in per cent; what no rule reaches, and why.
_AT_MOST = {"new build": 7.0, "in half": 7.0, "state": 7.0}
_AT_MOST_ELSE = 5.0


def _at_most(noise: str) -> float:
    return next((limit for word, limit in _AT_MOST.items() if word in noise), _AT_MOST_ELSE)


def sure_alarms(cells: Cells) -> list[str]:
    columns = columns_of(cells, "sure")
    missed = []
    rows = []
    for noise in rows_of(cells, "sure"):
        limit = _at_most(noise)
        found = [cells.get(("sure", noise, n, "any")) for n in columns]
        rows.append([noise, f"{limit:g}", *("" if share is None else share.percent for share in found)])
        for n, share in zip(columns, found, strict=True):
            if share is not None and share.value > limit / 100 + 2 * share.error(limit / 100):
                missed.append(f"{noise} at {n} runs ({share.percent})")
    pairs = list(dict.fromkeys(column for name, _, column, _ in cells if name == "sure-unequal"))
    unequal = [
        [noise, "7", *(cells["sure-unequal", noise, pair, "any"].percent for pair in pairs)]
        for noise in rows_of(cells, "sure-unequal")
    ]
    verdict = f"More than two standard errors above what is asked for: {', '.join(missed)}." if missed else "All met."
    return [
        *markdown(["% of suites with any alarm, runs per build", "asked for, at most", *columns], rows),
        *markdown(["unequal numbers of runs", "asked for, at most", *pairs], unequal),
        verdict,
        "",
        *repetitions(cells, "sure", 0.05),
    ]


# The shares of changes that are asked for, in per cent, by suite and runs.
_AT_LEAST = {
    "1 of 100 by 10 %, sd 5 %": {"5": 33, "8": 56, "10": 76, "20": 98},
    "1 of 50 by 15 %, sd 1 %, one old run ×1.5": {"8": 95, "10": 98, "20": 100},
    "3 of 50 by 15 %, sd 0.9 to 3 %, one run in ten ×1.5 for all": {"5": 47, "8": 60, "10": 73, "20": 97},
}


def sure_found(cells: Cells) -> list[str]:
    columns = columns_of(cells, "sure-found")
    rows = []
    for suite in rows_of(cells, "sure-found"):
        wanted = _AT_LEAST[suite]
        asked = [str(wanted.get(n, "")) for n in columns]
        rows.append([suite, "asked for, at least", *asked])
        for counted, text in (("found", "found"), ("perfect", "by a rule that knows the noise and the slow runs")):
            rows.append(["", text, *(cells["sure-found", suite, n, counted].percent for n in columns)])
    return [
        *markdown(["% of changes found, runs per build", "", *columns], rows),
        *repetitions(cells, "sure-found", 0.5),
    ]


def few_runs(cells: Cells) -> list[str]:
    rows = [
        [
            noise,
            *(cells["few-runs", noise, n, counted].percent for n in ("2", "3") for counted in ("alone", "of fifty")),
        ]
        for noise in rows_of(cells, "few-runs")
    ]
    head = [
        "% that differ",
        "2 + 2, one benchmark",
        "2 + 2, any of fifty",
        "3 + 3, one benchmark",
        "3 + 3, any of fifty",
    ]
    return [*markdown(head, rows), *repetitions(cells, "few-runs", 0.05)]


def among_many(cells: Cells) -> list[str]:
    """Return the share found, and in brackets the share of false alarms among the rows called changed."""
    columns = columns_of(cells, "among-many")
    suites = dict.fromkeys(row.partition(" | ")[0] for row in rows_of(cells, "among-many"))
    lines = []
    for suite in suites:
        rows = []
        for row in rows_of(cells, "among-many"):
            if row.startswith(suite + " | "):
                pairs = ((cells["among-many", row, n, "found"], cells["among-many", row, n, "false"]) for n in columns)
                texts = (f"{_whole(found)} ({_whole(false)})" for found, false in pairs)
                rows.append([row.partition(" | ")[2], *texts])
        lines += markdown([suite, *columns], rows)
    return [*lines, *repetitions(cells, "among-many", 0.5, "found")]


def neighbours(cells: Cells) -> list[str]:
    columns = columns_of(cells, "neighbours")
    texts = {
        "run": "a run of another row is missing: % of suites in which a verdict changes",
        "row": "another row is missing: % of suites in which a verdict changes",
        "variant": "a third, unchanged variant: % of the changes found that are lost",
    }
    rows = [
        [suite, text, *(cells["neighbours", suite, n, counted].percent for n in columns)]
        for suite in rows_of(cells, "neighbours")
        for counted, text in texts.items()
    ]
    return [*markdown(["slower", "and", *columns], rows), *repetitions(cells, "neighbours", 0.01, "run")]


def warnings(cells: Cells) -> list[str]:
    grids = (
        grid(cells, "warnings", counted, f"% of unchanged rows with `{counted}`, runs per build")
        for counted in counted_in(cells, "warnings")
    )
    return [*(line for lines in grids for line in lines), *repetitions(cells, "warnings", 0.02)]


def suite(cells: Cells) -> list[str]:
    return [
        *grid(cells, "suite", "any", "% of suites with any false alarm, runs per build"),
        *repetitions(cells, "suite", 0.05),
    ]


def three(cells: Cells) -> list[str]:
    return [
        *grid(cells, "three", "any", "one benchmark: % with any pair called changed, runs a variant"),
        *repetitions(cells, "three", 0.05),
        *grid(cells, "three-of-fifty", "any", "fifty benchmarks: % with any pair called changed, runs a variant"),
        *repetitions(cells, "three-of-fifty", 0.05),
    ]


def tails(cells: Cells) -> list[str]:
    return [
        *grid(cells, "tails", "tail or spread", "% of suites in which any tail or spread is called, runs per build"),
        *repetitions(cells, "tails", 0.005),
        *grid(cells, "tails", "undecided", "% of rows with no clear change because of slow runs, runs per build"),
        *grid(cells, "tails", "several modes", "% of rows with the warning several-modes, runs per build"),
        *grid(cells, "tails", "warm-up", "% of rows with the warning warm-up, runs per build"),
    ]


def tails_found(cells: Cells) -> list[str]:
    verdicts = counted_in(cells, "tails-found")
    columns = columns_of(cells, "tails-found")
    rows = [
        [row, n, *(cells["tails-found", row, n, verdict].percent for verdict in verdicts)]
        for row in rows_of(cells, "tails-found")
        for n in columns
    ]
    head = ["change", "runs per build", *(f"% {verdict}" for verdict in verdicts)]
    return [*markdown(head, rows), *repetitions(cells, "tails-found", 0.5)]


def nested(cells: Cells) -> list[str]:
    columns = columns_of(cells, "nested")
    rows = []
    for row in rows_of(cells, "nested"):
        for counted, name in (("known", "statera, processes known"), ("unknown", "all iterations pooled")):
            rows.append([row, name, *(cells["nested", row, n, counted].percent for n in columns)])
    head = ["spread between processes / within", "% called changed, processes per build", *columns]
    return [*markdown(head, rows), *repetitions(cells, "nested", 0.05)]


def processes(cells: Cells) -> list[str]:
    columns = columns_of(cells, "processes")
    rows = []
    for row in rows_of(cells, "processes"):
        for counted, name in (("called", "better or worse"), ("differs", "differs")):
            rows.append([row, name, *(cells["processes", row, n, counted].percent for n in columns)])
    head = ["spread between processes / within", "%, iterations of the one process per build", *columns]
    return [*markdown(head, rows), *repetitions(cells, "processes", 0.05)]


def prediction(cells: Cells) -> list[str]:
    return [
        *grid(cells, "prediction", "alarms", "% called changed, one new run against so many"),
        *repetitions(cells, "prediction", 0.05),
        *grid(cells, "prediction-suite", "alarms", "% with any of fifty metrics called, one new run against so many"),
        *repetitions(cells, "prediction-suite", 0.05),
    ]


def beside_level(cells: Cells, held: str, level: str, head: str) -> list[str]:
    """Coverage, with the attained level in brackets."""
    columns = columns_of(cells, "coverage")
    rows = []
    for row in rows_of(cells, "coverage"):
        line = [row]
        for n in columns:
            attained = cells["coverage", row, n, level]
            found = f"{cells['coverage', row, n, held].percent} ({attained.percent})"
            line.append(found if attained.count else "withheld")
        rows.append(line)
    return markdown([head, *columns], rows)


def coverage(cells: Cells) -> list[str]:
    return [
        *beside_level(cells, "change", "level", "typical change, runs per build"),
        *beside_level(cells, "median", "median level", "median of the baseline, runs"),
        *repetitions(cells, "coverage", 0.95),
    ]


def mean(cells: Cells) -> list[str]:
    return [
        *grid(cells, "mean", "held", "% that hold no change, runs per build"),
        *repetitions(cells, "mean", 0.95),
    ]


def span(found: list[Share]) -> str:
    """Return the smallest and the largest of them."""
    low, high = (end(found, key=lambda share: share.value).percent for end in (min, max))
    return low if low == high else f"{low}–{high}"


def within(found: list[Share], low: float = 0.935, high: float = 0.97) -> bool:
    """Return whether all shares lie in this range, within one standard error."""
    return all(low - share.error(low) <= share.value <= high + share.error(high) for share in found)


def holds_from(cells: Cells, table: str, counted: str) -> str:
    """Return the smallest size from which coverage holds for every noise."""
    least = "-"
    for n in reversed(columns_of(cells, table)):
        if not within([cells[table, row, n, counted] for row in rows_of(cells, table)]):
            return least
        least = n
    return least


def spans(cells: Cells, table: str, head: str) -> list[str]:
    columns, noises = columns_of(cells, table), rows_of(cells, table)
    rows = []
    for counted in counted_in(cells, table):
        found = ([cells[table, noise, n, counted] for noise in noises] for n in columns)
        rows.append([counted, *map(span, found), holds_from(cells, table, counted)])
    return [*markdown([head, *columns, "holds from"], rows), *repetitions(cells, table, 0.95)]


def bootstrap(cells: Cells) -> list[str]:
    return spans(cells, "bootstrap", "% that hold the truth, values a sample")


def series(cells: Cells) -> list[str]:
    return spans(cells, "series", "% that hold the truth, values a series")


def bands(cells: Cells) -> list[str]:
    return spans(cells, "bands", "% of whole bands that hold the truth, values a sample")


def change_points(cells: Cells) -> list[str]:
    return [
        *grid(cells, "change-points", "0", "% of steady series with any change point, values"),
        *grid(cells, "change-points", "2", "% of steps of 2 sd that are found, values"),
        *grid(cells, "change-points", "3", "% of steps of 3 sd that are found, values"),
        *repetitions(cells, "change-points", 0.05),
    ]


def power_alone(cells: Cells) -> list[str]:
    columns = columns_of(cells, "power-alone")
    rows = []
    for row in rows_of(cells, "power-alone"):
        noise, sd, _, change, _ = row.rsplit(" ", 4)
        found = (" / ".join(_whole(cells["power-alone", row, n, f"{rule}: found"]) for rule in RULES) for n in columns)
        rows.append([noise, f"{sd} %", f"{change} %", *found])
    head = ["noise", "its sd", "slower by", *columns]
    return [*markdown(head, rows), *repetitions(cells, "power-alone", 0.5)]


def _whole(share: Share) -> str:
    return f"{100 * share.value:.0f}"


def power_in_suites(cells: Cells) -> list[str]:
    lines = []
    for n in columns_of(cells, "power-in-suites"):
        rows = []
        for row in rows_of(cells, "power-in-suites"):
            noise, sd, _, change, _ = row.rsplit(" ", 4)
            both = []
            for rule in RULES:
                alarms = cells["power-in-suites", row, n, f"{rule}: alarms"]
                both.append(f"{_whole(cells['power-in-suites', row, n, f'{rule}: found'])} ({alarms.value:.2f})")
            rows.append([noise, f"{sd} %", f"{change} %", *both])
        lines += markdown([f"{n} + {n} runs, noise", "its sd", "5 of 50 slower by", *RULES], rows)
    return [*lines, *repetitions(cells, "power-in-suites", 0.5)]


def beside_welch(cells: Cells) -> list[str]:
    lines = []
    for table, head in (("beside-welch", "one benchmark by itself"), ("beside-welch-in-suites", "one of fifty")):
        rows = []
        for row in rows_of(cells, table):
            noise, sd, _, _, _ = row.rsplit(" ", 4)
            ours, theirs = (cells[table, row, "20", f"{rule}: found"] for rule in ("statera", "Welch"))
            rows.append([noise, f"{sd} %", ours.percent, theirs.percent, f"{ours.value / theirs.value:.2f}"])
        lines += markdown([f"{head}, noise", "its sd", "statera finds, %", "Welch finds, %", "ratio"], rows)
        lines += repetitions(cells, table, 0.8)
    return lines


def corrections(cells: Cells) -> list[str]:
    columns = columns_of(cells, "corrections")
    rows = []
    for row in rows_of(cells, "corrections"):
        found = []
        for n in columns:
            share, alarms = cells["corrections", row, n, "found"], cells["corrections", row, n, "alarms"]
            found.append(f"{share.percent} ({alarms.value:.2f})")
        rows.append([row, *found])
    return [
        *markdown(["% found (false alarms a suite), runs per build", *columns], rows),
        *repetitions(cells, "corrections", 0.5),
    ]


def advice(cells: Cells) -> list[str]:
    columns = columns_of(cells, "advice")
    lines = []
    for row in rows_of(cells, "advice"):
        noise, rows = row.rsplit(" ", 1)
        family = "alone" if rows == "1" else f"one of {rows}"
        found = [cells["advice", row, n, "found"].percent for n in columns]
        runs = [f"{cells['advice', row, n, 'runs'].value:.0f}" for n in columns]
        lines.append([noise, family, *(f"{share} ({mean})" for share, mean in zip(found, runs, strict=True))])
    ranges = [cells["advice", "normal 1", n, "range"].percent for n in columns]
    return [
        *markdown(["% found (mean runs needed), runs per build of the pilot", "row", *columns], lines),
        *markdown(["% of ranges that hold the number for the true spread, normal noise", *columns], [["", *ranges]]),
        *repetitions(cells, "advice", 0.8),
    ]


def variance(cells: Cells) -> list[str]:
    columns = columns_of(cells, "variance")
    rows = [
        [row, how, *(cells["variance", row, n, how].percent for n in columns)]
        for row in rows_of(cells, "variance")
        for how in counted_in(cells, "variance")
    ]
    head = ["iterations within a run", "% of estimates within 0.15 of the true share, spread between runs / within"]
    return [*markdown([*head, *columns], rows), *repetitions(cells, "variance", 0.8)]


def warm_up(cells: Cells) -> list[str]:
    least = min(found.of for (name, *_), found in cells.items() if name == "warm-up")
    return [
        *grid(cells, "warm-up", "reported", "% reported as a warm-up, values of a run"),
        f"At least {least:,} series a cell; one standard error at 80 % is {100 * Share(0, least).error(0.8):.2f}.",
        "",
    ]
