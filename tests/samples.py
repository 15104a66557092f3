"""One small file of every format, made here, with what to ask of it and where the answer stands."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable
from dataclasses import dataclass

from biff_files import old_workbook
from office_files import data, presentation, rows, shape, workbook, zipped
from ole_files import message, ole_file
from pdf_files import at, pdf
from word_files import odf_file, p, word_file


@dataclass(frozen=True)
class Sample:
    """A file's type and bytes, words that stand nowhere else, and the location of what holds them."""

    type: str
    data: bytes
    words: str
    location: str


_OLD = [["Part", "Price"], ["Camshaft", 9.0]]
TABLE = [["Part", "Price"], ["Rotor", 80], ["Impeller", 42]]
_EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    "book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tides</dc:title></metadata><manifest>'
    '<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="one"/></spine></package>',
    "one.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1 id="top">Neap</h1>'
    "<p>A neap tide is the lowest.</p></body></html>",
}
_FB2 = """<?xml version="1.0" encoding="utf-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>
<book-title>Harbour</book-title></title-info></description><body><section><title><p>Pier</p></title>
<p>The lighthouse keeper slept.</p></section></body></FictionBook>"""
_MHTML = """From: <Saved by Blink>
Snapshot-Content-Location: https://port.example/
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b7"

--b7
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<html><body><h1>Fog</h1>
<p>The harbour siren =
sounds twice.</p></body></html>
--b7--
"""
_PAPER = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><body>
<sec>
<title>Light</title>
<p>The quasar dims at dusk.</p>
</sec></body></article>"""
_CELLS = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Drift\n", "\n", "The gyroscope drifts."]},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "source": ["turns = 12\n"],
            "execution_count": 1,
        },
    ],
}
_MAIL = """From: Ann <ann@example.org>
To: ben@example.org
Subject: The {word}
Date: Mon, 2 Mar 2026 10:00:00 +0000
Message-ID: <{word}@example.org>
Content-Type: text/plain; charset=utf-8

The {word} arrives on Friday.
"""
_FROM = "From ann Mon Mar  2 10:00:00 2026\n"
_EVENT = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:regatta-1@example.org
DTSTART:20260704T090000Z
SUMMARY:Regatta briefing
LOCATION:Boathouse
END:VEVENT
END:VCALENDAR
"""


def _tar(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            packed.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(out.getvalue(), mtime=0)


def _ods() -> bytes:
    cells = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{one}</text:p></table:table-cell>" for one in line)
        + "</table:table-row>"
        for line in [["Crop", "Yield"], ["Barley", 7], ["Rye", 5]]
    )
    return odf_file(f'<table:table table:name="Farm">{cells}</table:table>', kind="spreadsheet")


def _odp() -> bytes:
    box = "<draw:frame><draw:text-box><text:p>Kelp grows in cold water</text:p></draw:text-box></draw:frame>"
    return odf_file(f'<draw:page draw:name="one">{box}</draw:page>', kind="presentation")


