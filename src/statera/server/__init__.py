"""A server for histories: uploads over HTTP, pages with triage, an API, webhooks; on SQLite or PostgreSQL.

Where to begin::

    database = Database("sqlite:///statera.db")
    migrations.upgrade(database)
    services = Services(database, Writer(database), folder, Limits(), Renderer(database), Examiner(), address)
    application = app.build(services, routers=browser.ROUTERS)  # what uvicorn serves
    process.serve(options, say)  # all of this, with the threads and processes beside it, until a signal ends it

What is stored:

- ``tables.py``, ``migrations/``, ``database.py``: the tables; the steps of an upgrade; connections, and what differs
  between SQLite and PostgreSQL
- ``projects.py``, ``histories.py``: projects; their uploads and events → rows, by one writer, and the history of a
  project with the interface of a folder
- ``examination.py``, ``upload_process.py``: what an upload holds, found by processes with a limit on memory and time,
  which also store very large ones
- ``analyst.py``: the process that analyses a project after a change, and stores points, alerts and pages as rows
- ``margins.py``: the margins of a project, in the words of a settings file
- ``triage.py``: decisions about alerts, links and announcements
- ``hooks.py``, ``deliveries.py``: webhooks, and a request to exactly the address that was checked; messages that wait,
  and the threads that send them
- ``access.py``, ``tokens.py``, ``audit.py``: roles, and who holds a token; changes of tokens; the record of who changed
  what
- ``trust.py``, ``signatures.py``: jobs that may write without a secret, and the keys of their issuers; their tokens,
  verified with these
- ``compaction.py``: the uploads of past months → one for each month
- ``backup.py``: a backup as one file for either database

What is answered:

- ``process.py``: a server from its start to its end: threads, processes, signals, the socket, and its connections,
  which close when headers take too long
- ``app.py``, ``problems.py``, ``bodies.py``: the application with its middleware and its counts for Prometheus; errors
  as documents; bodies of uploads within limits
- ``requests.py``: the services that requests share, the caller and their rights, the pages of a list
- ``api/``: the routes of the API, a file for each resource
- ``site.py``: the pages of a project; the page of a series is rendered on request, from the values of one series
- ``browser/``: what browsers see: ``session.py`` identifies the visitor, ``frame.py`` adds the login to the pages of
  the site and shows errors as pages; ``login.py`` and ``pages.py`` answer, the second also the forms for
  decisions and settings

The pages of a server are those of ``history/site``: one renderer (``site.files``) serves both, and
``browser/frame.py`` adds the parts for logged-in users in marked places. The last analysis stores everything that
depends on all series of a project (names, corrected p, alerts, the first page). The rest of the page of a series is
computed from its own values, so that it shows an upload at once. An analysis has a
process of its own, so that requests never wait for it. Functions that write take the connection of a transaction, so
that a change, its line in the record and its messages take effect together.
"""
