"""Uploads that are made to exhaust a server: what they hold is found by a process that dies instead."""

import os
import re
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest
import serving
import zstandard
from clusters import both
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from histories import TIME
from processes import address_of, prepared
from processes import serving as process
from pyarrow import parquet
from serving import answering, bearer, token, upload
from sqlalchemy import func, select

from statera.server import audit, examination, tables
from statera.server.examination import Examiner, Storing, examine
from statera.support.errors import Stop
from statera.support.settings.limits import Limits


@pytest.fixture
def examiner():
    made = Examiner(memory=96 << 20, seconds=20)
    yield made
    made.stop()


def with_jobs(content, text):
    """An upload that says another text of its jobs."""
    table = parquet.ParquetFile(pa.BufferReader(content)).read()
    return written(table.replace_schema_metadata({b"statera.history": text}))


def with_name(content, length, rows):
    """An upload of many rows with one long name, which takes next to nothing in the file."""
    table = parquet.ParquetFile(pa.BufferReader(content)).read().slice(0, 1)
    found = {}
    for field in table.schema:
        one = table[field.name][0]
        if pa.types.is_dictionary(field.type):
            text = "x" * length if field.name == "benchmark" else one.as_py()
            places = pa.array([None if text is None else 0] * rows, pa.uint32())
            found[field.name] = pa.DictionaryArray.from_arrays(places, pa.array([text or ""]))
        else:
            found[field.name] = pa.repeat(one, rows).cast(field.type)
    return written(pa.table(found).replace_schema_metadata(table.schema.metadata))


def written(table):
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def bombs(content, lists=5_000_000):
    """Files of some kilobytes that take gigabytes, or seconds without a pause, where they are decoded."""
    return {"jobs": with_jobs(content, b"[" + b"[]," * lists + b"0]"), "names": with_name(content, 1_000_000, 60_000)}


def test_it_finds_what_is_found_here(examiner, tmp_path):
    upload(tmp_path, values={f"B{number}": [1.0, 2.0] for number in range(5_000)})
    for _ in range(2):
        assert examiner.examine(tmp_path / "upload.parquet", "program", Limits()) == examine(
            tmp_path / "upload.parquet", "program", Limits()
        )
    assert len(examiner._idle) == 1


def test_what_dies_of_a_bomb_is_another_process(examiner, tmp_path):
    content = upload(tmp_path)
    file = tmp_path / "bomb.parquet"
    for name, bomb in bombs(content).items():
        file.write_bytes(bomb)
        with pytest.raises(Stop) as stopped:
            examiner.examine(file, "program", Limits())
        assert (stopped.value.code, "96 MiB of memory" in str(stopped.value)) == ("too-large", True), name
    assert len(examiner.examine(tmp_path / "upload.parquet", "program", Limits()).jobs) == 1


def test_what_takes_too_long_ends(tmp_path):
    upload(tmp_path)
    os.mkfifo(tmp_path / "slow")
    examiner = Examiner(seconds=0.5)
    # Nobody writes into it.
    with pytest.raises(Stop) as stopped:
        examiner.examine(tmp_path / "slow", "program", Limits())
    assert (stopped.value.code, "0.5 seconds" in str(stopped.value)) == ("too-large", True)
    examiner.stop()


def test_other_refusals_come_through_and_keep_the_process(examiner, tmp_path):
    upload(tmp_path)
    taken = set()
    for project, limits, code in (
        ("other", Limits(), "other-project"),
        ("program", Limits(values=1), "too-large"),
        ("program", Limits(bytes=10), "too-large"),
    ):
        with pytest.raises(Stop) as stopped:
            examiner.examine(tmp_path / "upload.parquet", project, limits)
        assert stopped.value.code == code
        taken.update(each.pid for each in examiner._idle)
    assert len(taken) == 1


