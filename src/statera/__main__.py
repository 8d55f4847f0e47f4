"""Run the command line: ``python -m statera``."""

from statera.cli import main

raise SystemExit(main())
