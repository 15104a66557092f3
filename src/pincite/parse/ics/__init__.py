"""Calendars (ICS) to a `Document`: one block for each event, task and journal entry, in the file's order.

A block says what, when (with its time zone), how often, where and with whom, then the description; words of
ours stand before the values, which keep their lines. Alarms and definitions of time zones are out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite.errors import InputError
from pincite.parse.decode import decode
from pincite.parse.ics.values import repeats, when
from pincite.parse.writer import Part, Writer, joined, plain_text
from pincite.protocols import Source
from pincite.types import Document, Losses, MetaValue, Place

_LINE = re.compile(r"([A-Za-z0-9-]{1,60})((?:;[^:\";]*+(?:\"[^\"]*+\"[^:\";]*+)*+)*+):")
_PARAMETER = re.compile(r";([A-Za-z0-9-]{1,60})=(\"[^\"]*+\"|[^;\"]*+)")
_MAX_DEPTH = 100  # parts in each other; calendars have three
_ESCAPED = re.compile(r"\\([nN,;:\\])")
_ENTRIES = {"VEVENT": "", "VTODO": "To do: ", "VJOURNAL": "Journal: "}
_PASSED = frozenset(("VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM"))
_SHOWN = (
    ("LOCATION", "Where"),
    ("ORGANIZER", "Organizer"),
    ("ATTENDEE", "With"),
    ("STATUS", "Status"),
    ("PERCENT-COMPLETE", "Percent complete"),
    ("CATEGORIES", "Categories"),
    ("URL", "URL"),
    ("CONFERENCE", "Conference"),
    ("CONTACT", "Contact"),
    ("RESOURCES", "Resources"),
    ("COMMENT", "Comment"),
)


@dataclass(frozen=True, slots=True)
class Property:
    """One line of a calendar, folded lines joined: `pieces` are the stretches of its value by line."""

    name: str
    parameters: dict[str, str]
    pieces: tuple[tuple[int, str], ...]

    @property
    def value(self) -> str:
        """The value as it is written."""
        return "".join(text for _, text in self.pieces)

    @property
    def place(self) -> Place:
        """The lines of the whole property."""
        return Place(self.pieces[0][0], self.pieces[0][0])


@dataclass(slots=True)
class _Entry:
    kind: str
    properties: dict[str, list[Property]] = field(default_factory=dict)


def parse_ics(source: Source) -> Document:
    """The document of a calendar. Raises `InputError` if it holds text, but no calendar."""
    decoded = decode(source.data, uri=source.uri)
    properties = list(_properties(decoded.text))
    if decoded.text.strip() and not any(p.name == "BEGIN" for p in properties):
        raise InputError(f"{source.uri}: not a calendar: no line BEGIN:VCALENDAR was found", uri=source.uri)
    writer, meta, dropped = Writer(), dict[str, MetaValue](), list[str]()
    title = ""
    for found in _entries(properties, dropped):
        if isinstance(found, _Entry):
            _write(writer, found, dropped)
        elif found.name in ("X-WR-CALNAME", "NAME"):
            title = title or _plain(found.value)
        elif found.name in ("X-WR-CALDESC", "DESCRIPTION"):
            meta.setdefault("description", _plain(found.value))
    return writer.finish(
        source,
        "ics",
        title=title,
        meta=meta,
        encoding=decoded.encoding,
        losses=Losses(dropped=tuple(dropped[:1_000])),
    )


def _properties(text: str) -> Iterator[Property]:
    """The properties in order; a line that starts with white space goes on with the one before."""
    pieces: list[tuple[int, str]] = []
    for number, row in enumerate(text.split("\n"), 1):
        line = row.rstrip("\r")
        if line[:1] in (" ", "\t") and pieces:
            pieces.append((number, line[1:]))
            continue
        yield from _property(pieces)
        pieces = [(number, line)] if line else []
    yield from _property(pieces)


def _property(pieces: list[tuple[int, str]]) -> Iterator[Property]:
    """A property from its line and the ones folded behind it; names and parameters may be folded too."""
    found = _LINE.match("".join(text for _, text in pieces)) if pieces else None
    if not found:
        return
    passed, values = found.end(), []
    for number, text in pieces:
        kept = text[passed:]
        passed = max(0, passed - len(text))
        if kept:
            values.append((number, kept))
    given = {m[1].upper(): m[2].strip('"') for m in _PARAMETER.finditer(found[2])}
    yield Property(found[1].upper(), given, tuple(values) or ((pieces[0][0], ""),))


def _entries(properties: Sequence[Property], dropped: list[str]) -> Iterator[_Entry | Property]:
    """The entries in order, and the properties of the calendar itself."""
    open_: list[str] = []
    entry: _Entry | None = None
    for one in properties:
        name = one.value.strip().upper()
        if one.name == "BEGIN":
            open_ += [name] * (len(open_) < _MAX_DEPTH)
            if name in _ENTRIES:
                if entry:
                    yield entry
                entry = _Entry(name)
            elif name not in _PASSED and name != "VCALENDAR":
                dropped.append(f"line {one.pieces[0][0]}: {name[:80]}, a part that is not read")
        elif one.name == "END":
            while name in open_ and open_.pop() != name:
                continue
            if name in _ENTRIES and entry:
                yield entry
                entry = None
        elif entry and open_ and open_[-1] == entry.kind:
            entry.properties.setdefault(one.name, []).append(one)
        elif open_ == ["VCALENDAR"]:
            yield one
    if entry:
        yield entry
        dropped.append("what follows the end of the file, which is cut off")


def _write(writer: Writer, entry: _Entry, dropped: list[str]) -> None:
    """Writes what, when and where as one block, then the description, whose header is that block."""
    parts = _parts(entry, dropped)
    span = writer.add("record", parts)
    described = [part for one in entry.properties.get("DESCRIPTION", ()) for part in _shown(one)]
    header = plain_text("".join(text for text, _ in parts)).strip()
    writer.add("paragraph", described, header=header, header_span=span, tight=span is not None)


def _parts(entry: _Entry, dropped: list[str]) -> list[Part]:
    """What an entry says of itself, a line for each thing."""
    given = entry.properties
    lines: list[list[Part]] = []
    if "SUMMARY" in given:
        lines.append([(_ENTRIES[entry.kind], None), *_value(given["SUMMARY"][0])])
    if times := when(entry):
        lines.append([("When: ", None), *times])
    if rules := repeats(entry):
        lines.append([("Repeats: ", None), *rules])
    for name, label in _SHOWN:
        values = [part for one in given.get(name, ()) if (part := _shown(one))]
        if values:
            lines.append([(f"{label}: ", None), *joined(values, ", ")])
    for one in given.get("ATTACH", ()):
        what = one.parameters.get("FILENAME") or one.value[:200]
        what = (
            "an attachment"
            if one.parameters.get("VALUE", "").upper() == "BINARY"
            else f"an attachment ({what})"
        )
        dropped.append(f"line {one.pieces[0][0]}: {what}")
    return joined(lines, "\n")


def _shown(one: Property) -> list[Part]:
    """A value as a reader sees it: people by their names, all else as its text."""
    if one.name in ("ATTENDEE", "ORGANIZER"):
        address = one.value.partition(":")[2] or one.value
        name = one.parameters.get("CN", "").strip()
        shown = f"{name} <{address}>" if name and name != address else address
        return [(shown, one.place)] if shown.strip() else []
    return list(_value(one)) if one.value.strip() else []


def _value(one: Property) -> Iterator[Part]:
    """The text of a value, each stretch with the line it stands on; an escape may be folded apart."""
    carried = ""
    for number, text in one.pieces:
        raw = carried + text
        backslashes = len(raw) - len(raw.rstrip("\\"))
        carried = "\\" if backslashes % 2 else ""
        for i, part in enumerate(_plain(raw[:-1] if carried else raw).split("\n")):
            if i:
                yield "\n", None
            if part:
                yield part, Place(number, number)


def _plain(raw: str) -> str:
    """Text without its escapes."""
    return _ESCAPED.sub(lambda m: "\n" if m[1] in "nN" else m[1], raw)
