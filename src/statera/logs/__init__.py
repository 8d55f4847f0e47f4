"""Logs of any system's hosts: which files they are, and the events in them."""
