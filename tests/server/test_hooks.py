"""Hooks: which addresses they can have, and requests to receivers that are slow, endless, or not who they say."""

import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import serving
from clusters import both
from processes import prepared
from receivers import dripping, endless, raw, receiving, status
from serving import answering, bearer, token

from statera.history.folder import About
from statera.server import audit, hooks, projects
from statera.server.access import Role
from statera.server.tables import now
from statera.support.errors import Stop

PUBLIC = "https://93.184.215.14/alerts"


@both
def test_a_hook_is_added_listed_and_removed_with_a_secret_that_is_shown_once(database, project):
    with database.writing() as connection:
        made, secret = hooks.add(connection, project.id, PUBLIC, "slack")
        other, another = hooks.add(connection, project.id, PUBLIC, "json")
    assert secret != another
    assert len(secret) >= 43
    with database.reading() as connection:
        assert hooks.listed(connection, project.id) == [made, other]
        assert hooks.named(connection, project.id, made.id) == made
    assert secret not in str(made)
    with database.writing() as connection:
        hooks.remove(connection, project.id, made.id)
    with database.reading() as connection:
        assert hooks.listed(connection, project.id) == [other]


def test_a_hook_of_another_project_does_not_exist(database, project):
    with database.writing() as connection:
        other = projects.create(connection, About("other"))
        made, _ = hooks.add(connection, other.id, PUBLIC, "json")
        for ask in (hooks.named, hooks.remove):
            with pytest.raises(Stop, match="no such hook"):
                ask(connection, project.id, made.id)
        assert hooks.listed(connection, other.id) == [made]


NONE = [
    "",
    "example.com",
    "ftp://example.com/x",
    "file:///etc/passwd",
    "https://",
    "https:///x",
    "https://name:password@example.com/x",
    "https://token@example.com/x",
    "http://example.com/x",
    "http://127.0.0.1.example.com/x",
    "https://example.com:99999/x",
    "https://example.com:0/x",
    "https://example.com/a b",
    "https://example.com/\r\nX-Injected: 1",
    "https://example.com/\x00",
    "https://example.com/#part",
    "https://[::1/x",
    "https://exämple.com/x",
    "https://example.com/" + "x" * 3000,
]


def test_an_address_that_is_none_is_refused():
    wrong = {}
    for url in NONE:
        try:
            wrong[url] = hooks.checked(url)
        except Stop as stop:
            if stop.code != "bad-hook" or "password@" in str(stop):
                wrong[url] = stop
    assert not wrong


def test_another_form_and_too_many_hooks_are_refused(database, project):
    with database.writing() as connection:
        with pytest.raises(Stop, match="json or slack"):
            hooks.add(connection, project.id, PUBLIC, "xml")
        with pytest.raises(Stop, match="write https"):
            hooks.add(connection, project.id, "http://example.com/", "json")
        for _ in range(20):
            hooks.add(connection, project.id, PUBLIC, "json")
        with pytest.raises(Stop, match="Remove one first"):
            hooks.add(connection, project.id, PUBLIC, "json")


@both
def test_two_that_add_at_the_same_time_do_not_exceed_the_limit(database, project):
    def add():
        with database.writing() as connection:
            return hooks.add(connection, project.id, PUBLIC, "json")

    for _ in range(19):
        add()
    with ThreadPoolExecutor(1) as threads:
        with database.writing() as connection:
            hooks.add(connection, project.id, PUBLIC, "json")
            other = threads.submit(add)
            with pytest.raises(TimeoutError):
                other.result(0.3)
        with pytest.raises(Stop, match="Remove one first"):
            other.result(60)


NEAR = [
    "127.0.0.1",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0.0.0.0",  # noqa: S104 - it is refused
    "10.0.0.8",
    "172.16.3.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[fe80::1]",
    "[fd00::1]",
    "[fec0::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[ff02::1]",
]


def test_a_machine_of_the_own_network_is_reached_only_if_that_is_allowed():
    wrong = {}
    for host in NEAR:
        try:
            wrong[host] = hooks.target(f"https://{host}/x", allow_private=False)
        except Stop as stop:
            if "own network" not in str(stop):
                wrong[host] = stop
        assert hooks.target(f"https://{host}/x", allow_private=True).addresses, host
    assert not wrong


def test_a_machine_of_the_open_network_is_reached():
    for host in ("93.184.215.14", "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]", "[64:ff9b::808:808]"):
        found = hooks.target(f"https://{host}:8443/x?y=1", allow_private=False)
        assert (found.port, len(found.addresses)) == (8443, 1), host


def test_a_name_with_one_private_address_among_public_ones_is_refused(monkeypatch):
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in ("93.184.215.14", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)
    with pytest.raises(Stop, match="own network"):
        hooks.target("https://example.com/x", allow_private=False)


def test_a_name_without_an_address_is_refused():
    with pytest.raises(Stop, match="no address"):
        hooks.target("https://nothing.invalid/x", allow_private=True)


