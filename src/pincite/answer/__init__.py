"""Context to `Answer`: sentences quoted from the evidence, or a model's text with checked citations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pincite.answer import marks
from pincite.answer.abstain import searched, weak
from pincite.answer.claims import claims
from pincite.answer.extract import CLEARLY_WORSE, Quote, extract
from pincite.answer.generate import claims_from
from pincite.answer.inert import inert
from pincite.answer.prompt import INSUFFICIENT
from pincite.answer.scores import MOST_EMBEDDED, Embed, Terms, telling
from pincite.answer.thinking import answer_of
from pincite.lexicon import whole
from pincite.protocols import Generator
from pincite.trace import Recorder
from pincite.types import Answer, Claim, Context, SearchResult, Trace

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

__all__ = ["answer"]


def answer(
    question: str,
    result: SearchResult,
    context: Context,
    *,
    generator: Generator | None,
    reopen: Reopen,
    embed: Embed | None,
    terms: Terms,
) -> Answer:
    """The answer to `question` from `context` alone, every claim cited, or an abstention with its reason.

    Without a generator, or without evidence, the claims are quotes; else they are the generator's
    sentences. An abstention has no text. When no claim is found in its file any more, because the files
    have changed, that is an abstention too. `reason` of an answer that stands lists what is wrong with it
    (claims that are not verified, numbers that point nowhere, figures without support), or is "". The
    trace is the search's, then this stage's. Raises what the generator raises.
    """
    recorder = Recorder(question)
    if generator is None or not context.evidence:
        reply = _extracted(question, result, context, reopen, embed, terms, recorder)
    else:
        reply = _generated(question, result, context, generator, reopen, terms, recorder)
    if not reply.abstained:
        _judge(reply, result)
    trace = Trace(result.trace.query, (*result.trace.steps, *recorder.trace().steps))
    text = "" if reply.abstained else reply.text
    return Answer(question, text, reply.claims, reply.abstained, reply.reason, context, result, trace)


@dataclass(slots=True)
class _Reply:
    """An answer in the making."""

    text: str = ""
    claims: tuple[Claim, ...] = ()
    abstained: bool = False
    reason: str = ""


def _extracted(
    question: str,
    result: SearchResult,
    context: Context,
    reopen: Reopen,
    embed: Embed | None,
    terms: Terms,
    recorder: Recorder,
) -> _Reply:
    """Quotes as claims, or an abstention when even the best is weak."""
    reply = _Reply()
    settings = {"dense": embed is not None, "clearly_worse": CLEARLY_WORSE, "most_embedded": MOST_EMBEDDED}
    with recorder.step("extract", **settings) as out:
        quotes = extract(question, context, embed=embed, terms=terms)
        out(_item(quote) for quote in quotes)
    reply.reason = weak(question, result, context, quotes, terms)
    reply.abstained = bool(reply.reason)
    if not reply.abstained:
        with recorder.step("cite") as out:
            reply.claims = claims(quotes, context, reopen, asked=_named_by(question, terms))
            out(_checked(reply.claims))
    reply.text = "\n".join(_cited(claim) for claim in reply.claims)
    return reply


def _named_by(question: str, terms: Terms) -> Callable[[str], bool]:
    """Whether a text shares a word with a question that asks for one thing; nothing does with another."""
    asked = set() if _two_things().search(question) else terms(telling(question))
    return lambda text: not asked.isdisjoint(terms(text.replace("_", " ")))


def _generated(
    question: str,
    result: SearchResult,
    context: Context,
    generator: Generator,
    reopen: Reopen,
    terms: Terms,
    recorder: Recorder,
) -> _Reply:
    """The generator's sentences as claims, or an abstention when it says the evidence does not do."""
    reply = _Reply()
    with recorder.step("generate", model=generator.name):
        raw = answer_of(generator.generate(question, context))
    with recorder.step("cite") as out:
        written = claims_from(raw, context, reopen, terms=terms)
        out([*_checked(written.claims), *({"problem": problem} for problem in written.problems)])
    missing = _missing(inert(raw).text)
    if missing is not None:
        reply.abstained = True
        reply.reason = f"{missing or 'The evidence does not answer the question.'} {searched(result)}"
        return reply
    reply.text, reply.claims = written.text, written.claims
    reply.reason = "; ".join(written.problems)
    if not reply.claims:
        reply.abstained = True
        said = f" ({reply.reason})" if reply.reason else ""
        reply.reason = f"The model's reply states nothing{said}. {searched(result)}"
    return reply


