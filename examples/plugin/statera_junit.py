"""A plug-in for statera: the times of tests in JUnit's XML, which most test runners and CI systems write."""

from collections.abc import Iterator
from xml.parsers import expat

from statera.plugins import File, Format, Head, Key, Metric, NoValue, Observation, Problem

Found = Iterator[Observation | Problem | NoValue]


def fits(head: Head) -> str | None:
    """Say why the beginning of a file is no JUnit XML; None if it is."""
    if not head.first_line.startswith("<"):
        return "it is no XML"
    has_suite = b"<testsuite" in head.content and b"<testcase" in head.content
    return None if has_suite else "it has no `<testsuite` with a `<testcase`"


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
        self.test: dict[str, str] = {}
        self.line, self.outcome = 0, "passed"
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        # Entities can expand without end, and no test runner writes any.
        self.parser.EntityDeclHandler = self.refuse

    def refuse(self, *_: object) -> None:
        """End at the declaration of an entity."""
        raise ValueError(f"line {self.parser.CurrentLineNumber} declares an entity")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Keep what is known of a suite or a test, and whether the test passed."""
        if name == "testsuite":
            known = {"hostname": attributes.get("hostname"), "timestamp": attributes.get("timestamp")}
            self.keys = {key: value for key, value in known.items() if value}
        elif name == "testcase":
            self.test, self.line, self.outcome = attributes, self.parser.CurrentLineNumber, "passed"
        elif name in {"failure", "error", "skipped"}:
            self.outcome = name

    def end(self, name: str) -> None:
        """Take a test."""
        if name == "testcase":
            self.found.append(self.taken())

    def taken(self) -> Observation | Problem | NoValue:
        """Give the time of a test. That of a test which failed says nothing."""
        parts = (self.test.get("classname"), self.test.get("name"))
        benchmark = ".".join(part for part in parts if part)
        if self.outcome == "skipped":
            return NoValue()
        if self.outcome != "passed":
            return Problem(self.line, f"{benchmark} did not pass; its time is left out")
        try:
            time = float(self.test["time"])
        except (KeyError, ValueError):
            return Problem(self.line, f"{benchmark} has the time {self.test.get('time', 'none')}, which is not a number")
        return Observation(benchmark, "time", time, line=self.line, keys=self.keys)


FORMAT = Format(
    name="junit",
    sign="XML with `<testsuite` and `<testcase`",
    harness="JUnit",
    export="pytest --junitxml=FILE",
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
