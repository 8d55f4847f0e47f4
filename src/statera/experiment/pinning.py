"""Which cores commands may use: the words of ``--pin``."""

from __future__ import annotations

from statera.experiment.system import System, as_list, cores
from statera.support.errors import Stop


def pinned(words: str, system: System | None = None) -> tuple[int, ...]:
    """Return the numbers of the cores of ``--pin``: a list such as ``0`` or ``0-1,4``, or ``isolated``.

    Raises:
        Stop: no such list; a core is not online or not ours; no core is isolated.

    """
    system = system or System()
    if words.strip() == "isolated":
        return _ours(_isolated(system), words, system)
    try:
        numbers = cores(words)
    except ValueError:
        numbers = ()
    if not numbers:
        raise Stop(
            "bad-option", f"--pin {words}: write numbers of cores, such as 2, 0-1 or 0,2, or isolated; {_there(system)}"
        )
    return _ours(numbers, words, system)


def _isolated(system: System) -> tuple[int, ...]:
    isolated = cores(system.text("sys/devices/system/cpu/isolated") or "")
    if not isolated:
        raise Stop(
            "bad-option",
            "--pin isolated: the kernel isolates no core; boot with isolcpus=LIST on its command line, or name cores; "
            + _there(system),
        )
    return isolated


def _ours(numbers: tuple[int, ...], words: str, system: System) -> tuple[int, ...]:
    for known, what in ((system.online(), "not online"), (system.allowed(), "not among those that statera may use")):
        wrong = tuple(number for number in numbers if number not in known)
        if known and wrong:
            are = "core {} is" if len(wrong) == 1 else "cores {} are"
            raise Stop("bad-option", f"--pin {words}: {are.format(as_list(wrong))} {what}; {_there(system)}")
    return numbers


def _there(system: System) -> str:
    online = system.online()
    return f"this machine has {as_list(online)}" if online else "the system does not tell which cores there are"
