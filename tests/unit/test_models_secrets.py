"""Keys, passwords and addresses: used, and never shown."""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from urllib.parse import quote, quote_plus

import pytest

from pincite.errors import UsageError
from pincite.models.address import masked, taken_apart
from pincite.models.secrets import secrets

LONG = 'sk-proj/ab+c=&d"é9'


@pytest.mark.parametrize(
    "written",
    [
        LONG,
        quote(LONG),
        quote(LONG, safe=""),
        quote(LONG, safe="").replace("%2F", "%2f").replace("%2B", "%2b").replace("%3D", "%3d"),
        quote_plus(LONG),
        json.dumps(LONG)[1:-1],
        escape(LONG),
    ],
)
def test_a_key_is_found_however_it_is_written(written: str) -> None:
    assert secrets([LONG]).out_of(f"before{written}after {written}") == "before***after ***"


@pytest.mark.parametrize(
    ("key", "said", "shown"),
    [
        ("k", "maximum of 4096 tokens, you asked for a keyboard", None),
        ("a", "a text of a kind", None),
        ("no", "there is no model, no key, and none in stock", None),
        ("k", "Incorrect API key provided: k.", "Incorrect API key provided: ***."),
        ("k", '{"api_key": "k"}', '{"api_key": "***"}'),
        ("k", "Authorization: Bearer k", "Authorization: Bearer ***"),
        ("none", "nonetheless none is a nonempty answer", "nonetheless *** is a nonempty answer"),
        ("EMPTY", "EMPTY is no key, NONEMPTY is a word", "*** is no key, NONEMPTY is a word"),
        ("ollama", "ollama3 and my-ollama and ollama", "ollama3 and my-ollama and ***"),
        ("sk-12345678", "xsk-12345678y", "x***y"),
    ],
)
def test_a_short_key_cuts_no_word(key: str, said: str, shown: str | None) -> None:
    assert secrets([key]).out_of(said) == (said if shown is None else shown)


def test_nothing_is_hidden_where_nothing_is_secret() -> None:
    assert secrets(["", ""]).out_of("a b") == "a b"


# ── addresses ─────────────────────────────────────────────────────────────────────────────────
def test_an_address_is_taken_apart() -> None:
    made = taken_apart(
        "https://m%40x.org:p%3Aw%2Fd%25@host:8443/base/?api-version=2024-06-01&key=s3cret", "x"
    )
    assert (made.user, made.password, made.url) == ("m@x.org", "p:w/d%", "https://host:8443/base")
    assert made.at("embeddings") == "https://host:8443/base/embeddings?api-version=2024-06-01&key=s3cret"
    assert made.shown == "https://***@host:8443/base/?api-version=2024-06-01&key=***"
    assert made.authorization == f"Basic {b64encode(b'm@x.org:p:w/d%').decode()}"
    assert set(made.secrets) >= {"p:w/d%", "s3cret"} and "2024-06-01" not in made.secrets
    assert "s3cret" not in repr(made) and "p:w" not in repr(made)


@pytest.mark.parametrize("text", ["http://host/v1", "http://host/v1/", " http://host/v1\n", "HTTP://host/v1"])
def test_slashes_and_blanks_at_the_ends_do_not_matter(text: str) -> None:
    made = taken_apart(text, "x")
    assert (made.at("embeddings"), made.authorization) == ("http://host/v1/embeddings", "")


def test_an_address_of_ipv6_and_one_with_a_token_alone() -> None:
    made = taken_apart("http://token@[::1]:11434/v1", "x")
    assert (made.host, made.user, made.password) == ("::1", "token", "")
    assert "token" in made.secrets and made.shown == "http://***@[::1]:11434/v1"


@pytest.mark.parametrize(
    "text",
    [
        "http://me:s3cret#pw@host/v1",
        "http://me:s3cret/pw@host/v1",
        "http://me:123/s3cret@host/v1",
        "http://me:s3cret?pw@host/v1",
        "http://me:s3cret@pw@host/v1",
        "me:s3cret@host/v1",
        "ftp://me:s3cret@host/v1",
        "http://me:s3cret@/v1",
        "http://me:s3cret@host:port/v1",
        "http://me:s3cret @host/v1",
        "http://[me:s3cret@host/v1",
        "http://host/v1?key=s3cret#part",
        "",
    ],
)
def test_an_address_that_cannot_be_asked_is_refused_without_its_secrets(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        taken_apart(text, "llm.base_url")
    said = f"{caught.value} {caught.value.hint} {caught.value.__context__}"
    assert "llm.base_url" in said and "s3cret" not in said and "pw@" not in said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://u:p@h/v1", "http://***@h/v1"),
        ("http://u:p/w@h/v1", "http://***@h/v1"),
        ("https://h/v1?key=abc&api-version=3&sig", "https://h/v1?key=***&api-version=3&***"),
        ("http://proxy:3128", "http://proxy:3128"),
        ("u:p@h", "***@h"),
        ("", ""),
    ],
)
def test_masked(text: str, shown: str) -> None:
    assert masked(text) == shown
