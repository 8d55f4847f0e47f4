"""The cells of a plan that can run: those whose build or setup failed are left out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.experiment.course import Course
    from statera.experiment.invoking import Invoker
    from statera.experiment.order import Place
    from statera.experiment.plan import Cell, Plan
    from statera.experiment.watching import Watching

_TWO: Final = 2


class Cells:
    """The cells that are left."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._left = {(cell.benchmark, cell.variant): cell for cell in plan.cells}

    def __iter__(self) -> Iterator[Cell]:
        """Yield the cells that are left, also while others are left out."""
        return (cell for pair, cell in list(self._left.items()) if pair in self._left)

    def at(self, place: Place) -> Cell:
        """Return the cell of a place."""
        return self._left[place.benchmark, place.variant]

    def waits(self, place: Place, number: int, course: Course) -> bool:
        """Return whether an invocation of round ``number`` is still to be made."""
        names = self._plan.benchmarks[place.benchmark], self._plan.variants[place.variant].name
        return (place.benchmark, place.variant) in self._left and (number, *names) not in course.done

    def active(self, course: Course) -> tuple[int, ...]:
        """Return the numbers of the benchmarks that no look has settled and that have cells left."""
        left = {benchmark for benchmark, _ in self._left}
        return tuple(number for number in course.active if number in left)

    def leave_out(self, failed: set[tuple[int, int]]) -> None:
        """Leave out cells, as (benchmark, variant), and benchmarks in which nothing is left to compare.

        Raises:
            Stop: nothing is left.

        """
        left = Counter(benchmark for benchmark, variant in self._left if (benchmark, variant) not in failed)
        least = min(len(self._plan.variants), _TWO)
        for benchmark, variant in list(self._left):
            if (benchmark, variant) in failed or left[benchmark] < least:
                del self._left[benchmark, variant]
        if not self._left:
            raise Stop("nothing-to-run", "builds or setup commands failed, and no two variants are left to compare")

    def once(self, what: Literal["setup", "cleanup"], invoker: Invoker, watching: Watching) -> None:
        """Run the setup or the cleanup of every cell; cells with the same command share it."""
        ended: dict[object, str] = {}
        for cell in self:
            command = cell.setup if what == "setup" else cell.cleanup
            if command is None:
                continue
            if command not in ended:
                ended[command] = invoker.once(command, what)
            if ended[command]:
                names = self._plan.benchmarks[cell.benchmark], self._plan.variants[cell.variant].name
                watching.complain(f"{', '.join(names)}: {ended[command]}")
                if what == "setup":
                    self.leave_out({(cell.benchmark, cell.variant)})
