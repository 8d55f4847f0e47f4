"""Factors: where they come from, what is compared at which level, and what cannot be."""

import json
import math

import pytest

import statera
from statera import Stop
from statera.comparison.pairing import load_manifest, parse_factor
from support import every, fails, go, noisy, write

WAYS = ("table", "swar")
LEVELS = ("v1", "v3")


@pytest.fixture
def four(tmp_path):
    """Two ways at two levels: the second way is 20 % faster at v1, 60 % at v3."""
    centres = {("table", "v1"): 100, ("table", "v3"): 100, ("swar", "v1"): 80, ("swar", "v3"): 40}
    for number, ((way, level), centre) in enumerate(centres.items()):
        (tmp_path / f"{way}-{level}.txt").write_text(go({"X": noisy(centre, seed=number)}))
    return tmp_path


def changes(comparison):
    return {(row.group, row.contender): round(row.change, 1) for row in comparison}


WANTED = {("level: v1", "swar"): -0.2, ("level: v3", "swar"): -0.6}


def test_factors_in_file_names(four):
    paths = [four / f"{way}-{level}.txt" for way in WAYS for level in LEVELS]
    comparison = statera.compare(*paths, by="way", within=["level"], name_patterns=["{way}-{level}"])
    assert changes(comparison) == WANTED
    assert comparison.labels == ["table", "swar"]


def test_factors_of_labels(four):
    paths = [f"{way}{level}={four}/{way}-{level}.txt" for way in WAYS for level in LEVELS]
    given = {f"{way}{level}": {"way": way, "level": level} for way in WAYS for level in LEVELS}
    assert changes(statera.compare(*paths, by="way", within=["level"], factors=given)) == WANTED


@every(
    ("name", "text"),
    [
        ("v.csv", "file,way,level\ntable-*,table,\nswar-*,swar,\n*-v1.txt,,v1\n*-v3.txt,,v3\n"),
        ("v.csv", "\ufefffile,way,level\n" + "".join(f"{w}-{v}.txt,{w},{v}\n" for w in WAYS for v in LEVELS)),
        (
            "v.toml",
            "".join(f'[[variants]]\nfile = "{w}-{v}.txt"\nway = "{w}"\nlevel = "{v}"\n' for w in WAYS for v in LEVELS),
        ),
    ],
)
def test_factors_of_a_table(four, name, text):
    (four / name).write_text(text)
    paths = [] if "*" not in text else sorted(four.glob("*-v?.txt"), reverse=True)
    comparison = statera.compare(*paths, manifest=four / name, by="way", within=["level"])
    assert changes(comparison) == WANTED


def test_the_table_alone_is_enough_on_the_command_line(four, run):
    (four / "v.csv").write_text("file,way,level\n" + "".join(f"{w}-{v}.txt,{w},{v}\n" for w in WAYS for v in LEVELS))
    result = run("compare", "--variants", four / "v.csv", "--by", "way", "--within", "level")
    assert result.code == 0
    assert "Does the effect of way depend on level?" in result.out
    assert "swar: yes" in result.out


