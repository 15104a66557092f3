"""Records to text for people: results, and why. Places print as `path:line-line`, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from pincite.cli.snippet import SnippetLine, snippet
from pincite.cli.terminal import Terminal, one_line, visible
from pincite.folder.read import on_disk
from pincite.types import (
    Answer,
    Candidate,
    Evidence,
    Hit,
    Place,
    Searched,
    SearchHit,
    SearchResult,
    Step,
    Trace,
)

_MAX_SAID = 200  # characters of the answer that `explain` shows
STALE = {"changed": "file changed since", "gone": "file is gone", "unreadable": "file cannot be read now"}


def search_text(
    result: SearchResult,
    *,
    root: Path,
    term: Terminal,
    stemmers: tuple[str, ...],
    numbers: Mapping[int, Sequence[int | None]] = MappingProxyType({}),
) -> str:
    """Each hit with its place, heading, scores and the lines that match, then what was searched.

    `numbers` has, by rank, the line in the file of each line of a hit's text.
    """
    blocks = []
    for hit in result.hits:
        lines = snippet(hit, result.query, stemmers=stemmers, numbers=numbers.get(hit.rank))
        parts = [hit_line(hit, root=root, term=term), *(_snippet_line(line, term) for line in lines)]
        blocks.append("\n".join(parts))
    tail = searched_text(result.searched, result.dense_complete)
    if not result.hits:
        return f"Nothing found. {tail}"
    return "\n\n".join([*blocks, term.style(tail, "dim")])


def hit_line(hit: SearchHit, *, root: Path, term: Terminal, scores: bool = True) -> str:
    """`1  guide/manual.md:7-12  Battery › Replacing it  0.913  (lexical 1, dense 3)`."""
    score = f"{_score(hit.candidate):.3f} ({legs_text(hit.candidate)})" if scores else ""
    parts = [
        f"{hit.rank:>2}",
        place_link(hit.stored.place, hit.stored.uri, root=root, term=term),
        term.style(visible(" › ".join(hit.stored.chunk.heading)), "bold"),
        term.style(score, "dim"),
        term.style(STALE.get(hit.stale or "", hit.stale or ""), "yellow"),
        term.style(_also(hit.also_at), "dim"),
    ]
    return "  ".join(part for part in parts if part).replace("\n", " ")


def place_link(place: Place, uri: str, *, root: Path, term: Terminal) -> str:
    """The location, as a link where the terminal allows; and what else tells the place in its program."""
    text = term.style(one_line(place.location(uri)), "cyan")
    path = on_disk(root.absolute(), uri) if term.rich else root
    link = term.link(text, path, place.line_start)
    return " ".join([link, *(term.style(f"({visible(more)})", "dim") for more in _beside(place))])


def _beside(place: Place) -> Iterator[str]:
    """The time of a cue or the part a line is of; the label printed on a page, the last of several pages."""
    if place.line_start is not None:
        yield from (one_line(part) for part in (place.part,) if part)
    elif place.page is not None:
        if place.page_label and place.page_label != str(place.page):
            yield f"p. {one_line(place.page_label)}"
        if place.page_end and place.page_end != place.page:
            yield f"to page {place.page_end}"


def legs_text(candidate: Candidate) -> str:
    """`exact, lexical 1, dense 3`: the rank in each leg's pool."""
    legs = [("lexical", candidate.lexical), ("dense", candidate.dense)]
    words = ["exact"] if candidate.exact else []
    return ", ".join(words + [f"{name} {hit.rank if hit else '–'}" for name, hit in legs])


def searched_text(searched: Searched, dense_complete: float) -> str:
    """What was searched: chunks, filter, model, and how complete the dense index is."""
    about = [f"filter: {searched.filter}"] if searched.filter else []
    about += [f"model: {searched.model}"] if searched.model else []
    text = f"Searched {searched.chunks:,} chunks" + (f" ({visible('; '.join(about))})" if about else "")
    return text + ("." if dense_complete >= 1 else f"; {percent(dense_complete)} have their vector so far.")


