"""Where the cost of two profiles differs: functions and frames of one run a build, described and never judged.

Counts of Callgrind are exact. Numbers of samples have noise of counting: as of two Poisson processes that were watched
for one run each, corrected by Holm over all functions. Where several runs were recorded, counts are divided by how much
more they vary than that. It says whether these runs differ, and not two builds.
"""

from __future__ import annotations

import os

from statera import _native
from statera.comparison.verdicts.notes import Note
from statera.reading import profiles
from statera.support.errors import Stop
from statera.support.settings import Policy
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Final

    from statera.reading.profiles import Profile
    from statera.support.settings.limits import Limits

MOST: Final = 10
"""So many functions are shown."""
NOT_JUDGED: Final = (
    "Nothing was judged: one profile a build says where the cost lies, and not whether the builds differ"
)
DESCRIBED: Final = "One profile a build says where the cost lies. Whether the builds differ, the rows say."
_TOLD: Final = 3
_ALPHA: Final = Policy().alpha
# Beside the first function, one that moved less than such a part of it is not worth a word.
_WORTH: Final = 0.1
# A function that moved less of the whole is not worth a word.
_LEAST: Final = 0.001
# With more of the costs in functions without a name, something is wrong.
_UNNAMED: Final = 0.05
# Numbers of samples that differ by a larger part may come from another rate or another time.
_ALIKE: Final = 0.1
_UNNAMED_IN: Final = "[unknown in "

Pair = tuple[int, int]


class Moved(NamedTuple):
    """A function, with the costs of the baseline and of the variant."""

    name: str  # its name
    own: Pair  # its costs without what it called
    total: Pair  # its costs with what it called
    p: float | None  # of its own costs, corrected; None where they are exact

    @property
    def gain(self) -> int:
        """How much its own cost rose."""
        return self.own[1] - self.own[0]

    @property
    def is_noise(self) -> bool:
        """Whether the difference may come from counting samples alone."""
        return self.gain == 0 or (self.p is not None and self.p >= _ALPHA)


class Frame(NamedTuple):
    """A function within its stack, with the costs of both."""

    parent: int  # the place of the frame that called it; -1 if none did
    name: str  # of its function
    # own, total: as of ``Moved``
    own: Pair
    total: Pair


class Difference(NamedTuple):
    """What differs between two profiles."""

    benchmark: str  # what ran; empty if the files do not say
    # base, variant: the profiles
    base: Profile
    variant: Profile
    functions: list[Moved]  # the functions; those first whose own cost moved most in the direction of the whole
    whole: Pair  # the costs of all

    @property
    def exact(self) -> bool:
        """Whether the costs are exact."""
        return self.base.exact

    @property
    def rose(self) -> bool:
        """Whether the whole costs as much as before, or more."""
        return self.whole[1] >= self.whole[0]

    @property
    def moved(self) -> list[Moved]:
        """The functions that moved most in the direction of the whole, without those that hardly moved."""
        sign = 1 if self.rose else -1
        found = [each for each in self.functions if sign * each.gain > 0][:MOST]
        return [each for each in found if abs(self.part(each.gain)) >= _LEAST] or found[:1]

    def part(self, gain: int) -> float:
        """Return a gain as a part of the baseline's whole; the parts of all functions add up to its change."""
        return gain / self.whole[0]

    @property
    def remarks(self) -> list[str]:
        """What a reader must know of the profiles."""
        found = [*_remarks(self.base), *_remarks(self.variant)]
        part = abs(self.part(self.whole[1] - self.whole[0]))
        # A run records both in the same way; of two files nobody knows.
        if not self.exact and not self.benchmark and part > _ALIKE:
            found.append("numbers of samples are compared as they are. Record both at one rate, and of the same work")
        return found

    @property
    def title(self) -> str:
        """What the functions did."""
        return "Functions that gained most" if self.rose else "Functions that fell most"

    def frames(self) -> list[Frame]:
        """Return the frames of both, each after its parent."""
        return _merged(self.base, self.variant)


