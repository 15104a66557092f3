"""Many tenants in one index: filter forms × second filters × surfaces; no byte of a foreign tenant anywhere.

Each tenant has a code that stands in all that is its own: path, text, heading, metadata. A call is made for
one tenant, its filter set; whatever it gives (hits, traces, notices, hints, errors, the prompt sent to a
model) is looked through for the codes, numbers and dates of the others.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hostile import folders
from hostile.commands import Commands
from hostile.endpoint import Endpoint, endpoint
from hostile.kills import SYNC
from hostile.record import Record

LETTERS = "abcdef"
COLOURS = ("blue", "red", "green")
NOBODY = "z"
FOREIGN = re.compile(r"qx7([a-f])|73100([1-6])\d|2031-0([1-6])-1\d")
TOTAL = re.compile(r"\b30 (?:chunks|documents|files)\b")
"""What all tenants have together."""
SHARED = "# Handbook\n\nEvery gauge is read at noon; the alarm sounds above 90 bar.\n"
BATCH = 12  # commands of one process


def code(letter: str) -> str:
    return f"qx7{letter}"


def write_tenants(root: Path) -> None:
    """Documents of every tenant; one of them is the same in all, and its tenant is set by a path rule."""
    rules = []
    for number, letter in enumerate(LETTERS, 1):
        own, home = code(letter), root / f"{code(letter)}-files"
        rules.append(f'[[sync.meta]]\npaths = ["{home.name}/**"]\nset = {{ tenant = "tenant-{own}" }}\n')
        folders.place(home / "shared.md", SHARED, folders.EPOCH)
        for sheet in range(3):
            head = f"---\nproject: project-{own}-{COLOURS[sheet]}\nbudget: 73100{number}{sheet}\n"
            head += f"due: 2031-0{number}-1{sheet}\ntags: [tag-{own}, common]\n---\n"
            shows = f"gauge {sheet} shows {10 * number + sheet} bar at noon"
            body = f"# Sheet {sheet} of {own}\n\nThe codeword {own} {shows}.\n"
            folders.place(home / f"sheet{sheet}.md", head + body, folders.EPOCH)
        folders.place(home / "table.csv", f"part,bar\nvalve-{own},{number}\n", folders.EPOCH)
    (root / "pincite.toml").write_text("\n".join(rules), "utf-8")


# ── filters ───────────────────────────────────────────────────────────────────────────────────
def scopes(letter: str) -> list[tuple[str, Any]]:
    """Every form of "only this tenant", by name: text first, then objects."""
    from pincite.types import And, Match, Not, Nothing, Or

    value, own = f"tenant-{code(letter)}", Match("tenant", (f"tenant-{code(letter)}",))
    texts = {
        "text": f"tenant={value}",
        "text in": f"tenant in {value}",
        "openai": json.dumps({"type": "eq", "key": "tenant", "value": value}),
        "openai and": json.dumps(
            {"type": "and", "filters": [{"type": "eq", "key": "tenant", "value": value}]}
        ),
        "mongo": json.dumps({"tenant": value}),
        "mongo in": json.dumps({"tenant": {"$in": [value]}}),
        "mongo and": json.dumps({"$and": [{"tenant": {"$eq": value}}]}),
    }
    objects: dict[str, Any] = {
        "object": own,
        "object and": And((own,)),
        "object or": Or((own,)),
        "not not": Not(Not(own)),
    }
    objects["or nothing"] = Or((own, Nothing()))
    return [*texts.items(), *objects.items()]


def seconds(letter: str) -> list[str]:
    """What is asked of a tenant's own documents beside: right, misspelt, of a wrong type, unreadable."""
    own = code(letter)
    return [
        "",
        f"project=project-{own}-blue",
        f"project=project-{own}-bleu",
        "project=project-qx7",
        "project=projekt",
        "project!=x",
        "tags=tag-qx7",
        "tags=common",
        f"tags in tag-{own},tag-qx",
        "path=qx7-files/sheet1.md",
        "path=sheet1.md",
        "name=shared.md",
        "name=sheet9.md",
        "type=markdwn",
        "budget>1",
        "budget=73",
        "budget=abc",
        "due>=2031-01-01",
        "due<2031-13-45",
        "projct=x",
        "budget>",
        "{",
        '{"project": {"$near": "x"}}',
        '{"project": {"$in": ["project-qx7"]}}',
        '{"$or": [{"project": "projec-qx7"}, {"tags": "tag-qx"}]}',
    ]


