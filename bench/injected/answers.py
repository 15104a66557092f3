"""Faults of a model that writes answers; and no fault at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from injected.cases import fault
from injected.corpora import Corpus, K, Passing
from pincite.answer.prompt import INSUFFICIENT
from pincite.chunk.sentences import sentence_spans
from pincite.config import SearchConfig
from pincite.types import Context, Evidence, Finding, Span

_OFF_TOPIC = "Gardeners in the valley grow tall sunflowers beside the old stone wall."


# ── answers ───────────────────────────────────────────────────────────────────────────────────
@dataclass
class Says:
    """A model that writes what it is told to write about a context."""

    write: Callable[[Context], str]
    name: str = "fake"

    def generate(self, question: str, context: Context) -> str:
        return self.write(context)


def _in_passage(context: Context, one: Passing) -> tuple[Evidence, Span] | None:
    """The passage with the evidence, and the sentence of it that says it."""
    for passage in context.evidence:
        if passage.doc_id != one.gold.doc_id or not passage.span.overlap(one.span):
            continue
        start = passage.span.start
        spans = [
            Span(s.start + start, s.end + start) for s in sentence_spans(passage.text, 0, len(passage.text))
        ]
        told = [s for s in spans if 2 * s.overlap(one.span) >= min(len(s), len(one.span))]
        prose = [s for s in told if _plain(passage, s)]
        if prose:
            return passage, max(prose, key=lambda s: (_has_figure(_words(passage, s)), s.overlap(one.span)))
    return None


def _plain(passage: Evidence, span: Span) -> bool:
    """Whether a sentence is prose: no heading, no row of a table."""
    words = _words(passage, span)
    heading = any(one.overlap(span) for one in passage.headings)
    return not heading and len(words) >= 8 and not re.search(r"[|`{}\[\]\n]", words)


def _words(passage: Evidence, span: Span) -> str:
    return passage.text[span.start - passage.span.start : span.end - passage.span.start]


def _has_figure(words: str) -> bool:
    return bool(re.search(r"[0-9]", words))


def _other_figures(words: str) -> str:
    """The words with every figure another one, that stands in no text."""
    return re.sub(r"[0-9]+(?:[.,][0-9]+)*", lambda found: f"7{len(found[0])}953", words)


def _reworded(words: str, evidence: str) -> str:
    """One sentence: the words' halves swapped, each fourth left out but for those of a short evidence."""
    words = re.sub(r"[.!?](?=\s|$)|[。！？]", "", words)
    spaced = " " in words.strip()
    parts = words.split() if spaced else list(words)
    kept = [part for n, part in enumerate(parts) if n % 4 or (part in evidence and len(evidence) < 60)]
    if len(evidence) < 60:
        return (" " if spaced else "").join(kept)
    half = len(kept) // 2
    return (" " if spaced else "").join((*kept[half:], *kept[:half]))


Writer = Callable[[Context, Passing], str | None]


def _answered(
    corpus: Corpus, n: int, name: str, write: Writer, fits: Callable[[Passing], bool] = lambda one: True
) -> Iterator[Finding]:
    """Questions answered by a model that does as `write` says; those it can do nothing with are left out."""
    found = 0
    with corpus.copy() as copy:
        lab = copy.lab()
        for one in corpus.pick(len(corpus.passing), name, fits, distinct=False):
            if found == n:
                break
            text = write(lab.run(one.question).context, one)
            if text is not None:
                found += 1
                yield copy.why(one.question, generator=Says(lambda context, text=text: text))  # type: ignore[misc]


def _from_elsewhere(context: Context, one: Passing) -> tuple[Evidence, str] | None:
    """A sentence of a passage from another file that does not hold the evidence's words."""
    for passage in context.evidence:
        if passage.doc_id == one.gold.doc_id:
            continue
        for span in sentence_spans(passage.text, 0, len(passage.text)):
            placed = Span(span.start + passage.span.start, span.end + passage.span.start)
            words = _words(passage, placed)
            if _plain(passage, placed) and not _holds(words, one.words):
                return passage, words
    return None


def _holds(words: str, evidence: str) -> bool:
    """Whether words say all of a short evidence, or a sentence of a long one."""
    said = {evidence, *(evidence[s.start : s.end] for s in sentence_spans(evidence, 0, len(evidence)))}
    return any(part.casefold() in words.casefold() or words.casefold() in part.casefold() for part in said)