def difference(base: Profile, variant: Profile, benchmark: str = "") -> Difference:
    """Return what differs between two profiles. Raises ``Stop`` if they count different things."""
    if (base.unit, base.exact) != (variant.unit, variant.exact):
        raise Stop(
            "profiles-differ",
            f"{base.label} has {base.unit} and {variant.label} has {variant.unit}. Compare profiles of one kind",
        )
    both = [_alike(base, variant), _alike(variant, base)]
    names = dict.fromkeys(name for each in both for name in each)
    of = [dict(zip(own, each.native.costs, strict=True)) for own, each in zip(both, (base, variant), strict=True)]
    pairs = [tuple(each.get(name, (0, 0)) for each in of) for name in names]
    noise = max(base.noise, variant.noise)
    own = [(int(one[0] / noise), int(other[0] / noise)) for one, other in pairs]
    p = [None] * len(pairs) if base.exact else _corrected(own)
    whole = (base.native.whole, variant.native.whole)
    found = [
        Moved(name, (one[0], other[0]), (one[1], other[1]), each)
        for name, (one, other), each in zip(names, pairs, p, strict=True)
    ]
    sign = 1 if whole[1] >= whole[0] else -1
    found.sort(key=lambda each: (-sign * each.gain, each.name))
    return Difference(benchmark, base, variant, found, whole)


def _alike(profile: Profile, other: Profile) -> list[str]:
    """Return the names of a profile, as both profiles have them.

    A program without symbols is named by its file, which each build has for itself: if either profile has one such
    program that the other has not, they are one.
    """
    names = profile.native.names
    own, others = _programs(profile, other), _programs(other, profile)
    if len(own) != 1 or len(others) != 1:
        return names
    one = _UNNAMED_IN + " or ".join(sorted(each[len(_UNNAMED_IN) : -1] for each in (*own, *others))) + "]"
    return [one if name == own[0] else name for name in names]


def _programs(profile: Profile, other: Profile) -> list[str]:
    """Return what stands for programs without symbols in a profile, but not in the other one."""
    known = {*other.native.names}
    return [name for name in profile.native.names if name.startswith(_UNNAMED_IN) and name not in known]


def _corrected(pairs: Sequence[Pair]) -> list[float | None]:
    """Return the p-value of each pair, corrected; 1 where so few samples cannot show a difference.

    Those do not count for the correction (Tarone 1990): how many samples both have together says nothing of which has
    more of them.
    """
    p, least = _native.two_counts(pairs), _native.two_counts([(0, one + other) for one, other in pairs])
    ordered = sorted(least)
    tested = next(number for number in range(1, len(pairs) + 1) if _reaching(ordered, _ALPHA / number) <= number)
    counts = [at_least <= _ALPHA / tested for at_least in least]
    found: list[float | None] = [each if counted else None for each, counted in zip(p, counts, strict=True)]
    return [1.0 if each is None else each for each in _native.adjust(found, "holm")]


def _reaching(ordered: list[float], level: float) -> int:
    from bisect import bisect_right  # noqa: PLC0415 - few comparisons have samples

    return bisect_right(ordered, level)


def _remarks(profile: Profile) -> Iterator[str]:
    native, label = profile.native, profile.label
    if native.unnamed > _UNNAMED * native.whole:
        part = f"{native.unnamed / native.whole:.0%}"
        yield (
            f"{label}: {part} of the {profile.unit} are in functions without a name, as of a stripped program. "
            "Build it with symbols"
        )
    lines, first = native.odd
    if lines:
        yield f"{label}: {lines:,} lines are no part of a profile, the first is line {first}"
    if native.other_events:
        yield f"{label}: samples of {listed(native.other_events)} were left out"


def _merged(base: Profile, variant: Profile) -> list[Frame]:
    """Return the frames of both trees as one, with the costs of both."""
    known: dict[tuple[int, str], int] = {}
    parents: list[int] = []
    names: list[str] = []
    own: list[list[int]] = []
    for side, (profile, other) in enumerate(((base, variant), (variant, base))):
        of = _alike(profile, other)
        places: list[int] = []
        for parent, function, cost in profile.native.frames:
            key = (-1 if parent is None else places[parent], of[function])
            place = known.setdefault(key, len(names))
            if place == len(names):
                parents.append(key[0])
                names.append(key[1])
                own.append([0, 0])
            own[place][side] += cost
            places.append(place)
    total = [[*each] for each in own]
    for place in range(len(names) - 1, -1, -1):
        if parents[place] >= 0:
            for side in (0, 1):
                total[parents[place]][side] += total[place][side]
    return [
        Frame(parent, name, (each[0], each[1]), (with_calls[0], with_calls[1]))
        for parent, name, each, with_calls in zip(parents, names, own, total, strict=True)
    ]


