"""Questions that single sentences suggest: definitions, intervals and values, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.evaluate.draft.drafted import Draft
from pincite.evaluate.draft.words import MARKUP, is_chinese
from pincite.scripts import HAN
from pincite.types import Span

_LEAD = re.compile(r"^(?:[-*+•·>]\s+|\(?\d{1,3}[.)]\s+)+")
_LINK = re.compile(r"\[([^][]{1,200})\]\([^()\s]{1,400}\)")

_WORD = r"[\w'’./+-]+"
_SUBJECT = rf"(?P<subject>[A-Z0-9]{_WORD[:-1]}*(?: {_WORD}){{0,6}}?)"
_COUNT = "a few|other|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|\\d+"
_UNIT = "(?:second|minute|hour|day|week|month|quarter|year)s?"
_EVERY = (
    rf"(?P<every>(?:at least )?(?:(?:every|each) (?:(?:{_COUNT}) )?{_UNIT}"
    rf"|(?:once|twice|{_COUNT} times) (?:an?|per|every) (?:(?:{_COUNT}) )?{_UNIT}))\b"
)
_DONE = r"(?P<verb>[a-z-]+(?:ed|en|wn|ung|pt|lt|nt|et|ut|ught|ade|un|ead|eld))"
_DEFINITION = re.compile(
    rf"{_SUBJECT} (?P<verb>is|are) (?P<rest>(?:(?:an?|one of the) (?!few|lot|bit|hit).{{2,40}}?"
    r"\b(?:that|which|who|whose|where|for|used|of|with|to)\b"
    r"|the (?!same|only|most).{2,40}?\b(?:that|which|who|whose|where|used)\b).{3,})"
)
_MUST = re.compile(
    rf"{_SUBJECT} (?P<modal>must|should|shall|has to|have to|needs to|need to) be {_DONE} {_EVERY}"
)
_IS_DONE = re.compile(rf"{_SUBJECT} (?P<modal>is|are) {_DONE} {_EVERY}")
_DO = re.compile(
    rf"(?P<verb>[A-Z][a-z]{{2,14}}) (?P<object>(?:the|your) {_WORD}(?: {_WORD}){{0,5}}?) {_EVERY}"
)
_MEASURE = re.compile(
    r"(?P<subject>The [a-z][\w'’./+-]*(?: [\w'’./+-]+){0,5}?) (?P<verb>is|are) "
    r"(?P<answer>(?:at (?:most|least) |about |up to |between |not more than )?[-+−]?\d.{0,80})"
)
_OPENING = (
    "this that these those it he she we you they there here what which who how where when why if in on "
    "at for as one another each every all both neither some any no my our your his her their its and "
    "but so or while although because since after before once then thus with without not only to by "
    "from"
)
_NO_SUBJECT = frozenset(_OPENING.split())
_VERBS = "is are was were be been has have had can will must may should that which who"
_STATING = frozenset(_VERBS.split())
_ZH_NAME = rf"(?P<subject>[{HAN}A-Za-z0-9·\-“”「」（）() ]{{2,20}}?)"
_ZH_DEFINITION = re.compile(
    rf"{_ZH_NAME}(?:是指|指的是|是)(?P<rest>(?:(?<=指)|(?<=指的是)|一[种个类款项条座门套片支部本名位]"
    r"|用[来于]|由.{1,40}(?:组成|构成)).{3,})"
)
_ZH_KIND = re.compile(
    rf"(?P<subject>[{HAN}A-Za-z0-9·-]{{2,10}}?)是(?P<rest>(?![由在从按基沿最如]).{{2,60}}的[{HAN}]{{2,8}})"
)
_ZH_NUMBER = re.compile(
    rf"{_ZH_NAME}(?:是|为)(?P<answer>(?:约|大约|至少|最多|不超过|不低于)?[-+−]?\d.{{0,60}})"
)
_ZH_EVERY = (
    r"(?P<every>每隔?\s?[\d一二两三四五六七八九十半]{0,4}\s?个?(?:分钟|小时|天|日|周|星期|月|季度|年))"
)
_ZH_DONE = re.compile(
    rf"(?P<subject>[{HAN}A-Za-z0-9 ]{{2,20}}?)(?:应该?|必须|需要?|须|要)?{_ZH_EVERY}"
    rf"(?:应该?|必须|需要?|须|要)?(?P<verb>[{HAN}]{{1,8}})一次"
)
_ZH_DO = re.compile(rf"{_ZH_EVERY}(?P<verb>[{HAN}]{{1,4}})一次(?P<subject>[{HAN}A-Za-z0-9 ]{{2,20}})")
_ZH_NO_START = re.compile(
    "[这那它他她我你您此该其本哪谁每各但如若当在从对由为因就也还而并或和与不没有]|什么|所以|如果|虽然"
)
_ZH_VERB = re.compile("的|被|认为|通常|可以|依然|表明|确定|一个|一些|第[一二三四五六七八九十]")
_ZH_NO_END = re.compile(r"[不就也而但还只都总可要若于如凡正既乃却又更最即便算像]$")


def sentence_drafts(text: str, span: Span) -> Iterator[Draft]:
    """The first draft that a sentence suggests, if any."""
    words = " ".join(_LINK.sub(r"\1", MARKUP.sub("", text[span.start : span.end])).split())
    words = _LEAD.sub("", words)
    if words.startswith(("#", "|")) or words.endswith(("?", "？")):
        return
    for question, kind, answer in (*_english(words), *_chinese(words)):
        yield Draft(question, span, kind, answer)
        return


def _english(words: str) -> Iterator[tuple[str, str, str]]:
    """(question, kind, answer) for each English pattern that a sentence meets, surest first."""
    bare = words.rstrip(".!")
    if (found := _MUST.match(bare) or _IS_DONE.match(bare)) and _is_subject(found["subject"]):
        subject, modal = _inside(found["subject"]), found["modal"]
        asked = _OFTEN.get(modal, "How often {modal} {subject} be {verb}?")
        yield asked.format(modal=modal, subject=subject, verb=found["verb"]), "interval", found["every"]
    if (found := _DO.match(bare)) and found["verb"].lower() not in _NO_SUBJECT:
        yield f"How often should one {found['verb'].lower()} {found['object']}?", "interval", found["every"]
    if (found := _MEASURE.fullmatch(bare)) and _is_subject(found["subject"], "the"):
        yield f"What {found['verb']} {_inside(found['subject'])}?", "value", found["answer"]
    if (found := _DEFINITION.fullmatch(bare)) and _is_subject(found["subject"]):
        yield f"What {found['verb']} {_inside(found['subject'])}?", "definition", found["rest"]


_OFTEN = {
    "is": "How often is {subject} {verb}?",
    "are": "How often are {subject} {verb}?",
    "has to": "How often does {subject} have to be {verb}?",
    "have to": "How often do {subject} have to be {verb}?",
    "needs to": "How often does {subject} need to be {verb}?",
    "need to": "How often do {subject} need to be {verb}?",
}


def _is_subject(subject: str, *allowed: str) -> bool:
    """Whether words before a verb are its subject: they begin as one and hold no verb of their own."""
    first, *rest = subject.lower().split()
    begins = first not in _NO_SUBJECT or first in allowed
    return begins and not _STATING.intersection((first, *rest)) and any(map(str.isalpha, subject))


def _inside(subject: str) -> str:
    """A subject as it stands inside a sentence: its article in lower case."""
    first, _, rest = subject.partition(" ")
    return f"{first.lower()} {rest}" if first in ("The", "A", "An") else subject


def _chinese(words: str) -> Iterator[tuple[str, str, str]]:
    bare = words.rstrip("。！；")
    if (found := _ZH_DO.match(bare) or _ZH_DONE.match(bare)) and not _ZH_NO_START.match(found["subject"]):
        yield f"{found['subject'].strip()}多久{found['verb']}一次？", "interval", found["every"]
    if (found := _ZH_NUMBER.fullmatch(bare)) and _is_zh(found["subject"]):
        yield f"{found['subject'].strip()}是多少？", "value", found["answer"]
    found = _ZH_DEFINITION.fullmatch(bare) or _ZH_KIND.fullmatch(bare)
    if found and _is_zh(found["subject"]):
        yield f"什么是{found['subject'].strip()}？", "definition", found["rest"]


def _is_zh(subject: str) -> bool:
    said = _ZH_NO_START.match(subject) or _ZH_NO_END.search(subject) or _ZH_VERB.search(subject)
    return is_chinese(subject) and not said
