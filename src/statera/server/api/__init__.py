"""The routes of the API."""

from typing import Final

from statera.server.api import uploads

UPLOADS: Final = uploads.PATH
ROUTERS: Final = (uploads.ROUTER,)
