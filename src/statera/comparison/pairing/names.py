"""Keys in the names of benchmarks: ``size`` in ``Encode/size=64``, which a request can use like any other."""

from __future__ import annotations

from statera.comparison.weighing.assignment import Pairing
from statera.support.typed import TYPE_CHECKING, get_args

if TYPE_CHECKING:
    from statera.comparison.pairing.request import Request
    from statera.reading.observations import Observations


def prepared(observations: Observations, request: Request) -> Observations:
    """Rename the benchmarks of a request, and take its keys out of their names.

    Raises:
        Stop: a benchmark cannot be renamed so.

    """
    return _with_keys(observations.renamed(request.rename) if request.rename else observations, request)


def _with_keys(observations: Observations, request: Request) -> Observations:
    """Take the keys of a request out of the names of benchmarks.

    A part leaves the name if the key chooses variants, levels or pairs, so that ``X/poly=IEEE/size=64`` and
    ``X/poly=Koopman/size=64`` are one benchmark, ``X/size=64``, that is compared by ``poly``. For a filter it stays.
    Without such a key the names are not looked at.
    """
    pair = [] if request.pair in get_args(Pairing) else [request.pair]
    given = request.factors.keys
    taken = [key for key in (*request.by, *request.within, *request.pool, *pair) if key not in given]
    aside = [key for key, _ in request.where if key not in {"file", *given, *taken}]
    return observations.with_names_split(taken, aside) if taken or aside else observations
