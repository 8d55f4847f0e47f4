"""Policy and limits: every threshold, method, seed and limit of reading, with its default and its reason.

Defaults are defined here and nowhere else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast, get_args

from statera.errors import Stop
from statera.files.sizes import parse_size

if TYPE_CHECKING:
    from collections.abc import Mapping

Correction = Literal[
    "auto",
    "benjamini-hochberg",
    "westfall-young",
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
        correction: the correction for multiple comparisons; all rows form one family. ``auto`` chooses by the numbers
            of runs, rows and variants alone: Benjamini-Hochberg (if nothing changed at all, it also bounds the chance
            of any false alarm by alpha); Westfall-Young where so few runs of so many rows could never pass it; for
            three or more variants Benjamini-Hochberg over the benchmarks and Holm inside those selected.
        margin_time: relative change of time or throughput too small to matter. 2 %: what quiet machines repeat.
        margin_count: the same for counts that vary (allocations with pooled buffers vary by a part in a thousand).
        margin_other: the same for everything else.
        margin_exact: the same for exact values: any difference is real.
        margins: (pattern of metric names, margin) pairs; the first match overrides the defaults above.
        directions: (pattern of metric names, lower | higher | none) pairs; the first match overrides the file.
        scale: ``auto`` (ratios where all values are positive) or ``difference``.
        power: the power at which detectable changes and required runs are computed.
        omnibus: the test over three or more paired variants, ``friedman`` or ``quade``.
        relabelings: the number of joint relabelings that Westfall-Young samples, if more are possible.
        resamples: the number of bootstrap resamples; with 2,000 the ends of a 95 % interval lie within a few per cent
            of its width.
        seed: the seed of everything random.

    """

    alpha: float = 0.05
    correction: Correction = "auto"
    margin_time: float = 0.02
    margin_count: float = 0.001
    margin_other: float = 0.01
    margin_exact: float = 0.0
    margins: tuple[tuple[str, float], ...] = ()
    directions: tuple[tuple[str, Direction], ...] = ()
    scale: Scale = "auto"
    power: float = 0.8
    omnibus: Omnibus = "friedman"
    relabelings: int = 10_000
    resamples: int = 2000
    seed: int = 20_260_101

    @property
    def level(self) -> str:
        """The confidence level of intervals, in per cent: ``95``."""
        return f"{100 * (1 - self.alpha):.12g}"


class Limits(NamedTuple):
    """How much may be read. Results of a harness stay far below; input that does not would exhaust a small machine.

    The defaults suit two cores and 7 GB: a value takes about fifty bytes, a configuration a few hundred.

    Attributes:
        files: files and folders that the arguments lead to.
        bytes: decompressed bytes of all files together.
        expansion: how many times its size a compressed file may grow to, beyond 32 MiB. Text compresses to a tenth,
            rarely to a fiftieth; only files made to exhaust a machine compress to a thousandth.
        line: bytes of a line or of a row of a table; a longer one is left out.
        values: values of all files together, and parts of one JSON document.
        keys: distinct configuration keys.
        contexts: distinct configurations.
        inherited: keys that configurations inherit from lines above, summed over all configurations: in Go's format a
            line changes one key and the others stay, so that a short file can hold very many.
        metrics: distinct metrics.
        pairs: pairs of variants to compare: a thousand variants have half a million.
        groups: combinations of levels that are compared separately: each has tables of its own.

    """

    files: int = 100_000
    bytes: int = 2 * 2**30
    expansion: int = 100
    line: int = 2**20
    values: int = 50_000_000
    keys: int = 1_000
    contexts: int = 200_000
    inherited: int = 1_000_000
    metrics: int = 10_000
    pairs: int = 5_000
    groups: int = 10_000


_SIZES: Final = frozenset({"bytes", "line"})
_MOST_OF_ANYTHING = 2**60


def limited(base: Limits, name: str, value: object, where: str, code: str) -> Limits:
    """Change one limit; an unknown name or an invalid value raises Stop with this code."""
    if name not in Limits._fields:
        raise Stop(code, f"{where}: there is no limit {name!r}; the limits are {', '.join(Limits._fields)}")
    number = parse_size(value) if isinstance(value, str) and name in _SIZES else value
    if isinstance(number, str) and re.fullmatch("[0-9]{1,19}", number):
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= _MOST_OF_ANYTHING:
        wanted = "a size such as 512MiB or 2GiB" if name in _SIZES else "a whole number of 1 or more"
        raise Stop(code, f"{where}: {name} takes {wanted}, not {value!r}")
    return Limits(**{**base._asdict(), name: number})


def checked_limits(limits: Limits) -> Limits:
    """Return the limits if all values are valid; otherwise raise Stop, which names the invalid one."""
    for name, value in limits._asdict().items():
        limited(limits, name, value, "limits", "bad-option")
    return limits


