"""Execute the verbs many times over hostile files and options: ``python tests/attack/attack.py --count 20000``.

Each execution is made from the seed and its own number alone, so that ``--only NUMBER`` repeats it. Executions run in
processes forked from this one; one that dies or does not end costs its own number only.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import mmap
import os
import random
import resource
import shlex
import signal
import struct
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from checks import CODES, Done, faults  # noqa: E402 - the tests' folders first
from commands import command  # noqa: E402
from mutations import Seed, mutated, seeds  # noqa: E402

SEED = 20_260_101
_SECONDS = 60
_MEMORY = 3 << 30
_CHUNK = 250


def made(seed: int, number: int, corpus: list[Seed], folder: Path) -> list[str]:
    """Make a command, and the files that it is about in an empty folder."""
    chance = random.Random(f"{seed}-{number}")  # noqa: S311 - chance, no secret
    files = []
    base = chance.choice(corpus if chance.random() < 0.25 else [each for each in corpus if each.comparable])
    for at in range(chance.choice((2, 2, 2, 3))):
        # Files of one shape can be compared; now and then they are of two.
        chosen = base if chance.random() < 0.85 else chance.choice(corpus)
        name = f"in-{at}{Path(chosen.name).suffix}"
        (folder / name).write_bytes(mutated(chance, chosen.content, corpus))
        files.append(name)
    return command(chance, files)


def run(words: list[str], folder: Path) -> Done:
    """Run one command in a folder, in this process."""
    from statera.cli import main  # noqa: PLC0415 - in the child, which starts its threads

    os.chdir(folder)
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape", newline="") for _ in range(2)
    )
    code: object
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as ended:
            code = ended.code
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is a fault
            code = f"{type(error).__name__}: {error}"[:300]
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode(errors="replace"))  # type: ignore[attr-defined]
    return Done(words, code, texts[0], texts[1], folder)


def limit(words: list[str]) -> None:
    """Limit the memory of this process for a command."""
    # What draws reserves far more addresses than it uses memory.
    most = resource.RLIM_INFINITY if words[0] in {"plot", "report"} else _reserved() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))


def _reserved() -> int:
    """Give the bytes of addresses that this process has already."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def child(seed: int, numbers: range, at: mmap.mmap, found: int) -> None:
    """Execute numbers one after the other; ``at`` always holds the one at work."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    corpus = seeds()
    for number in numbers:
        at[:8] = struct.pack("q", number)
        signal.alarm(_SECONDS)
        with tempfile.TemporaryDirectory(prefix="statera-attack-") as name:
            words = made(seed, number, corpus, Path(name))
            limit(words)
            done = run(words, Path(name))
            said = list(faults(done))
            os.chdir("/")
        signal.alarm(0)
        if done.code in CODES:
            place = 8 + 8 * int(done.code)
            at[place : place + 8] = struct.pack("q", 1 + struct.unpack("q", at[place : place + 8])[0])
        if said:
            text = "; ".join(dict.fromkeys(said)).replace("\n", "\\n")
            os.write(found, f"{number}: {text}\n    statera {shlex.join(done.words)}\n".encode(errors="replace"))
    os._exit(0)


class Lane:
    """Executes a share of the numbers, in one process after the other."""

    def __init__(self, seed: int, numbers: range, found: int) -> None:
        self._seed, self._left, self._found = seed, numbers, found
        self._at = mmap.mmap(-1, 32)
        """The number at work, then how many ended with 0, 1 and 2."""
        self.process = 0
        self.next()

    def codes(self) -> tuple[int, ...]:
        """Count the executions that ended with 0, 1 and 2."""
        return struct.unpack("qqq", self._at[8:32])

    def next(self) -> bool:
        """Start the next process; say whether there was anything left."""
        if not self._left:
            return False
        numbers, self._left = self._left[:_CHUNK], self._left[_CHUNK:]
        self._now = numbers
        self.process = os.fork()
        if self.process == 0:
            child(self._seed, numbers, self._at, self._found)
        return True

    def ended(self, status: int) -> None:
        """Note how a process ended, and what it left undone."""
        if status == 0:
            return
        (number,) = struct.unpack("q", self._at[:8])
        why = signal.strsignal(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
        os.write(self._found, f"{number}: the process ended: {why}\n".encode())
        rest = self._now[self._now.index(number) + 1 :]
        self._left = range(rest.start, self._left.stop, self._now.step) if rest else self._left


def attack(seed: int, count: int, lanes: int) -> tuple[str, tuple[int, ...]]:
    """Execute so many commands; give what was found, and how many ended with each of the codes."""
    import statera.cli.compare  # noqa: PLC0415, F401 - loaded once, before the processes are forked

    with tempfile.TemporaryFile() as found:
        os.set_inheritable(found.fileno(), True)  # noqa: FBT003
        working = [Lane(seed, range(start, count, lanes), found.fileno()) for start in range(min(lanes, count))]
        by_process = {lane.process: lane for lane in working}
        while by_process:
            process, status = os.wait()
            lane = by_process.pop(process)
            lane.ended(status)
            if lane.next():
                by_process[lane.process] = lane
        found.seek(0)
        return found.read().decode(), tuple(map(sum, zip(*(lane.codes() for lane in working), strict=True)))


def main() -> int:
    """Attack, and give 1 where anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--only", type=int, help="repeat this execution and keep its files")
    parser.add_argument("--lanes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.only is not None:
        folder = Path(tempfile.mkdtemp(prefix="statera-attack-"))
        done = run(made(options.seed, options.only, seeds(), folder), folder)
        print(f"cd {folder}; statera {shlex.join(done.words)}\nexit {done.code}\n{done.out}\n{done.err}")
        print("\n".join(faults(done)) or "nothing found")
        return 0
    began = time.monotonic()
    text, codes = attack(options.seed, options.count, options.lanes)
    print(text, end="")
    ended = ", ".join(f"{count} with {code}" for code, count in zip(sorted(CODES), codes, strict=True))
    print(f"{options.count} executions of seed {options.seed} in {time.monotonic() - began:.0f} s ({ended}): ", end="")
    print("nothing found" if not text else f"{sum(not line.startswith(' ') for line in text.splitlines())} faults")
    return 1 if text else 0


if __name__ == "__main__":
    raise SystemExit(main())
