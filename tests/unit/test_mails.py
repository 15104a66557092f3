"""The head of a mail is read line by line, and its subject is a heading."""

from __future__ import annotations

import pytest

from pincite.answer.claims import claims
from pincite.answer.extract import extract
from pincite.answer.passages import sentences
from pincite.answer.support import plain_words
from shelf import as_indexed, typed

MAIL = """From: ferry@kiel-line.example
To: mira@harbour-sauna.example
Date: Wed, 14 Oct 2026 16:40:00 +0000
Subject: Group booking of the ferry crew no. 4. Urgent

Dear Mira,

we would like to book the sauna for 34 persons on 12 December.
"""


@pytest.mark.parametrize("type", ["eml", "msg", "mbox"])
def test_the_head_of_a_mail_is_no_sentence(type: str) -> None:
    shelf, context = typed(f"a.{type}", MAIL, type, "paragraph")
    asked = "How many persons are in the ferry group booking?"
    first = claims(extract(asked, context, embed=None, terms=plain_words), context, as_indexed(shelf))[0]
    assert first.text == "we would like to book the sauna for 34 persons on 12 December."
    assert [one.text for one in sentences(context.evidence[0])][:4] == MAIL.splitlines()[:4]


def test_a_subject_is_quoted_only_where_nothing_is_written() -> None:
    for text, quoted in ((MAIL, False), (MAIL.partition("\n\n")[0], True)):
        _, context = typed("a.eml", text, "eml", "paragraph")
        told = {one.text: one.quotable for one in sentences(context.evidence[0])}
        assert told["Subject: Group booking of the ferry crew no. 4. Urgent"] is quoted


def test_a_greeting_is_no_answer() -> None:
    _, context = typed("a.eml", MAIL + "\nDear Mira, the pool is open.\n", "eml", "paragraph")
    told = {one.text: one.quotable for one in sentences(context.evidence[0])}
    assert (told["Dear Mira,"], told["Dear Mira, the pool is open."]) == (False, True)


def test_other_texts_keep_their_sentences() -> None:
    _, context = typed("a.html", "From: the top\nTo: the bottom. Then on.\n", "html", "paragraph")
    assert [one.text for one in sentences(context.evidence[0])] == [
        "From: the top\nTo: the bottom.",
        "Then on.",
    ]
