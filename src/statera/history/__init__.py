"""Histories: results over commits, the changes of level in them, and what is told of these.

Begin with the analysis of the recorded example, and read on from what it calls:

    folder = place.opened("examples/history/history")
    found = analysis.analyse(catalog.read(folder, Limits()), folder.about.lane)
    for alert in alerts.alerts(found):
        print(alert.id, wording.commits(alert, found), wording.headline(alert))

- ``job.py``, ``series.py``: the facts about a job, its times and its lane of equal machines; what identifies a series
- ``folder.py``, ``branch.py``, ``remote.py``, ``place.py``: the files of a history, which are uploads and events, each
  named by the hash of its content, in a folder; a branch of git; a server; and which of these a name stands for
- ``sync.py``, ``verify.py``, ``compact.py``: fetch and push; check every file; merge past months
- ``upload.py``, ``batch.py``, ``checkout.py``: the results of a job → an upload; results of several commits → an upload
  for each of their jobs; what the git repository of the program says of commits
- ``catalog.py``, ``order.py``, ``analysis.py``: all jobs and series without their values, under the present names of
  benchmarks; the order of commits, also of results that are imported in
  portions; the changes of every series on every line of jobs
- ``track.py``: a series on a line with its changes; what a benchmark did at a change of machine that
  the others did not
- ``left_out.py``: files and jobs that no output shows, which each says
- ``alerts.py``, ``cases.py``: changes with one cause, and the commits to measure next; the alerts about which somebody
  has to decide, and those below the margins of the settings
- ``check.py``, ``issues.py``: the changes of the newest commit, and series that it lacks; an issue for each alert
- ``backfill.py``: the course of a bisection, which measures commits, and how probable each is, given noisy values
- ``kept.py``, ``answers.py``: what a command leaves for the next one, so that only what is new costs time
- ``comparison.py``: the jobs of two commits as observations
- ``wording.py``, ``material.py``, ``documents.py``, ``export.py``, ``site/``: numbers, names and sentences; series as
  they are drawn; JSON, the Atom feed and the badge; the history as a table; pages

Whatever cannot be read, written or understood raises ``Stop``, which has a code and states the remedy.

The uploads and events are the only source; everything else is computed from them.

- A row of an upload is a series of a job (``crates/history/src/table.rs``): its values as a list beside their
  summary, so that a search for changes in 2,000 jobs reads no value. Each decision of a team is a separate event
  beside the uploads. All files are immutable and named by their hash, so that copies of a history merge without
  conflict.
- The order of jobs is that of commits, never of time (``history/order.py``): each job carries the first parents of
  its commit as far back as the history knows them, so that no repository is needed to read it.
- The reported changes of a history never depend on how often somebody looked (``kernels/change_points.rs``):
  one pass decides at each value from what was known then. Hindsight can refine or withdraw a
  change, and never adds one.
- The loss of a file is found by a list (``added.txt``), which stays in the copy where the files arrived: it would be
  the only file of a history that two copies cannot merge by their union.
- A history is a set of immutable files, named by their content (``history/folder.py``). The merge of two copies is
  their union (``history/sync.py``) and needs no lock. ``history/compact.py`` writes the file of merged uploads first,
  then the list of what it replaces, and then removes the replaced uploads; a job in two files counts once.
- A history in a branch is fetched and pushed by a repository of statera's own (``history/branch.py``), so that no
  hook and no program of the user's repository runs, and nothing is checked out.
"""
