"""Logs of a cluster that never was, with known effects and faults.

``PYTHONPATH=tests/cluster python -m generator OUT --hosts 52 --slots 55000`` writes about 4 GB.
"""