def test_the_test_of_every_effect_is_said(tmp_path, run):
    lines = ["benchmark,way,level,input,time_ms"]
    for number, (benchmark, shared) in enumerate((("A", True), ("B", True), ("C", False))):
        inputs = 8 + 2 * number
        for place, (way, level) in enumerate((way, level) for way in ("table", "swar") for level in (1, 2, 4)):
            of = "" if shared else f"-{level}"
            values = noisy(100, inputs, seed=place + 10 * number)
            lines += [f"{benchmark},{way},{level},in{i}{of},{value}" for i, value in enumerate(values)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    out = run("compare", tmp_path / "t.csv", "--by", "way", "--within", "level", "--pair", "input", "--all-rows").out
    tests = "Friedman on the effects of 8 to 10 blocks for 2, Cochran's Q of the typical changes for 1"
    assert f"Does the effect of way depend on level? ({tests}, Benjamini-Hochberg over these questions)" in out


def test_an_effect_that_depends_on_the_level_is_said(four):
    paths = [four / f"{way}-{level}.txt" for way in WAYS for level in LEVELS]
    (found,) = statera.compare(*paths, by="way", within=["level"], name_patterns=["{way}-{level}"]).interactions
    assert (found["test"], found["df"]) == ("cochran-q", 1)
    assert found["p_corrected"] < 1e-6


def test_an_effect_that_does_not_is_not(tmp_path):
    for number, (name, centre) in enumerate({"a-1": 100, "a-2": 200, "b-1": 120, "b-2": 240}.items()):
        (tmp_path / f"{name}.txt").write_text(go({"X": noisy(centre, seed=number)}))
    paths = sorted(tmp_path.glob("*.txt"))
    (found,) = statera.compare(*paths, by="way", within=["level"], name_patterns=["{way}-{level}"]).interactions
    assert found["p_corrected"] > 0.05


def test_a_factor_that_is_not_named_is_not_pooled(four):
    paths = [four / f"{way}-{level}.txt" for way in WAYS for level in LEVELS]
    assert changes(statera.compare(*paths, by="way", name_patterns=["{way}-{level}"])) == WANTED
    pooled = statera.compare(*paths, by="way", pool=["level"], name_patterns=["{way}-{level}"])
    assert [(row.group, row.baseline_values) for row in pooled] == [("", 20)]
    assert any(note.code == "pooled" for note in pooled.notes)


def test_combinations_of_factors_are_variants(four):
    paths = [four / f"{way}-{level}.txt" for way in WAYS for level in LEVELS]
    comparison = statera.compare(*paths, by=["way", "level"], baseline="table/v3", name_patterns=["{way}-{level}"])
    assert comparison.labels == ["table/v3", "table/v1", "swar/v1", "swar/v3"]
    assert comparison.family["how"] == "pooled-null"


def test_all_pairs_have_a_row_each(four):
    paths = [four / f"{way}-{level}.txt" for way in WAYS for level in LEVELS]
    comparison = statera.compare(*paths, pairs="all")
    assert len(comparison) == 6
    assert {(row.baseline, row.contender) for row in comparison} >= {("swar-v1", "swar-v3"), ("table-v1", "swar-v3")}
    (test,) = comparison.omnibus
    assert (test["test"], test["variants"], test["n"], test["df"]) == ("kruskal-wallis", 4, 40, 3)
    assert test["effect_size"] > 0.8


def test_an_empty_cell_is_named(four):
    paths = [four / "table-v1.txt", four / "table-v3.txt", four / "swar-v1.txt"]
    comparison = statera.compare(*paths, by="way", within=["level"], name_patterns=["{way}-{level}"])
    assert [row.verdict for row in comparison] == ["better", "missing"]
    (note,) = [note for note in comparison.notes if note.code == "empty-cell"]
    assert note.text == "swar was not measured at level: v3"


def test_variants_that_share_no_level_cannot_be_compared(four):
    paths = [four / "table-v1.txt", four / "swar-v3.txt"]
    with pytest.raises(Stop, match="no level was measured under two variants: level: v1; level: v3"):
        statera.compare(*paths, by="way", within=["level"], name_patterns=["{way}-{level}"])


def test_a_factor_with_one_level_is_no_variant(four):
    with pytest.raises(Stop, match="only the value 'v1' of this key"):
        statera.compare(four / "table-v1.txt", four / "swar-v1.txt", by="level", name_patterns=["{way}-{level}"])
    comparison = statera.compare(
        four / "table-v1.txt", four / "swar-v1.txt", by="way", within=["level"], name_patterns=["{way}-{level}"]
    )
    assert comparison.arrangement.common["level"] == "v1"


@every("option", ["by", "within", "pool"])
def test_a_key_that_nothing_states_is_refused(four, option):
    with pytest.raises(Stop, match=f"^{option} colour: no result states this key; there are: way, level"):
        statera.compare(
            four / "table-v1.txt",
            four / "swar-v1.txt",
            name_patterns=["{way}-{level}"],
            **({"by": ["way"]} | {option: ["colour"]}),
        )


def test_one_key_has_one_use(four):
    with pytest.raises(Stop, match="way: only one of by, within and pool"):
        statera.compare(
            four / "table-v1.txt", four / "swar-v1.txt", by="way", within=["way"], name_patterns=["{way}-{level}"]
        )


@every(
    ("name", "text", "words"),
    [
        ("v.csv", "", ":1: the header line names no column file or label"),
        ("v.csv", "path,way\n", ":1: the header line names no column file or label"),
        ("v.csv", "file,way,way\n", ":1: a column has no name, or two have the same"),
        ("v.csv", "file,way\na.txt\n", ":2: 1 cells, but the header has 2"),
        ("v.csv", "file,way\n,x\n", ":2: a row must name one file or one label"),
        ("v.csv", "file,label\na.txt,\n", "no factor. Add a column"),
        ("v.csv", b"\xff\xfe,", "not a table"),
        ("v.toml", "variants = 3", "write one [[variants]] table"),
        ("v.toml", "[[variants]]\nfile = 'a'\nghc = 9.2", "[[variants]] 1: ghc is a text in quotes, not 9.2"),
        ("v.toml", "[[variants]\n", "v.toml: "),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_its_place(tmp_path, name, text, words):
    (path,) = write(tmp_path, **{name: text})
    with pytest.raises(Stop) as stop:
        load_manifest(path)
    assert words in str(stop.value)
    assert stop.value.code == "bad-manifest"


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(Stop, match="there is no such file or folder"):
        load_manifest(str(tmp_path / "none.csv"))


def test_two_levels_of_one_factor_contradict(four):
    (four / "v.csv").write_text("file,way\n*.txt,table\nswar-*,swar\n")
    with pytest.raises(Stop, match=r"swar-v1.txt: way is given as 'table' and as 'swar'"):
        statera.compare(four / "table-v1.txt", four / "swar-v1.txt", manifest=four / "v.csv", by="way")


def test_a_file_is_not_overruled(tmp_path):
    one, two = write(tmp_path, **{"1.txt": go({"X": noisy(1)}, config={"goos": "linux"}), "2.txt": go({"X": noisy(2)})})
    with pytest.raises(Stop, match="goos is given as 'plan9', but the file states 'linux'"):
        statera.compare(f"a={one}", f"b={two}", by="goos", factors={"a": {"goos": "plan9"}, "b": {"goos": "x"}})


@every("word", ["ghc=9", "new:ghc", ":a=b", "new:=b", "new:a=", "new:a=b,c"])
def test_a_factor_that_says_half_is_refused(word):
    with pytest.raises(Stop, match="LABEL:KEY=VALUE"):
        parse_factor(word)


def test_several_factors_of_a_label():
    assert parse_factor("new:ghc=9.2,os=a=b") == [("new", "ghc", "9.2"), ("new", "os", "a=b")]


def test_a_factor_of_a_label_that_no_file_has(four):
    with pytest.raises(Stop, match="is stated of the label 'nobody', which no file has; there are: table-v1, swar-v1"):
        statera.compare(four / "table-v1.txt", four / "swar-v1.txt", factors={"nobody": {"a": "b"}})


@every("pattern", ["plain", "{a}-{a}", "{}"])
def test_a_name_pattern_without_factors_is_refused(four, pattern):
    with pytest.raises(Stop):
        statera.compare(
            four / "table-v1.txt", four / "swar-v1.txt", name_patterns=[pattern], factors={"table-v1": {"k": "v"}}
        )


def test_names_from_strangers_stay_text(four, run):
    (four / "v.csv").write_text('file,way\ntable-v1.txt,"<script>\x1b[31m"\nswar-v1.txt,b\n')
    terminal = run("compare", "--variants", four / "v.csv", "--by", "way").out
    assert "\x1b" not in terminal
    markdown = run("compare", "--variants", four / "v.csv", "--by", "way", "-f", "markdown").out
    assert "<script>" not in markdown.replace("`<script>\\u{1b}[31m`", "")


def test_quantiles_of_every_variant_and_speed_ups(four):
    comparison = statera.compare(four / "table-v1.txt", four / "swar-v1.txt", quantiles=[0, 0.5, 1])
    document = json.loads(comparison.to_json())
    old, new = document["quantiles"]
    values = sorted(noisy(100, seed=0))
    assert old["quantiles"] == pytest.approx([values[0] * 1e-9, (values[4] + values[5]) / 2 * 1e-9, values[-1] * 1e-9])
    wanted = [(a - b) / a for a, b in zip(old["quantiles"], new["quantiles"], strict=True)]
    assert document["speed_ups"][0]["speed_up"] == pytest.approx(wanted)
    assert math.isclose(wanted[1], 0.2, abs_tol=0.01)
    assert "change swar-v1" in repr(comparison)


@pytest.mark.parametrize("text", ["5,x", "101", "-1", "nan", ""])
def test_levels_that_are_none_are_refused(four, run, text):
    done = run("compare", four / "table-v1.txt", four / "swar-v1.txt", f"--quantiles={text}")
    fails(done, "write per cent with commas between")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [("no-field", "write each factor once in braces"), ("{a}{b}", "write some text between two factors")],
)
def test_a_name_pattern_that_says_nothing_is_refused(run, pair, pattern, why):
    fails(run("compare", *pair, "--name-pattern", pattern), why)
