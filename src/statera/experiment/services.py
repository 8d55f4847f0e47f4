"""Services: servers that run while commands are measured. Each is started, awaited, measured, and stopped in any case.

A service lives for one invocation, for all invocations of a variant, or for the whole experiment. If one cannot be
started, is not ready in time, or ends by itself, the experiment ends, and the message has its last lines.
It serves when its port or its address of HTTP answers, by what it prints, or when a command ends well.
"""

from __future__ import annotations

import http.client
import shutil
import signal
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn
from urllib.parse import urlsplit

from statera import _native
from statera.experiment.launcher import STAYS, Invocation, ServiceEnded
from statera.experiment.plan import levels_in_words
from statera.experiment.schedule import duration_in_words
from statera.experiment.words import PORTS, SERVED, filled, names
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from statera.experiment.launcher import Launcher, Outcome, Started
    from statera.experiment.plan import Cell, Command, Plan, Service

_TCP: Final = "tcp:"
_LOG: Final = "log:"
_HTTP: Final = ("http://", "https://")
HERE: Final = "127.0.0.1"
FORMS: Final = "tcp:PORT, tcp:HOST:PORT, http://ADDRESS or log:REGULAR-EXPRESSION"
# Seconds for one question, and the first status of HTTP that is no answer.
_ANSWER: Final = 2.0
_BAD_STATUS: Final = 400
_MOST_PORT: Final = 65535
# So much of a log is searched at once.
_PIECE: Final = 1 << 20


def fault(ready: str) -> str:
    """Say what is wrong with a statement of readiness in which placeholders are replaced; nothing if it can be used."""
    if ready.startswith(_HTTP):
        return "" if _address(ready) else f"{ready!r} names no host"
    if ready.startswith(_TCP):
        return "" if _address(ready) else f"{ready!r} names no port. Write tcp:6379 or tcp:HOST:6379"
    if not ready.startswith(_LOG):
        return f"{ready!r} is none of {FORMS}"
    try:
        _native.Pattern(ready.removeprefix(_LOG))
    except ValueError as error:
        return f"{ready!r} is not a regular expression: {error}"
    return ""


def is_form(text: str) -> bool:
    """Return whether a text states a port, an address or a line of the output, and not a command."""
    return text.startswith((_TCP, _LOG, *_HTTP))


def taken(ready: str | None) -> str:
    """Name the port of an address at which something answers already; nothing if nothing does."""
    address = _address(ready or "")
    return f"port {address[1]}" if address and _accepts(address) else ""


def asked(ready: str, log: Path) -> Callable[[], bool]:
    """Return what asks once whether a service is ready. Raises ``Stop`` if the statement cannot be used."""
    why = fault(ready)
    if why:
        raise Stop("bad-option", f"ready: {why}")
    if ready.startswith(_LOG):
        return _Log(ready.removeprefix(_LOG), log).has_line
    if ready.startswith(_HTTP):
        return lambda: _answers(ready)
    address = _address(ready)
    return lambda: address is not None and _accepts(address)


def _address(ready: str) -> tuple[str, int] | None:
    """Return host and port; None if a statement names none."""
    try:
        parts = urlsplit(ready.replace(_TCP, "tcp://", 1) if ready.startswith(_TCP) else ready)
        if ready.startswith(_TCP):
            port = parts.port if parts.port is not None else int(ready.removeprefix(_TCP))
            host = parts.hostname if parts.port is not None else HERE
        else:
            host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return None
    return (host, port) if host and 0 < port <= _MOST_PORT and ready.startswith((_TCP, *_HTTP)) else None


def _accepts(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, _ANSWER).close()
    except OSError:
        return False
    return True


def _answers(url: str) -> bool:
    # A proxy of the environment would answer for the service.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_ANSWER) as answer:
            return bool(answer.status < _BAD_STATUS)
    except (OSError, http.client.HTTPException, ValueError):
        return False


