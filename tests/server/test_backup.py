"""A backup of one database gives the same answers in another, and nothing else is restored."""

import hashlib
import io
import json
import random
import re
import shutil
import stat
import tarfile
import threading
from pathlib import Path

import pytest
from clusters import both
from histories import add, folder, history
from serving import created, keep, record
from sqlalchemy import insert, select, text
from test_same_answers import answers, rows, steps

from statera.history.folder import About
from statera.server import access, backup, histories, migrations, projects, tables, tokens
from statera.server.access import Role
from statera.server.database import Database
from statera.server.histories import DatabaseStore, Writer
from statera.support.errors import Stop
from statera.support.settings.limits import Limits
from support import fails

LIMITS = Limits()
SECRET = {"secret": "s"}
KEPT = (tables.project, tables.token, tables.event, tables.hook, tables.audit)


@pytest.fixture
def filled(database, tmp_path):
    """A database with two projects, tokens, hooks, decisions and a record of changes; give the two histories."""
    made = history(tmp_path / "one", {"A": steps(), "B<&'\"": steps(at=45)})
    made.record({"kind": "expect", "commits": ["c"], "text": "A +1%..+90% as meant", "who": "me", "when": "w"})
    other = folder(tmp_path / "two")
    with database.writing() as connection:
        # Numbers with gaps stay what they are.
        tokens.issue(connection, "gone", Role.WRITE, None)
        connection.execute(tables.token.delete())
        for about in (made.about, About("q", ("cpu",), 7, 8)):
            projects.create(connection, about, commit_url="https://x.example/{commit}", is_public=about.project == "p")
        number, secret = tokens.issue(connection, "ci", Role.WRITE, 1, days=9)
        connection.execute(insert(tables.hook).values(project_id=1, url="u", form="json", created="c", **SECRET))
        words = {"moment": "m", "who": "w", "address": "a", "action": "x", "detail": "d\n\u2028e"}
        connection.execute(insert(tables.audit).values(project_id=None, token_id=number, **words))
        for _, path in made.uploads():
            histories.store(connection, 1, [(histories.prepare(path, "p", LIMITS), number)])
    record(DatabaseStore(database, project_of(database), other.path), made.events()[0][1])
    return made, secret


def project_of(database, name="p"):
    with database.reading() as connection:
        return projects.named(connection, name)


def truth(database):
    with database.reading() as connection:
        found = {table.name: connection.execute(select(table).order_by(table.c.id)).mappings().all() for table in KEPT}
        columns = tables.upload.c
        wanted = select(columns.project_id, columns.hash, columns.received, columns.token_id, columns.content)
        held = connection.execute(wanted.order_by(columns.id)).all()
    own = {name: [{k: v for k, v in row.items() if k != "changed"} for row in each] for name, each in found.items()}
    return own, held


@pytest.fixture
def target(kind, request, tmp_path):
    """An empty database of the other kind."""
    if kind == "postgresql":
        made = Database(f"sqlite:///{tmp_path / 'target.db'}")
        yield made
        made.close()
        return
    cluster = request.getfixturevalue("cluster")
    name = cluster.create()
    made = Database(cluster.url(name))
    yield made
    made.close()
    cluster.drop(name)


@both
def test_a_backup_gives_the_same_answers_in_a_database_of_the_other_kind(database, filled, target, tmp_path):
    made, secret = filled
    file = str(tmp_path / "backup.tar")
    assert backup.write(database, file) == (2, 60)
    assert stat.S_IMODE(Path(file).stat().st_mode) == 0o600
    assert backup.restore(target, file, LIMITS) == (2, 60)
    assert truth(target) == truth(database)
    assert rows(target) == rows(database)
    assert answers(DatabaseStore(target, project_of(target), tmp_path / "copy")) == answers(made)
    # It is analysed again, and what comes next has a number of its own.
    assert project_of(target).changed > project_of(target).analysed == 0
    assert access.admitted(target, secret).name == "ci"
    with target.writing() as connection:
        projects.create(connection, About("r"))
        tokens.issue(connection, "next", Role.READ, 1)
    # The same from there is the same, but for what was added.
    again = str(tmp_path / "again.tar")
    assert backup.write(target, again) == (3, 60)


