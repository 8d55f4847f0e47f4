"""Folders of runs and stored runs: what prevents their use, and what their journals report."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

RUNS: Final = {
    "folder-has-content": Entry(
        "The folder for a new run is not empty, or it is a file.",
        "A run never mixes its files with others, and never overwrites results.",
        "Name a folder that does not exist yet, or continue the run that is in it with `--resume`.",
    ),
    "run-finished": Entry(
        "The run in this folder is finished.",
        "Its plan is complete. More rounds after a look at the results would void the p-values.",
        "Start another run in another folder.",
    ),
    "no-run": Entry(
        "The folder holds no run of statera.",
        "The folder of a run has a file `manifest.json` that begins with the version of its format.",
        "Name the folder that `statera run` printed.",
    ),
    "newer-run": Entry(
        "A newer version of statera wrote this run.",
        "A version that does not know the format could misread the results.",
        "Use the version of statera that wrote the run, or a newer one.",
    ),
    "damaged-run": Entry(
        "The manifest or a record in the middle of the journal of a run is damaged.",
        "A killed process leaves at most its last record incomplete, which statera forgives. Any other damage comes "
        "from elsewhere, and records could be missing unnoticed.",
        "Restore the file from a copy, or do what the message says.",
    ),
    "unreadable-run": Entry(
        "The journal of a run cannot be read.",
        "The operating system refuses to read the file, for the reason that the message states.",
        "Correct the permissions of the folder, and repeat the command.",
    ),
}
