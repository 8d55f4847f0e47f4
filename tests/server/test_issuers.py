"""Tokens of jobs in place of secrets: an issuer on this machine, and every token that must not pass."""

import base64
import contextlib
import json
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from clusters import sqlite_alone as kind  # noqa: F401 - a fixture
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from serving import answering, ask, bearer, created, refused, upload

from statera.server import audit, backup, migrations, tables, trust
from statera.server.database import Database
from statera.support.errors import Stop
from statera.support.settings.limits import Limits
from support import every

AUDIENCE = "https://perf.example.org"
CLAIMS = {"repository": "acme/parser", "ref": "refs/heads/*"}
RSA = rsa.generate_private_key(65537, 2048)
OTHER = rsa.generate_private_key(65537, 2048)
EC = ec.generate_private_key(ec.SECP256R1())


def listed(key, kid, **more):
    """What an issuer lists of a key."""
    algorithm = "RS256" if isinstance(key, rsa.RSAPrivateKey) else "ES256"
    made = jwt.get_algorithm_by_name(algorithm).to_jwk(key.public_key(), as_dict=True)
    return {**made, "kid": kid, "use": "sig", "alg": algorithm, **more}


class Issuer(ThreadingHTTPServer):
    """GitHub, as far as a server asks it."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.keys = [listed(RSA, "one"), listed(EC, "two")]
        self.asked = []
        self.about = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        self.body = None


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        issuer = self.server
        issuer.asked.append(self.path)
        found = issuer.about if self.path.startswith("/.well-known") else {"keys": issuer.keys}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode() if issuer.body is None else issuer.body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def answers():
    made = Issuer()
    threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def issuer():
    with answers() as made:
        yield made


@pytest.fixture
def trusting(services, project, issuer):
    with services.database.writing() as connection:
        return trust.add(connection, project.id, issuer.url, AUDIENCE, CLAIMS)


@pytest.fixture
def served(services, trusting):  # noqa: ARG001 - it is trusted before
    with answering(services) as address:
        yield address


def stated(issuer, **more):
    now = int(time.time())
    claims = {"iss": issuer.url, "aud": AUDIENCE, "iat": now, "nbf": now, "exp": now + 300}
    job = {"sub": "repo:acme/parser:ref:refs/heads/main", "repository": "acme/parser", "ref": "refs/heads/main"}
    return {name: value for name, value in {**claims, **job, **more}.items() if value is not None}


def signed(issuer, key=RSA, kid="one", algorithm="RS256", **more):
    return jwt.encode(stated(issuer, **more), key, algorithm=algorithm, headers={"kid": kid})


def part(content):
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def with_the_public_key(issuer):
    """Sign with HS256 and the text of the public key, which everybody has: libraries once took it."""
    public = RSA.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    body = f"{part({'alg': 'HS256', 'typ': 'JWT', 'kid': 'one'})}.{part(stated(issuer))}"
    made = hmac.HMAC(public, hashes.SHA256())
    made.update(body.encode())
    return f"{body}.{base64.urlsafe_b64encode(made.finalize()).rstrip(b'=').decode()}"


def send(address, content, secret, where=""):
    return ask("POST", f"{address}/api/v1/uploads{where}", content=content, headers=bearer(secret))


def test_a_good_token_writes_and_stands_in_the_record(served, services, project, issuer, tmp_path):
    for number, secret in enumerate((signed(issuer), signed(issuer, EC, "two", "ES256", aud=["else", AUDIENCE]))):
        answer = send(served, upload(tmp_path, number), secret, "?project=program" if number else "")
        assert (answer.status_code, answer.json()["new"]) == (201, True), answer.text
    # The keys came once.
    assert issuer.asked == ["/.well-known/openid-configuration", "/keys"]
    with services.database.reading() as connection:
        found = audit.listed(connection, project.id)
    assert {(each.who, each.token_id) for each in found if each.action == "upload"} == {
        ("repo:acme/parser:ref:refs/heads/main", None)
    }
    # It reads the project, as the command asks, and nothing more than a token of the role write may.
    own = f"{served}/api/v1/projects/program"
    assert ask("GET", own, headers=bearer(signed(issuer))).status_code == 200
    refused(ask("GET", f"{own}/tokens", headers=bearer(signed(issuer))), 403, "not-allowed")


PAST = int(time.time()) - 3600
WRONG = {
    "of another audience": lambda own: signed(own, aud="https://other.example.org"),
    "of another issuer": lambda own: signed(own, iss="https://token.actions.githubusercontent.com"),
    "of another repository": lambda own: signed(own, repository="acme/parser2"),
    "of a repository in the place of the ref": lambda own: signed(own, repository=["acme/parser"]),
    "of a tag": lambda own: signed(own, ref="refs/tags/1"),
    "expired": lambda own: signed(own, iat=PAST, nbf=PAST, exp=PAST + 300),
    "not yet good": lambda own: signed(own, nbf=int(time.time()) + 3600),
    "of the future": lambda own: signed(own, iat=int(time.time()) + 3600),
    "without an end": lambda own: signed(own, exp=None),
    "without a beginning": lambda own: signed(own, iat=None),
    "without a signature": lambda own: jwt.encode(stated(own), None, algorithm="none", headers={"kid": "one"}),
    "signed with the public key": with_the_public_key,
    "of an unknown key": lambda own: signed(own, OTHER, "three"),
    "of a key with the id of another": lambda own: signed(own, OTHER, "one"),
    "of a key for another algorithm": lambda own: signed(own, RSA, "two"),
    "of other rules of the same key": lambda own: signed(own, RSA, "one", "PS256"),
    "changed": lambda own: signed(own).replace(".", ".e30", 1),
    "no token": lambda _: "a.b.c",
    "too long": lambda own: signed(own, more="x" * 20_000),
    "with an issuer that no database takes": lambda own: signed(own, iss="\ud800\0"),
    "with an algorithm that is none": lambda own: f"{part({'alg': ['RS256']})}.{part(stated(own))}.AA",
}


def test_wrong_tokens_are_refused_alike(served, issuer, services, tmp_path):
    content = upload(tmp_path)
    details = {}
    for what, make in WRONG.items():
        answer = send(served, content, make(issuer))
        assert answer.status_code == 401, what
        details[what] = refused(answer, 401, "no-token")["detail"]
    assert len(set(details.values())) == 1
    # An unknown key is looked for, but not again and again.
    assert issuer.asked.count("/keys") <= 2
    with services.database.reading() as connection:
        assert not connection.execute(tables.upload.select()).first()


def test_a_clock_may_be_off_by_a_minute(served, issuer, tmp_path):
    now = int(time.time())
    assert send(served, upload(tmp_path), signed(issuer, iat=now + 30, nbf=now + 30)).status_code == 201
    assert send(served, upload(tmp_path), signed(issuer, exp=now - 30)).status_code == 200
    assert send(served, upload(tmp_path), signed(issuer, exp=now - 90)).status_code == 401


def test_a_token_writes_to_the_project_that_trusts_it(served, services, issuer, tmp_path):
    other = created(services.database, "other")
    content = upload(tmp_path, project="other")
    refused(send(served, content, signed(issuer), "?project=other"), 404, "no-project")
    with services.database.writing() as connection:
        made = trust.add(connection, other.id, issuer.url, AUDIENCE, {"repository": "acme/*"})
    assert send(served, content, signed(issuer), "?project=other").status_code == 201
    refused(send(served, content, signed(issuer)), 422, "bad-request")
    with services.database.writing() as connection:
        trust.remove(connection, other.id, made.id)
    refused(send(served, content, signed(issuer), "?project=other"), 404, "no-project")


@pytest.mark.usefixtures("trusting")
def test_an_issuer_that_is_down_is_said_and_its_keys_serve_on(services, issuer):
    known = trust.Issuers()
    issuer.shutdown()
    issuer.server_close()
    with pytest.raises(Stop, match="not known at the moment") as raised:
        known.admitted(services.database, signed(issuer))
    assert raised.value.code == "issuer-away"
    # It is not asked again at once.
    with pytest.raises(Stop, match="less than 30 seconds ago"):
        known.admitted(services.database, signed(issuer))
    keys = {each["kid"]: jwt.PyJWK(each) for each in issuer.keys}
    now = time.monotonic()
    known._held[issuer.url] = trust._Held(keys, now - 2 * 3600, now - 3600)
    assert known.admitted(services.database, signed(issuer))
    known._held[issuer.url] = trust._Held(keys, now - 25 * 3600, now - 3600)
    with pytest.raises(Stop, match="Send it again later"):
        known.admitted(services.database, signed(issuer))


def test_an_upload_says_that_the_issuer_is_down(served, issuer, tmp_path):
    issuer.shutdown()
    issuer.server_close()
    answer = send(served, upload(tmp_path), signed(issuer))
    refused(answer, 503, "issuer-away")
    assert answer.headers["retry-after"]


@pytest.mark.usefixtures("trusting")
def test_keys_that_change_are_found_after_a_pause(services, issuer):
    known = trust.Issuers()
    assert known.admitted(services.database, signed(issuer))
    issuer.keys = [listed(OTHER, "new")]
    assert known.admitted(services.database, signed(issuer, OTHER, "new")) is None
    held = known._held[issuer.url]
    known._held[issuer.url] = held._replace(asked=held.asked - 60)
    assert known.admitted(services.database, signed(issuer, OTHER, "new"))
    assert known.admitted(services.database, signed(issuer)) is None


SMALL = rsa.generate_private_key(65537, 1024)  # noqa: S505 - it has to be refused
BAD_ISSUERS = {
    "of another issuer": lambda own: own.about.update(issuer="https://gitlab.com"),
    "without keys": lambda own: own.about.pop("jwks_uri"),
    "with keys elsewhere without TLS": lambda own: own.about.update(jwks_uri="http://example.org/keys"),
    "no JSON": lambda own: setattr(own, "body", b"<html>"),
    "a list": lambda own: setattr(own, "body", b"[]"),
    "nested": lambda own: setattr(own, "body", b"[" * 100_000),
    "too large": lambda own: setattr(own, "body", b" " * (1 << 20) + b"{}"),
    "with too many keys": lambda own: setattr(own, "keys", own.keys * 60),
}


@every("what", list(BAD_ISSUERS))
def test_a_bad_answer_of_an_issuer_admits_nobody(services, what):
    project = created(services.database, what.replace(" ", "-"))
    with answers() as own:
        with services.database.writing() as connection:
            trust.add(connection, project.id, own.url, AUDIENCE, CLAIMS)
        BAD_ISSUERS[what](own)
        with pytest.raises(Stop, match="not known at the moment"):
            trust.Issuers().admitted(services.database, signed(own))


@pytest.mark.usefixtures("trusting")
@pytest.mark.filterwarnings("ignore:The RSA key is 1024 bits")
def test_weak_and_damaged_keys_are_left_out(services, issuer):
    odd = [{"kty": "oct", "kid": "one", "k": "AAAA"}, {"kid": 7}, "x", {"kty": "RSA", "kid": "one", "n": "!", "e": 3}]
    issuer.keys = [*odd, listed(SMALL, "small"), listed(EC, "enc", use="enc"), listed(RSA, "last")]
    known = trust.Issuers()
    assert known.admitted(services.database, signed(issuer, RSA, "last"))
    assert known.admitted(services.database, signed(issuer, SMALL, "small")) is None
    assert known.admitted(services.database, signed(issuer, EC, "enc", "ES256")) is None


@every(
    ("words", "says"),
    [
        (("http://example.org", AUDIENCE, CLAIMS), "https://"),
        (("https://gitlab.com", "", CLAIMS), "audience"),
        (("https://gitlab.com", AUDIENCE, {}), "whose jobs"),
        (("https://gitlab.com", AUDIENCE, {"ref": "main"}), "whose jobs"),
        (("https://gitlab.com", AUDIENCE, {"project_path": "acme*"}), "strangers"),
        (("https://gitlab.com", AUDIENCE, {"sub": "*", "repository": "a/b"}), "strangers"),
        (("https://gitlab.com", AUDIENCE, {"sub": ""}), "NAME=PATTERN"),
    ],
)
def test_what_would_let_strangers_in_is_refused(services, project, words, says):
    with services.database.writing() as connection, pytest.raises(Stop, match=says):
        trust.add(connection, project.id, *words)


@every(
    ("pattern", "value", "fits"),
    [
        ("acme/*", "acme/parser", True),
        ("acme/*", "acme2/parser", False),
        ("refs/heads/v*-*x", "refs/heads/v1-2x", True),
        ("refs/heads/v*-*x", "refs/heads/v1x", False),
        ("a*ba", "aba", True),
        ("ab*ba", "aba", False),
        ("true", True, True),
        ("true", "true", True),
        ("17", 17, True),
        ("x", None, False),
        ("x", ["x"], False),
    ],
)
def test_patterns_of_claims(pattern, value, fits):
    assert trust._fits(pattern, value) is fits


@pytest.mark.later
def test_the_command_line_and_the_backup_have_it(run, tmp_path):
    url = f"sqlite:///{tmp_path / 'statera.db'}"
    made = Database(url)
    migrations.upgrade(made)

    def server(*words):
        return run("server", *words, env={"STATERA_DATABASE": url})

    server("project", "add", "parser")
    words = ("trust", "add", "parser", "https://gitlab.com", "--audience", AUDIENCE)
    assert server(*words, "--claim", "project_path=acme/parser", "--claim", "ref_protected=true").code == 0
    shown = "1  https://gitlab.com  for https://perf.example.org  project_path=acme/parser  ref_protected=true\n"
    assert server("trust", "list", "parser").out == shown
    assert "[bad-trust]" in server(*words).err
    assert "[bad-option]" in server(*words, "--claim", "x").err
    other = Database(f"sqlite:///{tmp_path / 'other.db'}")
    backup.write(made, tmp_path / "backup.tar")
    backup.restore(other, tmp_path / "backup.tar", Limits())
    with other.reading() as connection:
        assert [each.claims["ref_protected"] for each in trust.listed(connection, 1)] == ["true"]
    other.close()
    assert server("trust", "remove", "parser", "1").code == 0
    assert "[no-trust]" in server("trust", "remove", "parser", "1").err
    assert server("trust", "list", "parser").out == ""
    actions = [line.split()[1] for line in server("audit", "--project", "parser").out.splitlines()]
    assert actions == ["trust-removed", "trust-added", "project-added"]
    made.close()


@pytest.mark.later
def test_what_reads_tokens_is_loaded_with_the_first_one():
    names = "{'jwt', 'cryptography'} & set(sys.modules)"
    first = f"from statera.server import app; assert not {names}; app.Issuers().admitted(None, 'a.b.c')"
    code = f"import sys; {first}; assert {names}"
    subprocess.run([sys.executable, "-c", code], check=True)
