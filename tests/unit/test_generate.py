"""A model's answer over HTTP: the request, failures and retries, and its text as checked claims."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import Message
from email.utils import formatdate
from typing import Any

import pytest

from growth import assert_linear
from http_server import Reply, Request, http_server
from pincite.answer import answer
from pincite.answer.generate import claims_from
from pincite.answer.prompt import INSUFFICIENT
from pincite.answer.support import plain_words
from pincite.config import LLMConfig
from pincite.errors import ModelError, UsageError
from pincite.models.llm import ChatGenerator, chat_generator
from pincite.types import Answer, Context, Query, Searched, SearchResult, Trace
from shelf import Shelf, as_indexed, disk, shelf_of

KEY = "sk-secret-123"
MANUAL = ("Dry the battery for 24 hours. Then close the lid.\n", "The fee is 1,450 EUR a year.\n", "Red.\n")


@dataclass
class Endpoint:
    """A chat endpoint on this machine: replies in order (the last one again and again), requests kept."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    seen: list[tuple[str, Message, Any]] = field(default_factory=list)

    def says(self, text: str, **choice: object) -> None:
        body = {"choices": [{"message": {"content": text}, **choice}]}
        self.replies.append(Reply(body=body))

    def fails(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.replies.append(Reply(status, {k.replace("_", "-"): v for k, v in headers.items()}, body))

    def answer(self, request: Request) -> Reply:
        self.seen.append((request.path, request.headers, request.body))
        return self.replies[min(len(self.seen), len(self.replies)) - 1]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    served = Endpoint()
    with http_server(served.answer) as url:
        served.url = f"{url}/v1"
        yield served


def model(endpoint: Endpoint, waits: list[float] | None = None, **settings: Any) -> ChatGenerator:
    slept = [] if waits is None else waits
    return ChatGenerator(endpoint.url, "small", KEY, sleep=slept.append, **settings)


def failure(endpoint: Endpoint, waits: list[float] | None = None, **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        model(endpoint, waits, **settings).generate("q", Context(()))
    assert KEY not in f"{caught.value} {caught.value.hint}"
    return caught.value


# ── the request ───────────────────────────────────────────────────────────────────────────────
def test_the_request_carries_model_key_evidence_and_question(endpoint: Endpoint) -> None:
    endpoint.says("24 hours [1].")
    _, context = shelf_of(*MANUAL)
    assert model(endpoint).generate("How long?", context) == "24 hours [1]."
    path, headers, body = endpoint.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert set(body) == {"model", "messages"} and body["model"] == "small"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "Dry the battery" in body["messages"][1]["content"]
    assert "search found" in body["messages"][1]["content"]


def test_a_whole_library_is_said_to_be_whole(endpoint: Endpoint) -> None:
    endpoint.says("x")
    _, context = shelf_of(*MANUAL)
    model(endpoint, whole=True).generate("q", context)
    assert "whole library" in endpoint.seen[0][2]["messages"][1]["content"]


def test_no_key_sends_no_authorization(endpoint: Endpoint) -> None:
    endpoint.says("x")
    chat_generator(LLMConfig(base_url=f"{endpoint.url}/", model="m")).generate("q", Context(()))
    path, headers, _ = endpoint.seen[0]
    assert path == "/v1/chat/completions"
    assert "Authorization" not in headers


def test_thinking_is_not_part_of_the_answer(endpoint: Endpoint) -> None:
    endpoint.says("<think>\n[3] maybe\n</think>\n\nIt is 24 hours [1].")
    assert model(endpoint).generate("q", Context(())) == "It is 24 hours [1]."


# ── failures ──────────────────────────────────────────────────────────────────────────────────
def test_a_busy_server_is_asked_again_with_growing_waits(endpoint: Endpoint) -> None:
    endpoint.fails(503)
    endpoint.fails(500)
    endpoint.says("done")
    waits: list[float] = []
    assert model(endpoint, waits).generate("q", Context(())) == "done"
    assert waits == [0.5, 1.0]


def test_retry_after_is_obeyed_in_seconds_and_as_a_date(endpoint: Endpoint) -> None:
    endpoint.fails(429, Retry_After="7")
    endpoint.fails(429, Retry_After=formatdate(time.time() + 20, usegmt=True))
    endpoint.fails(429, Retry_After="soon")
    endpoint.says("done")
    waits: list[float] = []
    model(endpoint, waits).generate("q", Context(()))
    assert waits[0] == 7
    assert 15 < waits[1] <= 20
    assert waits[2] == 2.0


def test_a_wait_that_is_too_long_ends_the_call(endpoint: Endpoint) -> None:
    endpoint.fails(429, Retry_After="3600")
    waits: list[float] = []
    error = failure(endpoint, waits)
    assert error.retryable
    assert (len(endpoint.seen), waits) == (1, [])


def test_retries_end_and_the_error_counts_them(endpoint: Endpoint) -> None:
    endpoint.fails(502, b"bad gateway")
    error = failure(endpoint, retries=2)
    assert len(endpoint.seen) == 3
    assert "after 3 attempts: HTTP 502" in error.message
    assert "bad gateway" in error.message
    assert error.retryable


def test_a_wrong_key_is_not_tried_again_and_never_shown(endpoint: Endpoint) -> None:
    endpoint.fails(401, f'{{"error": "key {KEY} is wrong"}}'.encode())
    error = failure(endpoint)
    assert len(endpoint.seen) == 1
    assert "key *** is wrong" in error.message
    assert "OPENAI_API_KEY" in error.hint
    assert not error.retryable
    assert KEY not in repr(model(endpoint))


def test_a_redirect_is_not_followed(endpoint: Endpoint) -> None:
    endpoint.fails(302, Location=f"{endpoint.url}/elsewhere")
    assert "HTTP 302" in failure(endpoint).message
    assert len(endpoint.seen) == 1


def test_nobody_listening_is_a_retryable_error_that_names_the_address() -> None:
    error = failure(Endpoint("http://user:word@127.0.0.1:9/v1"), retries=1)
    assert "http://***@127.0.0.1:9/v1" in error.message
    assert "word@" not in error.message
    assert error.retryable


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "sent no answer"),
        (b'{"error": "no such model"}', "no such model"),
        (b'{"choices": []}', "sent no answer"),
        (b'{"choices": [{"message": {"content": null}}]}', "sent no answer"),
        (b'{"choices": [{"message": {"content": " "}}]}', "empty answer"),
    ],
)
def test_a_reply_without_an_answer_is_shown(endpoint: Endpoint, body: bytes, said: str) -> None:
    endpoint.fails(200, body)
    assert said in failure(endpoint).message


