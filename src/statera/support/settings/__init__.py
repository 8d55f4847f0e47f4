"""The settings that users choose: the policy, the limits of reading, and the file that both come from."""

from __future__ import annotations

from statera.support.settings.limits import Limits
from statera.support.settings.policy import Policy, checked

__all__ = ["Limits", "Policy", "checked"]