def test_a_backup_of_nothing(database, target, tmp_path):
    file = str(tmp_path / "backup.tar")
    assert backup.write(database, file) == (0, 0)
    assert backup.restore(target, file, LIMITS) == (0, 0)
    migrations.check(target)


def test_a_backup_is_one_state_while_uploads_go_on(database, target, tmp_path):
    made = folder(tmp_path / "one")
    for number in range(60):
        add(made, number, {"A": [1.0 + number]})
    number = created(database, made.about).id
    writer = Writer(database)
    writer.start()

    def send():
        for _, path in made.uploads():
            writer.put(number, histories.prepare(path, "p", LIMITS)).result(60)

    thread = threading.Thread(target=send)
    thread.start()
    counts = []
    while thread.is_alive():
        counts.append(backup.write(database, str(tmp_path / f"{len(counts)}.tar")).uploads)
    writer.stop()
    assert counts == sorted(counts)
    middle = next(at for at, count in enumerate(counts) if count > 0)
    assert backup.restore(target, str(tmp_path / f"{middle}.tar"), LIMITS).uploads == counts[middle]


@both
@pytest.mark.usefixtures("filled")
def test_only_an_empty_database_is_restored_into(database, tmp_path):
    file = str(tmp_path / "backup.tar")
    backup.write(database, file)
    before = truth(database)
    with pytest.raises(Stop, match="not empty, and a backup replaces nothing"):
        backup.restore(database, file, LIMITS)
    assert truth(database) == before


def test_an_upload_that_is_damaged_in_the_database_makes_no_backup(database, filled, tmp_path):
    assert filled
    file = tmp_path / "backup.tar"
    file.write_text("the one before")
    with database.writing() as connection:
        connection.execute(text("update upload set content = :bytes where id = 7"), {"bytes": b"PAR1"})
    with pytest.raises(Stop, match=r"is damaged\. Restore an older backup"):
        backup.write(database, str(file))
    assert file.read_text() == "the one before"


@pytest.fixture(scope="module")
def backed_up(tables_alone, tmp_path_factory):
    """The file of a backup of SQLite."""
    folder = tmp_path_factory.mktemp("backup")
    shutil.copy(tables_alone, folder / "source.db")
    database = Database(f"sqlite:///{folder / 'source.db'}")
    made = history(folder / "made", {"A": [1.0, 2.0]})
    created(database, made.about)
    store = DatabaseStore(database, project_of(database), folder / "copy")
    for _, path in made.uploads():
        keep(store, path)
    record(store, {"kind": "expect"})
    backup.write(database, str(folder / "backup.tar"))
    database.close()
    return folder / "backup.tar"


def members(file):
    """Give the members of a backup with their content."""
    with tarfile.open(file) as archive:
        return [(each, archive.extractfile(each).read()) for each in archive]


def packed(members, path):
    """Write members to a file; those of the manifest state what is there."""
    with tarfile.open(path, "w") as archive:
        for about, content in members:
            if about.isreg():
                about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return str(path)


def stated(members):
    """Write the manifest of members anew."""
    manifest = json.loads(members[0][1])
    manifest["members"] = [
        {"name": about.name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for about, content in members[1:]
    ]
    members[0] = (members[0][0], json.dumps(manifest).encode())
    return members


def position(members, name):
    return next(at for at, (about, _) in enumerate(members) if about.name.startswith(name))


def changed(members, name, change):
    """Change the rows of a table, and the manifest."""
    at = position(members, f"{name}.jsonl")
    about, content = members[at]
    found = [json.loads(line) for line in content.splitlines()]
    change(found)
    members[at] = (about, "".join(json.dumps(each) + "\n" for each in found).encode())
    return stated(members)


def renamed(members, name):
    members[-1][0].name = name
    return members


def as_link(members, kind):
    about, _ = members[-1]
    about.type, about.linkname, about.size = kind, "/etc/passwd", 0
    return [*members[:-1], (about, b"")]


def flipped(members):
    about, content = members[-1]
    return [*members[:-1], (about, content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])]


