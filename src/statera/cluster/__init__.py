"""Analysis of cluster runs: from the logs of every host to events, metrics, comparisons and reports.

- ``run.py``, ``description.py``, ``workbench.py``, ``run_events.py``, ``inputs.py``, ``single_run.py``: a run: its
  description (run.json, or the files of the workbench) and its events; runs from paths, analysed if necessary
- ``sql/``, ``tables.py``, ``table_columns.py``: one SQL file for each table, and their order; the columns that other
  modules read
- ``logs/``: logs of any system's hosts: which files are logs, mappings, lines → events on disk (``crates/logs``)
- ``engines/``: what executes the SQL: DuckDB, which can open only the directories whose descriptors it gets
  (``reach.py``), or Spark; only they import these packages
- ``analysis.py``, ``samples.py``: from events to tables and summaries; the samples of each metric
- ``chain.py``, ``filters.py``: the main chain, from its tip downwards; the filters of blocks and slots
- ``metrics.py``, ``units.py``, ``statistics.py``, ``summary.py``, ``summary_schema.py``, ``pooled.py``: every metric
  once: title, unit, population, meaning; the unit in which a row is written; statistics over samples; the summary of
  a run and of pooled runs
- ``consistency.py``, ``run_warnings.py``, ``outlier_hosts.py``, ``manifest.py``: checks of values and clocks;
  warnings as text; hosts far from the rest; what was run
- ``observing.py``, ``configuration.py``: runs as observations; the keys by which runs differ
- ``compare.py``, ``rows.py``, ``answer.py``, ``sentences.py``: observations through the pipeline; rows as the tables
  show them; the answer in a line, and sentences on rows
- ``views/``: the outputs of a run, of a comparison and of times
- ``drill_down.py``: blocks, hosts and unused lines
- ``charts/``: the distribution of every metric over runs and hosts, and its course over slots; ``groups.py`` selects
  and orders the metrics
- ``report/``: one file for each section, for the writers of the other ``report/``; ``pictures.py`` has the place of
  each chart
- ``times/``: the time from one event to another of the same key, in any system's logs; its results are compared like
  those of runs

All SQL is written for DuckDB. ``engines/spark/dialect.py`` translates it: exact percentiles, sums in fixed point
without loss, steps counted row by row. Golden files contain the translations. Tasks of Spark read the hosts
(``logs/spark_reader.py``) and write their events to the same place as the other engine. Executors write a table in
pieces, which statera merges into one file, so that later stages do not depend on the engine.
"""
