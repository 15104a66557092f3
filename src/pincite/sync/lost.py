"""What of the indexed files could not be read, counted and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.types import Losses, Reason

OCR_HINT = "OCR reads them: pip install 'pincite[ocr]', then parse.ocr = \"rapidocr\""
_NAMED = 5  # parts that are named in one line; the document itself has them all


@dataclass(frozen=True, slots=True)
class Lost:
    """Counts over a library, and for each file concerned what is missing of it."""

    pages_without_text: int
    cut_text: int
    dropped: int
    partial: tuple[Reason, ...]

    @staticmethod
    def of(losses: Iterable[tuple[str, Losses]]) -> Lost:
        """The sums of all, with one reason a file, in their order."""
        each = list(losses)
        return Lost(
            sum(len(one.pages_without_text) for _, one in each),
            sum(one.cut_text for _, one in each),
            sum(len(one.dropped) for _, one in each),
            tuple(Reason(uri, in_words(one)) for uri, one in each),
        )


def in_words(losses: Losses) -> str:
    """One line: the pages without text, what was left behind, and how much was cut."""
    said = []
    if pages := losses.pages_without_text:
        one = len(pages) == 1
        has = f"page {pages[0]} has no text" if one else f"pages {page_list(pages)} have no text"
        said.append(f"{has}; {OCR_HINT}")
    if losses.dropped:
        more = f" and {len(losses.dropped) - _NAMED:,} more" if len(losses.dropped) > _NAMED else ""
        said.append(f"left out: {'; '.join(losses.dropped[:_NAMED])}{more}")
    if losses.cut_text:
        said.append(f"{losses.cut_text:,} characters cut")
    return "; ".join(said)


def page_list(pages: Sequence[int]) -> str:
    """Ascending numbers with neighbours as ranges: `2, 5-7`."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and page == ranges[-1][1] + 1:
            ranges[-1][1] = page
        else:
            ranges.append([page, page])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
