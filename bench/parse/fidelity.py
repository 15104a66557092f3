"""Words of outputs against what is expected, by file and tool; means by set and format; the worst files."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from expected import Expectations, File, expectations
from peers import MARKDOWN, TOOLS, python_docx
from words import Score, best_score, plain, words

OURS, WHOLE, ALL = "pincite", "pincite, whole page", "pincite, with what it leaves out"
_MAIN_CONTENT = frozenset({"trafilatura", "readability-lxml", "resiliparse"})
_READ_BY = {"python_docx": "python-docx", "python_pptx": "python-pptx"}
"""Sets whose text is what this tool reads in it."""
_MAKERS = {"docling": "docling", "pandoc": "pandoc", **_READ_BY}
"""The tools that made what is expected: no contest."""
_SHOWN, _PHRASE = 5, 14
_SAME = 0.0005

Outputs = Mapping[str, Mapping[str, Any]]
"""Name of a file → row of `peers.py`."""
Scores = dict[str, dict[str, Score]]
"""Name of a file → tool → score."""


def run_peer(tool: str, python: Path, files: Sequence[File], keep: Path) -> tuple[str, Outputs]:
    """The tool's version and what it made of each file; outputs are kept, and taken from there."""
    if not keep.exists():
        script = Path(__file__).with_name("peers.py")
        given = "\n".join(str(file.path) for file in files)
        with keep.with_suffix(".part").open("w", encoding="utf-8") as out:
            subprocess.run(
                [python, script, tool],
                input=given,
                stdout=out,
                stderr=subprocess.DEVNULL,
                text=True,
                check=True,
            )
        keep.with_suffix(".part").rename(keep)
    with keep.open(encoding="utf-8") as lines:
        head, *rows = map(json.loads, lines)
    names = {str(file.path): file.name for file in files}
    return head["version"], {names[row["path"]]: row for row in rows if row["path"] in names}


def files_of(tool: str, files: Sequence[File]) -> list[File]:
    """The files a tool is given: those of its formats, with something expected."""
    _, _, endings = TOOLS[tool]
    if tool in _MAIN_CONTENT:
        return [file for file in files if file.set == "readability"]
    return [
        file
        for file in files
        if file.ext in endings.split() and (file.expected or file.set in {*_READ_BY, "nbconvert"})
    ]


def all_expectations(files: Sequence[File], outputs: Mapping[str, Outputs]) -> dict[str, Expectations]:
    """What is expected of each file, where somebody says, and it has words."""
    found = {}
    for file in files:
        wanted = expectations(file)
        row = outputs.get(_READ_BY.get(file.set, ""), {}).get(file.name)
        if row is not None and row["state"] == "done":
            wanted = (words(row["text"]),)
        if wanted and file.set == "python_docx":
            wanted += (words(python_docx(with_comments=True)(str(file.path))),)
        if wanted and wanted[0]:
            found[file.name] = wanted
    return found


def got_words(tool: str, text: str, name: str) -> list[str]:
    """The words of an output; what is Markdown without its marks."""
    is_markdown = tool in MARKDOWN or (tool.startswith(OURS) and name.endswith((".md", ".ipynb")))
    return words(plain(text) if is_markdown else text)


def scores(wanted: Mapping[str, Expectations], texts: Mapping[str, Mapping[str, str]]) -> Scores:
    """Each tool's score for each file it was given; no output counts as an empty one."""
    found: Scores = {}
    for tool, by_file in texts.items():
        for name, text in by_file.items():
            if name in wanted:
                found.setdefault(name, {})[tool] = best_score(wanted[name], got_words(tool, text, name))
    return found


def means(files: Sequence[File], scored: Scores) -> list[dict[str, Any]]:
    """One row for each set and format: files, and mean recall, precision and F1 of each tool."""
    rows = []
    for (set_name, ext), held in _groups(files, scored).items():
        tools = list(dict.fromkeys(tool for name in held for tool in scored[name]))
        by_tool = {}
        for tool in tools:
            got = [scored[name][tool] for name in held if tool in scored[name]]
            if tool != OURS and not any(one.got for one in got):
                continue  # it does not read this format at all
            sums = [
                sum(getattr(one, kind) for one in got) / len(got) for kind in ("recall", "precision", "f1")
            ]
            by_tool[tool] = [round(value, 4) for value in sums]
        maker = _MAKERS.get(set_name)
        best = max((f1 for tool, (_, _, f1) in by_tool.items() if _rival(tool, maker)), default=None)
        rows.append({"set": set_name, "format": ext, "files": len(held), "best_peer": best, "tools": by_tool})
    return rows


