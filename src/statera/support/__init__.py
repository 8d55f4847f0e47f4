"""What every room needs and none is about.

Begin with the two kinds of errors, of which everything here and elsewhere makes use::

    from statera.support.errors import Problem, Stop

    raise Stop("bad-option", "--alpha takes a number below 0.5, not 2")

- ``errors.py``: a ``Problem`` is a value, and the work goes on; a ``Stop`` ends the command.
- ``settings``: the policy, the limits, the constants of the detector, and the file that states them.
- ``files``: the writer of all files, the lock, names as text, CSV, JSON and TOML.
- ``patterns.py``: how users select names; ``wording.py``: counts, plurals and lists in sentences.
- ``git.py``: git that runs nothing of a repository; ``http.py``: requests with limits.
- ``environment.py``: the CI that runs a command, and the folder of what can be made again.
- ``extras.py``: how the packages are installed that only some verbs need.
- ``interruption.py``: signals; ``stages.py``: the stage that a progress line shows.
- ``closing.py``: what is closed at the end of its context; ``typed.py``: what start-up needs of ``typing``.

Every command loads some of this, so that its modules import nothing slow: pathlib, tempfile and difflib are loaded
where they are needed, and named tuples are made without ``typing``, which costs as much as Python's own start.
"""
