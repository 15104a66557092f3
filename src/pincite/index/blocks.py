"""A document's blocks as a few lists of numbers, as the catalog keeps them.

A table of 100,000 rows has as many blocks, of which a question looks at a handful: a `Block` is made when it
is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import add
from typing import Any, get_args, overload

from pincite.types import Block, BlockKind, Span

_LETTERS = "hplctqrdufns"  # one for each kind, in the order of `BlockKind`
_KINDS: dict[str, BlockKind] = dict(zip(_LETTERS, get_args(BlockKind), strict=True))
_LETTER = {kind: letter for letter, kind in _KINDS.items()}

Header = tuple[str, Span | None]


def pack_blocks(blocks: Sequence[Block]) -> dict[str, Any]:
    """The blocks as JSON values.

    `kinds` has a letter each, `gaps` the characters before each, `lengths` its own; `sections` are how far
    its section is from that of the block before (−1 before the first), `headers` the number of its header
    in `named`, with 0 for none.
    """
    ends = [0, *(block.span.end for block in blocks)]
    sections = [-1, *(block.section for block in blocks)]
    numbers: dict[Header, int] = {("", None): 0}
    for block in blocks:
        numbers.setdefault((block.header, block.header_span), len(numbers))
    return {
        "kinds": "".join(_LETTER[block.kind] for block in blocks),
        "gaps": [block.span.start - end for block, end in zip(blocks, ends, strict=False)],
        "lengths": [len(block.span) for block in blocks],
        "sections": [block.section - before for block, before in zip(blocks, sections, strict=False)],
        "headers": [numbers[block.header, block.header_span] for block in blocks],
        "named": [[text, *((span.start, span.end) if span else ())] for text, span in numbers],
    }


def unpack_blocks(packed: Mapping[str, Any], *, characters: int, sections: int) -> Blocks:
    """The blocks `pack_blocks` wrote of a text with so many characters and sections.

    Raises `ValueError` for numbers that are none of such a text.
    """
    kinds: str = packed["kinds"]
    lists: list[list[int]] = [packed[name] for name in ("gaps", "lengths", "sections", "headers")]
    named = [(text, Span(*span) if span else None) for text, *span in packed["named"]]
    gaps, lengths, steps, headers = lists
    if {len(kinds)} != {len(one) for one in lists} or not set(kinds) <= _KINDS.keys():
        raise ValueError("the blocks of a text do not fit each other")
    ends = list(accumulate(map(add, gaps, lengths)))
    at = list(accumulate(steps, initial=-1))
    limits = ((gaps, 0, characters), (lengths, 0, characters), (ends, 0, characters), (at, -1, sections - 1))
    for numbers, least, most in (*limits, (headers, 0, len(named) - 1)):
        if numbers and not (least <= min(numbers) and max(numbers) <= most):
            raise ValueError("the blocks of a text do not fit it")
    return Blocks(kinds, ends, lengths, at[1:], headers, named)


class Blocks(Sequence[Block]):
    """The blocks of a stored document; equal to any sequence of the same blocks."""

    __slots__ = ("_ends", "_headers", "_kinds", "_lengths", "_named", "_sections")

    def __init__(
        self,
        kinds: str,
        ends: Sequence[int],
        lengths: Sequence[int],
        sections: Sequence[int],
        headers: Sequence[int],
        named: Sequence[Header],
    ) -> None:
        self._kinds, self._ends, self._lengths = kinds, ends, lengths
        self._sections, self._headers, self._named = sections, headers, named

    def __len__(self) -> int:
        return len(self._kinds)

    @overload
    def __getitem__(self, at: int) -> Block: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Block, ...]: ...
    def __getitem__(self, at: int | slice) -> Block | tuple[Block, ...]:
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        end = self._ends[at]
        header, header_span = self._named[self._headers[at]]
        span = Span(end - self._lengths[at], end)
        return Block(_KINDS[self._kinds[at]], span, self._sections[at], header, header_span)

    def __iter__(self) -> Iterator[Block]:
        return (self[number] for number in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]