def of_arguments(named: Iterable[tuple[str | None, str]], labels: Sequence[str], limits: Limits) -> list[Difference]:
    """Return the differences of the profiles that arguments hold: runs with profiles, or files that are profiles.

    ``named`` has label (or None) and path of each argument, and ``labels`` are those of the variants, the baseline's
    first.
    """
    given = list(named)
    found: list[Difference] = []
    for _, path in given:
        found += _of_run(path, labels, limits)
    if len(given) == len(labels) and all(map(os.path.isfile, paths := [path for _, path in given])):
        formats = [*map(profiles.format_of, paths)]
        if all(formats):
            read = [profiles.read(path, label, limits) for path, label in zip(paths, labels, strict=True)]
            found += [difference(read[0], each) for each in read[1:]]
    return found


def _of_run(path: str, labels: Sequence[str], limits: Limits) -> Iterator[Difference]:
    entries = profiles.kept(path)
    for name in dict.fromkeys(each.benchmark for each in entries):
        of = {each.variant: each for each in entries if each.benchmark == name}
        own = [of[label] for label in labels if label in of]
        if labels[0] in of and len(own) > 1:
            base, *others = (profiles.read_kept(path, each, limits) for each in own)
            yield from (difference(base, each, name) for each in others if each.unit == base.unit)


def notes(found: Iterable[Difference]) -> list[Note]:
    """Say in a note on each difference where the cost went."""

    def text(each: Difference) -> str:
        nameless = each.moved[:1] and each.moved[0].name.startswith("[unknown")
        return ". ".join([words(each), *(each.remarks[:1] if nameless else ())])

    return [Note("where-it-went", text(each)) for each in found]


def words(found: Difference, name: Callable[[str], str] = lambda name: name) -> str:
    """Say where the cost went, in a sentence; ``name`` writes the name of a function."""
    what = "time" if found.base.unit == profiles.SAMPLES else found.base.unit
    verb = "went" if found.rose else "was saved"
    begin = f"{found.benchmark}, {found.variant.label}: " if found.benchmark else ""
    real = [each for each in found.moved if not each.is_noise]
    real = [each for each in real if abs(each.gain) >= _WORTH * abs(real[0].gain)]
    whole = "samples" if what == "time" else what
    if not real:
        why = "no function moved" if found.exact else "no difference of a function is larger than counting noise"
        return f"{begin}where the {what} {verb}: {why} ({found.whole[0]:,} → {found.whole[1]:,} {whole})"
    parts = [f"{name(each.name)} {_native.percent(found.part(each.gain))}" for each in real[:_TOLD]]
    total = _native.percent(found.part(found.whole[1] - found.whole[0]))
    return (
        f"{begin}where the {what} {verb}: {listed(parts)} of all {whole} of {found.base.label} (together {total}); "
        "one profile a build, not judged"
    )


def only_profiles(paths: Iterable[str], format: str | None = None) -> bool:
    """Return whether all arguments are profiles, and hold nothing to judge: the totals of Callgrind are judged.

    Raises ``Stop`` if some are such profiles, and others are none.
    """
    if format is not None and format not in profiles.FORMATS:
        return False
    given = [*paths]
    found = [_format(path, format) for path in given]
    others = [path for path, each in zip(given, found, strict=True) if each is None]
    unjudged = [path for path, each in zip(given, found, strict=True) if each not in {None, "callgrind"}]
    if others and unjudged and all(map(os.path.exists, others)):
        raise Stop(
            "unreadable-profile",
            f"{others[0]}: is no profile, but {unjudged[0]} is one. Compare profiles with profiles, and results with "
            "results; a profile with damaged lines needs --format folded",
        )
    return bool(unjudged) and not others


def _format(path: str, format: str | None) -> str | None:
    return (format or profiles.format_of(path)) if os.path.isfile(path) else None
