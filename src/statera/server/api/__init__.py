"""The routes of the API."""

from typing import Final

from statera.server.api import alerts, comparisons, hooks, projects, series, tokens, uploads

UPLOADS: Final = uploads.PATH
TOGETHER: Final = uploads.TOGETHER
ROUTERS: Final = tuple(each.ROUTER for each in (uploads, projects, series, alerts, comparisons, tokens, hooks))
