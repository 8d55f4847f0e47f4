"""Experiments: what is run, in which order, until when; each result is on disk before the next command begins.

    plan = file.planned("experiment.toml")                       # or command_line.planned(Words(("./old", "./new")), …)
    done = run.begin(plan, Path("RUN"), ["statera", "run"], settings)
    print(progress.heading(plan, done.course))                   # "every benchmark is decided: 9 rounds in 12 s"
    pipeline.compare([done.path], settings=settings)             # a finished run is a folder of results like any other

What makes a plan:

- ``plan.py``: what is run, as plain values, and the same as JSON
- ``command_line.py``, ``words.py``: commands on the command line → a plan; a command → words, and values in
  the place of names
- ``file.py``, ``file_keys.py``: an experiment file → a plan, with the lines of its errors; the table of its keys
- ``suites.py``: the table of harnesses; each benchmark that a harness lists as one of the plan
- ``schedule.py``: lengths of time, numbers of rounds, looks with their shares of alpha, the order of invocations
- ``selection.py``, ``self_test.py``, ``initial_file.py``: parts and lists of a plan; the baseline against itself; the
  file of ``--init``

What runs it:

- ``run.py``: a new run, one that continues, or one that gets more rounds: its folder, its manifest, and everything that
  the loop needs
- ``loop.py``: builds, setup, warm-ups, rounds, looks, counts, cleanup, end
- ``course.py``: the state of a run according to its records; the loop, a resumption and ``--status`` use nothing else
- ``sources.py``, ``builds.py``: source trees and builds, each made once; what a failed one leaves out
- ``invocations.py``, ``launcher.py``: an invocation with the commands around it, and its record; the process that sends
  commands to the executable ``crates/runner``, and what an earlier run left behind
- ``hosts.py``, ``ssh.py``: the machines that commands run on, at the same time: what each needs and what is made
  there; the connection, over which the executable's requests and answers pass
- ``services.py``: servers beside commands, and how to see that one serves
- ``counters.py``: names of events, and what stands in for them: exact counts after the rounds
- ``looks.py``, ``progress.py``: which metric decides when a benchmark ends, and what a look settles; how far a run is,
  in words, and what is shown on standard error

What is said about the machine and the results:

- ``host.py``, ``readings.py``, ``check.py``: facts about the machine, readings around each round and of processes, what
  disturbs it
- ``verification.py``, ``profiling.py``, ``drift.py``, ``export.py``: the worst rows again; under a profiler; values
  that rose or fell over the rounds, and a slow first run; times for ``--export-json``

The next step of a run depends only on the plan and the records: after a resumption, ``loop.py`` goes through the
same loop and skips what the journal contains. A record is written before the next command begins.

- A small executable starts commands (``crates/runner``, ``launcher.py``). On Linux the peak memory of a command is at
  least the size of the process that starts it, and Python is large. Cores, priority, addresses and memory limit are set
  on the executable before the start and reset after it, so that no wrapper costs the command time. The executable
  becomes the parent of orphans, so that it finds and ends everything that a command leaves behind.
- A build is identified by what decides its bytes (``PlannedBuilds`` in ``file.py``). It is made in its final folder,
  because some programs contain their paths, and it counts only once its record is written beside it.
- Values of factors are never part of a program (``words.py``, ``file.py``): they are inserted once into
  single arguments, and a shell gets them as variables.
"""
