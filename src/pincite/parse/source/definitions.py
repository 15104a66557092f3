"""Source code → its classes and functions, with a tree-sitter grammar.

The grammars are tolerant of errors: a file that does not compile still gives the definitions it has.
Nodes are walked with a stack, so depth of nesting is no limit, and each is seen once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pincite.parse.source.languages import LEADING, Grammar, load_language
from pincite.types import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MAX_DEPTH = 16  # a container nested deeper than this is kept whole
MAX_NAME = 120  # characters of one name
MAX_SIGNATURE = 400  # characters
MAX_READS = 64  # times the parser may read the whole text
READ = 4_096  # bytes read at once
_RECEIVER = re.compile(r"([^\W\d]\w*)(?:\[[^\]]*\])?\s*\)$")
_WRAPPED_IN = ("declaration", "definition", "value", "right", "type")


@dataclass(frozen=True, slots=True)
class Definition:
    """One class or function.

    `span` begins with the decorators and comments directly above, at the start of their line;
    `signature` is the text up to the body. `name` is qualified: `Gate.open`. `parent` is the index of
    the enclosing definition, −1 at the top; `level` is 1 there. A `container` may hold definitions.
    """

    name: str
    span: Span
    signature: Span
    container: bool
    level: int
    parent: int


@dataclass(frozen=True, slots=True)
class _Lead:
    """Comments and decorators that may belong to what comes next: first byte and last row."""

    start: int
    row: int


def find_definitions(text: str, grammar: Grammar) -> list[Definition]:
    """The definitions of `text`, in order, each before those it holds; none if it is too broken to parse."""
    data = text.encode("utf-8", "surrogatepass")
    tree = _parse(data, grammar)
    found = _walk(tree.root_node, data, grammar) if tree else []
    if len(data) == len(text):
        return found
    at = _character_offsets(data)
    return [replace(d, span=_mapped(d.span, at), signature=_mapped(d.signature, at)) for d in found]


def _parse(data: bytes, grammar: Grammar) -> Tree | None:
    """The syntax tree, or None when the parser reads the text too often, trying to recover from errors.

    A sound file is read once or twice. What is counted is bytes, not time, so the result is the same
    on every machine.
    """
    from tree_sitter import Parser

    left = MAX_READS * (len(data) + READ)

    def read(offset: int, _point: object) -> bytes:
        nonlocal left
        left -= READ
        return data[offset : offset + READ] if left > 0 else b""

    try:
        parser = Parser(load_language(grammar))
        tree = parser.parse(read, progress_callback=lambda _offset, _error: left <= 0)
    except ValueError:  # what an interrupted parse raises
        return None
    return tree if left > 0 else None


def _character_offsets(data: bytes) -> list[int]:
    """The number of characters before each byte offset 0..len(data) of UTF-8."""
    leading = (np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80
    counts: list[int] = np.cumsum(leading, dtype=np.int64).tolist()
    return [0, *counts]


def _mapped(span: Span, at: list[int]) -> Span:
    return Span(at[span.start], at[span.end])


def _walk(root: Node, data: bytes, grammar: Grammar) -> list[Definition]:
    found: list[Definition] = []
    lead: _Lead | None = None
    stack = [(root, -1)]
    while stack:
        node, parent = stack.pop()
        if node.type in LEADING:
            lead = _extend_lead(node, lead, data)
            continue
        chain = _unwrap(node, grammar)
        name = _qualified(chain, data, found, parent, grammar) if chain else ""
        inside = node if node.start_point.row < node.end_point.row else None
        if name:
            inner = chain[-1]
            found.append(_definition(chain, name, lead, data, found, parent, grammar))
            parent, lead = len(found) - 1, None
            inside = inner if inside and found[-1].container else None
        children = inside.named_children if inside else []
        if not children:
            lead = None
        stack.extend((child, parent) for child in reversed(children))
    return found


def _extend_lead(node: Node, lead: _Lead | None, data: bytes) -> _Lead | None:
    """The lead with one more comment; it starts anew after a blank line, and only on its own line."""
    start, row = _line_start(data, node.start_byte), _last_row(node)
    if lead and node.start_point.row - lead.row <= 1:
        return _Lead(lead.start, row)
    own_line = start == 0 or data[start - 1] == 0x0A
    return _Lead(start, row) if own_line else None


def _last_row(node: Node) -> int:
    """The row of the node's last character; some comment nodes hold their line break."""
    return node.end_point.row - (node.end_point.column == 0 and node.end_byte > node.start_byte)


def _line_start(data: bytes, at: int) -> int:
    """The start of the line if only white space stands before `at`, else `at`."""
    start = at
    while start > 0 and data[start - 1] in b" \t\f":
        start -= 1
    return start if start == 0 or data[start - 1] == 0x0A else at


