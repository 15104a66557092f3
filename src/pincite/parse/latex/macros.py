"""The macros a LaTeX file defines, expanded within bounds; what was passed to one keeps its own lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.parse.latex.tokens import Token, pairs, raw

MAX_EXPANSIONS = 100_000
MAX_TOKENS = 1_000_000  # of all expansions of a file together; ten characters of mathematics count as one
_MAX_DEPTH = 100  # of the text that is read and not yet finished
_MAX_OPTION = 200  # tokens looked through for the end of an option
_DEFINING = frozenset(
    ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "def", "gdef", "edef")
)
_PARAM = re.compile(r"#([1-9])")


@dataclass(slots=True)
class Frame:
    """A stretch of tokens that is being read, from `at` on; `done` is called behind its last."""

    tokens: Sequence[Token]
    partners: Sequence[int]
    at: int
    end: int
    done: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class _Macro:
    count: int
    default: Sequence[Token] | None
    body: Sequence[Token]

    @property
    def has_math(self) -> bool:
        """Whether arguments may stand in its mathematics."""
        return any(token.kind in ("math", "display") for token in self.body)


class Tokens:
    """The tokens still to be read: those of the file, and before them those of macros that are expanded."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._frames = [Frame(tokens, pairs(tokens), 0, len(tokens))]
        self._macros: dict[str, _Macro] = {}
        self._expansions = self._made = 0
        self.refused: dict[str, int] = {}  # macros that were not expanded, with the line of the first

    def next(self) -> Token | None:
        """The next token; None at the end. What waits for the end of a stretch is called on the way."""
        while self._frames:
            frame = self._frames[-1]
            if frame.at < frame.end:
                frame.at += 1
                return frame.tokens[frame.at - 1]
            self._frames.pop()
            if frame.done:
                frame.done()
        return None

    def peek(self) -> Token | None:
        """The next token of the stretch being read, which is not taken."""
        frame = self._frames[-1] if self._frames else None
        return frame.tokens[frame.at] if frame and frame.at < frame.end else None

    def skip_space(self) -> None:
        """Passes white space, but no end of a paragraph."""
        while (token := self.peek()) and token.kind == "space":
            self._frames[-1].at += 1

    def group(self) -> Frame | None:
        """What the braces that come next hold, now passed; None if none come, or they are not closed."""
        start = self._frames[-1].at if self._frames else 0
        self.skip_space()
        token = self.peek()
        if token is None or token.kind != "open":
            if self._frames:
                self._frames[-1].at = start
            return None
        frame = self._frames[-1]
        close = frame.partners[frame.at]
        if close == -1 or close >= frame.end:
            frame.at = start
            return None
        inner = Frame(frame.tokens, frame.partners, frame.at + 1, close)
        frame.at = close + 1
        return inner

    def option(self) -> Frame | None:
        """What the square brackets that come next hold, now passed; None if none come."""
        token = self.peek()
        if token is None or token.kind != "[":
            return None
        frame = self._frames[-1]
        at = frame.at + 1
        limit = min(frame.end, at + _MAX_OPTION)
        while at < limit and frame.tokens[at].kind not in ("]", "par"):
            close = frame.partners[at]
            at = close + 1 if close != -1 else at + 1
        if at >= limit or frame.tokens[at].kind == "par":
            return None
        inner = Frame(frame.tokens, frame.partners, frame.at + 1, at)
        frame.at = at + 1
        return inner

    def look_option(self) -> str | None:
        """The source in the square brackets that come next, which are not passed."""
        frame = self._frames[-1] if self._frames else None
        at = frame.at if frame else 0
        inner = self.option()
        if frame:
            frame.at = at
        return raw(inner.tokens[inner.at : inner.end]) if inner else None

    def read_first(self, inner: Frame, done: Callable[[], None] | None = None) -> None:
        """Puts a stretch before all others; `done` is called when it was read."""
        inner.done = done
        self._frames.append(inner)

    # ── macros ────────────────────────────────────────────────────────────────────────────────
    def define(self, name: str) -> bool:
        """Takes the definition that follows a defining command; False if `name` is none."""
        name = name.removesuffix("*")
        if name not in _DEFINING:
            return False
        named = self._defined_name()
        count, default = 0, None
        if name.endswith("def"):
            while (token := self.peek()) and token.kind not in ("open", "par"):
                count += token.kind == "param"
                self._frames[-1].at += 1
        elif (option := self.option()) is not None:
            digits = raw(option.tokens[option.at : option.end]).strip()
            count = int(digits) if digits.isdecimal() and len(digits) == 1 else 0
            if (given := self.option()) is not None:
                default = given.tokens[given.at : given.end]
        body = self.group()
        if named and body:
            self._macros[named] = _Macro(count, default, body.tokens[body.at : body.end])
        return True

    def _defined_name(self) -> str:
        """The name being defined, in braces or bare."""
        if inner := self.group():
            found = [token.text for token in inner.tokens[inner.at : inner.end] if token.kind == "command"]
            return found[0] if len(found) == 1 else ""
        token = self.peek()
        if token is None or token.kind != "command":
            return ""
        self._frames[-1].at += 1
        return token.text

    def knows(self, name: str) -> bool:
        """Whether the file has defined this command so far."""
        return name in self._macros

    def expand(self, call: Token) -> None:
        """Puts what a macro stands for before the tokens that follow it."""
        macro = self._macros[call.text]
        if self._expansions >= MAX_EXPANSIONS or self._made >= MAX_TOKENS or len(self._frames) > _MAX_DEPTH:
            self.refused.setdefault(call.text, call.line)  # its arguments are read as text
            return
        given = self._arguments(macro)
        self._expansions += 1
        made = self._made_of(macro, given, call.line)
        if self._made >= MAX_TOKENS:
            self.refused.setdefault(call.text, call.line)
            made = [token for argument in given for token in argument]
        self._frames.append(Frame(made, pairs(made), 0, len(made)))

    def _made_of(self, macro: _Macro, given: list[Sequence[Token]], line: int) -> list[Token]:
        """The tokens of a macro with its arguments in their places, as far as the limit on all allows."""
        made: list[Token] = []
        sources = [raw(argument) for argument in given] if macro.has_math else []
        for token in macro.body:
            if self._made >= MAX_TOKENS:
                break
            if token.kind == "param":
                number = int(token.text[1])
                argument = given[number - 1] if number <= len(given) else ()
                made.extend(argument)
                self._made += len(argument)
            elif token.kind in ("math", "display"):
                self._made += 1 + _filled_length(token.text, sources) // 10
                if self._made < MAX_TOKENS:
                    made.append(Token(token.kind, _filled(token.text, sources), line))
            else:
                made.append(Token(token.kind, token.text, line))
                self._made += 1
        return made

    def _arguments(self, macro: _Macro) -> list[Sequence[Token]]:
        given: list[Sequence[Token]] = []
        if macro.default is not None and macro.count:
            option = self.option()
            given.append(option.tokens[option.at : option.end] if option else macro.default)
        while len(given) < macro.count:
            if inner := self.group():
                given.append(inner.tokens[inner.at : inner.end])
                continue
            self.skip_space()
            token = self.peek()
            if token is None or token.kind in ("par", "close", "cell"):
                break
            self._frames[-1].at += 1
            given.append([token])
        return given


def _filled(text: str, sources: Sequence[str]) -> str:
    """The source of mathematics with the arguments of a macro, as `sources`, in their places."""
    return _PARAM.sub(lambda m: sources[int(m[1]) - 1] if int(m[1]) <= len(sources) else "", text)


def _filled_length(text: str, sources: Sequence[str]) -> int:
    """How many characters `_filled` gives at most."""
    named = (int(found[1]) for found in _PARAM.finditer(text))
    return len(text) + sum(len(sources[n - 1]) for n in named if n <= len(sources))
