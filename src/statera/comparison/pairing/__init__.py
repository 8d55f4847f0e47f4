"""From observations and a request to an arrangement: which values are compared with which.

``request.py`` has what is asked and what comes out; ``arrange.py`` the way between them (also what was measured after
what), with ``variants.py`` (labels, the variant of each configuration, and what is named twice), ``factors.py`` (what
users state about files) and ``keys.py`` (which configuration keys separate, and which are pooled).
"""

from statera.comparison.pairing.arrange import arrange, own_part, prepared
from statera.comparison.pairing.factors import Factors, load_machine, load_manifest, parse_factor
from statera.comparison.pairing.request import Arrangement, Request
from statera.comparison.pairing.variants import refuse_overlaps

__all__ = [
    "Arrangement", "Factors", "Request", "arrange", "load_machine", "load_manifest", "own_part", "parse_factor",
    "prepared", "refuse_overlaps",
]  # fmt: skip
