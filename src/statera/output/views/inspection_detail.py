"""The full description of one inspected benchmark."""

from __future__ import annotations

from statera import _native
from statera.comparison.verdicts.inspection import ADVICE
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, counted, form

if TYPE_CHECKING:
    from typing import Any

    from statera.comparison.results.inspection import Inspection
    from statera.output.views import Layout

_COLOURS = {"unfit": "\x1b[31m", "doubtful": "\x1b[33m", "fit": "\x1b[32m"}
_INDENT = 14
# Steps below this share of the median do not matter.
_FINE = 1e-4


def block(inspection: Inspection, row: int, layout: Layout) -> str:
    """Write the block of a row: its title, its facts, and its defects with advice."""
    title, grade = title_of(inspection, row)
    colour = _COLOURS.get(grade, "") if layout.colour else ""
    bold, plain = layout.bold
    lines = [f"{bold}{title}{plain}: {colour}{grade}{plain if colour else ''}"]
    for label, words in facts(inspection, row):
        lines.append(_folded(f"  {label:{_INDENT - 2}}{words}", layout.width))
    lines += [_folded(f"  → {line}", layout.width) for line in defects(inspection, row)]
    return "\n".join(lines) + "\n"


def _folded(line: str, width: int | None) -> str:
    line = _native.printable(line)
    if width is None or _native.columns(line) <= width:
        return line
    from textwrap import fill  # noqa: PLC0415 - only where a line is too long: it costs a sixth of an inspection

    return fill(line, max(width, 40), subsequent_indent=" " * _INDENT, break_long_words=False, break_on_hyphens=False)


def title_of(inspection: Inspection, row: int) -> tuple[str, str]:
    """Return the name of a row and its grade."""
    fields = inspection.native.row_dict(row)
    several = len(inspection.labels) > 1
    words = (fields["benchmark"], fields["metric"], fields["variant"] if several else "", fields["group"])
    return ", ".join(_native.printable(word) for word in words if word), fields["grade"]


def defects(inspection: Inspection, row: int) -> list[str]:
    """Return the defects of a row, each with its advice and its code."""
    found = inspection.native.defects(row)
    lines = []
    for code, what, advice in found:
        why = f" ({ADVICE[code]})" if not advice else ""
        lines.append(f"{what[:1].upper()}{what[1:]}: {advice}{why} [{code}]")
    return lines or ["Nothing prevents a comparison."]


def facts(inspection: Inspection, row: int) -> list[tuple[str, str]]:
    """Return the lines of the block, as (label, text)."""
    fields = inspection.native.row_dict(row)
    metric = next(
        m
        for m, each in enumerate(inspection.observations.metrics)
        if (each.name, each.unit) == (fields["metric"], fields["unit"])
    )
    words = _Words(inspection, metric, fields)
    found = [("n", words.n()), ("median", words.median()), ("spread", words.spread())]
    if fields["n"] > 1 and not fields["exact"] and fields["distinct"] > 1:
        found += [("normality", words.normality()), ("shape", words.shape()), ("order", words.order())]
        # Runs of one value each have nothing within them: their values follow each other.
        is_within = 1 < (fields["runs"] or 0) < fields["values"]
        found += [("within runs" if is_within else "over time", words.steadiness())]
        found += [("clock", words.clock())]
    if fields["icc"] is not None:
        found += [("runs", words.parts()), ("worth", words.worth())]
    found += [("detects", words.detects())]
    return [(label, line) for label, line in found if line]


