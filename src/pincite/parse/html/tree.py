"""A page as a flat tree: what main content is chosen from, with sums over what is still kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pincite.parse.html.blocks import clean
from pincite.parse.html.nesting import BLOCKS, SKIPPED, VOID, End, Event, names
from pincite.parse.html.tokens import Tag, Text
from pincite.parse.html.walk import is_hidden

RUN = "#run"  # phrases side by side among blocks, which make a paragraph though no element says so
TEXT = "#text"
_COMMAS = ",،﹐︐、，;"


@dataclass(slots=True)
class Node:
    """An element, a text or a run of phrases.

    `parent` and `end` are indexes in the list of all nodes, which is in the order of the page: a node's
    subtree are the nodes from it up to `end`. `at` is the offset of its tag or text. A run is `clear` if a
    block stands in it after all.
    """

    name: str
    at: int
    parent: int
    attributes: dict[str, str] = field(default_factory=dict)
    end: int = 0
    length: int = 0
    commas: int = 0
    clear: bool = False

    @property
    def label(self) -> str:
        """The class and id, lower case: the words by which authors name a part of a page."""
        return f"{self.attributes.get('class', '')} {self.attributes.get('id', '')}".lower()


def grow(source: str, events: Iterable[Event]) -> list[Node]:
    """All nodes of a page that a reader may see, the root first."""
    tree = _Tree(source)
    for event in events:
        if isinstance(event, Tag):
            tree.start(event)
        elif isinstance(event, Text):
            tree.text(event)
        elif not event.stray:
            tree.finish(event)
    return tree.close()


class _Tree:
    def __init__(self, source: str) -> None:
        self.source = source
        self.nodes = [Node("#page", 0, -1)]
        self.stack = [0]
        self.unseen = 0  # open elements inside one that is hidden, that one included
        self.breaks = 0  # line breaks since the last text

    def start(self, tag: Tag) -> None:
        if self.unseen:
            self.unseen += tag.name not in VOID
        elif tag.name not in VOID and (tag.name in SKIPPED or tag.name == "title" or is_hidden(tag)):
            self.unseen = 1
        elif tag.name == "br":
            self._break()
        else:
            self._place(tag.name)
            self._add(Node(tag.name, tag.at, self.stack[-1], dict(tag.attributes)))
            if tag.name in VOID:
                self._pop()

    def _place(self, name: str) -> None:
        """Opens a run of phrases, or ends the one that is open, as what comes next asks."""
        if name not in BLOCKS:
            within = self.nodes[self.stack[-1]].name
            if within in ("div", "#page") or (self.breaks > 1 and within in BLOCKS and within != "p"):
                self._add(Node(RUN, -1, self.stack[-1]))
            self.breaks = 0
            return
        self.breaks = 0
        if self.nodes[self.stack[-1]].name == RUN:
            self._pop()
        for i in self.stack[:-4:-1]:  # a block inside a phrase: the run is none
            self.nodes[i].clear |= self.nodes[i].name == RUN

    def _break(self) -> None:
        self.breaks += 1
        if self.breaks > 1 and self.nodes[self.stack[-1]].name == RUN:
            self._pop()

    def text(self, token: Text) -> None:
        if self.unseen:
            return
        words = clean(self.source[token.start : token.end]).split()
        if words:
            self._place(TEXT)
            text = " ".join(words)
            node = Node(TEXT, token.start, self.stack[-1], length=len(text) + 1)
            node.commas = sum(text.count(comma) for comma in _COMMAS)
            self._add(node)
            self._pop()

    def finish(self, event: End) -> None:
        if self.unseen:
            self.unseen -= 1
            return
        if self.nodes[self.stack[-1]].name == RUN:
            self._pop()
        self._pop()

    def _add(self, node: Node) -> None:
        self.stack.append(len(self.nodes))
        self.nodes.append(node)

    def _pop(self) -> None:
        self.nodes[self.stack.pop()].end = len(self.nodes)

    def close(self) -> list[Node]:
        while self.stack:
            self._pop()
        return self.nodes


class Page:
    """The nodes, which of them are kept, and sums over the kept ones of each subtree.

    A node that is `clear` says nothing of its own: what it holds counts as its parent's.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.kept = bytearray(b"\1") * len(nodes)
        self.clear = bytearray(node.name == RUN and node.clear for node in nodes)

    def drop(self, i: int) -> None:
        """Takes a node out, with all that it holds."""
        self.kept[i : self.nodes[i].end] = bytes(self.nodes[i].end - i)

    def keep_only(self, roots: Iterable[int]) -> None:
        """Takes out all that is not in the subtrees of `roots`."""
        kept = bytearray(len(self.nodes))
        for i in roots:
            kept[i : self.nodes[i].end] = self.kept[i : self.nodes[i].end]
        self.kept = kept

    def parents(self) -> list[int]:
        """The parent of each node, clear ones passed over; −1 for the root."""
        above = [-1] * len(self.nodes)
        for i, node in enumerate(self.nodes[1:], 1):
            above[i] = above[node.parent] if self.clear[node.parent] else node.parent
        return above

    def sums(self) -> list[Sums]:
        """What each kept subtree holds."""
        sums = [Sums() for _ in self.nodes]
        for i in range(len(self.nodes) - 1, 0, -1):
            if self.kept[i]:
                sums[i].close(self.nodes[i], clear=bool(self.clear[i]))
                sums[self.nodes[i].parent].add(sums[i])
        return sums

    def __iter__(self) -> Iterator[tuple[int, Node]]:
        return ((i, node) for i, node in enumerate(self.nodes) if self.kept[i])

    @property
    def length(self) -> int:
        """Characters of text that are kept."""
        return sum(node.length for _, node in self)


_HEADED = names("h1 h2 h3 h4 h5 h6")
_DENSE = names("span li td blockquote dl div ol p pre table ul") | {RUN}
_COUNTED = {
    "p": "p",
    RUN: "p",
    "img": "img",
    "li": "li",
    "input": "input",
    "iframe": "embed",
    "embed": "embed",
}


class Sums:
    """Characters and elements of a subtree.

    `length` counts characters of text, `links` those in links (a link within the page counts a third),
    `headed`, `dense` and `listed` those in headings, in blocks or spans, and in lists.
    """

    __slots__ = ("commas", "dense", "embed", "headed", "img", "input", "length", "li", "links", "listed", "p")

    def __init__(self) -> None:
        self.length = self.commas = self.p = self.img = self.li = self.input = self.embed = 0
        self.links = self.headed = self.dense = self.listed = 0.0

    @property
    def link_density(self) -> float:
        """The share of the text that stands in links."""
        return self.links / self.length if self.length else 0.0

    def add(self, other: Sums) -> None:
        """Takes in what a child holds."""
        self.length += other.length
        self.commas += other.commas
        self.links += other.links
        self.headed += other.headed
        self.dense += other.dense
        self.listed += other.listed
        self.p += other.p
        self.img += other.img
        self.li += other.li
        self.input += other.input
        self.embed += other.embed

    def close(self, node: Node, *, clear: bool) -> None:
        """Takes in what the node itself is, when all its children are added."""
        name = node.name
        if name == TEXT:
            self.length, self.commas = node.length, node.commas
        elif name == "a":
            within = node.attributes.get("href", "").lstrip()[:1] == "#"
            self.links = self.length * (0.3 if within else 1.0)
        elif name in _HEADED:
            self.headed = self.length
        elif name in ("ul", "ol"):
            self.listed = self.length
        if name in _DENSE and not clear:
            self.dense = self.length
        if (counted := _COUNTED.get(name)) and not clear:
            setattr(self, counted, getattr(self, counted) + 1)