def both(scope: Any, second: str) -> Any:
    """The two together, as one call takes them: texts as a list, objects joined."""
    if isinstance(scope, str):
        return [scope, second] if second else [scope]
    if not second or not (found := re.fullmatch(r"(project|tags|name|path|type)=(.*)", second)):
        return scope
    from pincite.types import And, Match

    return And((scope, Match(found[1], (found[2],))))


QUERIES = (
    "which gauge shows bar at noon",
    "codeword gauge",
    "alarm above 90 bar",
    '"codeword gauge"',
    '"gauge is read at noon"',
    "valve part",
    "handbok guage",
    "qx7",
    "nothing like this anywhere",
)
PATTERNS = ("qx7.", "(?i)GAUGE \\d", "valve-\\w+", "(", "x{9999999}")


# ── surfaces ──────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Call:
    """One call for a tenant: its filter, the words asked."""

    letter: str
    filter: Any
    query: str
    number: int


def by_library(library: Any, call: Call, rng: random.Random) -> tuple[str, str]:
    """A call of the library; its name, and all it gave or raised."""
    k, legs = rng.choice((1, 3, 10, 100)), rng.choice((None, ["lexical"], ["dense"], ["lexical", "dense"]))
    name = rng.choice(("search", "search", "search", "ask", "per document", "regex", "fusion"))
    ways: dict[str, Callable[[], object]] = {
        "search": lambda: library.search(call.query, k=k, filter=call.filter, legs=legs),
        "ask": lambda: library.ask(call.query, filter=call.filter),
        "per document": lambda: library.search(call.query, k=k, filter=call.filter, per_document=True),
        "regex": lambda: library.search(rng.choice(PATTERNS), k=k, filter=call.filter, regex=True),
        "fusion": lambda: library.search(call.query, k=k, filter=call.filter, fusion="rrf"),
    }
    try:
        return name, repr(ways[name]())
    except Exception as error:  # whatever is raised is read by its caller
        return name, f"{type(error).__name__}: {error} {getattr(error, 'hint', '')} {vars(error)}"


def by_command(call: Call, questions: Path, rng: random.Random) -> tuple[str, ...]:
    """A command with the same filter, if it is one that can be typed."""
    options = [word for text in call.filter for word in ("--filter", text)]
    form = rng.choice(((), ("--json",), ("--quiet",)))
    name = rng.choice(("search", "search", "ask", "explain", "regex", "per document", "eval", "why"))
    k = ("--k", str(rng.choice((1, 3, 30))))
    if name == "regex":
        return ("search", "--regex", rng.choice(PATTERNS), *options, *form, *k)
    if name == "per document":
        return ("search", "--per-document", call.query, *options, *form, *k)
    if name in ("eval", "why"):
        return (name, str(questions), *options, *(form if name == "eval" or form != ("--quiet",) else ()), *k)
    return (name, call.query, *options, *form)


def write_questions(folder: Path, letter: str) -> Path:
    """Labelled questions of one tenant; one names a file by its name alone, one a file that is not there."""
    own = f"{code(letter)}-files"
    rows = [
        ("which gauge shows bar at noon", f"{own}/sheet1.md"),
        ("alarm above 90 bar", f"{own}/shared.md"),
        ("handbook alarm", "shared.md"),
        ("codeword gauge", f"{own}/shet1.md"),
    ]
    lines = [
        json.dumps({"id": str(n), "question": text, "expect": [to]}) for n, (text, to) in enumerate(rows)
    ]
    file = folder / f"questions-{letter}.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