def test_an_answer_cut_at_the_length_limit_is_an_error(endpoint: Endpoint) -> None:
    endpoint.says("It is", finish_reason="length")
    assert "length limit" in failure(endpoint).message


@pytest.mark.parametrize(
    ("url", "name", "key"),
    [("file:///etc/passwd", "m", ""), ("", "m", ""), ("http://x", "", ""), ("http://x", "m", "a\nb")],
)
def test_settings_that_cannot_work_are_usage_errors(url: str, name: str, key: str) -> None:
    with pytest.raises(UsageError) as caught:
        ChatGenerator(url, name, key)
    assert not key or key not in caught.value.message


# ── text to claims ────────────────────────────────────────────────────────────────────────────
def test_each_sentence_is_a_claim_with_the_words_that_support_it() -> None:
    shelf, context = shelf_of(*MANUAL)
    text = "The lid is closed then [1]. It costs 1450 EUR. [2]\n\nNobody knows why."
    written = claims_from(text, context, as_indexed(shelf))
    assert [claim.text for claim in written.claims] == [
        "The lid is closed then.",
        "It costs 1450 EUR.",
        "Nobody knows why.",
    ]
    lid, fee, unknown = written.claims
    assert [citation.quote for citation in lid.citations] == ["Then close the lid."]
    assert [(c.location, c.verified) for c in fee.citations] == [("2.md:1", True)]
    assert unknown.citations == ()
    assert written.problems == ()
    assert written.text == text


def test_a_list_is_one_claim_an_item() -> None:
    shelf, context = shelf_of(*MANUAL)
    written = claims_from("Steps:\n\n1. Dry it [1]\n2. [2] Pay.\n- Done [3]", context, as_indexed(shelf))
    assert "nothing in [3] shares words with: Done" in written.problems
    assert [(one.text, [c.marker for c in one.citations]) for one in written.claims] == [
        ("Steps:", []),
        ("Dry it", [1]),
        ("Pay.", [2]),
        ("Done", [3]),
    ]


def test_a_figure_that_no_cited_passage_holds_is_reported() -> None:
    shelf, context = shelf_of(*MANUAL)
    written = claims_from("Dry it for 48 hours [1]. The fee is 1450 [2].", context, as_indexed(shelf))
    assert written.problems == ("48 hours is not in [1]: Dry it for 48 hours.",)
    (dried, fee) = written.claims
    (citation,) = dried.citations
    assert (citation.quote, citation.verified) == ("Dry the battery for 24 hours.", False)
    assert (citation.doubt, dried.lacks) == ("figures", ("48 hours",))
    assert fee.citations[0].verified and fee.lacks == ()
    assert written.text == (
        "Dry it for 48 hours [1: not verified] [not in the source: 48 hours]. The fee is 1450 [2]."
    )


