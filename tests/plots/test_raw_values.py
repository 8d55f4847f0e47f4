import statera
from statera.output.plots.raw_values import block_names, samples


def test_the_columns_are_the_values_of_the_files(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "benchmark,metric,unit,value,process,block\n"
        + "".join(
            f"{b},time,ms,{v},{p},k{v}\n" for b, v, p in [("a", 3, "x"), ("b", 9, "x"), ("a", 1, "y"), ("a", 2, "y")]
        )
    )
    inspection = statera.inspect(path, pair="unpaired")
    found = samples(inspection)
    first, second = found.series
    assert [found.benchmarks[series.benchmark] for series in found.series] == ["a", "b"]
    # Base unit, order of measurement.
    assert found.values(first).tolist() == [0.003, 0.001, 0.002]
    assert found.values(second).tolist() == [0.009]
    assert found.column("order", first).tolist() == [0, 1, 2]
    runs = found.column("run", first).tolist()
    assert runs[0] != runs[1] == runs[2] >= 0
    assert len(set(found.column("block", first).tolist())) == 3
    assert samples(inspection) is found


def test_what_the_filters_leave_out_is_left_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("benchmark,metric,unit,value\na,time,s,1\nb,time,s,2\na,size,B,3\n")
    found = samples(statera.inspect(path, benchmarks=["a"], metrics=["time"]))
    assert [found.values(series).tolist() for series in found.series] == [[1.0]]


def test_a_key_that_pairs_names_its_blocks(tmp_path):
    for label in ("old", "new"):
        lines = "".join(f"a,time,s,{i + 1}.{len(label)},{name}\n" for i, name in enumerate(("red", "blue")))
        (tmp_path / f"{label}.csv").write_text("benchmark,metric,unit,value,paint\n" + lines)
    comparison = statera.compare(tmp_path / "old.csv", tmp_path / "new.csv", pair="paint")
    found = samples(comparison)
    names = block_names(comparison)
    for series in found.series:
        assert [names[block] for block in found.column("block", series).tolist()] == ["red", "blue"]
