"""Logs of a cluster that never was, with known effects and faults: ``python -m generator OUT --hosts 52 --slots 60000``."""