class _Log:
    """Searches what a service prints for a line; what was searched once is not searched again."""

    def __init__(self, expression: str, path: Path) -> None:
        self._pattern, self._path = _native.Pattern(expression), path
        self._at, self._rest = 0, b""

    def has_line(self) -> bool:
        """Return whether a line fits that came since the last question."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._at)
                new = file.read(_PIECE)
        except OSError:
            return False
        self._at += len(new)
        # A line may still lack its end, or never get one.
        *_, self._rest = lines = (self._rest + new).split(b"\n")
        return any(self._pattern.search(line.decode(errors="replace")) for line in lines)


Values = dict[str, str]
_DATA: Final = "data"
# Seconds between two questions whether a service is ready: at first, and at most.
_SOON, _SELDOM = 0.002, 0.1
# Seconds after which it is told that one is not.
_TOLD: Final = 5.0
# After a command failed, a service that died with it is noticed within so many seconds.
_NOTICED: Final = 0.2
# What a message shows of the output: lines, characters of a line, and bytes that are looked at.
_LINES, _WIDTH, _TAIL = 10, 200, 1 << 14
# What shells add to the number of a signal.
_SIGNALLED: Final = 128


ONE_FOR_ALL: Final = (
    "one service for the whole experiment is the same for all variants, and this one names a factor. Leave the scope "
    'out, or write "variant"'
)


class Instance(NamedTuple):
    """A service that runs."""

    service: Service  # what it is
    name: str  # what messages call it
    started: Started  # its processes
    values: Values  # its free ports, and its folder
    log: Path  # the file that it prints to


class Runs(NamedTuple):
    """What starts commands and services of a run."""

    launcher: Launcher  # starts them, and watches services
    environment: Callable[[Command], tuple[tuple[str, str], ...]]  # returns all variables of a command
    ready: Callable[[Command], bool]  # runs a command that tells whether a service is ready
    once: Callable[[Command, str], str]  # runs a command that is not measured, and says what went wrong
    say: Callable[[str], object]  # takes lines for the user


class Services:
    """Starts and stops the services of a plan's cells."""

    def __init__(self, plan: Plan, folder: Path, runs: Runs) -> None:
        self._plan, self._folder, self._runs = plan, folder, runs
        self._alive: list[Instance] = []
        self._lasting: dict[tuple[int | None, Service], Instance] = {}
        self._logs: dict[tuple[int, Service], int] = {}
        self._folders = 0
        served = [cell for cell in plan.cells if cell.services]
        of_services = set[str]().union(*(_texts(each) for cell in served for each in cell.services))
        # What commands name and no service does, the first service of a cell has for them.
        self._loose = set[str]().union(*map(_texts_of, served)) - of_services
        # A killed run may have left some.
        shutil.rmtree(folder / _DATA, ignore_errors=True)

    def lasting(self, cell: Cell) -> Values:
        """Start what outlives an invocation of a cell, unless it runs; return its ports and its folder.

        Raises ``Stop`` if a service failed.
        """
        values: Values = {}
        for service in cell.services:
            key = (cell.variant if service.scope == "variant" else None, service)
            if service.scope != "run":
                if key not in self._lasting:
                    self._lasting[key] = self._start(cell, service, values)
                values = self._lasting[key].values | values
        return values

    def begin(self, cell: Cell) -> tuple[list[Instance], Values]:
        """Start the services of an invocation; return all of the cell, and what placeholders stand for.

        Raises ``Stop`` if a service failed.
        """
        values = self.lasting(cell)
        found = [each for (at, of), each in self._lasting.items() if of in cell.services and at in {None, cell.variant}]
        try:
            for service in cell.services:
                if service.scope == "run":
                    found.append(self._start(cell, service, values))
                    values = found[-1].values | values
        except BaseException:
            self.end(found)
            raise
        return found, values

    def end(self, instances: Iterable[Instance]) -> dict[str, int]:
        """Stop those that live for one invocation; return their exit codes: 128 and the number, after a signal."""
        return dict(self._stopped([each for each in instances if each.service.scope == "run"]))

    def close(self) -> None:
        """Stop all that run."""
        self._stopped(list(self._alive))
        self._lasting.clear()
        shutil.rmtree(self._folder / _DATA, ignore_errors=True)

    def check(self, instances: Iterable[Instance], meanwhile: str, *, failed: bool) -> None:
        """Refuse to go on if one of the instances ended; messages say what happened ``meanwhile``.

        ``failed`` says whether a command failed, perhaps because a service was about to end.
        """
        until = time.monotonic() + (_NOTICED if failed else 0.0)
        for each in instances:
            outcome = each.started.ended(max(until - time.monotonic(), 0.0))
            if outcome is not None:
                self._refuse(each.name, each.log, f"{_end(outcome)} {meanwhile}")

    def ended(self, started: Started, meanwhile: str) -> NoReturn:
        """Refuse to go on after a service ended."""
        name, log = next((each.name, each.log) for each in self._alive if each.started is started)
        self._refuse(name, log, f"{_end(started.ended())} {meanwhile}")

    def _start(self, cell: Cell, service: Service, given: Values) -> Instance:
        """Start a service, and wait until it is ready. ``given`` are ports that belong to services before it."""
        values = self._own_values(_texts(service) | (self._loose if service == cell.services[0] else set()), given)
        every = given | values
        name, log = self._name(cell, service), self._log(cell, service)
        if service.prepare is not None:
            why = self._runs.once(with_values(service.prepare, every), "prepare")
            if why:
                raise Stop("service-failed", f"{name} was not started: {why}")
        ready = None if service.ready is None else filled(service.ready, every)
        if other := taken(ready):
            raise Stop(
                "service-failed",
                f"{name} was not started, as something answers at {other} already. End it, or write {{port}}, which "
                "stands for a free port",
            )
        started = self._runs.launcher.service(self._invocation(service, every, log))
        instance = Instance(service, name, started, values, log)
        self._alive.append(instance)
        self._runs.launcher.services.append(started)
        try:
            self._await(instance, ready, every)
        except BaseException:
            self._drop(instance, kill=True)
            raise
        return instance

    def _invocation(self, service: Service, values: Values, log: Path) -> Invocation:
        command = with_values(service.command, values)
        return Invocation(
            arguments=command.arguments,
            environment=(*self._runs.environment(command), (STAYS, "1")),
            directory=command.directory or str(Path.cwd()),
            output=str(log),
            errors=str(log),
            cpus=service.cpus,
            stop=(number_of(service.stop), service.stop_within),
        )

    def _await(self, instance: Instance, ready: str | None, values: Values) -> None:
        service, started = instance.service, instance.started
        is_ready = self._question(instance, ready, values)
        begun, pause, told = time.monotonic(), _SOON, False
        how = ready or "its command `ready`"
        while True:
            answer = is_ready()
            outcome = started.ended(0.0 if answer else pause)
            if outcome is not None and not started.process:
                raise Stop("cannot-start", f"{instance.name}: {outcome.message}. Correct its command")
            if outcome is not None:
                self._refuse(instance.name, instance.log, f"{_end(outcome)} before it was ready")
            if answer:
                return
            waited = time.monotonic() - begun
            within = duration_in_words(service.ready_within)
            if waited > service.ready_within:
                self._refuse(instance.name, instance.log, f"was not ready within {within} ({how})")
            if waited > _TOLD and not told:
                self._runs.say(
                    f"{instance.name} is not ready after {duration_in_words(_TOLD)} ({how}); it has {within}"
                )
                told = True
            pause = min(2 * pause, _SELDOM)

    def _question(self, instance: Instance, ready: str | None, values: Values) -> Callable[[], bool]:
        if ready is not None:
            return asked(ready, instance.log)
        asks = instance.service.ready_command
        if asks is None:
            return lambda: True
        command = with_values(asks, values)

        def ends_well() -> bool:
            try:
                return self._runs.ready(command)
            except ServiceEnded as event:
                if event.service is not instance.started:
                    raise
                return False

        return ends_well

    def _stopped(self, instances: list[Instance]) -> list[tuple[str, int]]:
        """Stop services, all at the same time; an interruption kills them."""
        codes = []
        try:
            for each in reversed(instances):
                each.started.ask_to_end()
            for each in reversed(instances):
                outcome = each.started.stopped()
                codes.append((each.service.name, _code(outcome)))
                self._drop(each)
        finally:
            for each in instances:
                self._drop(each, kill=True)
        return codes

    def _drop(self, instance: Instance, *, kill: bool = False) -> None:
        if kill:
            instance.started.kill()
        if instance in self._alive:
            self._alive.remove(instance)
        services = self._runs.launcher.services
        if instance.started in services:
            services.remove(instance.started)
        if _DATA in instance.values:
            shutil.rmtree(instance.values[_DATA], ignore_errors=True)

    def _own_values(self, wanted: set[str], given: Values) -> Values:
        """Return free ports for the names that no service before it has, and an empty folder."""
        ports = [name for name in PORTS if name in wanted - given.keys()]
        values = dict(zip(ports, free_ports(len(ports)), strict=True))
        if _DATA in wanted:
            self._folders += 1
            data = (self._folder / _DATA / str(self._folders)).absolute()
            data.mkdir(parents=True)
            # Servers such as PostgreSQL refuse a folder that others may read.
            data.chmod(0o700)
            values[_DATA] = str(data)
        return values

    def _name(self, cell: Cell, service: Service) -> str:
        shown = _native.printable(service.name)
        if service.scope == "experiment" or len(self._plan.variants) == 1:
            return f"service {shown}"
        variant = self._plan.variants[cell.variant]
        return f"service {shown} of {_native.printable(levels_in_words(variant.levels) or variant.name)}"

    def _log(self, cell: Cell, service: Service) -> Path:
        number = self._logs.setdefault((cell.variant, service), len(self._logs) + 1)
        return self._folder / "raw" / f"service-{number}.txt"

    def _refuse(self, name: str, log: Path, what: str) -> NoReturn:
        lines = _last_lines(log)
        said = "It printed nothing" if not lines else "Its last lines:\n" + "\n".join(f"  {line}" for line in lines)
        raise Stop("service-failed", f"{name} {what}. {said}")