def _judge(reply: _Reply, result: SearchResult) -> None:
    """Notes the claims that their files do not bear out; an abstention if changed files bear out none."""
    cited = [claim for claim in reply.claims if claim.citations]
    open_claims = [claim for claim in cited if not any(one.verified or one.doubt for one in claim.citations)]
    differing = {one.uri: one.stale for claim in open_claims for one in claim.citations if one.stale}
    if open_claims == cited and differing:
        reply.abstained, reply.claims = True, ()
        reply.reason = f"{_how_they_differ(differing)} {searched(result)}"
        return
    notes = [_unverified(claim) for claim in open_claims if any(one.stale for one in claim.citations)]
    reply.reason = "; ".join(filter(None, (reply.reason, *notes)))


def _how_they_differ(stales: Mapping[str, str | None]) -> str:
    """Which files no longer hold what was found, and of which nobody can tell: a sync helps the former."""
    differing = [f"{uri} ({stale})" for uri, stale in stales.items() if stale != "unreadable"]
    unreadable = [uri for uri, stale in stales.items() if stale == "unreadable"]
    said = []
    if differing:
        files = ", ".join(differing)
        said.append(f"What was found no longer stands in the files, which differ from the index: {files}.")
        said.append("Run: pincite sync.")
    if unreadable:
        said.append(f"What was found cannot be checked: {', '.join(unreadable)} cannot be read now.")
    return " ".join(said)


def _unverified(claim: Claim) -> str:
    """Which claim is not verified, and which files differ or cannot be read."""
    stales = {one.uri: one.stale for one in claim.citations if one.stale}
    if set(stales.values()) == {"unreadable"}:
        return f"not verified: {', '.join(stales)} cannot be read now, which held: {claim.text}"
    files = ", ".join(f"{uri} ({stale})" for uri, stale in stales.items())
    return f"not verified, run pincite sync: {files} no longer holds: {claim.text}"


def _missing(text: str) -> str | None:
    """What a model says is missing when it declines to answer; None when it answers."""
    start = text.lstrip(" \t\n*_#\"'")
    if not start.upper().startswith(INSUFFICIENT):
        return None
    return start[len(INSUFFICIENT) :].lstrip(" \t\n*_:.—–-\"'").rstrip(" \t\n*_\"'")


def _cited(claim: Claim) -> str:
    """The claim with the markers of its citations, and what is doubtful about them."""
    numbers = dict.fromkeys(citation.marker for citation in claim.citations)
    shown = (marks.cited(n, (one for one in claim.citations if one.marker == n)) for n in numbers)
    between = "\n" if claim.text.endswith(("```", "~~~")) else " "
    return f"{claim.text}{between}{''.join(shown)}".rstrip()


def _item(quote: Quote) -> Mapping[str, object]:
    return {
        "marker": quote.marker,
        "span": (quote.span.start, quote.span.end),
        "score": quote.score,
        "lexical": quote.lexical,
        "dense": quote.dense,
        "missing": quote.missing,
    }


def _checked(found: Sequence[Claim]) -> list[Mapping[str, object]]:
    citations = (citation for claim in found for citation in claim.citations)
    return [{"location": c.location, "verified": c.verified, "stale": c.stale} for c in citations]


@cache
def _two_things() -> re.Pattern[str]:
    """What stands between two things that one question asks for."""
    return re.compile(whole("answers.joins"), re.I)
