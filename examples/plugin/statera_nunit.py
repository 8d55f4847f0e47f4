"""A plug-in for statera: the times of tests in the XML of NUnit 3."""

from collections.abc import Iterator
from xml.parsers import expat

from statera.plugins import File, Format, Head, Key, Metric, NoValue, Observation, Problem

Found = Iterator[Observation | Problem | NoValue]


def fits(head: Head) -> str | None:
    """Say why the beginning of a file is no XML of NUnit; None if it is."""
    if not head.first_line.startswith("<"):
        return "it is no XML"
    has_run = b"<test-run" in head.content and b"<test-case" in head.content
    return None if has_run else "it has no `<test-run` with a `<test-case`"


def read(file: File) -> Found:
    """Give the time of every test that passed. A file is a run: compare ``old/*.xml`` with ``new/*.xml``."""
    reader = Reader()
    try:
        reader.parser.Parse(file.content, True)
    except expat.ExpatError as error:
        reader.found.append(Problem(error.lineno, f"the XML is broken: {error}"))
    yield from reader.found


class Reader:
    """Goes through the elements; the parser knows the line of each."""

    def __init__(self) -> None:
        self.found: list[Observation | Problem | NoValue] = []
        self.keys: dict[str, str] = {}
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        # Entities can expand without end, and no test runner writes any.
        self.parser.EntityDeclHandler = self.refuse

    def refuse(self, *_: object) -> None:
        """End at the declaration of an entity."""
        raise ValueError(f"line {self.parser.CurrentLineNumber} declares an entity")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Keep what is known of the run, and take each test."""
        if name == "test-run" and "start-time" in attributes:
            self.keys["timestamp"] = attributes["start-time"]
        elif name == "environment" and "machine-name" in attributes:
            self.keys["hostname"] = attributes["machine-name"]
        elif name == "test-case":
            self.found.append(self.taken(attributes, self.parser.CurrentLineNumber))

    def taken(self, test: dict[str, str], line: int) -> Observation | Problem | NoValue:
        """Give the time of a test. That of a test which failed says nothing."""
        benchmark, outcome = test.get("fullname", ""), test.get("result")
        if outcome == "Skipped":
            return NoValue()
        if outcome != "Passed":
            return Problem(line, f"{benchmark} did not pass; its time is left out")
        try:
            time = float(test["duration"])
        except (KeyError, ValueError):
            return Problem(line, f"{benchmark} has the time {test.get('duration', 'none')}, which is not a number")
        return Observation(benchmark, "time", time, line=line, keys=dict(self.keys))


FORMAT = Format(
    name="nunit",
    sign="XML with `<test-run` and `<test-case`",
    harness="NUnit",
    export="nunit3-console --result=FILE",
    files=("*.xml",),
    processes="one a file",
    keys=(
        Key("hostname", "environment", "name of the machine"),
        Key("timestamp", "date", "when it was measured", pooling="always"),
    ),
    metrics=(Metric("time", "s", "time of one test, without those that failed"),),
    fits=fits,
    read=read,
)
