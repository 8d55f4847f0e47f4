from statera.comparison.pairing.variants import label_arguments, split_label
from support import every


@every(
    ("argument", "parts"),
    [
        ("main=a.txt", ("main", "a.txt")),
        ("a.txt", (None, "a.txt")),
        ("=a.txt", (None, "=a.txt")),
        ("main=", (None, "main=")),
        ("dir/x=1/a.txt", (None, "dir/x=1/a.txt")),
        ("main=x=1/a.txt", ("main", "x=1/a.txt")),
        ("main=-", ("main", "-")),
    ],
)
def test_a_label_stands_before_the_first_equals_sign(argument, parts):
    assert split_label(argument) == parts


@every(
    ("paths", "labels"),
    [
        (["old.txt", "new.txt"], ["old", "new"]),
        (["a/x.txt", "b/x.txt"], ["a/x", "b/x"]),
        (["r/a/x.json.gz", "r/b/x.json.gz"], ["a/x", "b/x"]),
        (["x.csv", "x.json"], ["x.csv", "x.json"]),
        (["-", "a.txt"], ["standard input", "a"]),
        (["5.3.0+trunk.orun.summary.bench", "b.bench"], ["5.3.0+trunk.orun.summary", "b"]),
        ([".txt", "a.txt"], [".txt", "a"]),
        (["runs/old/*.json", "runs/new/*.json"], ["old", "new"]),
        (["old/run[0-9].csv", "new/run?.csv"], ["run[0-9]", "run?"]),
    ],
)
def test_the_shortest_end_that_tells_paths_apart_is_the_label(paths, labels):
    assert label_arguments([(None, path) for path in paths]) == labels


def test_one_path_given_twice_is_two_arguments_of_one_label():
    assert label_arguments([(None, "a.txt"), (None, "a.txt")]) == ["a", "a"]


def test_a_path_does_not_take_a_label_that_was_given():
    first, second = label_arguments([("old", "x.txt"), (None, "old.txt")])
    assert first == "old"
    assert second != "old"
