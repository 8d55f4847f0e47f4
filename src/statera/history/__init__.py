"""Histories: results over commits, the changes of level in them, and what is told of these.

- ``job.py``, ``series.py``, ``work_keys.py``, ``lanes.py``: the facts about a job; what identifies a series; which
  machines are equal
- ``place.py``, ``store.py``, ``folder.py``, ``branch.py``, ``remote.py``: where a history is; the interface of every
  place; its files (uploads and events, each named by the hash of its content), in a folder, a branch or on a server
- ``sync.py``, ``verify.py``, ``compact.py``: fetch and push; check every file; merge past months
- ``uploading.py``, ``circumstances.py``, ``checkout.py``, ``units.py``, ``instants.py``: results → an upload: its
  series, commit, branch, machine, times, and the commits before it; whether a unit changed
- ``importing.py``, ``splitting.py``, ``sequence.py``: results of several commits → an upload for each job, and the
  order of these commits
- ``catalog.py``, ``renaming.py``, ``order.py``, ``analysis.py``: all jobs and series without their values; the
  present names of benchmarks; the order of commits; the changes of every series on every line of jobs
- ``alerts.py``, ``states.py``, ``check.py``, ``gone.py``, ``issues.py``: changes with one cause; decisions and
  announcements; the changes of the newest commit; series that are no longer measured; an issue of the
  forge for each alert
- ``commits.py``, ``comparing.py``, ``bisect.py``: names of commits; the jobs of two commits as observations; the
  commits to measure next
- ``words.py``, ``listing.py``, ``export.py``, ``badge.py``, ``site/``: numbers, names and sentences for outputs; the
  JSON of the verbs; the history as a table, a badge and pages

The uploads and events are the only source; everything else is computed from them.

- A row of an upload is a series of a job (``crates/history/src/table.rs``): its values as a list beside their
  summary, so that a search for changes in 2,000 jobs reads no value. Each decision of a team is a separate event
  beside the uploads. All files are immutable and named by their hash, so that copies of a history merge without
  conflict.
- The order of jobs is that of commits, never of time (``history/order.py``): each job carries the first parents of
  its commit as far back as the history knows them, so that no repository is needed to read it.
- The reported changes of a history never depend on how often somebody looked (``kernels/change_points/forward.rs``):
  one pass decides at each value from what was known then. Hindsight (``hindsight.rs``) can refine or withdraw a
  change, and never adds one.
- The loss of a file is found by a list (``added.txt``), which stays in the copy where the files arrived: it would be
  the only file of a history that two copies cannot merge by their union.
- A history is a set of immutable files, named by their content (``history/folder.py``). The merge of two copies is
  their union (``history/sync.py``) and needs no lock. ``history/compact.py`` writes the file of merged uploads first,
  then the list of what it replaces, and then removes the replaced uploads; a job in two files counts once.
- A history in a branch is fetched and pushed by a repository of statera's own (``history/branch.py``), so that no
  hook and no program of the user's repository runs, and nothing is checked out.
"""
