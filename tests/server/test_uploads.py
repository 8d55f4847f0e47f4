"""Uploads over HTTP: stored once, and whatever is wrong with a body, or with the unit of a series, is said."""

import contextlib
import gzip
import hashlib
import http.client
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pyarrow as pa
import pytest
import zstandard
from clusters import both
from histories import TIME
from pyarrow import parquet
from serving import answering, ask, bearer, created, record, refused, token, upload
from sqlalchemy import func, select

from statera.server import audit, histories, projects, tables
from statera.server.access import Role
from statera.server.bodies import Bounds
from statera.server.database import Database
from statera.server.histories import Writer
from statera.support.errors import Stop
from waiting import FOREVER

PATH = "/api/v1/uploads"
BOUNDS = Bounds(received=200_000, expanded=1_000_000, document=10_000, idle=0.5, whole=2.0)


@pytest.fixture
def address(services):
    with answering(services, bounds=BOUNDS) as found:
        yield found


@pytest.fixture
def secret(services, project):
    return token(services, project)


@pytest.fixture
def content(tmp_path):
    return upload(tmp_path)


def sent(address, secret, content, **headers):
    return ask(
        "POST",
        address + PATH,
        content=content,
        headers=bearer(secret) | {k.replace("_", "-"): v for k, v in headers.items()},
    )


def stored(services):
    with services.database.reading() as connection:
        return connection.execute(select(func.count()).select_from(tables.upload)).scalar_one()


def test_an_upload_is_new_once(services, project, address, secret, content):
    first = sent(address, secret, content)
    assert first.status_code == 201
    hash_ = hashlib.sha256(content).hexdigest()
    assert first.json() == {"hash": hash_, "project": "program", "new": True, "jobs": 1}
    again = sent(address, secret, content)
    assert (again.status_code, again.json()["new"], again.json()["jobs"]) == (200, False, 0)
    with services.database.reading() as connection:
        assert connection.execute(select(tables.upload.c.content)).scalar_one() == content
        entries = audit.listed(connection, project.id)
    assert [(each.action, each.who, each.detail, each.address) for each in entries] == [
        ("upload", "write of program", hash_, "127.0.0.1")
    ] * 2
    assert list(services.data.glob("body-*")) == []


COMPRESSED = {"gzip": gzip.compress, "zstd": zstandard.compress, "identity": bytes}


def test_compressed_bodies_are_the_same_upload(address, secret, tmp_path):
    number = 0
    for encoding, compress in COMPRESSED.items():
        for parts in (1, 2):
            number += 1
            content = upload(tmp_path, number)
            hash_ = hashlib.sha256(content).hexdigest()
            body = compress(content[:99]) + compress(content[99:]) if parts > 1 else compress(content)
            answer = sent(address, secret, body, Content_Encoding=encoding, Idempotency_Key=hash_)
            assert (answer.status_code, answer.json()["hash"]) == (201, hash_), (encoding, parts)


def test_a_body_in_pieces_without_a_length_is_read(address, secret, content):
    pieces = (content[at : at + 100] for at in range(0, len(content), 100))
    assert sent(address, secret, pieces).status_code == 201


def test_damaged_and_cut_bodies_are_refused(services, address, secret, content):
    for encoding in ("gzip", "zstd"):
        whole = COMPRESSED[encoding](content)
        flipped = bytes([*whole[:20], whole[20] ^ 0xFF, *whole[21:]])
        for body in (whole[:-5], whole[:10], b"", flipped, b"\0" * 50, content):
            refused(sent(address, secret, body, Content_Encoding=encoding), 400, "bad-body")
    assert stored(services) == 0
    assert list(services.data.glob("body-*")) == []


def test_what_is_no_upload_is_refused(services, address, secret, content):
    for body in (b"", b"PAR1", b"<html>", b"PAR1" + b"\xff" * 500 + b"PAR1"):
        refused(sent(address, secret, body), 422, "bad-upload")
        refused(sent(address, secret, content[:-50] + body), 422, "bad-upload")
    assert stored(services) == 0


def test_bombs_are_refused_before_they_are_whole(address, secret):
    bomb = b"\0" * 60_000_000
    for encoding, body in (("gzip", gzip.compress(bomb)), ("zstd", zstandard.compress(bomb))):
        assert len(body) < BOUNDS.received
        document = refused(sent(address, secret, body, Content_Encoding=encoding), 413, "too-large")
        assert "1,000,000" in document["detail"]


