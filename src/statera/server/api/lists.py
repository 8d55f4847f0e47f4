"""Lists, page by page."""

from typing import Annotated, Final, Generic, TypeVar

from fastapi import Query
from pydantic import AfterValidator, BaseModel, Field

_MOST: Final = 1000
# Numbers of rows have 63 bits.
_LAST: Final = 2**63 - 1
_ITEM = TypeVar("_ITEM")

Limit = Annotated[int, Query(ge=1, le=_MOST, description="How many items the page has at most.")]
Cursor = Annotated[int | None, Query(ge=0, le=_LAST, description="The key `next` of the page before.")]


def _plain(text: str | None) -> str | None:
    if text is not None and "\0" in text:
        raise ValueError("it holds a NUL")
    return text


# What strangers write and databases take.
Plain = AfterValidator(_plain)
Branch = Annotated[str | None, Plain, Query(max_length=4096, description="Only this branch.")]


class Page(BaseModel, Generic[_ITEM]):
    """A page of a list."""

    items: list[_ITEM]
    next: int | None = Field(description="The cursor of the next page; null on the last.")


def page(found: list[tuple[int, _ITEM]], limit: int) -> Page[_ITEM]:
    """Return a page of what was found, which is one more than its limit if there are others.

    Args:
        found: items, each with its cursor.
        limit: how many the page has at most.

    """
    shown = found[:limit]
    return Page(items=[item for _, item in shown], next=shown[-1][0] if len(found) > limit else None)
