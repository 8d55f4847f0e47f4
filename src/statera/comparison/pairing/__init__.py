"""Arrangement of observations: variants, factors, groups and pairs to compare."""

from statera.comparison.pairing.arrange import arrange
from statera.comparison.pairing.factors import Factors, load_manifest, parse_factor
from statera.comparison.pairing.names import prepared
from statera.comparison.pairing.request import Arrangement, Request

__all__ = ["Arrangement", "Factors", "Request", "arrange", "load_manifest", "parse_factor", "prepared"]