def test_equal_values_that_take_no_bytes_are_refused_before_they_are_decoded(services, address, secret, content):
    whole = parquet.ParquetFile(pa.BufferReader(content))
    kept = {key: value for key, value in whole.metadata.metadata.items() if key != b"ARROW:schema"}
    row = whole.read().slice(0, 1).replace_schema_metadata(kept)
    many = 3_000_000

    def repeated(column, in_list):
        if not in_list:
            return pa.repeat(row[column][0], many).cast(row.schema.field(column).type)
        return pa.array([[1.0] * many], row.schema.field(column).type)

    of_rows = pa.table([repeated(name, in_list=False) for name in row.schema.names], row.schema)
    at = row.schema.get_field_index("value")
    of_list = row.set_column(at, row.schema.field("value"), repeated("value", in_list=True))
    for bomb in (of_rows, of_list):
        sink = pa.BufferOutputStream()
        parquet.write_table(bomb, sink, compression="zstd")
        body = sink.getvalue().to_pybytes()
        assert len(body) < BOUNDS.received
        document = refused(sent(address, secret, body), 413, "too-large")
        assert "more than the limits allow, which are 2,000,000 values and" in document["detail"]
    assert stored(services) == 0


def test_large_bodies_are_refused_by_their_length_and_without_one(address, secret):
    large = b"x" * (BOUNDS.received + 1)
    refused(sent(address, secret, large), 413, "too-large")
    refused(sent(address, secret, iter([large[:100_000], large[100_000:]])), 413, "too-large")


def test_an_unknown_encoding_is_refused(address, secret, content):
    refused(sent(address, secret, content, Content_Encoding="br"), 415, "bad-encoding")


def test_another_content_than_announced_is_refused(services, address, secret, content):
    refused(sent(address, secret, content, Idempotency_Key="0" * 64), 422, "other-content")
    refused(sent(address, secret, content, Idempotency_Key="mine"), 422, "other-content")
    assert stored(services) == 0


def test_an_upload_of_another_project_is_refused(address, secret, tmp_path):
    refused(sent(address, secret, upload(tmp_path, project="other")), 409, "other-project")


def test_a_unit_that_changed_is_refused_unless_it_is_meant(services, address, secret, tmp_path):
    as_rate = {"metric": ("time", "1/s", "throughput", "higher", False)}
    assert sent(address, secret, upload(tmp_path, 1)).status_code == 201
    changed = upload(tmp_path, 2, **as_rate)
    refused(sent(address, secret, changed), 409, "other-unit")
    assert stored(services) == 1
    # What comes together with it is stored.
    assert sent(address, secret, upload(tmp_path, 3)).status_code == 201
    meant = ask("POST", f"{address}{PATH}?new_unit=true", content=changed, headers=bearer(secret))
    assert meant.status_code == 201
    assert sent(address, secret, upload(tmp_path, 4, **as_rate)).status_code == 201
    assert stored(services) == 4


def test_texts_that_no_database_takes_are_refused(services, address, secret, tmp_path):
    for text in ("\\u0000", "\\ud800"):
        strange = upload(tmp_path, branch="BRANCH", change=lambda job, text=text: job.replace("BRANCH", text))
        refused(sent(address, secret, strange), 422, "bad-upload")
    assert stored(services) == 0


def test_only_who_may_write_adds(services, project, address, content):
    other = created(services.database)
    refused(sent(address, token(services, project, Role.READ), content), 403, "not-allowed")
    refused(ask("POST", address + PATH, content=content), 401, "no-token")
    theirs = token(services, other)
    refused(ask("POST", f"{address}{PATH}?project=program", content=content, headers=bearer(theirs)), 404, "no-project")
    refused(sent(address, theirs, content), 409, "other-project")
    servers = token(services, None)
    refused(sent(address, servers, content), 422, "bad-request")
    assert stored(services) == 0
    answer = ask("POST", f"{address}{PATH}?project=program", content=content, headers=bearer(servers))
    assert answer.status_code == 201
    # What everybody may read, nobody else may write.
    with services.database.writing() as connection:
        projects.change(connection, "program", is_public=True)
    answer = ask("POST", f"{address}{PATH}?project=program", content=content, headers=bearer(theirs))
    assert "the token is of another project" in refused(answer, 403, "not-allowed")["detail"]