class _Words:
    """The facts of a row in words."""

    def __init__(self, inspection: Inspection, metric: int, fields: dict[str, Any]) -> None:
        self.inspection = inspection
        self.metric = metric
        self.fields = fields
        self.of = fields.get

    # A number that is too large to compute is None, and is written as a dash.

    def amount(self, value: float | None, size: float | None = None) -> str:
        native = self.inspection.observations.native
        return _native.amount(native, self.metric, value, size or value or 0.0)

    def change(self, value: float | None) -> str:
        """Write a change on the row's scale."""
        if self.fields["scale"] == "ratio":
            return _native.percent(value)
        return ("+" if value is not None and value > 0 else "") + self.amount(value)

    def n(self) -> str:
        values, n, runs = self.fields["values"], self.fields["n"], self.fields["runs"]
        sampled = self.fields["sampled"]
        if sampled == "runs":
            each = self.fields["iterations"] or values / n
            return f"{counted(n, 'run')} of {each:.3g} values, each run by its median"
        known = "" if runs is None else " of one process" if runs == 1 else ", each an independent run"
        unknown = ", and it is unknown which of them share a process" if runs is None and n > 1 else ""
        return f"{counted(n, {'values': 'value', 'blocks': 'block'}[sampled])}{known}{unknown}"

    def median(self) -> str:
        centre = self.fields["centre"]
        if self.fields["low"] is None:
            enough = "" if self.fields["n"] > 1 else " (a single value)"
            return self.amount(centre) + enough
        low, high = (self.amount(self.fields[end], centre) for end in ("low", "high"))
        return f"{self.amount(centre)} [{low}, {high}] at {100 * self.fields['level']:.1f}%"

    def spread(self) -> str:
        if self.fields["n"] == 1:
            return ""
        if self.fields["distinct"] == 1:
            return "none: all values are equal" + (", as they should be" if self.fields["exact"] else "")
        centre, iqr, mad, cv = (self.fields[name] for name in ("centre", "iqr", "mad", "cv"))
        share = f" ({_native.percent(iqr / centre).lstrip('+')})" if centre and centre > 0 and iqr is not None else ""
        parts = [f"IQR {self.amount(iqr)}{share}", f"MAD {self.amount(mad)}"]
        if cv is not None:
            parts.append(f"CV {_native.percent(cv).lstrip('+')}")
        return " · ".join(parts)

    def normality(self) -> str:
        if self.fields["normality"] is None:
            return "too few values for a test (at least 3)"
        w, p = self.fields["normality"], self.fields["normality_p"]
        shapiro = self.fields["normality_test"] == "shapiro-wilk"
        name, letter = ("Shapiro-Wilk", "W") if shapiro else ("Anderson-Darling (above 5,000 values)", "A²")
        parts = [f"{name} {letter} {number(w, '.5g')}, p {p_value(p)}"]
        if self.fields["log_normality"] is not None:
            log_w, log_p = self.fields["log_normality"], self.fields["log_normality_p"]
            parts.append(f"of logarithms {letter} {number(log_w, '.5g')}, p {p_value(log_p)}")
        return " · ".join(parts)

    def shape(self) -> str:
        parts = []
        if self.fields["skewness"] is not None:
            parts.append(f"skewness {self.fields['skewness']:+.2f}")
        modes = self.fields["modes"]
        parts.append(f"{counted(modes, 'mode')} (dip test p {p_value(self.fields['dip_p'])})")
        outliers = self.fields["outliers"]
        parts.append(counted(outliers, "outlier") if outliers else "no outliers")
        return " · ".join(parts)

    def order(self) -> str:
        parts = []
        if self.fields["drift_p"] is not None:
            rho, p, change = (self.fields[name] for name in ("drift_rho", "drift_p", "drift_change"))
            half = f"second half against first {self.change(change)}"
            parts.append(f"{half} · Spearman's rho {number(rho, '+.2f')} over the order, p {p_value(p)}")
        if self.fields["autocorrelation"] is not None:
            lag, z = self.fields["autocorrelation"], self.fields["autocorrelation_z"]
            parts.append(f"autocorrelation {number(lag, '+.2f')} ({number(z, '+.1f')} standard errors)")
        return " · ".join(parts) or "too few values for a trend (at least 8)"

    def steadiness(self) -> str:
        series, warming, unsteady = (self.fields[name] for name in ("series", "series_warming", "series_unsteady"))
        if not series:
            return ""
        of = "" if series == 1 else f"{warming} of {series} runs: "
        if warming:
            end, change = self.fields["warm_up"], self.fields["warm_up_change"]
            there = f", {_native.percent(change)} before" if change is not None else ""
            return f"{of}steady after {end:g} {form(end, 'value')}{there}"
        if unsteady:
            return ("" if series == 1 else f"{unsteady} of {series} runs: ") + "the level shifts and does not settle"
        return "steady from the first value, no shift of level" + ("" if series == 1 else f" in any of {series} runs")

    def clock(self) -> str:
        distinct, values, resolution = (self.fields[name] for name in ("distinct", "values", "resolution"))
        centre = self.fields["centre"]
        step = "no common step"
        if resolution is not None:
            part = resolution / abs(centre) if centre else 0.0
            share = f" ({_native.percent(part).lstrip('+')} of the median)" if part >= _FINE else ""
            step = f"steps of {self.amount(resolution)}{share}"
        return f"{distinct:,} different values of {values:,} · {step}"

    def parts(self) -> str:
        icc, low, high = (self.fields[name] for name in ("icc", "icc_low", "icc_high"))
        plain, robust = (
            f"standard deviation {self.deviation(f'{kind}within_sd')} within runs, "
            f"{self.deviation(f'{kind}between_sd')} between"
            for kind in ("", "robust_")
        )
        share = self.fields["robust_share"]
        return (
            f"{plain} · {number(icc, '.0%')} of the variance is between runs "
            f"[{number(low, '.0%')}, {number(high, '.0%')}] (ICC)"
        ) + ("" if share is None else f", by run medians: {robust} · {number(share, '.0%')} between runs")

    def deviation(self, name: str) -> str:
        """Write a standard deviation on the row's scale."""
        value = self.fields[name]
        if value is None:
            return NOTHING
        return _native.percent(value).lstrip("+") if self.fields["scale"] == "ratio" else self.amount(value)

    def worth(self) -> str:
        margin = f"{100 * self.fields['margin']:g}%"
        if self.fields["best_iterations"] is not None:
            best, cost, now = (self.fields[name] for name in ("best_iterations", "best_seconds", "present_seconds"))
            iterations = f"{counted(round(best), 'iteration')} per run"
            needed = self.fields["best_runs"]
            runs = "the number of runs needed is too large to compute"
            if needed is not None and cost is not None:
                runs = f"{_native.forecast(needed)} runs per build detect {margin} and take {seconds(cost)}"
            present = (
                f". With {self.fields['iterations']:.3g} per run it takes {seconds(now)}" if now is not None else ""
            )
            return f"{iterations} are worth their cost: {runs}{present}"
        level, size = self.fields["break_even"], self.fields["iterations"]
        if level is None:
            return "iterations do not differ: one per run is enough"
        if level == 0:
            return "runs do not differ: more iterations do as well as more runs"
        return (
            f"{size:.3g} values per run are too many unless a start costs as much as {level:.2g} of them. "
            "--cost-run SECONDS computes the best number"
        )

    def detects(self) -> str:
        if self.fields["exact"]:
            return "any difference is real"
        detectable = self.fields["detectable"]
        if self.fields["sampled"] == "blocks":
            return "unknown: pairing removes the differences between blocks. --aa with a second run shows the rest"
        if detectable is None:
            return "nothing" if "too-few" in self.fields["defects"] else "unknown, because all values are equal"
        power = self.inspection.policy.power
        size = self.change(detectable).lstrip("+")
        first = f"changes of {size} or more, with power {power:g} against as many"
        needed = [(level, self.fields[f"runs_for_{level}"]) for level in (1, 2, 5)]
        texts = [f"{level}%: {_native.forecast(count)}" for level, count in needed if count is not None]
        word = {"runs": "runs", "values": "values", "blocks": "blocks"}[self.fields["sampled"]]
        return f"{first} · {word} per build for {' · '.join(texts)}" if texts else first


def number(value: float | None, form: str) -> str:
    """Write a number, or a dash for None."""
    return NOTHING if value is None else format(value, form)


def p_value(p: float | None) -> str:
    """Write a p-value with up to four digits, a small one with two."""
    if p is None:
        return NOTHING
    return f"{p:.4g}" if p >= 0.001 else f"{p:.2g}"  # noqa: PLR2004 - where three decimals end


def seconds(time: float) -> str:
    """Write a time in seconds as s, min or h."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if time >= 3 * size:
            return f"{time / size:.2g} {unit}"
    return f"{time:.2g} s" if time < 100 else f"{time:.0f} s"  # noqa: PLR2004 - two digits
