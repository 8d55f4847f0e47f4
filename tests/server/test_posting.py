"""Requests to receivers that are slow, endless, cut off, absent, or not who they say."""

import socket
import ssl
import subprocess
import time

import pytest
from receivers import dripping, endless, raw, receiving, status

from statera.server import hooks, posting


@pytest.mark.parametrize("answer", [dripping, lambda _: time.sleep(3)], ids=["dripping", "silent"])
def test_a_slow_receiver_is_left_in_time(answer):
    with receiving(answer) as server:
        where = hooks.target(server.url, allow_private=True)
        found = posting.post(where, b"{}", {}, seconds=0.6)
    assert found == (None, "it did not answer within 0.6 seconds", None)


@pytest.mark.parametrize(
    "answer",
    [
        endless,
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\ncut off"),
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length"),
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\n"),
    ],
    ids=["endless", "cut off", "no chunks", "a length below zero"],
)
def test_the_status_counts_however_the_answer_ends(answer):
    with receiving(answer) as server:
        assert posting.post(hooks.target(server.url, allow_private=True), b"{}", {}) == (200, None, None)


def test_a_host_without_a_receiver_and_one_without_tls():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = hooks.target(f"http://127.0.0.1:{port}/", allow_private=True)
    assert posting.post(where, b"{}", {}).problem.startswith("no connection: ")
    with receiving(status(200)) as server:
        where = hooks.target(server.url.replace("http:", "https:"), allow_private=True)
        assert posting.post(where, b"{}", {}).problem.startswith("the connection is not safe")
    assert server.got == []


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path):
    pem = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with receiving(status(200)) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        where = hooks.target(server.url.replace("http:", "https:"), allow_private=True)
        assert "CERTIFICATE_VERIFY_FAILED" in posting.post(where, b"{}", {}).problem
    assert server.got == []


def certificate(folder):
    """Make a certificate that is signed by itself alone."""
    pem = folder / "own.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", pem, "-out", f"{pem}.crt", *subject]
    subprocess.run(words, check=True, capture_output=True)
    pem.write_text(pem.read_text() + (folder / "own.pem.crt").read_text())
    return pem


def test_a_name_that_changes_its_address_leads_nowhere_else(monkeypatch):
    """A name may lead to a public address when it is checked, and to this machine when it is asked again."""
    with receiving(status(200)) as server:
        port = server.server_port
        asked = []
        real = socket.getaddrinfo

        def resolve(host, *words, **options):
            asked.append(host)
            return real("127.0.0.1" if host == "rebinding.example" else host, *words, **options)

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        where = hooks.target(f"https://rebinding.example:{port}/", allow_private=True)
        posting.post(where, b"{}", {})
    assert asked.count("rebinding.example") == 1


@pytest.mark.parametrize(
    ("url", "host"),
    [("https://93.184.215.14/x", b"93.184.215.14"), ("https://93.184.215.14:8443/x", b"93.184.215.14:8443")],
)
def test_the_request_names_a_port_only_if_it_is_not_the_usual_one(url, host):
    connection = posting._Pinned(hooks.target(url, allow_private=False), 1.0)
    connection.putrequest("POST", "/x")
    assert [line for line in connection._buffer if line.startswith(b"Host:")] == [b"Host: " + host]
