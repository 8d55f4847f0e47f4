"""Small plans for tests."""

from statera.experiment.plan import Cell, Command, Machine, Plan, Rounds, Variant


def plan(*variants, benchmarks=("sort",), **fields):
    """A plan in which each variant of each benchmark prints its name; a variant is a name or has levels."""
    named = [each if isinstance(each, Variant) else Variant(each, ()) for each in variants]
    cells = [
        Cell(benchmark, variant, Command(("echo", benchmarks[benchmark], named[variant].name)))
        for benchmark in range(len(benchmarks))
        for variant in range(len(named))
    ]
    given = {"builds": (), "rounds": Rounds(9), "order": "random", "warmup": 0, "seed": 1, "machine": Machine()}
    return Plan(tuple(named), tuple(benchmarks), tuple(cells), **{**given, **fields})