def test_a_claim_that_shares_no_word_is_cited_unverified_with_the_whole_passage() -> None:
    shelf, context = shelf_of(*MANUAL)
    written = claims_from("电池要晾干 [1]。", context, as_indexed(shelf))
    (citation,) = written.claims[0].citations
    assert (citation.quote, citation.verified, citation.doubt) == (MANUAL[0].strip(), False, "words")
    assert written.problems == ("nothing in [1] shares words with: 电池要晾干。",)


def test_citations_of_a_file_that_is_gone_are_unverified() -> None:
    _, context = shelf_of(*MANUAL)
    (claim,) = claims_from("Dry the battery [1].", context, disk({})).claims
    assert [(c.verified, c.stale) for c in claim.citations] == [(False, "gone")]


def test_no_text_and_text_of_markers_only_are_no_claims() -> None:
    shelf, context = shelf_of(*MANUAL)
    assert claims_from("", context, as_indexed(shelf)).claims == ()
    assert claims_from("[1] [2]", context, as_indexed(shelf)).claims == ()
    assert claims_from("[9]", context, as_indexed(shelf)).problems == ("[9] points to no evidence",)


VALVE = (
    "The valve opens at 5 bar. The pump holds 24 litres. The valve closes at 3 bar. It has a 24 mm seat.\n"
)


def test_a_figure_counts_only_where_it_is_cited() -> None:
    shelf, context = shelf_of(VALVE)
    written = claims_from("The valve opens at 24 bar [1].", context, as_indexed(shelf))
    assert [one.quote for one in written.claims[0].citations] == ["The valve opens at 5 bar."]
    assert written.problems == ("24 bar is not in [1]: The valve opens at 24 bar.",)
    text = "The valve opens at 24 mm [1]."
    assert claims_from(text, context, as_indexed(shelf)).problems == (
        "24 mm is not in the words cited of [1]: The valve opens at 24 mm.",
    )


def test_a_claim_of_two_sentences_cites_both() -> None:
    shelf, context = shelf_of(VALVE)
    written = claims_from("The valve opens at 5 bar and closes at 3 bar [1].", context, as_indexed(shelf))
    quotes = [one.quote for one in written.claims[0].citations]
    assert sorted(quotes) == ["The valve closes at 3 bar.", "The valve opens at 5 bar."]
    assert written.problems == ()


@pytest.mark.parametrize("digits", [11, 25, 60])
def test_a_number_of_any_length_points_nowhere_and_is_marked(digits: int) -> None:
    shelf, context = shelf_of(*MANUAL)
    number = "9" * digits
    written = claims_from(f"Dry it [{number}][1].", context, as_indexed(shelf))
    assert written.text == f"Dry it [no evidence {number}][1]."
    assert written.problems == (f"[{number}] points to no evidence",)


def test_an_answer_without_end_is_an_error() -> None:
    shelf, context = shelf_of(*MANUAL)
    with pytest.raises(ModelError, match="at most 100,000 are read"):
        claims_from("Dry it [1]. " * 60_000, context, as_indexed(shelf))


@pytest.mark.parametrize("part", ["A b [1].\n", "[1] ", "`[1]` 7 [1] ", "3 4 5. ", " \t\n", "[1][9] x1 "])
def test_the_longest_answer_is_read_in_time_that_grows_with_it(part: str) -> None:
    shelf, context = shelf_of(*MANUAL)
    claims_from((part * 100_000)[:100_000], context, as_indexed(shelf))
    assert_linear(lambda size: claims_from((part * size)[:size], context, as_indexed(shelf)), 6_000)


# ── the whole answer ──────────────────────────────────────────────────────────────────────────
def asked(
    generator: ChatGenerator | None,
    shelf: Shelf,
    context: Context,
    *,
    now: Mapping[str, str] | None = None,
    question: str = "q",
) -> Answer:
    hits = tuple(shelf.hits("1.md:1"))
    result = SearchResult(Query("q"), hits, 1.0, Searched(3, "", "minilm"), Trace("q"))
    reopen = as_indexed(shelf) if now is None else disk(now)
    return answer(
        question, result, context, generator=generator, reopen=reopen, embed=None, terms=plain_words
    )


AS_WRITTEN = {f"{n}.md": text for n, text in enumerate(MANUAL, start=1)}
EDITED = {**AS_WRITTEN, "1.md": MANUAL[0].replace("24", "48")}


def test_a_quote_that_a_changed_file_no_longer_holds_is_no_answer() -> None:
    shelf, context = shelf_of(*MANUAL)
    question = "How many hours dry the battery?"
    assert not asked(None, shelf, context, now=AS_WRITTEN, question=question).abstained
    made = asked(None, shelf, context, now=EDITED, question=question)
    assert (made.abstained, made.text, made.claims) == (True, "", ())
    assert "1.md (changed)" in made.reason and "Run: pincite sync." in made.reason
    gone = asked(None, shelf, context, now={}, question=question)
    assert gone.abstained and "1.md (gone)" in gone.reason