def percent(share: float) -> str:
    """`75 %`; only what is complete is 100 %, only what is empty is 0 %."""
    whole = int(100 * share) if share > 0.5 else -int(-100 * share // 1)
    return f"{whole} %"


# ── explain ───────────────────────────────────────────────────────────────────────────────────
def explain_text(answer: Answer, *, root: Path, term: Terminal) -> str:
    """What `ask` says, why each hit stands where it stands, what became of it, and what each stage took."""
    used = {chunk: e for e in reversed(answer.context.evidence) for chunk in e.hits}
    dropped = {d.chunk_id: d.reason for d in answer.context.left_out}
    hits = [
        f"{hit_line(hit, root=root, term=term, scores=False)}\n{_fate(hit, used, dropped)}"
        for hit in answer.search.hits
    ]
    ranked = {hit.candidate.chunk_id for hit in answer.search.hits}
    others = [
        f"    {d.chunk_id}: {visible(d.reason)}" for d in answer.context.left_out if d.chunk_id not in ranked
    ]
    parts = [
        _said(answer, term),
        _titled("Hits", hits, term),
        _titled("Also left out of the context", others, term),
        _titled("Evidence", [_evidence(e, root=root, term=term) for e in answer.context.evidence], term),
        _titled("Quotes", _measured(answer.trace), term),
        _titled("Stages", [_step(step) for step in answer.trace.steps], term),
        searched_text(answer.search.searched, answer.search.dense_complete),
    ]
    return "\n\n".join(part for part in parts if part)


def _said(answer: Answer, term: Terminal) -> str:
    """The answer, or why there is none, on one line."""
    if answer.abstained:
        return f"{term.style('No answer', 'bold')}: {visible(' '.join(answer.reason.split()))}"
    text = " ".join(_body(answer).split())
    short = text if len(text) <= _MAX_SAID else f"{text[:_MAX_SAID].rstrip()}…"
    return f"{term.style('Answer', 'bold')}: {visible(short)}"


def _body(answer: Answer) -> str:
    """The answer's own text if it carries markers, else each claim with its markers."""
    markers = sorted({c.marker for claim in answer.claims for c in claim.citations})
    if not answer.claims or any(f"[{marker}]" in answer.text for marker in markers):
        return answer.text
    return "\n".join(
        claim.text.strip() + " " + "".join(f"[{n}]" for n in sorted({c.marker for c in claim.citations}))
        for claim in answer.claims
    )


def _fate(hit: SearchHit, used: Mapping[str, Evidence], dropped: Mapping[str, str]) -> str:
    candidate = hit.candidate
    scores = "; ".join(
        [
            *(["exact"] if candidate.exact else []),
            _leg_text("lexical", candidate.lexical),
            _leg_text("dense", candidate.dense),
            f"fused {candidate.fused:.4f}",
        ]
        + ([f"reranked {candidate.rerank:.4f}"] if candidate.rerank is not None else [])
    )
    name = candidate.chunk_id
    if name in used:
        fate = f"in the context as [{used[name].marker}]"
    else:
        fate = f"left out: {visible(dropped[name])}" if name in dropped else "not taken to the context"
    return f"    {scores}\n    {fate}"


def _leg_text(name: str, hit: Hit | None) -> str:
    return f"{name} rank {hit.rank}, score {hit.score:.4f}" if hit else f"{name}: not in its pool"


def _evidence(evidence: Evidence, *, root: Path, term: Terminal) -> str:
    place = place_link(evidence.place, evidence.uri, root=root, term=term)
    cut = ", cut to fit" if evidence.cut else ""
    return (
        f"[{evidence.marker}]  {place}  {evidence.n_tokens} tokens{cut}  {_also(evidence.also_at)}".rstrip()
    )


def _measured(trace: Trace) -> list[str]:
    """What each quote of an answer without a model was measured at."""
    found = [item for step in trace.steps if step.stage == "extract" for item in step.items]
    names = {
        "score": "score",
        "lexical": "of the terms",
        "dense": "similar",
        "missing": "nowhere in the evidence",
    }
    return [
        f"    [{item['marker']}]  "
        + ", ".join(
            f"{item[key]:.2f} {name}" for key, name in names.items() if isinstance(item.get(key), float)
        )
        for item in found
    ]


def _step(step: Step) -> str:
    params = ", ".join(f"{key}={visible(str(value))}" for key, value in step.params.items())
    items = f"{len(step.items)} out" if step.items else ""
    return "  ".join(part for part in (f"{step.stage:<16} {step.ms:8.2f} ms", items, params) if part)


# ── parts ─────────────────────────────────────────────────────────────────────────────────────
def _titled(title: str, lines: Iterable[str], term: Terminal) -> str:
    body = "\n".join(lines)
    return f"{term.style(title, 'bold')}\n{body}" if body else ""


def _score(candidate: Candidate) -> float:
    return candidate.fused if candidate.rerank is None else candidate.rerank


def _also(places: tuple[str, ...]) -> str:
    return f"also at {one_line(', '.join(places))}" if places else ""


def _snippet_line(line: SnippetLine, term: Terminal) -> str:
    number = f"{line.number:>6}" if line.number is not None else " " * 6
    text, at = "", 0
    for span in line.lit:
        text += visible(line.text[at : span.start])
        text += term.style(visible(line.text[span.start : span.end]), "bold", "yellow")
        at = span.end
    return f"{term.style(number, 'dim')}  {text}{visible(line.text[at:])}".rstrip()
