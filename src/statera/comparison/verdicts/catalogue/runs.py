"""Folders of runs and stored runs: what prevents their use, and what their journals report."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

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
    "run-removed": Entry(
        "The folder of the run was removed or replaced while the run went on.",
        "What would be written next could not be found again with what was written before.",
        "Start the run again, and leave its folder in place until it ends.",
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
    "stored-run": Entry(
        "An argument is the name of stored runs; all runs that have the name were read, from the folder that the note "
        "names.",
        "A stored run is used only if there is no file or folder of this name.",
        "To read a file or folder instead, write its path, for instance ./NAME.",
    ),
    "already-stored": Entry(
        "The same run is stored under this name already.",
        "All runs under a name are read together, so that its values would count twice.",
        "Remove the stored run first if the new copy has more rounds, or choose another name.",
    ),
    "no-such-run": Entry(
        "No run is stored under this name.",
        "The folder of stored runs is $STATERA_STORE, otherwise $XDG_DATA_HOME/statera/runs, otherwise "
        "~/.local/share/statera/runs.",
        "`statera store list` lists the names.",
    ),
    "unreadable-store": Entry(
        "The folder of stored runs cannot be read.",
        "The operating system refuses to read it, for the reason that the message states.",
        "Correct its permissions, or name another folder with the variable STATERA_STORE.",
    ),
}