_MAKE: dict[str, Callable[[], tuple[str, str | bytes, str, str]]] = {
    "plan.md": lambda: ("markdown", "# Plan\n\nThe turbine hall opens in May.\n", "turbine hall", ":3"),
    "plan.txt": lambda: ("text", "First.\n\nThe quarry closes in June.\n", "quarry closes", ":3"),
    "plan.rst": lambda: ("rst", "Plan\n====\n\nThe foundry rests in July.\n", "foundry rests", ":4"),
    "page.html": lambda: (
        "html",
        "<h1>Hall</h1>\n<p>The furnace is lit at dawn.</p>\n",
        "furnace dawn",
        ":2",
    ),
    "code.py": lambda: ("python", "def spin_centrifuge():\n    return 1\n", "spin_centrifuge", ":1"),
    "table.csv": lambda: ("csv", "part,price\nflange,80\ngasket,42\n", "gasket", ":3"),
    "records.jsonl": lambda: ("jsonl", '{"gull": 1}\n{"albatross": 2}\n', "albatross", ":2"),
    "talk.tex": lambda: (
        "latex",
        "\\documentclass{article}\n\\begin{document}\n\\section{Ore}\nCinnabar is heavy.\n\\end{document}\n",
        "cinnabar heavy",
        ":4",
    ),
    "guide.adoc": lambda: ("asciidoc", "= Guide\n\nThe sextant needs oil.\n", "sextant oil", ":3"),
    "guide.org": lambda: ("org", "* Guide\n\nThe astrolabe needs wax.\n", "astrolabe wax", ":3"),
    "talk.srt": lambda: (
        "srt",
        "1\n00:00:01,000 --> 00:00:03,000\nThe walrus naps.\n",
        "walrus naps",
        ":3",
    ),
    "talk.vtt": lambda: (
        "vtt",
        "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nThe narwhal dives.\n",
        "narwhal dives",
        ":4",
    ),
    "dates.ics": lambda: ("ics", _EVENT.replace("\n", "\r\n"), "regatta briefing", ""),
    "drift.ipynb": lambda: ("ipynb", json.dumps(_CELLS), "gyroscope drifts", "#cell 1"),
    "mail.eml": lambda: ("eml", _MAIL.format(word="anchor"), "anchor friday", "#message"),
    "box.mbox": lambda: (
        "mbox",
        "From ann Mon Mar  2 10:00:00 2026\n" + _MAIL.format(word="buoy"),
        "buoy",
        "/",
    ),
    "old.msg": lambda: (
        "msg",
        ole_file(message({"0037": "Keel", "1000": "The rudder is bent.", "0C1A": "Ann"}, fixed=None)),
        "rudder bent",
        "#part 1",
    ),
    "letter.docx": lambda: (
        "docx",
        word_file(p("Dear Ben,") + p("the parrot escaped.")),
        "parrot",
        "#paragraph",
    ),
    "letter.odt": lambda: (
        "odt",
        odf_file("<text:p>Dear Ann,</text:p><text:p>the ferret returned.</text:p>"),
        "ferret returned",
        "#paragraph",
    ),
    "letter.rtf": lambda: (
        "rtf",
        r"{\rtf1\ansi Dear all,\par the badger dug.\par}",
        "badger dug",
        "#paragraph",
    ),
    "slides.pptx": lambda: (
        "pptx",
        presentation([shape("Title", "Reefs", holder='type="title"') + shape("Text", "Coral bleaches fast")]),
        "coral bleaches",
        "#slide 1",
    ),
    "slides.odp": lambda: ("odp", _odp(), "kelp cold water", "#slide 1"),
    "parts.xlsx": lambda: ("xlsx", workbook({"Stock": data(rows(TABLE))}), "impeller", "#Stock!"),
    "parts.xls": lambda: (
        "xls",
        old_workbook({"Old": [["Part", "Price"], ["Camshaft", 9.0]]}),
        "camshaft",
        "#Old!",
    ),
    "farm.ods": lambda: ("ods", _ods(), "barley", "#Farm!"),
    "book.epub": lambda: ("epub", zipped(_EPUB), "neap tide lowest", "#one.xhtml"),
    "paper.xml": lambda: ("xml", _PAPER, "quasar dims", ":4"),
    "saved.mht": lambda: ("mhtml", _MHTML, "harbour siren", ":11"),
    "book.fb2": lambda: ("fb2", _FB2, "lighthouse keeper", ""),
    "page.pdf": lambda: (
        "pdf",
        pdf(at(72, 100, "A first page about nothing."), at(72, 100, "The glacier retreats every summer.")),
        "glacier retreats",
        "#page=2",
    ),
    "more.zip": lambda: (
        "archive",
        zipped({"in/fern.md": "# Fern\n\nThe fern unfurls.\n"}),
        "fern unfurls",
        "/in/",
    ),
    "more.tar.gz": lambda: (
        "archive",
        _tar({"moss.md": "The moss dries.\n"}),
        "moss dries",
        "/moss.md",
    ),
}


def samples() -> dict[str, Sample]:
    """The samples by file name."""
    made = {}
    for name, make in _MAKE.items():
        kind, content, words, location = make()
        raw = content.encode("utf-8") if isinstance(content, str) else content
        made[name] = Sample(kind, raw, words, name + location)
    return made
