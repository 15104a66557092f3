"""JSON written on a single line, as it is written for people: an entry a line, indented."""

from __future__ import annotations

import re
from itertools import chain, pairwise

SHORT = 100  # characters up to which a line is left as it is
_DEEPEST = 20  # levels that are indented
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^"{}\[\],:\s]+', re.DOTALL)


def is_one_line(text: str) -> bool:
    """Whether a text is a single line, and a long one."""
    bare = text.strip()
    return len(bare) > SHORT and "\n" not in bare and bare[0] in "{["


def indented(text: str) -> str:
    """Valid JSON with line breaks between the entries of objects, and of lists that hold more than numbers.

    Other white space between its signs is dropped but for one space behind colons and commas. In linear time.
    """
    out: list[str] = []
    broken: list[bool] = []  # of each list and object that is open, whether its entries stand on lines
    tokens = (found[0] for found in _TOKEN.finditer(text))
    for token, after in pairwise(chain(tokens, [""])):
        if token in "}]":
            out.append(_break(len(broken)) if broken.pop() else "")  # of the one around it
        out.append(token)
        if token in "{[":
            broken.append(after not in ("}", "]") and (token == "{" or after[:1] in ('"', "{", "[")))
            out.append(_break(len(broken)) if broken[-1] else "")
        elif token in ":,":
            out.append(_break(len(broken)) if token == "," and broken[-1] else " ")
        elif not broken and after:  # another value follows
            out.append("\n")
    return "".join(out)


def _break(depth: int) -> str:
    return "\n" + "  " * min(depth, _DEEPEST)
