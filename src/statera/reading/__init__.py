"""From bytes to observations, the one table that every later stage uses.

Begin with ``read`` in ``observations.py``::

    from statera.reading import observations

    found = observations.read(["old.txt", "results/"])
    print(len(found), found.benchmarks, found.left_out_by_code)

- ``observations.py``: the table, in columns of the compiled part, and what was left out of it.
- ``formats.py``: what is known of the formats; the compiled readers hold all facts about them.
- ``logs``: logs of any system by a mapping, which is a format that a user writes down.
- ``plug_ins.py``: formats of other packages that are installed, loaded when a file has no format of statera's own.
- ``profiles.py``: profiles of single runs, which are no results.
- ``frames.py``: data frames, Arrow tables and samples in memory, as files that a reader takes.
- ``store``: the folder of a run, and runs under a name.

The compiled part reads; Python holds the defaults of its limits. What cannot be read is a ``Problem`` with its line,
and the reading goes on. A comparison of files loads neither the store nor the frames.
"""

PROFILES = "profiles/index.json"
"""The index of the profiles of a run, below its folder."""
