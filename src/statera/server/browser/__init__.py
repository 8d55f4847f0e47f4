"""What browsers see: projects with their pages, the login, and the form that decides about an alert."""

from typing import Final

from statera.server.browser import deciding, login, pages

# A decision comes before the pages, whose paths are all others of a project.
ROUTERS: Final = (login.ROUTER, deciding.ROUTER, pages.ROUTER)
