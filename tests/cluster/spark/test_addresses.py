"""Runs and results at addresses of a real HDFS: the same bytes as on this machine, whole or not at all."""

import json
import shutil

import pytest
import small_hdfs
from generator.run import generate
from generator.settings import Settings
from running_spark import need_java

from statera.cluster.analysis import Options, analyse_all, published
from statera.support.errors import Stop
from statera.support.files import hadoop

pytestmark = pytest.mark.later

RUN = Settings(
    hosts=4, slots=120, seed=8, tracing=("new", "legacy", "array", "mixed"), compression=("", ".gz", ".zst"), files=2,
    noise=0.02, broken=0.02, other=0.01, disorder=0.2, cut=1, missing=1, truncated=1,
)  # fmt: skip
# What Hadoop's copies take: whether the source is removed, the target replaced, and checksums left out.
OVER, KEPT, RAW = (False, True), (False,), (True,)
NAMES = ("run", "run two")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for seed, name in enumerate(NAMES):
        generate(folder / name, RUN, seed)
    return folder


@pytest.fixture(scope="module")
def hdfs(runs, tmp_path_factory):
    """Start HDFS with the runs in it; give its address."""
    need_java()
    with small_hdfs.running(tmp_path_factory.mktemp("hdfs")) as (address, files, path):
        for name in NAMES:
            files.copyFromLocalFile(*OVER, path(f"file://{runs / name}"), path(f"/{name}"))
        yield address, files, path


@pytest.fixture(scope="module")
def here(runs, tmp_path_factory):
    """Results without Spark, and without addresses."""
    out = tmp_path_factory.mktemp("here")
    analyse_all([runs / name for name in NAMES], out, Options())
    return out


def files_of(folder):
    """Return the files that are the same wherever a run lies: all but tables, and of the events all but file times."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.parent.name != "tables" and not file.name.startswith("."):
            found[str(file.relative_to(folder))] = file.read_bytes()
            if file.name == "host.json":
                record = json.loads(file.read_text())
                for about in record["key"][2]:
                    about[2] = None
                found[str(file.relative_to(folder))] = record
    return found


def test_runs_at_addresses_have_the_same_results(hdfs, here, runs, spark, tmp_path):
    address, *_ = hdfs
    analyse_all([hadoop.place(f"{address}/{name}") for name in NAMES], tmp_path, Options(session=spark))
    one, other = files_of(here), files_of(tmp_path)
    assert sum(name.endswith(".parquet") for name in one) > 10
    assert list(one) == list(other)
    for name, content in other.items():
        # Warnings name the place of the run.
        same = content.replace(address.encode(), str(runs).encode()) if name.endswith("summary.json") else content
        assert (name, same) == (name, one[name])


def test_results_go_to_an_address_with_the_summary_last(hdfs, spark, tmp_path):
    address, files, path = hdfs
    target = hadoop.place(f"{address}/out/of run")
    run = hadoop.place(f"{address}/run")
    with published(target, [run], 100) as folder:
        analyse_all([run], folder, Options(session=spark))
        wanted = files_of(folder)
        assert not target.exists()
    files.copyToLocalFile(*KEPT, path("/out/of run"), path(f"file://{tmp_path}/copy"), *RAW)
    assert files_of(tmp_path / "copy") == wanted
    times = {
        name: (target / name).stat().st_mtime_ns for name in ("summary.json", "blocks.csv", "tables/hosts.parquet")
    }
    assert max(times, key=times.get) == "summary.json"
    with pytest.raises(Stop, match="is there already") as stopped, published(target, [run], 100):
        pass
    assert stopped.value.code == "cannot-write"
    with pytest.raises(Stop, match="holds logs of the run"), published(run / "node-1", [run], 100):
        pass


@pytest.mark.usefixtures("spark")
def test_a_failure_leaves_nothing_at_the_address(hdfs, tmp_path):
    address, files, path = hdfs
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").symlink_to("b")
    target = hadoop.place(f"{address}/whole")
    with pytest.raises(Stop, match=f"{address}/whole: ") as stopped:
        target.put(tmp_path, [tmp_path / "b"])
    assert stopped.value.code == "cannot-write"
    assert not files.exists(path("/whole"))


def test_what_is_not_there_is_said(hdfs, spark, tmp_path):
    address, *_ = hdfs
    for word, code in ((f"{address}/none", "missing-file"), ("s3a://bucket/run", "spark-unusable")):
        with pytest.raises(Stop) as stopped:
            analyse_all([hadoop.place(word)], tmp_path / "out", Options(session=spark))
        assert (stopped.value.code, word in str(stopped.value)) == (code, True)


def test_the_command(run, hdfs, here, tmp_path):
    address, files, path = hdfs
    words = ("cluster", "analyse", f"{address}/run", "-o", f"{address}/command", "--master", "local[1]")
    done = run(*words)
    assert (done.code, done.err) == (0, "")
    assert f"Copy:    hadoop fs -get {address}/command command\n" in done.out
    files.copyToLocalFile(*KEPT, path("/command"), path(f"file://{tmp_path}/copy"), *RAW)
    shutil.rmtree(tmp_path / "copy/events")
    assert (tmp_path / "copy/blocks.csv").read_bytes() == (here / "run/blocks.csv").read_bytes()
    assert not (tmp_path / "hdfs:").exists()
