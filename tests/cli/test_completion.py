import pytest


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_verb_can_be_completed(run, shell):
    result = run("completion", shell)
    assert result.code == 0
    assert all(verb in result.out for verb in ("compare", "convert", "explain", "completion"))


def test_a_shell_that_is_not_known_is_refused(run):
    assert run("completion", "cmd").code == 2
