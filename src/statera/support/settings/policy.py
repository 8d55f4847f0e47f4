"""Policy and limits: every threshold, method, seed and limit of reading, with its default and its reason.

Defaults are defined here and nowhere else.
"""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from typing import Final

    Margin = float | str

Correction = Literal[
    "auto",
    "benjamini-hochberg",
    "westfall-young",
    "two-stage",
    "holm",
    "hochberg",
    "bonferroni",
    "benjamini-yekutieli",
    "none",
]
Omnibus = Literal["friedman", "quade"]
Scale = Literal["auto", "difference"]
Better = Literal["lower", "higher"]
Direction = Literal["lower", "higher", "none"]
CORRECTIONS: Final = get_args(Correction)
OMNIBUS: Final = get_args(Omnibus)
SCALES: Final = get_args(Scale)
DIRECTIONS: Final = get_args(Direction)
NOISE: Final = "noise"
_MOST_RESAMPLES = 1_000_000
# With fewer relabelings no p-value could be below 0.05.
_LEAST_RELABELINGS = 20
# Below it, 1 - alpha is nearly 1 in floating point, and no number of runs decides anything.
_LEAST_ALPHA = 1e-12
# Above one half, an interval would cover less than it leaves out.
_HALF = 0.5


class Policy(NamedTuple):
    """Every threshold of a comparison; the result keeps it.

    Attributes:
        alpha: the significance level, the accepted probability of a false alarm; intervals are at level 1 - alpha.
        correction: the correction for multiple comparisons; all rows form one family. ``auto`` is
            Benjamini-Hochberg (if nothing changed at all, it also bounds the chance of any false alarm by alpha) over
            p-values from the pooled null distribution of all rows, for any number of runs, rows and variants.
        margin_time: relative change of time or throughput too small to matter. 2 %: what quiet machines repeat.
        margin_count: the same for counts that vary (allocations with pooled buffers vary by a part in a thousand).
        margin_other: the same for everything else.
        margin_exact: the same for exact values: any difference is real.
        margins: (pattern of names, margin) pairs; the first match overrides the defaults above. A pattern that fits no
            metric is one of benchmarks. A margin is relative, a text with an amount in the unit of the metric
            (``1ms``, ``16B``, ``+3``), or ``noise``: the larger of the default and the noise floor of the metric.
        noise: (pattern of metric names, noise floor) pairs, measured by A/A runs; the first match is that of a metric.
        directions: (pattern of metric names, lower | higher | none) pairs; the first match overrides the file.
        scale: ``auto`` (ratios where all values are positive) or ``difference``.
        power: the power at which detectable changes and required runs are computed.
        omnibus: the test over three or more paired variants, ``friedman`` or ``quade``.
        relabelings: the largest number of relabelings of the runs that a correction samples, if more are possible.
        resamples: the number of bootstrap resamples for the bands along the distribution; with 2,000 the ends of a 95 %
            band lie within a few per cent of its width.
        seed: the seed of everything random.
        session: the standard deviation of a session, relative: what two sessions of one build differ by beyond what
            their runs show. It enters the error of times whose builds were measured in one session each. With 0.5 %,
            changes of 5 % are found as without it (docs/calibration.md).
        mean: whether every row gets the change of the mean with its interval. Off: the mean follows single slow runs,
            and rows whose tail changed show it in any case.
    """

    alpha: float = 0.05
    correction: Correction = "auto"
    margin_time: float = 0.02
    margin_count: float = 0.001
    margin_other: float = 0.01
    margin_exact: float = 0.0
    margins: tuple[tuple[str, Margin], ...] = ()
    noise: tuple[tuple[str, float], ...] = ()
    directions: tuple[tuple[str, Direction], ...] = ()
    scale: Scale = "auto"
    power: float = 0.8
    omnibus: Omnibus = "friedman"
    relabelings: int = 10_000
    resamples: int = 2000
    seed: int = 20_260_101
    session: float = 0.005
    mean: bool = False

    @property
    def level(self) -> str:
        """The confidence level of intervals, in per cent: ``95``."""
        return f"{100 * (1 - self.alpha):.12g}"


def parse_fraction(text: str | float, what: str) -> float:
    """Read ``2%`` or ``0.02`` as 0.02; a bare number of 1 or more is refused, since its meaning is ambiguous."""
    try:
        if isinstance(text, str) and text.strip().endswith("%"):
            value = float(text.strip()[:-1]) / 100.0
        else:
            value = float(text)
            if value >= 1.0:
                raise Stop(
                    "bad-option",
                    f"{what}: {text} could be per cent or a factor. Write {text}% or a fraction below 1",
                )
    except (TypeError, ValueError):
        raise Stop("bad-option", f"{what}: {text!r} is not a number. Write 2% or 0.02") from None
    if not 0.0 <= value < float("inf"):
        raise Stop("bad-option", f"{what}: {text} is not a fraction of 0 or more")
    return value


# The amount of each unit that a margin is stated in, in the unit of values, which is that of metrics.
_AMOUNTS: Final = {
    **{word: (amount, "s") for word, amount in {
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0,
    }.items()},
    **{prefix + unit: (amount, unit) for unit in ("B", "B/s") for prefix, amount in {
        "": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30,
    }.items()},
    "/s": (1.0, "1/s"),
}  # fmt: skip