def other_format(members):
    manifest = json.loads(members[0][1])
    return [(members[0][0], json.dumps({**manifest, "format": "statera backup 9"}).encode()), *members[1:]]


def other_manifest(members, content):
    return [(members[0][0], content), *members[1:]]


def other_upload(members):
    about, _ = members[-1]
    members[-1] = (about, b"no upload")
    return stated(members)


def set_in(**words):
    return lambda found: [row.update(words) for row in found]


HOSTILE = {
    "a member is missing": (lambda m: m[:-1], "uploads/"),
    "a table is missing": (lambda m: [*m[:3], *m[4:]], "upload.jsonl is missing"),
    "a member is too many": (lambda m: [*m, (tarfile.TarInfo("more"), b"x")], "more: the manifest does not name it"),
    "a member twice": (lambda m: [*m, m[-1]], "the manifest does not name it"),
    "another order": (lambda m: [*m[:-2], m[-1], m[-2]], "is missing at its place"),
    "a path upwards": (lambda m: renamed(m, "../../etc/cron.d/x"), r"\.\./\.\./etc/cron\.d/x"),
    "a whole path": (lambda m: renamed(m, "/etc/cron.d/x"), "/etc/cron"),
    "a path upwards that is stated": (lambda m: stated(renamed(m, "../x")), r"\.\./x: .*name"),
    "a symbolic link": (lambda m: as_link(m, tarfile.SYMTYPE), "uploads/.*not a plain file"),
    "a hard link": (lambda m: as_link(m, tarfile.LNKTYPE), "uploads/.*not a plain file"),
    "a device": (lambda m: as_link(m, tarfile.CHRTYPE), "uploads/.*not a plain file"),
    "a flipped bit": (flipped, "uploads/.*not what the manifest says"),
    "another size": (lambda m: [*m[:-1], (m[-1][0], m[-1][1] + b"x")], "not a plain file of"),
    "no upload": (other_upload, "uploads/"),
    "another format": (other_format, "statera backup 9"),
    "no manifest": (lambda m: m[1:], "begins with the file manifest.json"),
    "a manifest of nothing": (lambda m: other_manifest(m, b"[]"), "manifest.json: it is not a manifest"),
    "a deep manifest": (lambda m: other_manifest(m, b"[" * 100_000), "manifest.json: it is not a manifest"),
    "a manifest of other kinds": (
        lambda m: other_manifest(
            m, b'{"format": "statera backup 1", "members": [{"name": 1, "size": "", "sha256": 2}]}'
        ),
        "manifest.json: it is not a manifest",
    ),
    "a project with a hostile name": (lambda m: changed(m, "project", set_in(name="../x")), "project.jsonl.*letters"),
    "a project of another type": (lambda m: changed(m, "project", set_in(samples="1")), "project.jsonl.*samples"),
    "a truth that is none": (lambda m: changed(m, "project", set_in(is_public=1)), "project.jsonl.*is_public"),
    "no list of keys": (lambda m: changed(m, "project", set_in(lane="7")), "project.jsonl"),
    "a number without end": (lambda m: changed(m, "project", set_in(samples=1 << 70)), "project.jsonl"),
    "another column": (lambda m: changed(m, "project", set_in(drop="x")), "project.jsonl.*keys"),
    "no row": (lambda m: changed(m, "project", lambda rows: rows.append(1)), "project.jsonl"),
    "a row twice": (lambda m: changed(m, "project", lambda rows: rows.append(rows[0])), "project.jsonl"),
    "no project": (lambda m: changed(m, "project", lambda rows: rows.clear()), r"uploads/|event\.jsonl|upload\.jsonl"),
    "an upload of nobody": (lambda m: changed(m, "upload", set_in(project_id=9)), "uploads/"),
    "another event": (lambda m: changed(m, "event", set_in(content="{}")), "event.jsonl.*hash"),
}