def _rival(tool: str, maker: str | None) -> bool:
    return not tool.startswith(OURS) and tool != maker


def _groups(files: Sequence[File], scored: Scores) -> dict[tuple[str, str], list[str]]:
    groups: dict[tuple[str, str], list[str]] = {}
    for file in files:
        if OURS in scored.get(file.name, {}):
            groups.setdefault((file.set, file.ext), []).append(file.name)
    return dict(sorted(groups.items()))


def quality_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table in Markdown, tools by F1."""
    lines = ["| set | format | files | Pincite R / P / F1 | others, F1 |", "|---|---|---|---|---|"]
    for row in rows:
        ours = " / ".join(f"{value:.3f}" for value in row["tools"][OURS])
        tools = {tool: f1 for tool, (_, _, f1) in row["tools"].items() if tool != OURS}
        if abs(tools.get(ALL, 0) - row["tools"][OURS][2]) < _SAME:
            tools.pop(ALL, None)
        rest = sorted(((f1, tool) for tool, f1 in tools.items()), key=lambda one: (-one[0], one[1]))
        maker = _MAKERS.get(row["set"])
        others = ", ".join(f"{tool}{' (made it)' * (tool == maker)} {f1:.3f}" for f1, tool in rest)
        below = row["best_peer"] is not None and row["tools"][OURS][2] < row["best_peer"] - _SAME
        lines.append(
            f"| {row['set']} | {row['format']} | {row['files']} | {ours}{' **below**' * below} | {others} |"
        )
    return "\n".join(lines)


def worst(
    files: Sequence[File],
    scored: Scores,
    wanted: Mapping[str, Expectations],
    texts: Mapping[str, str],
    reasons: Mapping[str, str],
) -> Iterator[str]:
    """Lines for those who write parsers: files under .95, with what is missing and too much."""
    for (set_name, ext), names in _groups(files, scored).items():
        bad = sorted((scored[name][OURS].f1, name) for name in names if scored[name][OURS].f1 < 0.95)
        mean = sum(scored[name][OURS].f1 for name in names) / len(names)
        yield f"\n## {set_name} {ext}: mean F1 {mean:.3f}, {len(bad)} of {len(names)} files under .95"
        for f1, name in bad[:40]:
            one = scored[name][OURS]
            moved = one.in_any_order - one.in_order
            others = {
                tool: round(other.f1, 3)
                for tool, other in scored[name].items()
                if not tool.startswith("pincite")
            }
            yield f"- **{name}** F1 {f1:.3f} R {one.recall:.3f} P {one.precision:.3f} "
            yield f"  ({one.expected} words expected, {one.got} got, {moved} in another order); {others}"
            if reasons.get(name):
                yield f"  - {reasons[name]}"
            got = got_words(OURS, texts.get(name, ""), name)
            right = max(wanted[name], key=lambda words_: -abs(len(words_) - one.expected))
            yield from _differences(right, got)


def _differences(right: Sequence[str], got: Sequence[str]) -> Iterator[str]:
    missing = _phrases(right, Counter(right) - Counter(got))
    extra = _phrases(got, Counter(got) - Counter(right))
    if missing:
        yield f"  - missing: {' ⋯ '.join(missing)}"
    if extra:
        yield f"  - extra: {' ⋯ '.join(extra)}"


def _phrases(text: Sequence[str], left: Counter[str]) -> list[str]:
    """The first few stretches of words that stand in one text and not in the other."""
    left = Counter(left)
    phrases: list[list[str]] = [[]]
    for word in text:
        if left[word] > 0:
            left[word] -= 1
            phrases[-1].append(word)
        elif phrases[-1]:
            phrases.append([])
    longest = sorted(range(len(phrases)), key=lambda at: (-len(phrases[at]), at))[:_SHOWN]
    return [" ".join(phrases[at][:_PHRASE]) for at in sorted(longest) if phrases[at]]
