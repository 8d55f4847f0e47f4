"""What Python decides reaches the compiled part field by field, and no word of it is taken for another."""

from types import SimpleNamespace

import pytest

import statera
from statera import _native
from statera.comparison.weighing import weigh as words
from statera.support.settings import policy as settings
from statera.support.typed import get_args
from support import every, go, noisy, write

_CHOICES = {
    "correction": settings.Correction,
    "scale": settings.Scale,
    "omnibus": settings.Omnibus,
    "pairing": words.Pairing,
    "better": settings.Better,
}
# These reach the compiled part as rules, one a metric.
_IN_RULES = {"margin_time", "margin_count", "margin_other", "margin_exact", "margins", "directions", "noise"}


@pytest.fixture
def compared(tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(110)}))
    return statera.compare(*paths)


def weigh(compared, assignment=None, policy=None):
    arrangement = compared.arrangement
    decided = assignment or arrangement.assignment, policy or compared.settings.policy
    return _native.weigh(compared.observations.native, *decided, arrangement.labels, arrangement.groups)


def refused(error):
    """The error and what it came from, in one text."""
    texts, raised = [], error.value
    while raised is not None:
        texts.append(str(raised))
        raised = raised.__cause__
    return " ".join(texts)


def test_each_side_knows_the_words_of_the_other():
    assert {name: set(known) for name, known in _native.choices()} == {
        name: set(get_args(choice)) for name, choice in _CHOICES.items()
    }


@every("field", words.Assignment._fields)
def test_an_assignment_without_a_field_is_refused(compared, field):
    fields = compared.arrangement.assignment._asdict()
    assert len(weigh(compared, SimpleNamespace(**fields))) == 1
    del fields[field]
    with pytest.raises((TypeError, AttributeError)) as error:
        weigh(compared, SimpleNamespace(**fields))
    assert field in refused(error)


@every("field", sorted(set(settings.Policy._fields) - _IN_RULES))
def test_a_policy_without_a_field_is_refused(compared, field):
    fields = compared.settings.policy._asdict()
    del fields[field]
    with pytest.raises((TypeError, AttributeError)) as error:
        weigh(compared, policy=SimpleNamespace(**fields))
    assert field in refused(error)


@every("field", ["correction", "scale", "omnibus"])
def test_an_unknown_word_of_a_policy_is_an_error(compared, field):
    with pytest.raises((TypeError, ValueError)) as error:
        weigh(compared, policy=compared.settings.policy._replace(**{field: "nonsense"}))
    assert ', not "nonsense"' in refused(error)


def test_an_unknown_pairing_is_an_error(compared):
    with pytest.raises((TypeError, ValueError)) as error:
        weigh(compared, compared.arrangement.assignment._replace(pairing="slot"))
    assert 'pairing must be one of auto, block, order, unpaired, not "slot"' in refused(error)


def test_an_unknown_direction_is_an_error(compared):
    assignment = compared.arrangement.assignment
    rules = [rule._replace(better="up") for rule in assignment.metrics]
    with pytest.raises((TypeError, ValueError)) as error:
        weigh(compared, assignment._replace(metrics=rules))
    assert 'direction must be one of lower, higher, not "up"' in refused(error)


def test_an_unknown_kind_of_table_is_an_error_and_not_parquet(compared, tmp_path):
    (path,) = write(tmp_path, table="")
    with pytest.raises(OSError, match='no kind of table is named "xlsx"'):
        compared.observations.native.write(path, "xlsx", [])
