"""Text of LaTeX as it grows: words become paragraphs, items, cells and notes, each with its line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pincite.parse.latex.tables import Table, write_table
from pincite.parse.latex.words import FLOATS, LISTS, NUMBERED, QUOTES, TABLES
from pincite.parse.office.numerals import numeral
from pincite.parse.writer import Part, Writer, plain_text, raised
from pincite.scripts import are_close
from pincite.types import BlockKind, Place, Span

_MAX_ENVIRONMENTS = 200
_NUMBERS = (
    ("", "decimal", "."),
    ("(", "lowerLetter", ")"),
    ("", "lowerRoman", "."),
    ("", "upperLetter", "."),
)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A block that waits for the end of its float: rows of tables need the caption."""

    kind: BlockKind | Table
    parts: list[Part]
    is_caption: bool = False


class Blocks:
    """The open block and what is open around it: environments, a table, a float, text read apart."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.body = False  # whether the document itself has begun
        self.table: Table | None = None
        self._parts: list[Part] = []
        self._soft = ""
        self._word = False  # whether a space stands before what follows if that is a word
        self._captures = 0
        self._breaks = "\n"  # what a line break is in the text being read
        self._environments: list[str] = []
        self._items: list[int] = []  # how many items the open numbered lists have so far
        self._nested = 0  # tables open inside the table that is read
        self._float: list[_Waiting] | None = None
        self._notes: list[tuple[int, list[Part]]] = []
        self._count = 0

    # ── text ──────────────────────────────────────────────────────────────────────────────────
    def put(self, text: str, line: int) -> None:
        """Adds text that stands on one line, after the separator kept back."""
        if not text or not (self.body or self._captures):
            return
        if self._word:
            self._word = False
            self._soft = self._soft or (" " if text[0].isalnum() else "")
        unspaced = self._soft == " " and self._parts and are_close(self._parts[-1][0], text)
        if self._soft and self._parts and not unspaced:
            self._parts.append((self._soft, None))
        self._soft = ""
        self._parts.append((text, Place(line, line)))

    def soften(self, separator: str) -> None:
        """Separates what follows in the same block: by a space, or the end of a line."""
        if separator == "\n" or not self._soft:
            self._soft = separator

    def soften_word(self) -> None:
        """Separates what follows if that is a word."""
        self._word = True

    def put_lines(self, text: str, line: int, separator: str = " ") -> None:
        """Adds source as it is, line by line."""
        for i, part in enumerate(text.split("\n")):
            if i:
                self.soften(separator)
            self.put(part.strip(), line + i)

    def put_display(self, text: str, line: int) -> None:
        """Adds displayed mathematics on lines of its own."""
        separator = " " if self._captures or self.table else "\n"
        self.soften(separator)
        self.put_lines(text, line, separator)
        self.soften(separator)

    def put_code(self, text: str, line: int) -> None:
        """Adds verbatim text as a block of its own."""
        if self._captures or self.table:
            self.put_lines(text, line)
        elif self.body:
            self.end_paragraph()
            lines = text.rstrip().split("\n")
            while lines and not lines[0].strip():
                lines, line = lines[1:], line + 1
            for i, part in enumerate(lines):
                self._parts += [("\n", None)] * bool(i) + [(part, Place(line + i, line + i))]
            self._flush("code")

    def put_key(self, key: str, line: int) -> None:
        """Adds a key in brackets, which are ours."""
        if not key:
            return
        before = len(self._parts)
        self.put("[", line)
        if len(self._parts) > before:
            self._parts[-1:] = [("[", None), (key, Place(line, line)), ("]", None)]

    def line_break(self, *, author: bool = False) -> None:
        """Ends a line of text, a row, or what belongs to one author."""
        if self.table and not self._captures:
            if self._nested:
                self.soften(" ")
                return
            self.table.end_cell(self._take())
            self.table.end_row()
        elif author and self._parts and self._breaks == "\n" and self._captures:
            self._parts.append(("\n\n", None))
            self._soft = ""
        else:
            self.soften(self._breaks)

    def next_cell(self, line: int) -> None:
        """Ends a cell; outside of tables the mark is a space."""
        if self.table and not self._captures and not self._nested:
            self.table.end_cell(self._take())
        else:
            self.soften(" ")

    def _take(self) -> list[Part]:
        parts, self._parts, self._soft, self._word = self._parts, [], "", False
        return parts

    # ── text apart ────────────────────────────────────────────────────────────────────────────
    def apart(self, breaks: str) -> Callable[[], list[Part]]:
        """Reads what follows apart from the open block, until the function returned gives it back."""
        saved = self._parts, self._soft, self._breaks
        self._parts, self._soft, self._breaks = [], "", breaks
        self._captures += 1

        def restore() -> list[Part]:
            parts = self._parts
            self._parts, self._soft, self._breaks = saved
            self._captures -= 1
            return parts

        return restore

    def heading(self, parts: list[Part], level: int) -> None:
        """Adds a heading."""
        self.end_paragraph()
        if not self._captures and not self.table:
            self.writer.add("heading", parts, level=level)
            self.write_notes()
        else:
            self._parts += parts

    def caption(self, parts: list[Part]) -> None:
        """Adds the caption of a float or table."""
        if self._float is not None:
            self._keep_cell()
            self._float.append(_Waiting("paragraph", parts, True))
        elif not self.table:
            self.end_paragraph()
            self.emit("paragraph", parts)
        else:
            self._parts += parts

    def _keep_cell(self) -> None:
        """A paragraph before a caption ends; a table that is open goes on."""
        if not self.table:
            self.end_paragraph()

    def next_item(self) -> str:
        """The number of the next item, as it is printed; "" in a list without numbers."""
        inner = next((name for name in reversed(self._environments) if name in LISTS), "")
        if inner not in NUMBERED or not self._items:
            return ""
        self._items[-1] += 1
        before, style, after = _NUMBERS[min(len(self._items), len(_NUMBERS)) - 1]
        return before + numeral(self._items[-1], style) + after

    def number(self, text: str) -> None:
        """Adds the number of an item, which the source does not hold."""
        if self.body or self._captures:
            self._parts.append((text, None))
            self.soften(" ")

    def label(self, parts: list[Part]) -> None:
        """Adds the label of an item before its text."""
        self._parts += parts
        self.soften(" ")

    def superscript(self, parts: list[Part]) -> None:
        """Adds text that stands raised."""
        before = self._parts[-1][0] if self._parts and not self._soft else ""
        for text, place in parts:
            shown = raised(before, text) if len(parts) == 1 else text
            self.put(shown, place.line_start or 0) if place else self._parts.append((shown, None))

    def reserve_note(self) -> int:
        """The number of the next note."""
        return self._count + 1

    def wait_for_note(self) -> None:
        """Counts a note whose text is read now."""
        self._count += 1

    def note(self, number: int, parts: list[Part]) -> None:
        """Puts a note's number in the text and keeps the note for after the paragraph."""
        if self.body or self._captures:
            self._parts.append((f"[{number}]", None))
            self._notes.append((number, parts))

    # ── blocks ────────────────────────────────────────────────────────────────────────────────
    def end_paragraph(self) -> None:
        """Ends the open block; in cells, headings and captions only its line."""
        if self._captures or self.table:
            self.soften(" ")
        else:
            self._flush(self._kind())

    def _flush(self, kind: BlockKind) -> None:
        self.emit(kind, self._take())
        self.write_notes()

    def _kind(self) -> BlockKind:
        inner = next((name for name in reversed(self._environments) if name in LISTS or name in QUOTES), "")
        return "list" if inner in LISTS else "quote" if inner else "paragraph"

    def emit(self, kind: BlockKind, parts: list[Part]) -> None:
        """Adds a block, at the end of the float if one is open."""
        if self._float is not None and parts:
            self._float.append(_Waiting(kind, parts))
        elif parts:
            self.writer.add(kind, parts)

    def write_notes(self) -> None:
        """Adds the notes of the block before."""
        if self.table or self._float is not None:
            return
        notes, self._notes = self._notes, []
        for number, parts in notes:
            if any(text.strip() for text, _ in parts):
                self.writer.add("paragraph", [(f"[footnote {number}] ", None), *parts])

    # ── environments ──────────────────────────────────────────────────────────────────────────
    def begin(self, name: str) -> None:
        """Opens an environment."""
        if not self.table:
            self.end_paragraph()
        if len(self._environments) < _MAX_ENVIRONMENTS:
            self._environments.append(name)
        if name in NUMBERED:
            self._items.append(0)
        if name in TABLES and (self.table or self._captures):
            self._nested += 1
            return
        if name in FLOATS and self._float is None and not self._captures:
            self._float = []
        if name in TABLES:
            self.table = Table()

    def end(self, name: str) -> None:
        """Closes the innermost environment of this name and those inside it."""
        if name not in self._environments:
            return
        if not self.table:
            self.end_paragraph()
        while self._environments:
            ended = self._environments.pop()
            self._leave(ended)
            if ended == name:
                return

    def _leave(self, name: str) -> None:
        if name in NUMBERED and self._items:
            self._items.pop()
        if name in TABLES and self._nested:
            self._nested -= 1
        elif name in TABLES and self.table:
            self._end_table()
        if name in FLOATS and not any(other in FLOATS for other in self._environments):
            self._end_float()

    def _end_table(self) -> None:
        table, self.table = self.table, None
        if table is None:
            return
        table.end_cell(self._take())
        table.end_row()
        if self._float is not None:
            self._float.append(_Waiting(table, []))
        else:
            write_table(self.writer, table)
            self.write_notes()

    def _end_float(self) -> None:
        """Writes what a float held, each table's rows with the caption before it, else the one after."""
        waiting, self._float = self._float or [], None
        above, span = "", None
        for i, one in enumerate(waiting):
            if isinstance(one.kind, Table):
                below = next((_text(w.parts) for w in waiting[i:] if w.is_caption), "")
                write_table(self.writer, one.kind, above or below, span)
                span = None
                continue
            written = self.writer.add(one.kind, one.parts)
            span = written if one.is_caption and isinstance(written, Span) else None
            above = _text(one.parts) if one.is_caption else above
        self.write_notes()

    def table_rule(self, name: str) -> None:
        """Notes a rule, or the end of the head of a long table."""
        if self.table and not self._nested:
            if name.startswith("end"):
                self.table.end_head(name)
            else:
                self.table.rule()

    def finish(self) -> None:
        """Ends everything that is still open."""
        if self.table:
            self._end_table()
        if self._float is not None:
            self._end_float()
        self.end_paragraph()
        self.write_notes()


def _text(parts: list[Part]) -> str:
    return " ".join(plain_text("".join(text for text, _ in parts)).split())
