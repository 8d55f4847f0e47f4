"""What is compared with what: variants, factors, groups, pairs, and what else varied."""

from statera.pairing.arrange import arrange
from statera.pairing.factors import Factors, load_manifest, parse_factor
from statera.pairing.request import Arrangement, Request

__all__ = ["Arrangement", "Factors", "Request", "arrange", "load_manifest", "parse_factor"]