def default_ready(command: Command) -> str | None:
    """Return how to see that a service serves that states it nowhere: at its port, if it is given one."""
    return "tcp:{port}" if "port" in _names(command) else None


def fault_of(service: Service) -> str:
    """Say what is wrong with how a service tells that it is ready; nothing if it can be used."""
    if service.ready is None:
        return ""
    unknown = names(service.ready) - set(SERVED)
    return fault(filled(service.ready, dict.fromkeys(SERVED, "1"))) if not unknown else ""


def with_values(command: Command, values: Values) -> Command:
    """Return a command whose placeholders are replaced."""
    return command._replace(
        arguments=tuple(filled(word, values) for word in command.arguments),
        environment=tuple((name, filled(value, values)) for name, value in command.environment),
    )


def number_of(name: str) -> int:
    """Return the number of a signal such as ``TERM`` or ``SIGTERM``. Raises ``KeyError`` if there is no such signal."""
    return int(signal.Signals["SIG" + name.upper().removeprefix("SIG")])


def free_ports(number: int) -> Iterator[str]:
    """Return ports at which nobody listens, each once."""
    sockets = [socket.socket() for _ in range(number)]
    try:
        for each in sockets:
            each.bind((HERE, 0))
        return iter([str(each.getsockname()[1]) for each in sockets])
    finally:
        for each in sockets:
            each.close()


def _texts(service: Service) -> set[str]:
    """Return the names of placeholders in all texts of a service."""
    found: set[str] = set() if service.ready is None else names(service.ready)
    return found.union(*map(_names, filter(None, (service.command, service.prepare, service.ready_command))))


def _texts_of(cell: Cell) -> set[str]:
    """Return the names of placeholders in the commands of a cell."""
    around = (cell.command, cell.setup, cell.prepare, cell.conclude, cell.cleanup)
    return set[str]().union(*map(_names, filter(None, around)))


def _names(command: Command) -> set[str]:
    return set[str]().union(*map(names, [*command.arguments, *(value for _, value in command.environment)]))


def _end(outcome: Outcome | None) -> str:
    """Say how a service ended."""
    message = outcome.message if outcome is not None else ""
    return (message or "it ended with exit code 0").removeprefix("it ")


def _code(outcome: Outcome) -> int:
    return outcome.exit if outcome.exit is not None else _SIGNALLED + (outcome.signal or 0)


def _last_lines(log: Path) -> list[str]:
    try:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - _TAIL, 0))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return []
    shown = [_native.shortened(_native.printable(line.rstrip()), _WIDTH) for line in lines if line.strip()]
    return shown[-_LINES:]
