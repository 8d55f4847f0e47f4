"""What browsers see: projects with their pages and settings, the login, and the form that decides about an alert."""

from typing import Final

from statera.server.browser import login, pages

ROUTERS: Final = (login.ROUTER, pages.ROUTER)
