"""Notebooks: cells in order with their numbers, bounded outputs, what is dropped by name."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from extracted import headings_of, parts_of, read
from pincite.errors import InputError
from pincite.types import Document


def _cell(kind: str, text: str, *outputs: Mapping[str, object], **more: object) -> dict[str, object]:
    lines = text.splitlines(keepends=True)
    given = {"outputs": list(outputs)} if kind == "code" else {}
    return {"cell_type": kind, "source": lines, "metadata": {}, **given, **more}


def _book(*cells: dict[str, object], **meta: object) -> Document:
    return read("a.ipynb", json.dumps({"cells": cells, "metadata": meta, "nbformat": 4, "nbformat_minor": 5}))


def _shown(**data: object) -> dict[str, object]:
    named = {name.replace("_", "/"): value for name, value in data.items()}
    return {"output_type": "display_data", "data": named, "metadata": {}}


def _printed(text: str) -> dict[str, object]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def test_cells_are_blocks_with_their_number_and_markdown_has_its_headings() -> None:
    document = _book(
        _cell("markdown", "# Tides of *Brest*\nIntro.\n\n- high\n- low"),
        _cell("code", "tide = 7\ntide", _printed("seven "), _printed("metres\n"), _shown(text_plain=["7"])),
        _cell("markdown", "## Results\n\n| port | m |\n|---|---|\n| Brest | 7 |\n"),
        language_info={"name": "python"},
        authors=[{"name": "Ada Koray"}, {"name": "B. Lund"}],
    )
    assert parts_of(document) == [
        ("heading", "cell 1", "# Tides of *Brest*"),
        ("paragraph", "cell 1", "Intro."),
        ("list", "cell 1", "- high"),
        ("list", "cell 1", "- low"),
        ("code", "cell 2", "tide = 7\ntide"),
        ("code", "cell 2", "seven metres"),
        ("code", "cell 2", "7"),
        ("heading", "cell 3", "## Results"),
        ("table", "cell 3", "| port | m |\n|---|---|"),
        ("row", "cell 3", "| Brest | 7 |"),
    ]
    assert headings_of(document) == [(1, "Tides of Brest"), (2, "Results")]
    assert document.blocks[-1].header == "| port | m |\n|---|---|"
    assert (document.title, document.type) == ("Tides of Brest", "ipynb")
    assert document.meta == {"author": ("Ada Koray", "B. Lund"), "code_language": "python"}
    assert not document.losses


def test_outputs_of_a_cell_are_bounded_and_what_is_cut_is_counted() -> None:
    lines = "".join(f"line {i:04}\n" for i in range(1_000))
    document = _book(_cell("code", "run()", _printed(lines)), _cell("code", "more()", _printed("short")))
    printed = parts_of(document)[1][2]
    assert printed.startswith("line 0000\n") and 1_900 < len(printed) <= 2_000
    assert document.losses.cut_text == len(lines) - 1 - len(printed) - 1
    assert parts_of(document)[-1] == ("code", "cell 2", "short")


def test_progress_bars_leave_their_last_state_and_colours_go() -> None:
    document = _book(
        _cell("code", "go()", _printed("10%\r50%\r100%\ndone \x1b[1;31mred\x1b[0m\x1b]0;t\x07\n"))
    )
    assert parts_of(document)[1][2] == "100%\ndone red"


def test_a_traceback_keeps_its_start_and_its_error() -> None:
    trace = ["\x1b[0;31m-----\x1b[0m", "Traceback (most recent call last)"]
    trace += [f"frame {i}" for i in range(40)] + ["\x1b[0;31mKeyError\x1b[0m: 'tide'"]
    error = {"output_type": "error", "ename": "KeyError", "evalue": "'tide'", "traceback": trace}
    text = parts_of(_book(_cell("code", "x", error)))[1][2]
    assert text.startswith("-----\nTraceback (most recent call last)\n…\nframe 33\n")
    assert text.endswith("frame 39\nKeyError: 'tide'")
    bare = {"output_type": "error", "ename": "ValueError", "evalue": "low water", "traceback": []}
    assert parts_of(_book(_cell("code", "x", bare)))[1][2] == "ValueError: low water"


def test_the_best_text_of_an_output_is_read_and_pictures_are_named() -> None:
    table = "<table><tr><th>port</th></tr><tr><td>Brest</td></tr></table>"
    document = _book(
        _cell("code", "plot()", _shown(image_png="aGk=", text_plain="<Figure size 640x480>")),
        _cell("code", "show()", _shown(text_html=table)),
        _cell("code", "md()", _shown(text_markdown="**high** water", text_plain="repr")),
        _cell("code", "w()", _shown(**{"application_vnd.jupyter.widget-view+json": {"model_id": "1"}})),
        _cell("markdown", "![map](attachment:map.png)", attachments={"map.png": {"image/png": "aGk="}}),
    )
    assert [part for part in parts_of(document) if part[0] != "code"] == [
        ("table", "cell 2", "port"),
        ("row", "cell 2", "Brest"),
        ("paragraph", "cell 3", "**high** water"),
        ("paragraph", "cell 5", "![map](attachment:map.png)"),
    ]
    assert document.losses.dropped == (
        "cell 1: an image (image/png)",
        "cell 4: an output that is no text (application/vnd.jupyter.widget-view+json)",
        "cell 5: the attachment map.png",
    )


def test_raw_cells_are_paragraphs_and_front_matter_is_metadata() -> None:
    document = _book(
        _cell("raw", "---\ntitle: Tide tables\nauthor: Ada\n---\n"),
        _cell("raw", "one\n\ntwo"),
        _cell("raw", ""),
    )
    assert parts_of(document) == [("paragraph", "cell 2", "one"), ("paragraph", "cell 2", "two")]
    assert (document.title, document.meta["author"]) == ("Tide tables", "Ada")
    assert [part.reason for part in document.left_out] == ["front matter"]


def test_format_3_has_worksheets_headings_and_outputs_of_its_own() -> None:
    old = {
        "metadata": {"name": "Old"},
        "nbformat": 3,
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 2, "source": "Ports"},
                    {
                        "cell_type": "code",
                        "input": ["a = 1"],
                        "outputs": [
                            {"output_type": "pyout", "text": ["1"], "html": ["<b>1</b>"]},
                            {"output_type": "display_data", "png": "aGk="},
                            {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": ["E: v"]},
                        ],
                    },
                ]
            }
        ],
    }
    document = read("old.ipynb", json.dumps(old))
    assert parts_of(document) == [
        ("heading", "cell 1", "Ports"),
        ("code", "cell 2", "a = 1"),
        ("code", "cell 2", "1"),
        ("code", "cell 2", "E: v"),
    ]
    assert (document.title, headings_of(document)) == ("Old", [(2, "Ports")])
    assert document.losses.dropped == ("cell 2: an image (image/png)",)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not valid JSON"),
        (b'{"cells": [', "not valid JSON"),
        (b"[" * 200_000, "nested too deeply"),
        (b"[1]", "no object with cells"),
        (b'{"nbformat": 1}', "neither cells nor worksheets"),
        (b'{"cells": [' + b"1," * 20_001 + b"1]}", "the limit is 20,000"),
    ],
)
def test_what_is_no_notebook_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        read("bad.ipynb", data)
    assert str(caught.value).startswith("bad.ipynb: ")


def test_fields_of_any_shape_are_read_past() -> None:
    odd = [
        None,
        3,
        {"cell_type": "code", "source": 5, "outputs": [1, {"output_type": "stream"}, {"data": 7}]},
    ]
    odd += [{"cell_type": "code", "source": "x", "outputs": {"a": 1}}, {"cell_type": ["code"], "source": "y"}]
    document = read("odd.ipynb", json.dumps({"cells": odd, "metadata": [1]}))
    assert parts_of(document) == [("code", "cell 4", "x"), ("paragraph", "cell 5", "y")]
