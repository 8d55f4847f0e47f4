"""Analysis of cluster runs: from the logs of every host to events, metrics, comparisons and reports.

A run is a directory with the logs of its hosts. To follow its data, read in this order::

    events = read_run(directory, out)               # run.py, logs/events.py: lines become events on disk
    analyse(directory, out, Options())              # analysis.py: events become tables, and summary.json
    run = load(out)                                 # samples.py: the results, as a comparison needs them
    compare([Variant("old", (run,)), Variant("new", (other,))])   # comparison.py: through the common pipeline
    document(Material(compared))                    # report/: for the writers of ``output.report``

- ``run.py``: a run: its description (run.json, or the files of the workbench) and its events
- ``logs/``: logs of any system's hosts: which files are logs, mappings, lines → events on disk (``crates/logs``), here
  or on the executors of Spark (``spark.py``)
- ``engine.py``: DuckDB, which executes the SQL and can open only the directories whose descriptors it gets
- ``analysis.py``: from events to the directory of results; without events, what the lines are
- ``sql/``, ``tables.py``: one SQL file for each table, and their order
- ``chain.py``, ``filters.py``: the main chain, from its tip downwards; the filters of blocks and slots
- ``metrics.py``, ``statistics.py``, ``numbers.py``: every metric once: title, unit, population, meaning; the statistics
  of its samples; the written form of its numbers
- ``summary.py``, ``consistency.py``: summary.json, its form, and its warnings; checks of values and clocks
- ``offsets.py``: the offset of each host's clock, from the times that blocks take there and back
- ``samples.py``, ``inputs.py``: analysed runs; runs from paths, which are analysed if necessary
- ``observations.py``: runs as observations; what was run, and the keys by which runs differ
- ``comparison.py``: the comparison, its rows and its answer, and sentences on rows
- ``drill_down.py``: from a number to the log lines behind it
- ``views/``: the outputs of a run, of a comparison and of a drill-down
- ``charts/``: the distribution of every metric over runs and hosts, and its course over slots
- ``report/``: the sections of the report, for the writers of the other ``report/``

What belongs to a host is folded while its lines are read: a row for each slot, each block and each time instead of one
for each line, by the ``[folds]`` of the mapping. So the SQL begins with small tables, and executors write nothing else.
"""
