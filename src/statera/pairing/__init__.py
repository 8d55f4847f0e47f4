"""Arrangement of observations: variants, factors, groups and pairs to compare."""

from statera.pairing.arrange import arrange
from statera.pairing.factors import Factors, load_manifest, parse_factor
from statera.pairing.names import prepared
from statera.pairing.request import Arrangement, Request

__all__ = ["Arrangement", "Factors", "Request", "arrange", "load_manifest", "parse_factor", "prepared"]
