"""The recorded history of the examples: its alerts are the changes that were made, and nothing else."""

from statera.history import catalog
from statera.history.alerts import alerts
from statera.history.analysis import analyse
from statera.history.folder import open_folder
from statera.support.settings.limits import Limits
from support import ROOT

# As examples/history/COMMANDS.md numbers the commits: what each makes slower or faster.
MADE = {17: ("sort", True), 29: ("words", False), 41: ("matrix", True)}


def test_the_alerts_are_the_changes_that_were_made():
    folder = open_folder(ROOT / "examples/history/history")
    analysis = analyse(catalog.read(folder, Limits()), folder.about.lane)
    commits = analysis.orders["main"].commits
    found = {}
    for alert in alerts(analysis):
        assert alert.first == alert.last
        (names,) = {(part.track.series.benchmark, part.is_worse) for part in alert.parts}
        found[alert.first] = names
    assert len(commits) == 60
    assert found == MADE
