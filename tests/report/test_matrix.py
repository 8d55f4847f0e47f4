"""Each variant against each other, in a matrix; and the counters beside the worst of a suite."""

from material import cells, factorial, of, section

from statera.output.report import model
from support import go, noisy, write


def matrices(document):
    tables = (block for block in section(document, "results").blocks if isinstance(block, model.Table))
    return [table for table in tables if table.title.startswith("Each variant against each")]


def test_three_variants_have_a_matrix_whose_cells_are_the_changes_of_all_pairs(tmp_path):
    sizes = {"a.txt": 100, "b.txt": 120, "c.txt": 121}
    made = {name: go({"A": noisy(size, 12, seed=size)}) for name, size in sizes.items()}
    material, document = of(write(tmp_path, **made))
    (table,) = matrices(document)
    assert [column.name for column in table.columns] == ["against", "a", "b"]
    first, second = table.rows
    assert (first[0].text, second[0].text, first[2].text) == ("b", "c", "")
    assert first[1].tone == second[1].tone == "worse"
    assert first[1].heat > 0
    # b and c are too alike to differ.
    assert second[2].text.startswith("(")
    assert second[2].heat == 0
    own = {(row.baseline, row.contender): row.change for row in material.every_pair}
    assert second[2].key == own["b", "c"]
    assert first[1].text == material.comparison.weighing.cell(0, "change")


def test_factors_have_a_matrix_of_their_combinations(tmp_path):
    document = of(factorial(tmp_path), by=("build",), within=("cc",))[1]
    (table,) = matrices(document)
    assert [column.name for column in table.columns] == ["against", "base/8", "base/9", "split/8"]


def test_two_variants_and_many_benchmarks_have_no_matrix(tmp_path):
    two = {name: go({"A": noisy(100, 12, seed=seed)}) for seed, name in enumerate(("a.txt", "b.txt"))}
    assert not matrices(of(write(tmp_path, **two))[1])
    many = {f"{name}.txt": go({f"Case{n}": noisy(100, 4, seed=n) for n in range(20)}) for name in "abc"}
    assert not matrices(of(write(tmp_path, **many))[1])


def test_the_worst_of_a_suite_stand_beside_their_other_metrics(tmp_path):
    def side(factor):
        return go({f"Case{n}": {"ns/op": [100 + n * factor], "cycles": [1000 + 10 * n * factor]} for n in range(1, 9)})

    document = of(write(tmp_path, **{"old.txt": side(1), "new.txt": side(3)}), metrics=("sec/op", "cycles"))[1]
    tables = [block for block in section(document, "suite").blocks if isinstance(block, model.Table)]
    worst = next(table for table in tables if table.title.startswith("Worst offenders: sec/op"))
    assert cells(worst)[0]["benchmark"] == "Case8"
    assert cells(worst)[0]["cycles"] == "+14.8%"
    assert worst.rows[0][0].link == "row-Case8-sec-op"