def parse_limits(words: list[str], base: Limits) -> Limits:
    """Apply ``NAME=VALUE`` words to limits."""
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Stop("bad-option", f"--limit {word}: write NAME=VALUE, for instance bytes=4GiB")
        base = limited(base, name, value, "--limit", "bad-option")
    return base


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
                    f"{what}: {text} could be per cent or a factor; write {text}% or a fraction below 1",
                )
    except (TypeError, ValueError):
        raise Stop("bad-option", f"{what}: {text!r} is not a number; write 2% or 0.02") from None
    if not 0.0 <= value < float("inf"):
        raise Stop("bad-option", f"{what}: {text} is not a fraction of 0 or more")
    return value


def parse_margins(words: list[str], base: Policy) -> Policy:
    """Apply ``5%`` (all metrics) or ``PATTERN=5%`` to a policy; later words win."""
    for word in words:
        pattern, _, amount = word.rpartition("=")
        margin = parse_fraction(amount, "--margin")
        base = base._replace(margins=((pattern or "*", margin), *base.margins))
    return base


def checked(policy: Policy) -> Policy:
    """Return the policy if all values are valid; otherwise raise Stop, which names the invalid one."""
    ranges: list[tuple[str, object, bool, str]] = [
        ("alpha", policy.alpha, _LEAST_ALPHA <= policy.alpha < _HALF, f"from {_LEAST_ALPHA:g} to below 0.5"),
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
        ("correction", policy.correction, policy.correction in CORRECTIONS, "one of " + ", ".join(CORRECTIONS)),
    ]
    margins = [(name, value) for name, value in policy._asdict().items() if name.startswith("margin_")]
    for name, value in [*margins, *((f"margin {pattern}", value) for pattern, value in policy.margins)]:
        ranges.append((name, value, 0.0 <= value < float("inf"), "a fraction of 0 or more"))
    for pattern, way in policy.directions:
        ranges.append((f"better {pattern}", way, way in DIRECTIONS, "lower, higher or none"))
    for name, value, fits, wanted in ranges:
        if not fits:
            raise Stop("bad-option", f"{name} must be {wanted}, not {value!r}")
    return policy


def load(path: str) -> tuple[Policy, Limits]:
    """Read policy and limits from a settings file; an unknown key or a wrong type raises Stop, which names the key."""
    document = dict(_document(path))
    table = document.pop("limits", {})
    if not isinstance(table, dict):
        raise Stop(
            "bad-settings", f'{path}: limits must be a table, such as [limits] with bytes = "4GiB", not {table!r}'
        )
    limits = Limits()
    for name, value in cast("dict[str, Any]", table).items():
        limits = limited(limits, name, value, f"{path}: limits", "bad-settings")
    return from_mapping(document, path), limits


def _document(path: str) -> Mapping[str, Any]:
    from statera.files import toml  # noqa: PLC0415 - only where there are settings

    try:
        document, _ = toml.load(path, "bad-settings")
    except OSError as error:
        raise Stop("bad-settings", f"{path}: {error.strerror}") from None
    if path.endswith("pyproject.toml"):
        for name in ("tool", "statera"):
            document = document.get(name, {})
            if not isinstance(document, dict):
                raise Stop("bad-settings", f"{path}: {name} must be a table [tool.statera], not {document!r}")
    return document


def from_mapping(document: Mapping[str, Any], path: str) -> Policy:
    """Build a policy from the keys of a settings file."""
    policy = Policy()
    known = set(Policy._fields) - {"margins", "directions"} | {"margin", "better", "limits"}
    for key, value in document.items():
        if key not in known:
            raise Stop(
                "bad-settings", f"{path}: there is no setting {key!r}; the settings are {', '.join(sorted(known))}"
            )
        if key in {"margin", "better"}:
            policy = _table(policy, key, value, path)
            continue
        wanted = type(getattr(Policy(), key))
        if key.startswith("margin_"):
            policy = _with(policy, key, parse_fraction(value, f"{path}: {key}"))
        elif not isinstance(value, bool) and isinstance(value, (int, float) if wanted is float else wanted):
            policy = _with(policy, key, wanted(value))
        else:
            raise Stop("bad-settings", f"{path}: {key} takes a {wanted.__name__}, not {value!r}")
    try:
        return checked(policy)
    except Stop as stop:
        raise Stop("bad-settings", f"{path}: {stop}") from None


def _with(policy: Policy, key: str, value: object) -> Policy:
    return Policy(**{**policy._asdict(), key: value})


def _table(policy: Policy, key: str, value: object, path: str) -> Policy:
    if key == "margin" and isinstance(value, (str, float, int)):
        return policy._replace(margins=(("*", parse_fraction(value, f"{path}: margin")),))
    if not isinstance(value, dict):
        raise Stop("bad-settings", f"{path}: {key} takes a table of metric patterns, not {value!r}")
    table = cast("dict[str, Any]", value)
    if key == "margin":
        pairs = tuple(
            (pattern, parse_fraction(amount, f"{path}: margin.{pattern}")) for pattern, amount in table.items()
        )
        return policy._replace(margins=pairs)
    # Every word is checked with the whole policy.
    return policy._replace(directions=tuple((pattern, cast("Direction", str(word))) for pattern, word in table.items()))
