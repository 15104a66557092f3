"""Plain text to a `Document`: paragraphs between blank lines, no headings; `text` is the file itself."""

from __future__ import annotations

from pincite.parse.build import make_document, paragraph_spans
from pincite.parse.decode import decode
from pincite.protocols import Source
from pincite.types import Block, Document


def parse_text(source: Source) -> Document:
    """The document of a text file, or of a chat if its lines are messages.

    Raises `InputError` if the bytes cannot be decoded.
    """
    from pincite.parse.chat import looks_like_chat, parse_chat

    decoded = decode(source.data, uri=source.uri)
    if looks_like_chat(decoded.text):
        return parse_chat(source)
    return make_document(
        source,
        text=decoded.text,
        type="text",
        encoding=decoded.encoding,
        blocks=[Block("paragraph", span) for span in paragraph_spans(decoded.text)],
    )
