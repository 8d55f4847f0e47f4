"""What is compared with what: variants, groups, pairs, and what else varied."""

from statera.pairing.arrange import Arrangement, Request, arrange

__all__ = ["Arrangement", "Request", "arrange"]
