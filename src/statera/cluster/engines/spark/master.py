"""The master of Spark: which values ``--master`` accepts, and whether a master answers there."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

from statera.support.errors import Stop

_LOCAL = re.compile(r"local(\[(\d+|\*)(,\s*\d+)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*[1-9]\d*\s*,\s*[1-9]\d*\s*,\s*[1-9]\d*\s*\]")
_FORMS = "local[4], spark://HOST:7077, yarn, k8s://https://HOST:PORT, local-cluster[WORKERS,CORES,MIB]"
_SECONDS = 5.0


def check_master(master: str) -> None:
    """Raise Stop unless this names a master and, if it has an address, something answers there."""
    if master == "yarn" or on_this_machine(master):
        return
    kind, _, rest = master.partition("://")
    if kind == "spark":
        addresses = [_address(master, f"spark://{one}") for one in rest.split(",")]
    elif kind == "k8s":
        addresses = [_address(master, rest if "://" in rest else f"https://{rest}")]
    else:
        raise Stop("bad-option", f"--master {master}: not a master of Spark; write one of {_FORMS}")
    # Spark itself would try for a minute.
    troubles = [_trouble(*address) for address in addresses]
    if all(troubles):
        raise Stop("spark-unusable", f"--master {master}: nobody answers there: {troubles[0]}")


def on_this_machine(master: str) -> bool:
    """Return whether the driver and all executors run on this machine."""
    return bool(_LOCAL.fullmatch(master) or _LOCAL_CLUSTER.fullmatch(master))


def in_this_process(master: str) -> bool:
    """Return whether the driver is the only executor."""
    return bool(_LOCAL.fullmatch(master))


def _address(master: str, url: str) -> tuple[str, int]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else None)
    except ValueError:
        host = port = None
    if not host or not port:
        raise Stop("bad-option", f"--master {master}: has no HOST:PORT; write one of {_FORMS}")
    return host, port


def _trouble(host: str, port: int) -> str:
    """Explain why a connection fails; empty if it works."""
    try:
        with socket.create_connection((host, port), _SECONDS):
            return ""
    except OSError as error:
        return error.strerror or str(error)
