"""E-mail to a `Document`: a block of headers, what was written, and the names of the files in it.

Every run's place is its part (`message <id>, part 2`). Quoted history stays in the text but in no
block; files are documents of their own (`members.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.parse.mail.quotes import Segment, folded, is_forward, plain_segments
from pincite.parse.mail.read import read_mail
from pincite.parse.mail.record import Address, Body, Headers, Mail, named
from pincite.parse.writer import Part, Writer, joined
from pincite.protocols import Source
from pincite.types import Block, Document, Losses, MetaValue, Place, Span

HISTORY = "quoted history"
_MOST_NAMES = 50  # of one header that are written out; all are metadata
_PGP = "-----BEGIN PGP MESSAGE-----"


def parse_mail(source: Source) -> Document:
    """The document of one message (RFC 5322). Raises `InputError` for what is no e-mail."""
    return mail_document(source, read_mail(source.data, source.uri), "eml")


def mail_document(source: Source, mail: Mail, type: str) -> Document:
    """The document of a mail that was read, whatever kind of file it came from."""
    writer = Writer()
    headers, dropped = mail.headers, list(mail.dropped)
    whole = Place(part=f"message <{headers.message_id}>") if headers.message_id else Place(part="headers")
    for line in _header_lines(headers, dropped):
        writer.add("field", [(line, whole)], tight=True)
    for body in mail.bodies:
        place = _place(headers, body.part)
        if _PGP in body.text:
            dropped.append(f"part {body.part}: text encrypted with PGP")
        if body.html:
            _write_html(writer, body, place, forward=is_forward(headers.subject))
        else:
            _write_plain(writer, body, place, forward=is_forward(headers.subject))
    names = [
        (f"Attachment: {one.name}", _place(headers, one.part)) for one in mail.attachments if not one.inline
    ]
    writer.add("paragraph", _lines(names))
    return writer.finish(
        source, type, title=headers.subject, meta=_meta(headers), losses=Losses(dropped=tuple(dropped))
    )


def _place(headers: Headers, part: int) -> Place:
    return Place(
        part=f"message <{headers.message_id}>, part {part}" if headers.message_id else f"part {part}"
    )


def _lines(parts: Sequence[Part]) -> list[Part]:
    """The parts, each on a line of its own."""
    return joined(([part] for part in parts), "\n")


def _header_lines(headers: Headers, dropped: list[str]) -> list[str]:
    named = (("From", headers.sender), ("To", headers.to), ("Cc", headers.cc))
    lines = [(name, _shown(name, found, dropped)) for name, found in named]
    lines += [("Date", headers.when), ("Subject", headers.subject)]
    return [f"{name}: {text}" for name, text in lines if text]


def _shown(name: str, found: Sequence[Address], dropped: list[str]) -> str:
    if len(found) > _MOST_NAMES:
        dropped.append(f"header {name}: {_MOST_NAMES} of {len(found):,} names are written out")
    return ", ".join(map(named, found[:_MOST_NAMES]))


def _meta(headers: Headers) -> dict[str, MetaValue]:
    """Author by name, `from`, `to` and `cc` by address, the day it was sent, and the message's id."""
    person, address = headers.sender[0] if headers.sender else ("", "")
    meta: dict[str, MetaValue] = {"author": person or address, "from": address.lower()}
    for name, found in (("to", headers.to), ("cc", headers.cc)):
        meta[name] = tuple(dict.fromkeys((one[1] or one[0]).lower() for one in found))
    if headers.sent:
        meta["date"] = headers.sent
    meta["message_id"] = headers.message_id
    return {name: value for name, value in meta.items() if value not in ("", ())}


def _write_plain(writer: Writer, body: Body, place: Place, *, forward: bool) -> None:
    segments = list(plain_segments(body.text))
    for history, text in _joined(segments, folded(segments, forward=forward)):
        encrypted = "encrypted with PGP" if text.lstrip().startswith(_PGP) else ""
        writer.add("paragraph", [(text, place)], left_out=HISTORY if history else encrypted)


def _joined(segments: Sequence[Segment], marks: Sequence[bool]) -> Iterator[tuple[bool, str]]:
    """Each segment with its mark; folded ones that follow each other are one."""
    held: list[str] = []
    for one, mark in zip(segments, marks, strict=True):
        if mark:
            held.append(one.text)
            continue
        if held:
            yield True, "\n".join(held)
            held = []
        yield False, one.text
    if held:
        yield True, "\n".join(held)


def _write_html(writer: Writer, body: Body, place: Place, *, forward: bool) -> None:
    """Writes the blocks of the page, and its tables with their headers."""
    from pincite.parse.html import parse_html

    page = parse_html(Source("", body.text.encode("utf-8", "replace"), ""))
    slices = [page.text[block.span.start : block.span.end] for block in page.blocks]
    marks = folded(
        [Segment(text, block.kind == "quote") for text, block in zip(slices, page.blocks, strict=True)],
        forward=forward,
    )
    written: dict[int, Span] = {}
    for block, text, history in zip(page.blocks, slices, marks, strict=True):
        span = writer.add(
            block.kind,
            [(text, place)],
            level=page.sections[block.section].level if block.kind == "heading" else 0,
            header=block.header,
            header_span=_header_span(block, page, written),
            left_out=HISTORY if history else "",
        )
        if span and block.kind == "table":
            written[block.span.start] = span


def _header_span(block: Block, page: Document, written: dict[int, Span]) -> Span | None:
    """Where a row's header stands in the text that is written, if all of it are header rows."""
    if not block.header_span:
        return None
    rows = [b.span for b in page.blocks if b.kind == "table" and block.header_span.holds(b.span)]
    if not rows or rows[0].start != block.header_span.start or rows[0].start not in written:
        return None
    start = written[rows[0].start].start
    return Span(start, start + len(block.header))