def test_names_and_jobs_of_any_length_are_refused(examiner, tmp_path):
    content = upload(tmp_path)
    file = tmp_path / "long.parquet"
    job = parquet.ParquetFile(pa.BufferReader(content)).metadata.metadata[b"statera.history"]
    parents = b', "parents": [' + b", ".join([b'"%s"' % (b"a" * 4_000)] * 1_100) + b"]}]"
    for made, what in ((with_name(content, 70_000, 1), "a name"), (with_jobs(content, job[:-2] + parents), "of a job")):
        file.write_bytes(made)
        with pytest.raises(Stop, match=what):
            examiner.examine(file, "program", Limits())


def test_a_process_that_was_killed_is_replaced(examiner, tmp_path):
    upload(tmp_path)
    for _ in range(2):
        examiner.examine(tmp_path / "upload.parquet", "program", Limits())
        (idle,) = examiner._idle
        idle.kill()
        idle.wait()


@both
def test_a_process_stores_an_upload_of_many_values(services, project, tmp_path):
    examiner = Examiner(large=3)
    many = {f"B{number}": [1.0, 2.0] for number in range(4)}
    other = ("time", "B", *TIME[2:])
    secret = token(services, project)
    with answering(services._replace(examiner=examiner)) as address:

        def send(content, status):
            answer = serving.ask("POST", f"{address}/api/v1/uploads", content=content, headers=bearer(secret))
            assert answer.status_code == status, answer.text
            return answer.json()

        content = upload(tmp_path, values=many)
        assert send(content, 201)["jobs"] == 1
        # It holds what it has read, and no limit, so that another one reads the next upload.
        assert not examiner._idle
        assert not send(content, 200)["new"]
        assert send(upload(tmp_path, 2, values=many, metric=other), 409)["code"] == "other-unit"
        assert not examiner._idle
        send(upload(tmp_path, 3), 201)
        assert len(examiner._idle) == 1
    examiner.stop()
    with services.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(tables.value)).scalar_one() == 5
        noted = [each for each in audit.listed(connection, project.id) if each.action == "upload"]
    assert {(each.who, each.token_id, bool(each.address)) for each in noted} == {("write of program", 1, True)}
    assert len(noted) == 3


def test_a_process_that_dies_while_it_stores_is_said(project, tmp_path, monkeypatch):
    upload(tmp_path, values={f"B{number}": [1.0] for number in range(4)})
    examiner = Examiner(large=3)
    for url, code in (("sqlite:////nowhere/x.db", "database-away"), ("strange", "bad-database")):
        with pytest.raises(Stop) as stopped:
            examiner.taken(
                tmp_path / "upload.parquet", "program", Limits(), Storing(url, project.id, 1, "x", "", new_unit=False)
            )
        assert stopped.value.code == code
    assert not examiner._idle
    # Another one is stored for too long.
    assert examiner._storing.acquire()
    monkeypatch.setattr(examination, "_PATIENCE", 0.01)
    storing = Storing("sqlite:///x.db", project.id, 1, "x", "", new_unit=False)
    with pytest.raises(Stop) as stopped:
        examiner.taken(tmp_path / "upload.parquet", "program", Limits(), storing)
    assert stopped.value.code == "server-busy"


@pytest.mark.later
def test_a_server_answers_others_while_bombs_are_decoded(tmp_path):
    address = address_of(tmp_path)
    secret = prepared(address)
    content = upload(tmp_path)
    with process(address, tmp_path / "served") as server:
        answers, waits = [], []

        def send():
            for bomb in bombs(content, 60_000_000).values():
                headers = {**bearer(secret), "Content-Encoding": "zstd"}
                sent = zstandard.compress(bomb)
                answers.append(serving.ask("POST", f"{server.address}/api/v1/uploads", content=sent, headers=headers))

        sending = threading.Thread(target=send)
        sending.start()
        with serving.client(server.address) as client:
            while sending.is_alive():
                began = time.perf_counter()
                assert client.get("/health/live").status_code == 200
                waits.append(time.perf_counter() - began)
                time.sleep(0.01)
        assert [each.status_code for each in answers] == [413, 413]
        assert server.upload(content, secret)[0] == 201
        status = Path(f"/proc/{server.process.pid}/status").read_text()
    peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1])
    # What is asked in between is answered in between: no bomb is decoded by the server itself.
    assert len(waits) > 20
    assert peak < 300_000
