"""Every code of the localiser has its page: four headings, each with something below it."""

from __future__ import annotations

import re
from pathlib import Path

from pincite.config.keys import known_keys
from pincite.evaluate.diagnose import CODES

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "localiser.md").read_text("utf-8")
HEADINGS = ["What it means", "How it is proved", "Why it happens", "What to do"]


def test_every_code_has_its_section_in_order() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.M) == list(CODES)


def test_every_section_has_the_four_headings_with_text() -> None:
    for section in re.split(r"^## ", PAGE, flags=re.M)[1:]:
        _, *parts = re.split(r"^### ", section, flags=re.M)
        assert [part.split("\n", 1)[0] for part in parts] == HEADINGS, section[:40]
        assert all(len(part.split("\n", 1)[1].strip()) > 5 for part in parts), section[:40]


def test_every_setting_it_names_exists() -> None:
    named = set(re.findall(r"`((?:sync|chunk|search|context|model)\.[a-z_]+)`", PAGE))
    assert named
    assert named <= set(known_keys())


def test_the_index_leads_to_it() -> None:
    assert "](localiser.md)" in (DOCS / "index.md").read_text("utf-8")
