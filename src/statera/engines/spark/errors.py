"""What an error of Spark means: what a person can mend is told from a mistake in a query."""

from __future__ import annotations

import re

from statera.errors import Stop

_LONGEST = 300
_interruptions: list[int] = []


def interrupt(number: int, _frame: object) -> None:
    """Take an interruption by the user, and remember it: pyspark and py4j make other errors of one on its way."""
    _interruptions.append(number)
    raise KeyboardInterrupt


def forget_interruptions() -> None:
    """Take errors for what they are again."""
    _interruptions.clear()


def meaning(error: Exception) -> BaseException:
    """Give what is to be raised in place of an error of pyspark or py4j."""
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
    """Tell what a person can mend."""
    lacking = re.search(r"No module named '([\w.]+)'", text)
    if lacking:
        return Stop(
            "spark-executors",
            f"the executors have no {lacking[1].partition('.')[0]}: install there what is here, pip install "
            "'statera[spark]', and name that Python by PYSPARK_PYTHON",
        )
    python = r"PYTHON_VERSION_MISMATCH|Cannot run program"
    if re.search(python, text):
        return Stop(
            "spark-executors",
            f"the executors lack this Python: {_telling(text, python)}; name one that has statera by PYSPARK_PYTHON",
        )
    if re.search(r"No space left on device|Disk quota exceeded", text):
        return Stop("disk-full", "Spark: the disk is full, at OUT or where SPARK_LOCAL_DIRS says")
    memory = r"OutOfMemoryError|UNABLE_TO_ACQUIRE_MEMORY|ExecutorLostFailure|exit status: 137"
    if re.search(memory, text):
        return Stop("out-of-memory", f"Spark: {_telling(text, memory)}; give more with --memory")
    return None


def _first(text: str) -> str:
    return (text.strip().splitlines() or ["it ended without a word"])[0][:_LONGEST]


def _telling(text: str, pattern: str) -> str:
    """Give the line that matters."""
    lines = [line.strip() for line in text.splitlines() if re.search(pattern, line)]
    return (lines or [_first(text)])[-1][:_LONGEST]
