"""Histories: results over commits, the changes of level in them, and what is told of these."""
