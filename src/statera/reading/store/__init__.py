"""Results on disk: the folder of a run with its manifest and journal, and runs stored under a name."""