@fault("not-used", "an answer from another passage")
def ignores_evidence(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _from_elsewhere(context, one)
        return f"{found[1]} [{found[0].marker}]" if found else None

    return _answered(corpus, n, "ignores", write)


@fault("not-used", "an answer from nowhere")
def ignores_context(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _answered(corpus, n, "nowhere", lambda context, one: _OFF_TOPIC)


@fault("not-used", "another sentence of the same passage")
def another_sentence(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _in_passage(context, one)
        if not found or len(one.words) > 60:
            return None
        passage, told = found
        for span in sentence_spans(passage.text, 0, len(passage.text)):
            placed = Span(span.start + passage.span.start, span.end + passage.span.start)
            words = _words(passage, placed)
            if not placed.overlap(told) and _plain(passage, placed) and not _holds(words, one.words):
                return f"{words} [{passage.marker}]"
        return None

    return _answered(corpus, n, "another sentence", write)


@fault("contradicted", "every figure another")
def changes_figures(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _in_passage(context, one)
        if not found or not _has_figure(_words(*found)):
            return None
        return f"{_other_figures(_words(*found))} [{found[0].marker}]"

    return _answered(corpus, n, "figures", write)


@fault("contradicted", "every figure another, in other words")
def changes_figures_reworded(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _in_passage(context, one)
        if not found or not _has_figure(_words(*found)):
            return None
        said = _reworded(_words(*found), one.words)
        return f"{_other_figures(said)} [{found[0].marker}]" if _has_figure(said) else None

    return _answered(corpus, n, "figures reworded", write)


@fault("contradicted", "one figure added")
def adds_figure(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _in_passage(context, one)
        return f"{_words(*found).rstrip('.。 ')} (97531) [{found[0].marker}]." if found else None

    return _answered(corpus, n, "added", write)


@fault("citation-wrong", "another passage cited")
def cites_another(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found, other = _in_passage(context, one), _from_elsewhere(context, one)
        return f"{_words(*found)} [{other[0].marker}]" if found and other else None

    return _answered(corpus, n, "another", write)


@fault("citation-wrong", "another passage cited, in other words")
def cites_another_reworded(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found, other = _in_passage(context, one), _from_elsewhere(context, one)
        return f"{_reworded(_words(*found), one.words)} [{other[0].marker}]" if found and other else None

    return _answered(corpus, n, "another reworded", write)


@fault("citation-wrong", "nothing cited")
def cites_nothing(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _in_passage(context, one)
        return _words(*found) if found else None

    return _answered(corpus, n, "uncited", write)


@fault("should-not-have-abstained", "a model that gives up")
def gives_up(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _answered(corpus, n, "gives up", lambda context, one: f"{INSUFFICIENT}: nothing was found.")


@fault("should-have-abstained", "a model that always answers")
def always_answers(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context) -> str:
        passage = context.evidence[0]
        first = sentence_spans(passage.text, 0, len(passage.text))[0]
        return f"{passage.text[first.start : first.end]} [{passage.marker}]"

    with corpus.copy() as copy:
        for question in corpus.unanswerable[:n]:
            yield copy.why(question, generator=Says(write))


# ── no fault ──────────────────────────────────────────────────────────────────────────────────
@fault("found", "nothing broken")
def nothing(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "nothing", distinct=False):
            yield copy.why(one.question)


@fault("found", "nothing broken, answered from the evidence")
def answered_well(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _in_passage(context, one)
        return f"{_words(*found)} [{found[0].marker}]" if found else None

    return _answered(corpus, n, "well", write)


@fault("found", "nothing broken, answered in other words")
def answered_reworded(corpus: Corpus, n: int) -> Iterator[Finding]:
    def write(context: Context, one: Passing) -> str | None:
        found = _in_passage(context, one)
        return f"{_reworded(_words(*found), one.words)} [{found[0].marker}]" if found else None

    return _answered(corpus, n, "reworded", write)


@fault("found", "nothing broken, one leg")
def one_leg(corpus: Corpus, n: int) -> Iterator[Finding]:
    settings = SearchConfig(legs=("lexical",))
    with corpus.copy() as copy:
        picked = corpus.pick(2 * n, "one leg", distinct=False)
        passing = [one.question for one in picked if not copy.lost(one.question, K, settings)]
        yield from (copy.why(question, settings=settings) for question in passing[:n])


@fault("unknown", "no judgement")
def unjudged(corpus: Corpus, n: int) -> Iterator[Finding]:
    with corpus.copy() as copy:
        for one in corpus.pick(n, "unjudged", distinct=False):
            yield copy.why(replace(one.question, qrels=()))
