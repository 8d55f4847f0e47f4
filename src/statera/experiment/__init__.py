"""Experiments: what is run, in which order, until when; each result is on disk before the next command begins."""
