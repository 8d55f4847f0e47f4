"""Calls of the compiled part, which computes rows from arranged observations."""
