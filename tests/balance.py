"""Which tests wait for `make test-all`, and in what order and company they are given to workers.

What takes longest comes first, and Spark goes to one worker.
"""

import re

from xdist.scheduler import LoadFileScheduling

# Of the folders and files that take minutes; all others follow.
LONG = (
    "cluster/spark", "shared/test_cluster_spark", "cluster", "docs", "report", "browser", "cli", "plots", "bad_input",
)  # fmt: skip
# Folders whose tests all wait for `make test-all`; others wait by the mark `later`.
LATER = ("browser", "shared")
# Their tests share a running Spark.
SPARK = re.compile(r"cluster/spark/(?!test_command)|shared/test_cluster_spark")
# The commands of a page depend on each other; those of two pages do not.
PAGE = re.compile(r"docs/test_docs\.py::.*\[(.+)\]$")


def rank(nodeid):
    """Give the place of a test among the long ones."""
    path = nodeid.removeprefix("tests/")
    return next((place for place, name in enumerate(LONG) if path.startswith(name)), len(LONG))


def waits(path):
    """Return whether all tests of a file or folder under `tests` wait for `make test-all`."""
    return any(path == folder or path.startswith(f"{folder}/") for folder in LATER)


class Balanced(LoadFileScheduling):
    """Gives the tests of a file to one worker, in the order of the collection."""

    def _split_scope(self, nodeid):
        if SPARK.search(nodeid):
            return "spark"
        page = PAGE.search(nodeid)
        return page[1] if page else super()._split_scope(nodeid)
