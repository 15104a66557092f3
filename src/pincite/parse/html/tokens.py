"""HTML source to a stream of tags and stretches of text with their offsets, in linear time.

The standard library's parser is quadratic on unclosed tags and comments in the Python versions supported
here, so an untrusted page could hang it. This reader follows the HTML standard where text is concerned:
scripts and styles are raw, an unclosed comment runs to the end, `<` before anything but a tag is text.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field

_NAME = re.compile(r"[A-Za-z][^\s/>]*")
_ATTRIBUTE = re.compile(r"""[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""")
_TAG_END = re.compile(r"[\s/]*>")
_XML = re.compile(r"\s*<\?xml\s")
_COMMENT_END = re.compile(r"--!?>")
_DROPPED = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes"})
_RAW = _DROPPED | {"title", "textarea"}
_CLOSE = {name: re.compile(rf"</(?:[\w.-]{{1,40}}:)?{name}(?=[\s/>])", re.I) for name in _RAW}


@dataclass(frozen=True, slots=True)
class Tag:
    """A start or end tag; names are lower case, the first of equal attributes counts."""

    name: str
    at: int
    opens: bool
    attributes: Mapping[str, str] = field(default_factory=dict)
    closed: bool = False  # written as <name/>


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of source text between tags, entities not decoded."""

    start: int
    end: int


def read_tokens(source: str) -> Iterator[Tag | Text]:
    """Tags and text in the order of the source; comments, scripts, styles and declarations give nothing.

    CDATA sections are text in what says that it is XML.
    """
    at = start = 0  # start of the text not yet given out
    unclosed: set[str] = set()
    is_xml = _XML.match(source) is not None
    while (at := source.find("<", at)) != -1:
        if is_xml and source.startswith("<![CDATA[", at):
            yield from _text(start, at)
            end = source.find("]]>", at)
            yield from _text(at + 9, end if end != -1 else len(source))
            at = start = end + 3 if end != -1 else len(source)
            continue
        if source.startswith(("<!", "<?"), at):
            yield from _text(start, at)
            at = start = _after_declaration(source, at)
            continue
        closes = source.startswith("/", at + 1)
        name = _NAME.match(source, at + 1 + closes)
        if not name:
            at += 1
            continue
        yield from _text(start, at)
        tag, end = _tag(source, at, name, closes, prefixed=is_xml)
        if tag is None:  # a tag that is never closed: the rest is text, nothing is lost
            start = at
            break
        at = start = end
        if tag.opens and tag.name in _RAW:
            at = start = yield from _raw(source, tag, end, unclosed)
            continue
        yield tag
    yield from _text(start, len(source))


def _text(start: int, end: int) -> Iterator[Text]:
    if end > start:
        yield Text(start, end)


def _after_declaration(source: str, at: int) -> int:
    """Where a comment, doctype, CDATA section or processing instruction ends."""
    if source.startswith("<!--", at) and not source.startswith((">", "->"), at + 4):
        closing = _COMMENT_END.search(source, at + 4)
        return closing.end() if closing else len(source)
    end = source.find(">", at + 2)
    return len(source) if end == -1 else end + 1


def _tag(
    source: str, at: int, name: re.Match[str], closes: bool, *, prefixed: bool
) -> tuple[Tag | None, int]:
    """The tag at `at` and the offset behind it; None if the source ends inside the tag.

    Where names may be `prefixed`, as in XML, they count without their prefix.
    """
    attributes: dict[str, str] = {}
    here = name.end()
    while not (end := _TAG_END.match(source, here)):
        found = _ATTRIBUTE.match(source, here)
        if not found:
            return None, len(source)
        value = next((v for v in found.groups()[1:] if v is not None), "")
        attributes.setdefault(found.group(1).lower(), value)
        here = found.end()
    closed = source[end.end() - 2] == "/"
    shown = name.group().lower()
    shown = (shown.rpartition(":")[2] if prefixed else "") or shown
    return Tag(shown, at, not closes, attributes, closed), end.end()


def _raw(source: str, tag: Tag, start: int, unclosed: set[str]) -> Generator[Tag | Text, None, int]:
    """The content of an element that holds no tags; returns the offset to go on from.

    The end tag itself is read by the caller. Scripts and styles give nothing. `unclosed` gathers names
    that no end tag follows, so that none is looked for again. What is closed at once (`<script/>`, as in
    XHTML) is empty: where a browser takes it for open, nothing of the page could be seen.
    """
    if tag.name in unclosed or tag.closed:
        return start
    close = _CLOSE[tag.name].search(source, start)
    if not close and tag.name not in _DROPPED:  # never closed: its text is the page's
        unclosed.add(tag.name)
        return start
    end = close.start() if close else len(source)
    if tag.name not in _DROPPED:
        yield tag
        yield from _text(start, end)
    return end
