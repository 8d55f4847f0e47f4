"""Meanings of errors of Spark: errors that a user can fix become Stop; mistakes in a query stay as they are."""

from __future__ import annotations

import re

from statera.support.errors import Stop

_LONGEST = 300
_interruptions: list[int] = []


def interrupt(number: int, _frame: object) -> None:
    """Handle and remember an interruption by the user, since pyspark and py4j turn it into other errors."""
    _interruptions.append(number)
    raise KeyboardInterrupt


def forget_interruptions() -> None:
    """Forget interruptions, so that later errors keep their own meaning."""
    _interruptions.clear()


def meaning(error: Exception) -> BaseException:
    """Return the exception to raise instead of an error of pyspark or py4j."""
    if _interruptions:
        return KeyboardInterrupt()
    text = str(error)
    if re.search(r"\[(ARITHMETIC_OVERFLOW|CAST_OVERFLOW|NUMERIC_VALUE_OUT_OF_RANGE)", text):
        return OverflowError(_first(text))
    if type(error).__name__ in {"AnalysisException", "ParseException"}:
        return error
    mended = _mended(text)
    if mended is None and type(error).__module__.partition(".")[0] in {"pyspark", "py4j"}:
        return Stop("spark-failed", f"Spark: {_first(text)}")
    return error if mended is None else mended


def _mended(text: str) -> Stop | None:
    """Return a Stop for an error that a user can fix; None for any other."""
    lacking = re.search(r"No module named '([\w.]+)'", text)
    if lacking:
        return Stop(
            "spark-executors",
            f"the executors have no {lacking[1].partition('.')[0]}: install the same packages there, pip install "
            "'statera[spark]', and name that Python by PYSPARK_PYTHON",
        )
    python = r"PYTHON_VERSION_MISMATCH|Cannot run program"
    if re.search(python, text):
        return Stop(
            "spark-executors",
            f"the executors lack this Python: {_telling(text, python)}; name one that has statera by PYSPARK_PYTHON",
        )
    if re.search(r"No space left on device|Disk quota exceeded", text):
        return Stop("disk-full", "Spark: the disk is full, at OUT or in a directory of SPARK_LOCAL_DIRS")
    memory = r"OutOfMemoryError|UNABLE_TO_ACQUIRE_MEMORY|ExecutorLostFailure|exit status: 137"
    if re.search(memory, text):
        return Stop("out-of-memory", f"Spark: {_telling(text, memory)}; give more with --memory")
    return None


def _first(text: str) -> str:
    return (text.strip().splitlines() or ["it ended without a message"])[0][:_LONGEST]


def _telling(text: str, pattern: str) -> str:
    """Return the line of a message that holds the cause."""
    lines = [line.strip() for line in text.splitlines() if re.search(pattern, line)]
    return (lines or [_first(text)])[-1][:_LONGEST]
