"""F90: what a note's author hid from every reader answers nothing, and is listed as left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import library
from parsed import source
from pincite.config import ChunkConfig, Config
from pincite.parse.markdown import parse_markdown

NOTE = """---
tags: [house]
---
# Boiler

%% internal: the password of the boiler portal is opal-9981 %%

The boiler was serviced by [[Hansson AB|the company Hansson]] in ==October== 2025. ^service-note

> [!warning] Pressure
> Never let the pressure rise above 3 bar.

The tank holds 40 litres %%opal-inline%% and is red.

- a seal <!-- opal-item -->

%%
## Opal hidden heading

```
opal in code
```
%%

It stands in the cellar.
"""


def texts(text: str) -> list[str]:
    document = parse_markdown(source("a.md", text))
    return [text[block.span.start : block.span.end] for block in document.blocks]


def left(text: str) -> list[str]:
    document = parse_markdown(source("a.md", text))
    assert {one.reason for one in document.left_out} <= {"comment"}
    return [text[one.span.start : one.span.end] for one in document.left_out]


@pytest.mark.parametrize("strategy", ["structural", "parent_child", "sentence", "recursive", "tokens"])
def test_f90_no_passage_holds_a_comment(tmp_path: Path, strategy: str) -> None:
    config = Config(chunk=ChunkConfig(strategy=strategy, size=64, overlap=0))  # type: ignore[arg-type]
    with library(tmp_path, {"note.md": NOTE}, config=config) as opened:
        opened.sync()
        document, chunked = opened.parse("note.md")
        hits = opened.search("What is the password of the boiler portal?", k=50).hits
        answer = opened.ask("What is the password of the boiler portal?")
    assert len(hits) == len(chunked.chunks)
    seen = [hit.stored.chunk.text for hit in hits] + [one.text for one in answer.context.evidence]
    assert all("opal" not in text.lower() for text in seen)
    parents = [one.parent for one in chunked.chunks if one.parent]
    assert all("opal" not in document.text[one.start : one.end].lower() for one in parents)
    assert [section.title for section in document.sections] == ["Boiler"]
    reasons = [one.reason for one in chunked.all_left_out(document)]
    assert reasons == ["front matter", *["comment"] * 4]


def test_f90_callouts_and_links_still_answer(tmp_path: Path) -> None:
    with library(tmp_path, {"note.md": NOTE}) as opened:
        opened.sync()
        assert "3 bar" in opened.ask("How high may the pressure rise?").text
        assert "Hansson" in opened.ask("Who serviced the boiler?").text


@pytest.mark.parametrize(
    ("text", "kept", "hidden"),
    [
        ("%% a %% b", ["b"], ["%% a %%"]),
        ("a %%b%%, c", ["a", ", c"], ["%%b%%"]),
        ("# One %%b%%\n\n> c %%d%%\n> e", ["# One", "> c", "> e"], ["%%b%%", "%%d%%"]),
        ("%%\na\n\nb\n%%\n\nc", ["c"], ["%%\na\n\nb\n%%"]),
        ("- a\n\n    %% b %%\n", ["- a"], ["%% b %%"]),
        ("<!-- a %% --> b %% c", ["b %% c"], ["<!-- a %% -->"]),
        ("<!-- a --> b", ["b"], ["<!-- a -->"]),
    ],
)
def test_f90_what_is_a_comment(text: str, kept: list[str], hidden: list[str]) -> None:
    assert (texts(text), left(text)) == (kept, hidden)


@pytest.mark.parametrize(
    "text",
    [
        "It grows by 5%% and 7%% a year.",
        "a %% b",
        "a %% b\n\nc %% d",
        "%% not closed\n\na",
        "for %%i in (*) do echo %%i",
        "`%%d` and `a %% b`",
        "``a ` %%b%%``",
        "```mermaid\n%% a\ngraph TD\n%% b\n```",
        "- a\n\n  ```\n  %% a %%\n  ```",
        "    %% Section 1\n    x = 1\n    %% Section 2",
        "a \\%%b\\%% c",
        "`<!-- a -->`",
        "<!-- not closed",
    ],
)
def test_f90_what_is_none(text: str) -> None:
    assert left(text) == []
    assert "".join("".join(texts(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "unit", ["a %%x ", "%% ", "%%x\n", "`a ", "<!-- ", "%%a%% ", "``%% ` ", "- %%\n\n", "> %%x\n> \n", "%%%"]
)
@pytest.mark.timeout(30)
def test_f90_nothing_takes_long(unit: str) -> None:
    parse_markdown(source("a.md", unit * (400_000 // len(unit))))
