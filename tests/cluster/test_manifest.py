"""What several runs of one configuration state stands in one cell."""

from statera.cluster.observations import facts
from support import every

STATED = [
    ([24, 18, 18], "24, 18, 18"), ([18, 18, 18], "18"), ([18, None, 24], "18, 24"), ([24, 18, 18, 30], "18 to 30"),
    ([24, 18, None, 18, 30], "18 to 30"), ([None, None], "-"),
]  # fmt: skip


@every("stated, cell", STATED)
def test_each_run_has_its_number_until_they_are_many(stated, cell):
    runs = [{"manifest": {"blocksAnalysed": number}} for number in stated]
    [found] = [fact for fact in facts([runs]) if fact.title == "Blocks analysed"]
    assert found.cells == (cell,)


def test_texts_stand_once():
    runs = [{"manifest": {"era": era}} for era in ("conway", "babbage", "conway", "conway")]
    [found] = [fact for fact in facts([runs]) if fact.title == "Era"]
    assert found.cells == ("conway, babbage",)
