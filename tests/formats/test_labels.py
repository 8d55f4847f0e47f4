"""Labels between runs in one file; tests/wrapped.rs of the readers has the kinds of labels."""

import format_cases

import statera


def test_labels_hold_for_all_pieces_of_a_large_file(tmp_path):
    """Files above 2 MiB are read in pieces."""
    results = "".join(f"BenchmarkA{number}-8 \t 1000\t {number} ns/op\n" for number in range(40_000))
    path = tmp_path / "x.txt"
    path.write_text(f"=== small ===\n{results}=== large ===\n{results}")
    assert path.stat().st_size > 2 << 20
    read = statera.read(path)
    assert {row["heading"] for row in format_cases.rows(read)} == {"small", "large"}
    assert len(read) == 80_000
