"""Where the commands of a run are executed: on this machine, or on the hosts of ``--on``.

A host has the builds and the files that commands name, below a private folder, each at the path that it has here. All
hosts make the same step of a round at the same time. Rounds of different hosts are never a pair, so that what differs
between the machines is in no difference between variants.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.experiment.remote import RemoteInvoker, RemoteMachine
from statera.experiment.ssh import HostLost, is_name
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from statera.experiment.invocations import Invoker, Recorded, Task
    from statera.experiment.plan import Plan
    from statera.experiment.readings import Readings
    from statera.reading.store.run_folder import RunFolder

# Seconds between two attempts to end what threads wait for.
_AGAIN: Final = 0.1


class Site(NamedTuple):
    """A machine that runs commands.

    Attributes:
        host: its name; empty: this machine.
        invoker: makes invocations there. readings: of that machine.

    """

    host: str
    invoker: Invoker
    readings: Readings


Asked = tuple[Site, tuple["Task", ...]]


def made(
    asked: Sequence[Asked], complain: Callable[[str], object]
) -> Iterator[tuple[Site, Sequence[Recorded] | HostLost]]:
    """Make invocations at the same time, one or two at each site; return their records, or why the host is lost.

    Args:
        asked: the sites, each with its tasks.
        complain: takes what went wrong afterwards.

    """
    if len(asked) == 1:
        found = [_made(*asked[0])]
    else:
        with ThreadPoolExecutor(len(asked)) as pool:
            futures = [pool.submit(_made, *each) for each in asked]
            try:
                found = [future.result() for future in futures]
            except BaseException:
                _end(asked, futures)
                raise
    for (site, _), (records, complaints) in zip(asked, found, strict=True):
        for line in complaints:
            complain(line)
        yield site, records


def _made(site: Site, tasks: tuple[Task, ...]) -> tuple[Sequence[Recorded] | HostLost, list[str]]:
    complaints: list[str] = []
    try:
        return site.invoker.made(tasks, complaints.append), complaints
    except HostLost as lost:
        return lost, complaints


def _end(asked: Sequence[Asked], futures: Sequence[Future[Any]]) -> None:
    """End what the threads wait for, which may just be starting it."""
    while True:
        for site, _ in asked:
            site.invoker.launcher.abort()
        if not wait(futures, _AGAIN).not_done:
            return


class RemoteSite:
    """A host of a run, to which the loop connects.

    Attributes:
        name: as the user calls it.

    """

    def __init__(self, name: str, plan: Plan, folder: RunFolder, identity: str, say: Callable[[str], object]) -> None:
        self.name = name
        self._plan, self._folder, self._identity, self._say = plan, folder, identity, say
        self._machine: RemoteMachine | None = None
        self._site: Site | None = None

    def opened(self) -> tuple[Site, dict[str, str]]:
        """Connect to it; return it, and the facts about the machine.

        Raises:
            HostLost: it cannot be used.
            Stop: it has not the cores that commands are to use.

        """
        machine = self._machine = RemoteMachine(self.name, self._identity, self._plan.machine.cpus)
        invoker = RemoteInvoker(self._plan, self._folder, self._identity, machine)
        invoker.say = lambda text: self._say(f"{self.name}: {text}")
        self._site = Site(self.name, invoker, machine.readings(self._plan, invoker))
        return self._site, machine.facts

    def receive(self) -> None:
        """Copy there what commands need; as ``RemoteMachine.receive``."""
        if self._machine is not None:
            self._machine.receive(self._plan)

    def close(self) -> None:
        """End what runs there, and the connection."""
        if self._site is not None:
            self._site.invoker.launcher.close()
            self._site.readings.close()
        if self._machine is not None:
            self._machine.close()


_REMOTE: Final = "--on"


def refuse_impossible(plan: Plan) -> None:
    """Refuse what cannot run on hosts.

    Raises:
        Stop: the plan has it.

    """
    if not plan.hosts:
        return
    outputs = {cell.output for cell in plan.cells} - {"discard", "capture", "inherit"}
    found: Mapping[str, object] = {
        "a service runs on this machine alone. Start it in setup, which runs on each host": any(
            cell.services for cell in plan.cells
        ),
        "--order duet starts two commands at one moment of this machine's clock. Use random": plan.order == "duet",
        "callgrind counts on this machine alone. Count instructions with the processors of the hosts, or leave "
        "callgrind out": "callgrind" in plan.machine.counters,
        "--output to a file would leave it on the host. Use pipe, which keeps it with the results": outputs,
    }
    for why, is_there in found.items():
        if is_there:
            raise Stop("bad-option", f"{_REMOTE}: {why}")


def names(words: Iterable[str]) -> tuple[str, ...]:
    """Return the names of hosts.

    Raises:
        Stop: a name cannot be one, or is there twice.

    """
    found = tuple(word.strip() for word in words)
    for name in found:
        if not is_name(name):
            raise Stop(
                "bad-option",
                f"{_REMOTE} {name!r}: this is no name of a host. Write names as ssh takes them, with commas between: "
                "alpha,user@beta. An option or a port of a host belongs into ~/.ssh/config",
            )
        if found.count(name) > 1:
            raise Stop("bad-option", f"{_REMOTE} names {name} twice. Name each host once")
    return found
