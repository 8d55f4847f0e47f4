"""Results on disk: the folder of a run with its manifest and journal, and runs stored under a name."""

PROFILES = "profiles/index.json"
"""The index of the profiles of a run, below its folder."""