def raw(address, text, pause=0.0, more=b""):
    """Send bytes as they are, then others one by one; give the status of the answer and how many of these were sent."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=FOREVER) as connection:
        connection.sendall(text)
        taken = 0
        for each in more:
            time.sleep(pause)
            try:
                connection.sendall(bytes([each]))
            except OSError:
                break
            taken += 1
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, taken


def test_slow_senders_end(address, secret):
    head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secret}\r\nContent-Length: 1000\r\n\r\n".encode()
    assert raw(address, head + b"PAR1") == (408, 0)
    status, taken = raw(address, head, 0.2, b"x" * 900)
    assert (status, 0 < taken < 900) == (408, True)


@both
def test_many_at_once_are_all_stored(services, address, secret, tmp_path):
    contents = [upload(tmp_path, number) for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda content: sent(address, secret, content).status_code, contents * 2))
    assert sorted(answers) == [200] * 20 + [201] * 20
    assert stored(services) == 20


def test_too_many_that_wait_are_told_to_come_back(services, secret, project, content, tmp_path):
    # It stores nothing, so that everything waits.
    idle = Writer(services.database)
    path = tmp_path / "waiting"
    path.write_bytes(content)
    prepared = histories.prepare(path, "program", services.limits)
    with contextlib.suppress(Stop):
        while True:
            idle.put(project.id, prepared)
    with answering(services._replace(writer=idle), bounds=BOUNDS) as address:
        answer = sent(address, secret, content)
        refused(answer, 503, "server-busy")
        assert int(answer.headers["retry-after"]) > 0


def test_a_database_that_is_away_is_said_without_details(services, secret, content):
    away = Database("postgresql://nobody@127.0.0.1:1/none")
    with answering(services._replace(database=away), bounds=BOUNDS) as address:
        answer = sent(address, secret, content)
        assert "127.0.0.1" not in refused(answer, 503, "database-away")["detail"]
        assert "retry-after" in answer.headers
        assert ask("GET", f"{address}/health/ready").status_code == 503
        assert ask("GET", f"{address}/health/live").status_code == 200


RATE = ("time", "1/s", "throughput", "higher", False)


@pytest.fixture
def prepare(services, tmp_path):
    """Give a function that makes an upload as requests hand it to the writer."""

    def prepared(number, **words):
        path = tmp_path / f"{number}.parquet"
        path.write_bytes(upload(tmp_path, number, **words))
        return histories.prepare(path, "program", services.limits)._replace(new_unit=False)

    return prepared


def test_more_new_benchmarks_than_a_statement_has_parameters(services, project, prepare):
    many = prepare(1, values={f"Parse/{n}": [1.0] for n in range(66_000)})
    assert services.writer.put(project.id, many).result(60).new
    with services.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(tables.value)).scalar() == 66_000
    changed = prepare(2, values={"Parse/65999": [1.0]}, metric=RATE)
    with pytest.raises(Stop, match=r"Parse/65999.*the history s: values"):
        services.writer.put(project.id, changed).result(60)


@both
def test_two_units_that_arrive_together(services, project, prepare):
    together = [(prepare(number, metric=metric), None) for number, metric in enumerate((TIME, RATE))]
    with pytest.raises(Stop) as refused, services.database.writing() as connection:
        histories.store(connection, project.id, together)
    assert refused.value.code == "other-unit"
    # The writer then takes each by itself.
    first, second = (services.writer.put(project.id, one) for one, _ in together)
    assert first.result(60).new
    assert second.exception(60).code == "other-unit"


@both
def test_a_unit_that_changed_with_the_name(services, project, prepare):
    assert services.writer.put(project.id, prepare(1, values={"Parse": [1.0]})).result(60).new
    store = services.store(project)
    record(store, {"kind": "rename", "from": "Parse", "to": "Read", "when": "2026-02-01T00:00:00"})
    changed = prepare(2, values={"Read": [1.0]}, metric=RATE)
    with pytest.raises(Stop, match="Read, time: the results have the unit 1/s"):
        services.writer.put(project.id, changed).result(60)
    assert services.writer.put(project.id, prepare(3, values={"Read": [1.0]})).result(60).new
    record(store, {"kind": "rename", "from": "Read", "to": "Load", "when": "2026-02-02T00:00:00"})
    with pytest.raises(Stop, match="Parse, time"):
        services.writer.put(project.id, prepare(4, values={"Parse": [1.0]}, metric=RATE)).result(60)