# ── the part ──────────────────────────────────────────────────────────────────────────────────
def run(seed: int, n: int) -> dict[str, Any]:
    """n calls: four fifths of the library, some of them with a model, the rest commands."""
    import pincite

    record = Record("tenants", seed)
    with folders.scratch("tenants") as folder, Commands() as runner, endpoint(said) as model:
        root = Path(folder) / "library"
        write_tenants(root)
        made = runner.run(root, SYNC)
        if made.last.code:
            raise RuntimeError(made.last.said)
        calls = list(plan(seed, n))
        with pincite.open(root) as plain, pincite.open(root, config=with_model(root, model)) as asking:
            for number in record.numbers(len(calls)):
                call = calls[number]
                if call.number % 5 == 4 and isinstance(call.filter, Sequence):
                    continue
                rng = random.Random(f"{seed}/{call.number}")
                library(record, asking if call.number % 3 == 0 else plain, model, call, rng)
        commands(
            record,
            runner,
            root,
            [call for call in calls if call.number % 5 == 4 and isinstance(call.filter, list)],
        )
    return record.figures(tenants=len(LETTERS), foreign=record.failed["foreign"])


def plan(seed: int, n: int) -> Any:
    """Calls of all tenants, and of one that does not exist, whose filter lets nothing through."""
    rng = random.Random(seed)
    for number in range(n):
        letter = rng.choice(LETTERS + NOBODY)
        scope = rng.choice(scopes(letter))[1]
        yield Call(letter, both(scope, rng.choice(seconds(letter))), rng.choice(QUERIES), number)


def said(body: str) -> str:
    return "The gauge shows this at noon [1]. It is read by hand [2]. See also [9]."


def with_model(root: Path, model: Endpoint) -> Any:
    from pincite.config import LLMConfig
    from pincite.config.load import load_config

    return replace(load_config(root), llm=LLMConfig(model.url, "small"))


def library(record: Record, opened: Any, model: Endpoint, call: Call, rng: random.Random) -> None:
    model.bodies.clear()
    name, text = by_library(opened, call, rng)
    record.attempt(f"library: {name}" + (" with a model" if model.bodies else ""))
    judge(record, call, name, text + "".join(model.bodies), call.query)


def commands(record: Record, runner: Commands, root: Path, calls: list[Call]) -> None:
    questions = {letter: write_questions(root.parent, letter) for letter in LETTERS + NOBODY}
    for first in range(0, len(calls), BATCH):
        some = calls[first : first + BATCH]
        words = [by_command(one, questions[one.letter], random.Random(f"{one.number}")) for one in some]
        done = runner.run(root, *words)
        for call, ran in zip(some, done.ran, strict=False):
            record.attempt(f"command: {ran.words[0]}")
            judge(record, call, ran.words[0], ran.out + ran.err, call.query, command=ran.command)
            if ran.ugly:
                record.fail("ugly", ran.words[0], call.number, f"{ran.command}: {ran.ugly}: {ran.said}")
        if problem := done.timed_out or done.signal:
            record.fail("ugly", "command", some[-1].number, f"{done.last.command}: {problem}")


def judge(record: Record, call: Call, name: str, text: str, query: str, **more: Any) -> None:
    """Looks for what is another tenant's; what the caller typed is no news."""
    own = str(LETTERS.find(call.letter) + 1)
    for found in FOREIGN.finditer(text):
        whose = found[1] or found[2] or found[3]
        if whose not in (call.letter, own):
            around = text[max(0, found.start() - 80) : found.end() + 40]
            asked = {"filter": repr(call.filter)[:300], "query": query, "tenant": call.letter}
            record.fail("foreign", name, call.number, around, **asked, **more)
            return
    if total := TOTAL.search(text):
        record.fail("count", name, call.number, total[0], filter=repr(call.filter)[:300], tenant=call.letter)
