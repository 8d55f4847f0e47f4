"""Logs of the hosts of any system: finding the files, and reading events from their lines."""