def test_a_damaged_or_hostile_archive_is_refused_by_the_name_of_its_member(database, backed_up, tmp_path):
    wrong = {}
    for what, (change, why) in HOSTILE.items():
        file = packed(change(members(backed_up)), tmp_path / "hostile.tar")
        try:
            found = backup.restore(database, file, LIMITS)
        except Stop as stop:
            found = (stop.code == "bad-backup" and re.search(why, str(stop))) or str(stop)
        own, held = truth(database)
        if isinstance(found, re.Match) and not any(own.values()) and not held:
            continue
        wrong[what] = found
    assert not wrong
    assert not (tmp_path.parent / "x").exists()


def test_a_cut_or_flipped_archive_is_refused_or_the_same(backed_up, tmp_path):
    whole = packed(members(backed_up), tmp_path / "whole.tar")
    content = (tmp_path / "whole.tar").read_bytes()
    chance = random.Random(3)
    database = Database(f"sqlite:///{tmp_path / 'restored.db'}")
    wanted, codes = None, set()
    for number in range(60):
        at = chance.randrange(len(content))
        damaged = content[:at] if number % 2 else content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :]
        (tmp_path / "damaged.tar").write_bytes(damaged)
        try:
            backup.restore(database, str(tmp_path / "damaged.tar"), LIMITS)
        except Stop as stop:
            codes.add(stop.code)
            continue
        # What nothing depends on, such as the fill of the last block, may be anything.
        found = truth(database)
        with database.writing() as connection:
            for table in reversed(tables.metadata.sorted_tables):
                connection.execute(table.delete())
        if wanted is None:
            backup.restore(database, whole, LIMITS)
            wanted = truth(database)
            with database.writing() as connection:
                for table in reversed(tables.metadata.sorted_tables):
                    connection.execute(table.delete())
        assert found == wanted
    assert codes == {"bad-backup"}
    database.close()


def test_what_is_no_archive(empty, tmp_path):
    file = tmp_path / "backup.tar"
    for content in (b"", b"no archive", b"\x1f\x8b\x08\x00" + bytes(500), bytes(10_240)):
        file.write_bytes(content)
        with pytest.raises(Stop) as stop:
            backup.restore(empty, str(file), LIMITS)
        assert stop.value.code == "bad-backup", content


def test_a_file_that_is_missing(empty, tmp_path):
    with pytest.raises(Stop, match="there is no such file or folder") as stop:
        backup.restore(empty, str(tmp_path / "none.tar"), LIMITS)
    assert stop.value.code == "missing-file"


def test_the_commands(run, empty_url, tmp_path):
    database = {"STATERA_DATABASE": f"sqlite:///{tmp_path / 'one.db'}"}
    assert run("server", "backup", "-o", "b.tar", env=database).code == 2
    done = run("server", "upgrade", env=database)
    assert (done.code, "the tables are up to date" in done.err) == (0, True)
    assert run("server", "project", "add", "p", env=database).code == 0
    done = run("server", "backup", "-o", "b.tar", env=database)
    assert (done.code, "1 project with 0 uploads written" in done.err) == (0, True), done.err
    done = run("server", "restore", "b.tar", "--database", empty_url)
    assert (done.code, "1 project with 0 uploads restored" in done.err) == (0, True), done.err
    fails(run("server", "restore", "b.tar", "--database", empty_url), "not empty")
    done = run("server", "upgrade", "--database", "postgresql://nobody:topsecret@127.0.0.1:1/none")
    assert (done.code, "bad-database" in done.err, "topsecret" in done.err) == (2, True, False), done.err
    for words in (("backup", "-o", "b.tar"), ("restore", "b.tar"), ("upgrade",)):
        fails(run("server", *words), "--database is missing")