def _unwrap(node: Node, grammar: Grammar) -> list[Node]:
    """The node and the nodes inside it down to the definition itself; empty if it is none."""
    chain = [node]
    while node.type in grammar.wrappers and len(chain) < 8:
        inner = _wrapped(node)
        if inner is None:
            return []
        node = inner
        chain.append(node)
    kinds = grammar.functions | grammar.containers
    if node.type not in kinds and not (len(chain) > 1 and node.type in grammar.values):
        return []
    if node.type in grammar.bodied and node.child_by_field_name("body") is None:
        return []
    return chain


def _wrapped(node: Node) -> Node | None:
    """What a wrapper stands around: the field that holds it, or its only child but for decorators."""
    for field in _WRAPPED_IN:
        child = node.child_by_field_name(field)
        if child is not None:
            return child
    children = [child for child in node.named_children[:64] if child.type not in LEADING]
    if node.type == "template_declaration":
        return children[-1] if children else None
    return children[0] if len(children) == 1 else None


def _qualified(chain: list[Node], data: bytes, found: list[Definition], parent: int, grammar: Grammar) -> str:
    """The definition's name behind those it stands in; "" if it has none."""
    name = next(filter(None, (_own_name(node, data) for node in reversed(chain))), "")
    if not name or parent < 0:
        return name
    return f"{found[parent].name}{grammar.separator}{name}"


def _own_name(node: Node, data: bytes) -> str:
    field = "type" if node.type == "impl_item" else "name"
    named = node.child_by_field_name(field) or node.child_by_field_name("left") or _declared(node)
    if named is not None and named.type == "generic_type":
        named = named.child_by_field_name("type") or named
    name = _text(named, data)
    receiver = _RECEIVER.search(_text(node.child_by_field_name("receiver"), data))
    return f"{receiver.group(1)}.{name}" if receiver and node.type == "method_declaration" else name


def _declared(node: Node) -> Node | None:
    """The name inside a C declarator such as `*(*open)(int)`."""
    inner = node.child_by_field_name("declarator")
    for _ in range(16):
        if inner is None or not inner.type.endswith("declarator"):
            return inner
        last = inner.named_children[-1] if inner.named_child_count else None
        inner = inner.child_by_field_name("declarator") or last
    return inner


def _text(node: Node | None, data: bytes) -> str:
    """The node's text on one line, at most `MAX_NAME` characters."""
    if node is None:
        return ""
    text = data[node.start_byte : min(node.end_byte, node.start_byte + 4 * MAX_NAME)]
    return " ".join(text.decode("utf-8", "ignore").split())[:MAX_NAME]


def _definition(
    chain: list[Node],
    name: str,
    lead: _Lead | None,
    data: bytes,
    found: list[Definition],
    parent: int,
    grammar: Grammar,
) -> Definition:
    outer, inner = chain[0], chain[-1]
    start = _line_start(data, outer.start_byte)
    if lead and outer.start_point.row - lead.row <= 1:
        start = min(start, lead.start)
    level = found[parent].level + 1 if parent >= 0 else 1
    container = inner.type in grammar.containers or inner.type == "class"
    signature = _signature(chain, data)
    return Definition(
        name, Span(start, outer.end_byte), signature, container and level <= MAX_DEPTH, level, parent
    )


def _signature(chain: list[Node], data: bytes) -> Span:
    """From the first word that is no decorator up to the body, without the brace that opens it."""
    start = _first(chain[0])
    for inner in chain[1:]:
        start = _first(inner) if start == inner else start
    end = _before_body(chain[-1])
    if end is None:
        line = data.find(b"\n", start.start_byte, chain[0].end_byte)
        end = line if line != -1 else chain[0].end_byte
    text = data[start.start_byte : max(end, start.start_byte)][: MAX_SIGNATURE * 4].rstrip()
    kept = text.decode("utf-8", "ignore")[:MAX_SIGNATURE].rstrip().encode("utf-8", "surrogatepass")
    return Span(start.start_byte, start.start_byte + len(kept))


def _first(node: Node) -> Node:
    """The first child that is no decorator, comment or attribute; the node itself if it has none."""
    return next((child for child in node.children[:64] if child.type not in LEADING), node)


def _before_body(node: Node) -> int | None:
    """Where the text before the body ends, comments between them left aside; None without a body."""
    body = node.child_by_field_name("body")
    if body is None:
        return None
    end = body.start_byte
    for child in node.children:
        if child.start_byte >= body.start_byte:
            return end
        if child.type not in LEADING:
            end = child.end_byte
    return end