def test_one_outdated_claim_of_several_is_reported(endpoint: Endpoint) -> None:
    endpoint.says("Dry the battery for 24 hours [1]. The fee is 1,450 EUR [2].")
    shelf, context = shelf_of(*MANUAL)
    made = asked(model(endpoint), shelf, context, now=EDITED)
    assert not made.abstained
    assert [claim.citations[0].verified for claim in made.claims] == [False, True]
    assert made.reason == (
        "not verified, run pincite sync: 1.md (changed) no longer holds: Dry the battery for 24 hours."
    )


def test_a_model_s_answer_from_changed_files_alone_is_none(endpoint: Endpoint) -> None:
    endpoint.says("Dry the battery for 24 hours [1].")
    shelf, context = shelf_of(*MANUAL)
    made = asked(model(endpoint), shelf, context, now=EDITED)
    assert (made.abstained, made.claims) == (True, ()) and "1.md (changed)" in made.reason


def test_a_model_s_answer_has_verified_claims_and_a_trace(endpoint: Endpoint) -> None:
    endpoint.says("Dry the battery for 24 hours [1][7].")
    shelf, context = shelf_of(*MANUAL)
    made = asked(model(endpoint), shelf, context)
    assert made.text == "Dry the battery for 24 hours [1][no evidence 7]." == str(made)
    assert made.claims[0].citations[0].verified
    assert made.reason == "[7] points to no evidence"
    assert [step.stage for step in made.trace.steps] == ["generate", "cite"]
    assert {"problem": "[7] points to no evidence"} in made.trace.steps[1].items


@pytest.mark.parametrize("start", ["", "**", "\n"])
def test_a_model_that_declines_abstains_with_its_reason(endpoint: Endpoint, start: str) -> None:
    endpoint.says(f"{start}{INSUFFICIENT}: no price is given.")
    shelf, context = shelf_of(*MANUAL)
    made = asked(model(endpoint), shelf, context)
    assert (made.abstained, made.text, made.claims) == (True, "", ())
    assert str(made) == f"No answer: {made.reason}"
    assert made.reason == "no price is given. Searched: 3 chunks, model minilm."


def test_without_evidence_no_model_is_asked(endpoint: Endpoint) -> None:
    shelf, _ = shelf_of(*MANUAL)
    made = asked(model(endpoint), shelf, Context(()))
    assert made.abstained
    assert endpoint.seen == []


@pytest.mark.parametrize("reply", ["[1]", "[", "[1] [2]", "...", "[9]", "```", "**"])
def test_a_reply_that_states_nothing_is_no_answer(endpoint: Endpoint, reply: str) -> None:
    endpoint.says(reply)
    shelf, context = shelf_of(*MANUAL)
    found = asked(model(endpoint), shelf, context)
    assert found.abstained and found.claims == () and found.text == ""
    assert found.reason.startswith("The model's reply states nothing")


# ── a server that takes its time ──────────────────────────────────────────────────────────────
SLOW = {
    "status": b"HTTP/1.1 ",
    "headers": b"HTTP/1.1 200 OK\r\n",
    "body": b"HTTP/1.1 200 OK\r\n\r\n",
    "nothing": b"",
}


@pytest.mark.parametrize("part", SLOW)
def test_the_timeout_bounds_a_call_to_a_server_that_never_ends(part: str) -> None:
    """A byte now and then keeps each wait short; the call as a whole must end."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            with server.accept()[0] as client, suppress(OSError):
                client.recv(100_000)
                client.sendall(SLOW[part])
                while not over.wait(0.05):
                    if part != "nothing":
                        client.sendall(b" " if part != "headers" else b"x-a: b\r\n")

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            url = f"http://127.0.0.1:{server.getsockname()[1]}"
            started = time.monotonic()
            with pytest.raises(ModelError, match="no whole reply within") as caught:
                ChatGenerator(url, "small", timeout=0.5).generate("q", Context(()))
            assert time.monotonic() - started < 3 and caught.value.retryable
        finally:
            over.set()
            thread.join()


def test_waits_between_attempts_count_as_time_of_the_call(endpoint: Endpoint) -> None:
    endpoint.fails(503)
    slow = ChatGenerator(endpoint.url, "small", timeout=0.4, retries=50)
    started = time.monotonic()
    with pytest.raises(ModelError, match="HTTP 503"):
        slow.generate("q", Context(()))
    assert time.monotonic() - started < 3 and len(endpoint.seen) < 5
