"""Files that repeat another file of their variant: they count once."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.reading.observations import Context, Observations


def without_copies(
    observations: Observations, contexts: list[Context], variant_of: list[int | None]
) -> tuple[list[int | None], list[tuple[int, int]]]:
    """Take the files out of the variants that repeat an earlier file of the same variant and factors, value by value.

    Returns the variant of each configuration, and the numbers of each file that was taken out and of the earlier one.
    """
    pairs = observations.native.copies()
    if not pairs:
        return variant_of, []
    numbers: dict[int, list[int]] = {}
    for number, context in enumerate(contexts):
        if context.values:
            numbers.setdefault(context.source, []).append(number)
    kept, found = list(variant_of), []
    for copy, original in pairs:
        copied, first = (
            [(variant_of[number], contexts[number].keys) for number in numbers[source]] for source in (copy, original)
        )
        if copied == first and any(variant is not None for variant, _ in copied):
            found.append((copy, original))
            for number in numbers[copy]:
                kept[number] = None
    return kept, found
