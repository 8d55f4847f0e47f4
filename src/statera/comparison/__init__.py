"""Observations of several variants → which of them differ, by how much, and what that rests on.

Begin with ``pipeline.py``, which tells the whole way on a page::

    from statera.comparison import pairing, pipeline

    comparison = pipeline.compare(["old=old.txt", "new=new.txt"], pairing.Request(metrics=("time",)))
    print(comparison.answer.line)
    print([row.benchmark for row in comparison.with_verdict("worse")])

- ``pipeline.py``: read → arrange → weigh → notes, for comparisons and inspections.
- ``pairing``: from a request to an arrangement: the variants, the levels that are compared separately, what is pooled.
- ``weighing``: the calls of the compiled judge, which computes every number and every verdict.
- ``verdicts``: what is said about rows: answer, cautions, findings, notes, the gate, and the catalogue of all codes.
- ``results``: the objects that callers get: rows on demand, sections for views, distributions.
- ``profiles.py``: where the cost of two profiles differs, which is described and not judged.
- ``codes.py``: the codes that rows carry, and what the compiled table says of verdicts.

The compiled part decides; this room arranges its input and words its output. No module here compares a number with a
threshold to call a row better or worse. Python objects of rows are made only when a caller asks for them, because a
comparison may have 84,000. A comparison of files loads neither the store of runs nor dataclasses, which would take a
tenth of its time.
"""
