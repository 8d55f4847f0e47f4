"""Rules for file names: which files are logs, of which host, and which only look like logs."""

from __future__ import annotations

import re
from typing import Final

ARCHIVE: Final = (
    "not read: an archive; unpack it (tar -xf, unzip) so that the logs of each host lie in a directory of its name"
)
NO_LOG: Final = (
    "not read: a log is a file that ends in .json, .jsonl or .log, also with .gz or .zst, or begins with stdout"
)
NO_FILE: Final = "not read: a pipe, a socket, a device or a broken link, not a regular file"

# Files and directories of a run that hold no logs.
_NO_HOSTS: Final = frozenset({"genesis", "analysis", "profile", "meta"})
_NO_LOGS: Final = frozenset(
    {"run.json", "meta.json", "config.json", "topology.json", "profile.json", "expected.json", "truth.json"}
)
_NO_LOG_BEGINNINGS: Final = (".", "genesis", "service-", "node-service", "expected", "truth")
_LOG_ENDINGS: Final = (".json", ".jsonl", ".log")
_COMPRESSED: Final = (".gz", ".zst")
_ARCHIVE: Final = re.compile(r"\.(tar|tgz|tbz2?|txz|tzst|zip|7z|rar|cpio)(\.|$)", re.IGNORECASE)
# Names that look like logs but are not accepted as such: rotated, compressed in another way, or with another ending.
_LIKE_A_LOG: Final = re.compile(
    r"\.(json|jsonl|ndjson|log|txt)(\.|$)|\.(gz|zst|xz|bz2|lz4|zstd|gzip|z|lzma)$", re.IGNORECASE
)


def may_be_host(directory: str) -> bool:
    """Return whether a directory of a run may be that of a host."""
    return directory not in _NO_HOSTS and not directory.startswith((".", "_"))


def is_log(name: str) -> bool:
    """Return whether a file is a log."""
    bare = _uncompressed(name)
    return _is_free(bare) and (bare.endswith(_LOG_ENDINGS) or bare.startswith("stdout"))


def is_read(name: str) -> bool:
    """Return whether a file of this name, in the directory of a run or of its analysis, is read with the run."""
    return is_log(name) or not _is_free(_uncompressed(name)) or name == "blocks.csv" or name.endswith(".parquet")


def meant(name: str) -> str:
    """Explain why a file that looks like a log is not read; empty for any other file."""
    bare = _uncompressed(name)
    if not _is_free(bare) or bare.startswith("stdout"):
        return ""
    if _ARCHIVE.search(name):
        return ARCHIVE
    return NO_LOG if _LIKE_A_LOG.search(name) else ""


def host_of(file: str) -> str:
    """Return the host of a log file that lies in the directory of the run itself."""
    return _uncompressed(file).rpartition(".")[0]


def _is_free(bare: str) -> bool:
    return bare not in _NO_LOGS and not bare.startswith(_NO_LOG_BEGINNINGS)


def _uncompressed(name: str) -> str:
    for ending in _COMPRESSED:
        name_without = name.removesuffix(ending)
        if name_without != name:
            return name_without
    return name
