"""A server for histories: uploads over HTTP, pages with triage, an API, webhooks; on SQLite or PostgreSQL.

- ``tables.py``, ``moments.py``, ``migrations/``, ``database.py``: the tables, and times in them; the steps of an
  upgrade; what differs between SQLite and PostgreSQL
- ``projects.py``, ``uploads.py``, ``renamings.py``, ``writer.py``: projects; uploads → rows; renamed benchmarks; one
  writer, which stores all waiting uploads in one transaction
- ``store.py``: the history of a project with the interface of a folder; it copies uploads to this machine when they
  are read
- ``analyses.py``, ``analyst.py``: an analysis → points, alerts and pages as rows; the process that runs the analysis
  after a change
- ``rendered.py``: the pages of a project; the page of a series is rendered on request, from the values of one series
- ``triage.py``: decisions, links and announcements
- ``hooks.py``, ``messages.py``, ``deliveries.py``, ``posting.py``: webhooks: their addresses; signed messages;
  waiting messages, and the threads that send them; a request to exactly the address that was checked
- ``browser/``: what browsers see: ``frame.py`` adds the login and the form for decisions (``deciding.py``) to the
  pages of the site; ``sessions.py`` and ``visitor.py`` identify the visitor, and ``attempts.py`` slows down wrong
  logins; ``login.py``, ``pages.py`` and ``route.py`` answer
- ``app.py``, ``api/``, ``asking.py``, ``bodies.py``, ``problems.py``: the application and its middleware; the routes;
  the caller and their rights; bodies of uploads within limits; errors as documents
- ``access.py``, ``tokens.py``, ``audit.py``, ``metrics.py``: tokens and roles; changes of tokens; the record of who
  changed what; counts for Prometheus
- ``comparisons.py``: two commits of a project compared like any results
- ``backup.py``, ``archives.py``: a backup as one file for either database; its members, checked
- ``running.py``, ``services.py``: start and end of the server: threads, processes, the socket, signals; what requests
  and background work share

The pages of a server are those of ``history/site``: one renderer (``site.files``) serves both, and
``browser/frame.py`` adds the parts for logged-in users in marked places. The last analysis stores everything that
depends on all series of a project (names, corrected p, alerts, the first page). The rest of the page of a series is
computed from its own values, so that it shows an upload at once.
"""
