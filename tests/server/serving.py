"""A server of the tests, over real HTTP on loopback, and uploads for it."""

import atexit
import contextlib
import ssl
import threading
import time

import httpx
import uvicorn
from histories import TIME, job, measured

from statera import _native
from statera.history.folder import About
from statera.history.job import to_json
from statera.server import bodies, histories, projects, tokens
from statera.server.access import Role
from statera.server.analyst import analyse_one
from statera.server.app import build
from statera.server.browser.login import Attempts
from statera.server.examination import Examiner
from statera.server.histories import Writer
from statera.server.requests import Refusals, Services
from statera.server.site import Renderer
from statera.server.trust import Issuers
from statera.support.settings.limits import Limits

# To read the certificates of the machine takes longer than most tests, and nothing here speaks TLS.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
# Its processes serve all tests.
_EXAMINER = Examiner()
atexit.register(_EXAMINER.stop)
# Applications that no server has at the moment, by what they were made with.
_FREE = {}


@contextlib.contextmanager
def listening(app, **words):
    """Yield the address of a server that serves an application."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", ws="none", lifespan="off", **words)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@contextlib.contextmanager
def answering(services, *, routers=(), bounds=None, around=None):
    """Yield the address of a server with these services; ``around`` makes of its application another one.

    FastAPI prepares the routes of an application in a tenth of a second, so that tests take the same one in turn.
    """
    assert not services.address.startswith("https:"), "an application knows from the beginning whether it speaks TLS"
    free = _FREE.setdefault((*map(id, routers), bounds), [])
    app = free.pop() if free else build(services, routers=routers, bounds=bounds)
    app.state.services, app.state.refusals, app.state.logins = services, Refusals(), Attempts()
    app.state.issuers = Issuers()
    bodies.sweep(services.data)
    with listening(around(app) if around else app) as address:
        yield address
    free.append(app)


def client(address="", **options):
    """Give a client of a server."""
    return httpx.Client(base_url=address, verify=_NO_TLS, trust_env=False, **{"timeout": 60, **options})


def ask(method, url, **options):
    """Send one request, without a memory of those before it; give the answer."""
    with client() as own:
        return own.request(method, url, **options)


def refused(answer, status, code):
    """Check that an answer says how a request was wrong; give its document."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    document = answer.json()
    assert (document["status"], document["code"]) == (status, code)
    assert document["detail"]
    assert document["mend"]
    return document


def token(services, project, role=Role.WRITE, **words):
    """Make a token; give its secret."""
    with services.database.writing() as connection:
        return tokens.issue(
            connection,
            f"{role.word} of {project.name if project else 'all'}",
            role,
            project.id if project else None,
            **words,
        )[1]


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


def upload(path, number=1, *, project="program", values=None, change=str, metric=TIME, **facts):
    """Make an upload, as statera history add does; give its content.

    ``change`` changes the JSON of its job.
    """
    file = path / "upload.parquet"
    file.touch()
    stated = to_json([("", job(number, **facts)._replace(project=project))])
    observed = measured(values or {"Parse": [1.0, 2.0, 3.0]}, metric)
    _native.write_upload(observed.native, ["{}"], change(stated), file)
    return file.read_bytes()


def keep(store, path):
    """Store an upload in the history of a project, as the writer does; give what became of it."""
    prepared = histories.prepare(path, store.about.project, Limits())
    with store._database.writing() as connection:
        return histories.store(connection, store._project.id, [(prepared, None)])[0]


def record(store, event):
    """Store an event in the history of a project."""
    with store._database.writing() as connection:
        histories.record(connection, store._project.id, event)


def brought(services, held, *, is_public=False):
    """Bring what a folder has to a server, and analyse it; give the project."""
    project = created(services.database, held.about, is_public=is_public)
    project = sent(services, project, held)
    analyse_one(services.database, project, services.data, services.limits)
    return project


def sent(services, project, held):
    """Send the uploads of a folder to the writer, and wait for them; give the project, as it is then."""
    prepared = [histories.prepare(path, project.name, services.limits) for _, path in held.uploads()]
    for done in [services.writer.put(project.id, each) for each in prepared]:
        done.result(60)
    return current(services, project.name)


def current(services, name):
    """Give the project of a name, as it is now."""
    with services.database.reading() as connection:
        return projects.named(connection, name)


def created(database, about="other", **words):
    """Make a project."""
    with database.writing() as connection:
        return projects.create(connection, About(about) if isinstance(about, str) else about, **words)


@contextlib.contextmanager
def sharing(database, folder):
    """Yield what requests share, with a writer that stores."""
    writer = Writer(database)
    writer.start()
    yield Services(database, writer, folder / "data", Limits(), Renderer(database), _EXAMINER, "http://127.0.0.1:8000")
    writer.stop()
