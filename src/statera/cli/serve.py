"""``statera serve``: histories over HTTP."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlsplit

from statera.cli import options as common
from statera.cli.server import shared
from statera.support.errors import Stop
from statera.support.settings.limits import parse_size
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from typing import Final

_PORT: Final = 8750
_MOST_PORT: Final = 65_535
# Of a value, SQLite stores so many bytes, and PostgreSQL 7 % more.
_LARGEST: Final = 1_000_000_000
_BARE: Final = ("", "", "")


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "serve",
        help="serve histories: uploads, pages with triage, an API, webhooks",
        description="Serve histories over HTTP. statera server project add NAME makes a project, and statera server "
        "token add NAME makes a token for sending uploads, reading or deciding.",
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="NAME", help="listen on this address (127.0.0.1)")
    parser.add_argument(
        "--port", type=int, default=_PORT, metavar="N", help=f"listen on this port ({_PORT}; 0: any free port)"
    )
    parser.add_argument(
        "--address",
        default="",
        metavar="URL",
        help="where browsers find the server, such as https://perf.example.org behind a proxy (the socket itself)",
    )
    parser.add_argument(
        "--data",
        default="statera-data",
        metavar="DIR",
        help="a folder for copies of uploads, and for the database if --database names none (statera-data)",
    )
    shared.add_database(parser)
    group = parser.add_argument_group("limits")
    group.add_argument("--most-received", default="64MiB", metavar="SIZE", help="largest upload as sent (64MiB)")
    group.add_argument(
        "--most-expanded", default="512MiB", metavar="SIZE", help="largest upload, decompressed (512MiB)"
    )
    parser.add_argument(
        "--allow-private-hooks", action="store_true", help="allow webhooks to machines in the server's own network"
    )
    parser.add_argument(
        "--open-metrics", action="store_true", help="allow clients on this machine to read /metrics without a token"
    )
    parser.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    shared.check_packages()
    from statera.server.running import Options, serve  # noqa: PLC0415 - --help does without
    from statera.support.settings import Limits  # noqa: PLC0415

    if not 0 <= options.port <= _MOST_PORT:
        raise Stop("bad-option", f"--port {options.port}: write a number up to {_MOST_PORT}")
    if options.address and not _is_origin(options.address):
        raise Stop(
            "bad-option", f"--address {options.address}: write https:// and the host, as https://perf.example.org"
        )
    data = Path(options.data)
    serve(
        Options(
            shared.url(options) or f"sqlite:///{data / 'statera.db'}",
            data,
            options.host,
            options.port,
            options.address,
            Limits(),
            _size("--most-received", options.most_received),
            _size("--most-expanded", options.most_expanded, _LARGEST),
            options.allow_private_hooks,
            options.open_metrics,
        ),
        lambda text: common.say(f"statera: {text}"),
    )
    return 0


def _is_origin(address: str) -> bool:
    """Return whether an address is a scheme and a host: pages name each other by paths from there on."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    named = parts.scheme in {"http", "https"} and parts.hostname and port != 0
    return bool(named and "@" not in parts.netloc and address.isprintable() and parts[2:] in {_BARE, ("/", "", "")})


def _size(option: str, text: str, most: int = sys.maxsize) -> int:
    size = parse_size(text)
    if not size:
        raise Stop("bad-option", f"{option} {text}: write a size such as 64MiB")
    if size > most:
        raise Stop("bad-option", f"{option} {text}: no database stores more than {most:,} bytes at once; write less")
    return size
