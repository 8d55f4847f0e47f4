"""Clients that never end what they begin: their connections close, and others are answered."""

import contextlib
import socket
import threading
from urllib.parse import urlsplit

import pytest
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from serving import ask, listening

from statera.server.app import build
from statera.server.process import Connection

HALF = b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: "


class Hasty(Connection):
    patience = 0.3


@pytest.fixture
def address(services):
    with listening(build(services), http=Hasty) as made:
        yield made


@contextlib.contextmanager
def connected(address, sent=b""):
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as made:
        made.sendall(sent)
        yield made


def test_headers_that_do_not_end_close_the_connection(address):
    for sent in (b"", b"G", HALF, b"\r\n\r\n"):
        with connected(address, sent) as made:
            assert made.recv(1) == b"", sent


def test_a_byte_now_and_then_does_not_help(address):
    with connected(address, HALF) as made:
        ended = threading.Event()

        def drip():
            with contextlib.suppress(OSError):
                while not ended.wait(0.02):
                    made.sendall(b"x")

        dripping = threading.Thread(target=drip)
        dripping.start()
        with contextlib.suppress(ConnectionResetError):
            assert made.recv(1) == b""
        ended.set()
        dripping.join()


def test_the_next_request_of_a_connection_is_watched_too(address):
    whole = HALF + b"\r\n\r\n"
    for rest in (b"\r\n", HALF):
        with connected(address, whole) as made:
            answer = b""
            while not answer.endswith(b'{"status":"alive"}'):
                answer += made.recv(1000)
            made.sendall(rest)
            assert made.recv(1) == b""


def test_many_that_wait_keep_nobody_from_an_answer(address):
    with contextlib.ExitStack() as held:
        slow = [held.enter_context(connected(address, HALF)) for _ in range(300)]
        assert ask("GET", f"{address}/health/live").status_code == 200
        assert [each.recv(1) for each in slow] == [b""] * 300
