import pytest

from statera.cli.options import COLUMN_ROLES


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_verb_can_be_completed(run, shell):
    result = run("completion", shell)
    assert result.code == 0
    assert all(verb in result.out for verb in ("compare", "convert", "explain", "completion"))


def test_a_shell_that_is_not_known_is_refused(run):
    assert run("completion", "cmd").code == 2


def test_roles_of_columns_can_be_completed_and_are_those_of_the_reader(run, tmp_path):
    (tmp_path / "t.csv").write_text("benchmark,value\nX,1\n")
    refusal = run("convert", "t.csv", "-o", "o.csv", "--column", "nonsense=value").err
    assert f"the roles are {', '.join(COLUMN_ROLES)} [" in refusal
    script = run("completion", "bash").out
    assert all(f"{role}=" in script for role in COLUMN_ROLES)
