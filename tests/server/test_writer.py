"""The writer answers everything that it took: stored, or an error that says why."""

import resource
import threading
import time

import pytest
from clusters import both
from histories import add, folder
from serving import created
from sqlalchemy import func, select, text

from statera.history.folder import About
from statera.server import histories, migrations, projects, tables
from statera.server.database import Database, is_away
from statera.server.histories import Writer
from statera.support.errors import Stop
from statera.support.settings.limits import Limits

WAITING = 256


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Uploads of one project, as requests hand them over."""
    made = folder(tmp_path_factory.mktemp("files") / "p")
    for number in range(WAITING + 1):
        add(made, number, {"A": [1.0 + number], "B": [2.0]})
    return [histories.prepare(path, "p", Limits()) for _, path in made.uploads()]


@pytest.fixture
def number(database):
    """The number of a project."""
    return created(database, "p").id


@pytest.fixture
def writer(database):
    """A writer that does not store yet; it ends with the test."""
    made = Writer(database)
    yield made
    if made._thread.is_alive():
        made.stop()


def held(database):
    with database.reading() as connection:
        hashes = list(connection.execute(select(tables.upload.c.hash)).scalars())
        values = connection.execute(select(func.count()).select_from(tables.value)).scalar()
    assert values == 2 * len(hashes)
    return set(hashes)


def hashes(prepared):
    return {each.hash for each in prepared}


def test_what_waits_is_stored_before_the_end(database, number, writer, prepared):
    done = [writer.put(number, each) for each in prepared[:200]]
    assert writer.waiting == 200
    writer.start()
    writer.stop()
    assert all(each.done() and each.result().new for each in done)
    assert held(database) == hashes(prepared[:200])


def test_more_than_may_wait_is_refused_and_the_others_are_stored(database, number, writer, prepared):
    done = [writer.put(number, each) for each in prepared[:WAITING]]
    with pytest.raises(Stop, match="too many uploads wait") as stop:
        writer.put(number, prepared[WAITING])
    assert stop.value.code == "server-busy"
    writer.start()
    assert {each.result(60).hash for each in done} == held(database)
    # Now there is room.
    assert writer.put(number, prepared[WAITING]).result(60).new


def test_large_uploads_that_wait_are_bounded_by_their_memory(database, number, writer, prepared):
    large = [each._replace(values=each.values * 800_000) for each in prepared[:3]]
    done = [writer.put(number, each) for each in large[:2]]
    with pytest.raises(Stop, match="too many uploads wait"):
        writer.put(number, large[2])
    assert done[0].cancel()
    assert done[1].cancel()
    writer.start()
    # Whoever waits no longer takes no memory.
    last = writer.put(number, prepared[3])
    assert last.result(60).new
    writer.stop()
    assert writer._bytes == 0
    # A single one is taken, however large it is.
    alone = prepared[4]._replace(values=prepared[4].values * 2_200_000)
    assert alone.memory > 1 << 30
    Writer(database).put(number, alone)


@both
def test_one_that_is_refused_takes_no_other_with_it(database, number, writer, prepared):
    def fail(*_):
        raise ValueError("of one alone")

    done = [writer.put(number, each) for each in prepared[:10]]
    # No project has this number.
    stranger = writer.put(999, prepared[10])
    defect = writer.put(number, prepared[11], note=fail)
    done += [writer.put(number, each) for each in prepared[12:20]]
    writer.start()
    assert all(each.result(60).new for each in done)
    assert stranger.exception(60) is not None
    assert isinstance(defect.exception(60), ValueError)
    assert held(database) == hashes(prepared[:10]) | hashes(prepared[12:20])


def test_whoever_does_not_wait_any_longer_harms_nobody(database, number, writer, prepared):
    gone, other = (writer.put(number, each) for each in prepared[:2])
    assert gone.cancel()
    writer.start()
    assert other.result(60).new
    assert held(database) == hashes(prepared[1:2])


def test_notes_are_written_with_the_upload(database, number, writer, prepared):
    def note(connection, stored):
        words = {"moment": "m", "who": "w", "address": "a", "action": "upload", "detail": stored.hash}
        connection.execute(tables.audit.insert().values(project_id=number, **words))

    done = [writer.put(number, each, note=note) for each in prepared[:5]]
    done.append(writer.put(999, prepared[5], note=note))
    writer.start()
    writer.stop()
    with database.reading() as connection:
        noted = list(connection.execute(select(tables.audit.c.detail)).scalars())
    assert sorted(noted) == sorted(hashes(prepared[:5]))


def test_a_full_disk_is_said_and_what_was_answered_is_there(tmp_path, prepared):
    database = Database(f"sqlite:///{tmp_path / 'statera.db'}")
    migrations.upgrade(database)
    with database.writing() as connection:
        number = projects.create(connection, About("p")).id
        connection.execute(text("pragma wal_autocheckpoint=10"))
    writer = Writer(database)
    writer.start()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    stored, failed = [], []
    try:
        # No file may become larger.
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, before[1]))
        for each in prepared:
            done = writer.put(number, each)
            (failed if done.exception(60) else stored).append((each, done))
            if len(failed) == 3:
                break
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert len(stored) > 5
    assert len(failed) == 3
    assert all(is_away(done.exception()) for _, done in failed)
    assert held(database) == hashes(each for each, _ in stored)
    # With room, the writer goes on.
    assert all(writer.put(number, each).result(60).new for each, _ in failed)
    writer.stop()
    assert held(database) == hashes(each for each, _ in stored + failed)
    with database.reading() as connection:
        assert connection.execute(text("pragma integrity_check")).scalar() == "ok"
    database.close()


def test_a_postgresql_that_goes_and_comes_back(cluster, template, prepared):
    name = cluster.create(template)
    database = Database(cluster.url(name))
    number = created(database, "p").id
    writer = Writer(database)
    writer.start()
    answers = {}
    away = threading.Event()

    def send(part):
        for each in part:
            answers[each.hash] = writer.put(number, each)
            if answers[each.hash].exception(120):
                away.set()

    try:
        threads = [threading.Thread(target=send, args=(prepared[at : at + 200 : 4],)) for at in range(4)]
        for thread in threads:
            thread.start()
        while len(answers) < 30:
            time.sleep(0.001)
        cluster.stop()
        try:
            assert away.wait(60)
        finally:
            cluster.start()
        for thread in threads:
            thread.join()
        errors = [done.exception() for done in answers.values() if done.exception()]
        stored = {hash_ for hash_, done in answers.items() if not done.exception()}
        assert errors
        assert all(map(is_away, errors))
        assert len(stored) >= 30
        assert stored <= held(database)
        # The writer and its connections recover by themselves.
        for each in prepared:
            writer.put(number, each).result(60)
        assert held(database) == hashes(prepared)
    finally:
        writer.stop()
        database.close()
        cluster.drop(name)
