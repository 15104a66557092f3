"""No command passes on characters that are not seen, wherever in a folder they stand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command_line import Run, run
from libraries import write
from pincite.characters import STEERING

__all__ = ["run"]

# Marks of direction, a tag character, a selector and a zero-width space, none as scripts use them.
EVIL = "x\u200ey\u202ez\U000e0041\ufe0f\u200bw\x1b[2J"
SEEN = re.compile(f"[\x00-\x09\x0b-\x1f{STEERING}]")
PLAIN = EVIL.partition("\x1b")[0]  # YAML takes no escape
NAME = f"note{PLAIN}.md"
NOTE = f"---\nteam: t{PLAIN}\n{PLAIN}: v\n---\n# Title {EVIL}\n\nThe opal valve {EVIL} is shut.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / f"docs{EVIL[:4]}", {NAME: NOTE, "plain.md": f"# Pump\n\nThe pump {EVIL} runs.\n"})
    labels = f"what is opal{EVIL}?\t{NAME}\nhow does the pump {EVIL}?\tgone{EVIL}.md\n"
    write(tmp_path, {"labels.tsv": labels})
    return tmp_path / f"docs{EVIL[:4]}"


def test_all_that_is_said_is_seen(root: Path, run: Run) -> None:
    labels = root.parent / "labels.tsv"
    said = [run("sync", root, *form) for form in ([], ["--json"])]
    for words in (
        ["search", f"opal {EVIL}"],
        ["search", "--regex", f"valve|{EVIL[:3]}"],
        ["search", "opal", "--filter", f"team=t{PLAIN}"],
        ["search", "opal", "--filter", f"tea{EVIL[:3]}=x"],
        ["ask", f"is the opal valve {EVIL} shut?"],
        ["ask", f"who is Zorro {EVIL}?"],
        ["explain", f"opal {EVIL}"],
        ["show", f"{NAME}:6"],
        ["show", f"none{EVIL}.md:1"],
        ["parse", root / NAME],
        ["status"],
        ["eval", labels, "--allow-unmatched"],
        ["eval", labels, "--save", "run", "--why", "--all"],
        ["why", labels],
        ["questions", "check", labels],
        ["questions", "draft"],
        ["config"],
        [f"no{EVIL}command"],
        ["search", "opal", f"--no{EVIL}option"],
    ):
        said += [
            run(*words, *([] if words[0] == "parse" else ["--in", root]), *form) for form in ([], ["--json"])
        ]
    for _, out, err in said:
        assert SEEN.findall(out + err) == [], (out, err)
    assert sum("\\u200e" in out for _, out, _ in said) > 12
    assert any(
        json.loads(out)["hits"][0]["uri"] == NAME for _, out, _ in said if out.startswith('{\n  "query"')
    )


def test_a_page_hides_nothing(root: Path, run: Run) -> None:
    page = root.parent / "page.html"
    write(root.parent, {"labels.tsv": f"what is opal{EVIL}?\t{NAME}\n"})
    assert run("eval", root.parent / "labels.tsv", "--in", root, "--save", "run", "--why")[0] == 0
    assert run("report", "run", "-o", page, "--in", root)[0] == 0
    text = page.read_text("utf-8")
    assert SEEN.findall(text.replace("\t", "")) == [] and "\\u202e" in text and "\\U000e0041" in text