class Amount(NamedTuple):
    """A margin in a unit of values; the unit is empty for that of each metric."""

    amount: float
    unit: str


def parse_amount(text: object) -> Amount | None:
    """Read an amount such as ``1ms`` or ``+3``; None if it is none."""
    if not isinstance(text, str):
        return None
    unit = text.strip().lstrip("+0123456789.")
    number = text.strip().removesuffix(unit)
    scale, base = _AMOUNTS.get(unit.strip(), (1.0, ""))
    if not base and (unit or not number.startswith("+")):
        return None
    try:
        return Amount(float(number) * scale, base)
    except ValueError:
        return None


def parse_margin(text: str | float, what: str) -> Margin:
    """Read a margin: a fraction, an amount, or ``noise``."""
    if isinstance(text, str) and (text == NOISE or parse_amount(text)):
        return text.strip()
    if isinstance(text, str) and not text.strip().removesuffix("%").replace(".", "", 1).isdigit():
        raise Stop("bad-option", f"{what}: {text!r} is no margin. Write 2%, 0.02, or an amount such as 1ms, 16B or +3")
    return parse_fraction(text, what)


def parse_margins(words: list[str], base: Policy) -> Policy:
    """Apply ``5%``, ``1ms`` or ``noise`` (all metrics), or ``PATTERN=5%``, to a policy; later words win."""
    for word in words:
        pattern, _, amount = word.rpartition("=")
        margin = parse_margin(amount, "--margin")
        base = base._replace(margins=((pattern or "*", margin), *base.margins))
    return base


def checked(policy: Policy) -> Policy:
    """Return the policy if all values are valid; otherwise raise Stop, which names the invalid one."""
    _check_types(policy)
    ranges: list[tuple[str, object, bool, str]] = [
        ("alpha", policy.alpha, _LEAST_ALPHA <= policy.alpha < _HALF, f"from {_LEAST_ALPHA:g} to below 0.5"),
        ("session", policy.session, 0.0 <= policy.session < 1.0, "from 0 to below 1"),
        ("power", policy.power, 0.0 < policy.power < 1.0, "between 0 and 1"),
        ("resamples", policy.resamples, 1 <= policy.resamples <= _MOST_RESAMPLES, f"from 1 to {_MOST_RESAMPLES}"),
        (
            "relabelings",
            policy.relabelings,
            _LEAST_RELABELINGS <= policy.relabelings <= _MOST_RESAMPLES,
            f"from {_LEAST_RELABELINGS} to {_MOST_RESAMPLES}",
        ),
        ("omnibus", policy.omnibus, policy.omnibus in OMNIBUS, " or ".join(OMNIBUS)),
        ("seed", policy.seed, 0 <= policy.seed < 2**64, "from 0 to 2^64"),
        ("scale", policy.scale, policy.scale in SCALES, " or ".join(SCALES)),
        ("mean", policy.mean, isinstance(policy.mean, bool), "true or false"),
        ("correction", policy.correction, policy.correction in CORRECTIONS, "one of " + ", ".join(CORRECTIONS)),
    ]
    margins = [(name, value) for name, value in policy._asdict().items() if name.startswith("margin_")]
    margins += [(f"margin {pattern}", value) for pattern, value in policy.margins if value != NOISE]
    margins += [(f"noise {pattern}", value) for pattern, value in policy.noise]
    for name, value in margins:
        fits = isinstance(value, (int, float)) and 0.0 <= value < float("inf")
        wanted = "a fraction of 0 or more, or an amount such as 1ms, 16B or +3"
        ranges.append((name, value, fits or parse_amount(value) is not None, wanted))
    if not policy.noise and any(value == NOISE for _, value in policy.margins):
        raise Stop(
            "bad-option",
            "margin noise: no noise floors are given. Measure them with `statera inspect --aa FILES --propose`, and "
            "put the lines that it prints into the settings file",
        )
    for pattern, way in policy.directions:
        ranges.append((f"better {pattern}", way, way in DIRECTIONS, "lower, higher or none"))
    for name, value, fits, wanted in ranges:
        if not fits:
            raise Stop("bad-option", f"{name} must be {wanted}, not {value!r}")
    return policy


def _check_types(policy: Policy) -> None:
    """Check that numbers are numbers, and pairs are pairs of a text and something."""
    for name, default in Policy._field_defaults.items():
        value = getattr(policy, name)
        if isinstance(default, tuple):
            fits = isinstance(value, tuple | list) and all(map(_is_pair, value))
            wanted = f'pairs of a pattern and a value, Policy({name}=(("time", …),))'
        elif isinstance(default, int | float) and not isinstance(default, bool):
            whole = isinstance(default, int)
            fits = not isinstance(value, bool) and _is_number(value, whole=whole)
            wanted = "a whole number" if whole else "a number"
        else:
            continue
        if not fits:
            raise Stop("bad-option", f"{name} must be {wanted}, not {value!r}")


def _is_number(value: object, *, whole: bool) -> bool:
    if isinstance(value, int if whole else int | float):
        return True
    from numbers import Integral, Real  # noqa: PLC0415 - only for those of other libraries, such as NumPy's

    return isinstance(value, Integral if whole else Real)


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and isinstance(value[0], str)  # noqa: PLR2004 - a pair
