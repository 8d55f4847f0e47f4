from repositories import written

from statera.experiment.file import planned
from statera.experiment.plan import Machine

SMALL = '[[benchmark]]\nname = "x"\ncommand = ["true"]\n'


def test_a_file_that_says_nothing_of_the_machine_leaves_it_as_it_is(tmp_path):
    assert planned(written(tmp_path, SMALL), {}).machine == Machine()
    stated = 'nice = 3\nmemory = "1GiB"\ntimeout = "1m"\ncool = 2\naccept_failures = [1, 2]\n'
    wanted = Machine(nice=3, memory=2**30, timeout=60.0, cool=2.0, accept_failures=True, accepted_codes=(1, 2))
    assert planned(written(tmp_path, stated + SMALL), {}).machine == wanted
