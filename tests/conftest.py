import os
import signal

import pytest
from hypothesis import HealthCheck, settings

import balance
from forked import FORKS
from support import ROOT, go, noisy

pytest_plugins = ["budgets"]

# STATERA_EXAMPLES=5000 searches further, with other examples on every run.
EXAMPLES = os.environ.get("STATERA_EXAMPLES")
settings.register_profile(
    "statera",
    max_examples=int(EXAMPLES or 60),
    deadline=None,
    derandomize=EXAMPLES is None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("statera")

# What runs in the background of a shell ignores SIGINT, and with nohup SIGHUP; so would all that is started here.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False
    return balance.Balanced(config, log)


def pytest_ignore_collect(collection_path, config):
    """Do not even import what waits for `make test-all`."""
    path = (
        collection_path.relative_to(ROOT / "tests").as_posix() if collection_path.is_relative_to(ROOT / "tests") else ""
    )
    return True if config.option.markexpr == "not later" and balance.waits(path) else None


def pytest_collection_modifyitems(config, items):
    for item in items:
        if balance.waits(item.path.relative_to(ROOT / "tests").as_posix()):
            item.add_marker("later")
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: balance.rank(item.nodeid))


def pytest_unconfigure():
    FORKS.close()


@pytest.fixture
def run(tmp_path):
    """Run ``statera`` in a process of its own, as a user would, in an empty folder."""

    def start(*arguments, stdin=None, cwd=tmp_path, env=None):
        text = stdin.encode() if isinstance(stdin, str) else stdin
        return FORKS.run(arguments, cwd=cwd, stdin=text or b"", env=env)

    return start


@pytest.fixture
def pair(tmp_path):
    """Two Go files: one benchmark worse, one better, one that stayed, one gone, one new."""
    old = {"Slow": noisy(100, seed=1), "Fast": noisy(100, seed=2), "Same": noisy(100, seed=3), "Gone": noisy(50)}
    new = {"Slow": noisy(120, seed=4), "Fast": noisy(80, seed=5), "Same": noisy(100, seed=6), "Fresh": noisy(50)}
    paths = tmp_path / "old.txt", tmp_path / "new.txt"
    for path, benchmarks in zip(paths, (old, new), strict=True):
        path.write_text(go(benchmarks, config={"goos": "linux", "pkg": "example.com/x"}))
    return paths


@pytest.fixture
def shared():
    """The folder of real data that lies beside the repository on some machines."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip(f"no real data at {folder}: the tests on it are extra")
    return folder


@pytest.fixture(scope="session")
def spark():
    """One Spark for all tests that ask for it."""
    from running_spark import running  # noqa: PLC0415 - most tests do without

    with running() as session:
        yield session