@pytest.fixture
def client(services, project):
    secret = token(services, project, Role.ADMIN)
    with (
        answering(services) as address,
        serving.client(f"{address}/api/v1/projects/program/", headers=bearer(secret)) as found,
    ):
        yield found


def test_the_api_adds_lists_tests_and_removes(services, client):
    answer = client.post("hooks", json={"url": PUBLIC, "form": "slack"})
    assert answer.status_code == 201
    hook, secret = answer.json()["hook"], answer.json()["secret"]
    second = client.post("hooks", json={"url": PUBLIC}).json()["hook"]
    assert (hook["form"], second["form"]) == ("slack", "json")
    listed = client.get("hooks")
    assert listed.json() == {"items": [hook, second], "next": None}
    assert secret not in listed.text
    assert client.get("hooks", params={"limit": 1}).json() == {"items": [hook], "next": hook["id"]}
    assert client.get("hooks", params={"cursor": hook["id"]}).json()["items"] == [second]
    made = [client.post(f"hooks/{hook['id']}/test").json()["delivery"] for _ in range(3)]
    told = client.get(f"hooks/{hook['id']}/deliveries", params={"limit": 2}).json()
    assert [each["id"] for each in told["items"]] == made[:0:-1]
    newest = told["items"][0]
    assert newest.pop("due") <= now()
    assert newest.pop("event").startswith("test")
    assert newest == {"id": made[2], "alert": "", "attempts": 0, "delivered": None, "problem": None}
    rest = client.get(f"hooks/{hook['id']}/deliveries", params={"cursor": told["next"]}).json()
    assert [each["id"] for each in rest["items"]] == made[:1]
    assert client.delete(f"hooks/{hook['id']}").status_code == 204
    assert client.delete(f"hooks/{hook['id']}").status_code == 404
    assert client.get(f"hooks/{hook['id']}/deliveries").status_code == 404
    with services.database.reading() as connection:
        noted = [row.action for row in audit.listed(connection, 1)]
    assert noted == ["hook-removed", *["hook-tested"] * 3, *["hook-added"] * 2]


def test_the_api_refuses_an_address_at_once(client):
    for url in ("https://127.0.0.1/x", "https://nothing.invalid/", "http://example.com/"):
        answer = client.post("hooks", json={"url": url})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-hook"), url
    assert client.get("hooks").json()["items"] == []


def test_the_commands(run, tmp_path):
    url = f"sqlite:///{tmp_path / 'own.db'}"
    prepared(url)

    def server(*words, code=0):
        done = run("server", "hook", words[0], "program", *words[1:], "--database", url)
        assert done.code == code, done.err
        return done

    added = server("add", PUBLIC, "--form", "slack")
    assert added.out.startswith("statera_hook_")
    assert added.out.strip() not in added.err
    assert server("list").out.split()[:2] == ["1", "slack"]
    assert "delivery 1" in server("test", "1").err
    assert "no such hook" in server("test", "7", code=2).err
    assert "write https://" in server("add", "http://example.com/", code=2).err
    server("remove", "1")
    assert server("list").out == ""
    assert "no such project" in run("server", "hook", "list", "nothing", "--database", url).err


def test_a_slow_receiver_is_left_in_time():
    for how, answer in (("dripping", dripping), ("silent", lambda _: time.sleep(3))):
        with receiving(answer) as server:
            where = hooks.target(server.url, allow_private=True)
            found = hooks.post(where, b"{}", {}, seconds=0.6)
        assert found == (None, "it did not answer within 0.6 seconds", None), how


ENDS = {
    "endless": endless,
    "cut off": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\ncut off"),
    "no chunks": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length"),
    "a length below zero": raw(b"HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\n"),
}


def test_the_status_counts_however_the_answer_ends():
    for how, answer in ENDS.items():
        with receiving(answer) as server:
            found = hooks.post(hooks.target(server.url, allow_private=True), b"{}", {})
        assert found == (200, None, None), how


def test_a_host_without_a_receiver_and_one_without_tls():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = hooks.target(f"http://127.0.0.1:{port}/", allow_private=True)
    assert hooks.post(where, b"{}", {}).problem.startswith("no connection: ")
    with receiving(status(200)) as server:
        where = hooks.target(server.url.replace("http:", "https:"), allow_private=True)
        assert hooks.post(where, b"{}", {}).problem.startswith("the connection is not safe")
    assert server.got == []


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path):
    pem = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with receiving(status(200)) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        where = hooks.target(server.url.replace("http:", "https:"), allow_private=True)
        assert "CERTIFICATE_VERIFY_FAILED" in hooks.post(where, b"{}", {}).problem
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
        hooks.post(where, b"{}", {})
    assert asked.count("rebinding.example") == 1


def test_the_request_names_a_port_only_if_it_is_not_the_usual_one():
    for host in ("93.184.215.14", "93.184.215.14:8443"):
        connection = hooks._Pinned(hooks.target(f"https://{host}/x", allow_private=False), 1.0)
        connection.putrequest("POST", "/x")
        assert [line for line in connection._buffer if line.startswith(b"Host:")] == [b"Host: " + host.encode()]
