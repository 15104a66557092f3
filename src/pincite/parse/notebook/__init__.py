"""Jupyter notebooks (formats 2 to 4) to a `Document`: cells in order, the place of each is `cell 4`.

Markdown cells are read as Markdown files are; code and what it printed are kept as code. The outputs of a
cell are bounded, and what is cut is counted. Images, widgets and attachments are named as dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from pincite.errors import InputError
from pincite.parse.build import Piece, paragraph_spans
from pincite.parse.decode import decode
from pincite.parse.frontmatter import read_front_matter
from pincite.parse.markdown import read_blocks
from pincite.parse.notebook.outputs import Outputs, read_outputs
from pincite.parse.writer import Writer, plain_text
from pincite.protocols import Source
from pincite.types import Document, Losses, Meta, MetaValue, Place, Span

MAX_CELLS = 20_000

Json = Mapping[str, object]


def parse_notebook(source: Source) -> Document:
    """The document of a notebook. Raises `InputError` if it is no JSON or holds no cells."""
    book = _load(source)
    cells = _cells(book, source.uri)
    writer, outputs = Writer(), Outputs()
    meta = dict(_meta(book))
    for number, cell in enumerate(cells, 1):
        if number == 1 and (front := _front_matter(cell)):
            meta.update(front)
            writer.add("paragraph", [(joined_text(cell.get("source")), _place(1))], left_out="front matter")
        else:
            _write_cell(writer, cell, number, outputs)
    title = meta.pop("title", "")
    return writer.finish(
        source,
        "ipynb",
        title=title if isinstance(title, str) else "",
        meta=meta,
        losses=Losses(cut_text=outputs.cut, dropped=tuple(outputs.dropped)),
    )


def _load(source: Source) -> Json:
    text = decode(source.data, uri=source.uri).text
    try:
        book = json.loads(text)
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"{source.uri}: not a notebook: not valid JSON ({what})", uri=source.uri) from error
    if not isinstance(book, dict):
        raise InputError(f"{source.uri}: not a notebook: its JSON is no object with cells", uri=source.uri)
    return book


def _cells(book: Json, uri: str) -> list[Json]:
    """The cells: of the notebook (format 4), or of its worksheets (formats 2 and 3)."""
    given = book.get("cells")
    if not isinstance(given, list):
        sheets = book.get("worksheets")
        if not isinstance(sheets, list):
            message = f"{uri}: not a notebook of format 2, 3 or 4: it has neither cells nor worksheets"
            raise InputError(message, uri=uri, hint="Open it in Jupyter and save it again.")
        given = [cell for sheet in sheets for cell in _list(_mapping(sheet).get("cells"))]
    if len(given) > MAX_CELLS:
        raise InputError(f"{uri}: holds {len(given):,} cells; the limit is {MAX_CELLS:,}", uri=uri)
    return [_mapping(cell) for cell in given]


def _write_cell(writer: Writer, cell: Json, number: int, outputs: Outputs) -> None:
    text = joined_text(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "code":
        writer.add("code", [(text.strip("\n"), _place(number))])
        for output in read_outputs(_list(cell.get("outputs")), number, outputs):
            _write_output(writer, *output, number)
    elif kind == "markdown":
        _write_markdown(writer, text, number)
    elif kind == "heading":
        level = cell.get("level")
        depth = level if isinstance(level, int) and 1 <= level <= 6 else 1
        writer.add("heading", [(" ".join(text.split()), _place(number))], level=depth)
    else:
        for span in paragraph_spans(text):
            writer.add("paragraph", [(text[span.start : span.end], _place(number))])
    for name in sorted(map(str, _mapping(cell.get("attachments")))):
        outputs.dropped.append(f"cell {number}: the attachment {' '.join(plain_text(name).split())[:200]}")


def _write_markdown(writer: Writer, text: str, number: int) -> None:
    """Adds the blocks of a Markdown cell, with its markup."""
    text = plain_text(text)
    pieces, comments = read_blocks(text)
    left = {part.span: part.reason for part in comments}
    everything = [*pieces, *(Piece("paragraph", span) for span in left)]
    written: dict[int, Span] = {}
    for piece in sorted(everything, key=lambda one: one.span):
        span, heading, header = piece.span, piece.heading, piece.header_span
        added = writer.add(
            piece.kind,
            [(text[span.start : span.end], _place(number))],
            level=heading.level if heading else 0,
            title=heading.title if heading else "",
            header=piece.header,
            # with a caption apart from its table there is no one span in the text that is written
            header_span=written.get(header.start) if header and len(header) == len(piece.header) else None,
            left_out=left.get(span, ""),
        )
        if added and piece.kind == "table":
            written[span.start] = added


def _write_output(writer: Writer, form: str, text: str, number: int) -> None:
    if form == "markdown":
        _write_markdown(writer, text, number)
    elif form == "html":
        from pincite.parse.html.parts import read_html, write_html

        write_html(writer, read_html(text), lambda offset, line: _place(number))
    else:
        writer.add("code", [(text.strip("\n"), _place(number))])


def _front_matter(cell: Json) -> Meta | None:
    """The metadata of a first raw cell that is front matter and nothing else."""
    if cell.get("cell_type") != "raw":
        return None
    text = joined_text(cell.get("source"))
    front = read_front_matter(text)
    return front.meta if front and front.state == "read" and not text[front.span.end :].strip() else None


def _meta(book: Json) -> Iterator[tuple[str, MetaValue]]:
    """Title, authors and the language of the code, where the notebook says them."""
    given = _mapping(book.get("metadata"))
    title = given.get("title") or given.get("name")
    if isinstance(title, str) and title.strip():
        yield "title", title.strip()
    authors = [
        author.get("name") if isinstance(author, dict) else author for author in _list(given.get("authors"))
    ]
    names = tuple(plain_text(name).strip() for name in authors if isinstance(name, str) and name.strip())
    if names:
        yield "author", names if len(names) > 1 else names[0]
    language = _mapping(given.get("language_info")).get("name") or _mapping(given.get("kernelspec")).get(
        "language"
    )
    if isinstance(language, str) and language.strip():
        yield "code_language", language.strip().lower()[:80]


def joined_text(value: object) -> str:
    """The text of a field that is a string or a list of lines."""
    if isinstance(value, str):
        return value
    return "".join(part for part in _list(value) if isinstance(part, str))


def _place(number: int) -> Place:
    return Place(part=f"cell {number}")


def _mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
