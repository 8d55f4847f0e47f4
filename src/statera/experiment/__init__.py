"""Experiments: what is run, in which order, until when; each result is on disk before the next command begins.

- ``plan.py``: what is run, as plain values
- ``words.py``, ``parameters.py``: commands on the command line → a plan
- ``file.py``, ``file_keys.py``, ``document.py``, ``commands.py``, ``variants.py``, ``placeholders.py``: an experiment
  file → a plan
- ``rounds.py``, ``durations.py``, ``cells.py``, ``stopping.py``: how many rounds; lengths of time; which variants and
  benchmarks can still run; looks, their shares of alpha, and what each look decides
- ``planned_builds.py``, ``sources.py``, ``listing.py``, ``git.py``, ``cache.py``, ``builds.py``, ``building.py``:
  source trees and builds, each made once; what a failed one leaves out
- ``running.py``: a new run, or one that continues: its folder, its manifest, and everything that the loop needs
- ``course.py``: the state of a run according to its records; the loop, a resumption and ``--status`` use nothing else
- ``conduct.py``: the loop: builds, setup, warm-ups, rounds, looks, counts, cleanup, end
- ``order.py``: a pure function of plan, seed and round: which invocation comes when
- ``invoking.py``, ``recording.py``, ``programs.py``, ``targets.py``: an invocation with the commands around it, and
  its record; whether programs exist; what commands may write
- ``launcher.py``, ``invocation.py``, ``remains.py``: the process that sends commands to the executable
  ``crates/runner``, and what an earlier run left behind
- ``looking.py``, ``standing.py``, ``watching.py``: current effects; how far a run is, in words; what is shown on
  standard error
- ``host.py``, ``readings.py``, ``check/``, ``pinning.py``, ``system.py``: facts about the machine, readings around
  each round, what disturbs it
- ``counting.py``, ``callgrind.py``, ``self_test.py``, ``drift.py``, ``verify.py``, ``verified_plan.py``: exact
  counts; the baseline against itself; drift; the worst rows again
- ``selection.py``, ``initial.py``, ``export.py``, ``plans.py``: parts and lists of a plan; the file of ``--init``;
  times for ``--export-json``; plans as JSON

The next step of a run depends only on the plan and the records: after a resumption, ``conduct.py`` goes through the
same loop and skips what the journal contains. A record is written before the next command begins.

- A small executable starts commands (``crates/runner``, ``experiment/launcher.py``). On Linux the peak memory of a
  command is at least the size of the process that starts it, and Python is large. Cores, priority, addresses and
  memory limit are set on the executable before the start and reset after it, so that no wrapper costs the command
  time. The executable becomes the parent of orphans, so that it finds and ends everything that a command leaves
  behind.
- A build is identified by what decides its bytes (``experiment/planned_builds.py``). It is made in its final folder,
  because some programs contain their paths, and it counts only once its record is written beside it.
- Values of factors are never part of a program (``experiment/placeholders.py``, ``commands.py``): they are inserted
  once into single arguments, and a shell gets them as variables.
"""
