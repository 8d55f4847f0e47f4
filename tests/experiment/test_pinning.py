"""The words of --pin: which cores they name, and what is wrong with others."""

import pytest
from machines import LAPTOP, QUIET, tree

from statera.experiment.host import as_list, cores, pinned
from statera.support.errors import Stop


@pytest.mark.parametrize(("words", "numbers"), [("0", (0,)), ("0-1", (0, 1)), ("1,0", (0, 1)), ("isolated", (1,))])
def test_cores_are_numbers_ranges_or_those_that_are_isolated(tmp_path, words, numbers):
    assert pinned(words, tree(tmp_path, QUIET)) == numbers


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("9", "--pin 9: core 9 is not online; this machine has 0-1"),
        ("1-3", "--pin 1-3: cores 2-3 are not online; this machine has 0-1"),
        ("", "--pin : write numbers of cores, such as 2, 0-1 or 0,2, or isolated; this machine has 0-1"),
        ("1-0", "write numbers of cores"),
        ("-1", "write numbers of cores"),
        ("0-99999999999", "write numbers of cores"),
        ("isolated", "the kernel isolates no core; boot with isolcpus=LIST"),
    ],
)
def test_other_words_are_refused(tmp_path, words, said):
    with pytest.raises(Stop) as stopped:
        pinned(words, tree(tmp_path, LAPTOP))
    assert said in str(stopped.value)


def test_a_core_that_the_container_withholds_is_refused(tmp_path):
    status = "Name:\tstatera\nCpus_allowed_list:\t1\n"
    with pytest.raises(Stop, match="core 0 is not among those that statera may use"):
        pinned("0", tree(tmp_path, {**LAPTOP, "proc/self/status": status}))


def test_a_system_that_does_not_tell_its_cores_is_believed(tmp_path):
    assert pinned("3", tree(tmp_path, {})) == (3,)


def test_lists_of_cores_come_back():
    assert as_list(cores("0-2,5,7-8")) == "0-2,5,7-8"
    assert as_list(()) == ""
