"""Mutated files for the parsers, and processes that read them: `python fuzzing.py FIRST COUNT NAME...`.

Each name has a process of its own, which ends with 0 when every mutant was parsed or refused for a reason
that was looked for, in time, without a file written, a process started or an address called. Before each it
says the seed, so that the one that ended it is known: `NAME SEED`, and at last `NAME ended STATUS`.
"""

from __future__ import annotations

import faulthandler
import io
import os
import random
import re
import signal
import sys
import zipfile
from contextlib import suppress
from hashlib import sha256

SECONDS = 20
MEMORY = 2_048_000_000
_ODD = (
    b"\0",
    b"\xff" * 4,
    b"<" * 40,
    b"{" * 60,
    b"[" * 60,
    b"&amp;&#0;",
    b"\r",
    b"\xe2\x80\xae",
    b"%s%n",
    b"\x00\xd8",
)
_NUMBERS = (b"0", b"-1", b"4294967295", b"99999999999999999999", b"1e308", b"0.0000001", b"2147483648")
_DIGITS = re.compile(rb"\d+")
_TAG = re.compile(rb"<[\w:]+[^<>/]*>")


def mutant(data: bytes, seed: int) -> bytes:
    """The data changed in one to six places; of a zip file one member is, and packed again."""
    chance = random.Random(seed)
    if data[:2] == b"PK" and chance.random() < 0.85:
        return _member_changed(data, chance)
    return _changed(data, chance)


def _member_changed(data: bytes, chance: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        target = chance.choice(names)
        for name in names:
            content = old.read(name)
            if name == target:
                if chance.random() < 0.05:
                    continue
                content = _changed(content, chance)
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def _changed(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        data = chance.choice(_OPERATORS)(data, chance)
    return data[:2_000_000]


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def _overwrite(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.randbytes(chance.choice((1, 1, 4, 16))) + data[at + 1 :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.choice(_ODD) * chance.choice((1, 1, 50)) + data[at:]


def _delete(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + data[at + chance.choice((1, 8, 64, 1000)) :]


def _truncate(data: bytes, chance: random.Random) -> bytes:
    return data[: _place(data, chance)]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    part = data[at : at + chance.choice((4, 40, 400))]
    return data[:at] + part * chance.choice((2, 10, 300)) + data[at:]


def _move(data: bytes, chance: random.Random) -> bytes:
    a, b = _place(data, chance), _place(data, chance)
    part = data[a : a + 40]
    rest = data[:a] + data[a + 40 :]
    return rest[:b] + part + rest[b:]


def _number(data: bytes, chance: random.Random) -> bytes:
    found = list(_DIGITS.finditer(data[:200_000]))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + chance.choice(_NUMBERS) + data[one.end() :]


def _nest(data: bytes, chance: random.Random) -> bytes:
    found = list(_TAG.finditer(data[:200_000]))
    if not found:
        return _insert(data, chance)
    one = chance.choice(found)
    return data[: one.start()] + one[0] * chance.choice((3, 300, 5000)) + data[one.start() :]


_OPERATORS = (_overwrite, _insert, _delete, _truncate, _repeat, _move, _number, _nest)


def _forbid(event: str, args: tuple[object, ...]) -> None:
    """Ends the process when a parser writes a file, starts a process or calls an address."""
    wrong = event.startswith(
        ("subprocess.", "os.exec", "os.system", "os.posix_spawn", "socket.connect", "socket.bind")
    )
    if event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        wrong = not str(args[0]).startswith("/dev/")
    if wrong:
        os.write(2, f"\nforbidden: {event} {args!r:.300}\n".encode())
        os._exit(4)


def _late(*_: object) -> None:
    faulthandler.dump_traceback()
    os._exit(5)


def main(first: int, count: int, names: list[str]) -> int:
    """Reads the mutants of samples with these seeds: what all need is imported once, then each is alone."""
    from pincite.parse import parse
    from pincite.protocols import Source
    from samples import samples

    sys.dont_write_bytecode, known = True, samples()
    for name in names:
        parse(Source(name, known[name].data, ""))
    for name in names:
        if not (child := os.fork()):
            os._exit(read_mutants(name, known[name].data, first, count))
        print(f"{name} ended {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}", flush=True)
    return 0


def read_mutants(name: str, sample: bytes, first: int, count: int) -> int:
    """Reads the mutants of a sample with these seeds; 3 if one was refused by chance."""
    import resource

    from pincite.errors import PinciteError
    from pincite.parse import CONTAINERS, parse
    from pincite.parse.inside.members import members
    from pincite.protocols import Source

    unforeseen = 0
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _late)
    sys.addaudithook(_forbid)
    for seed in range(first, first + count):
        print(name, seed, flush=True)
        data = mutant(sample, seed)
        source = Source(name, data, sha256(data).hexdigest())
        signal.alarm(SECONDS)
        try:
            document = parse(source)
            for block in document.blocks:
                document.origins.place(block.span)
            inside = members(source, document.type) if document.type in CONTAINERS else iter(())
            for member in inside:
                if isinstance(member, Source):
                    with suppress(PinciteError):
                        parse(member)
        except PinciteError as error:
            if error.__cause__ is not None and "could not be read as" in error.message:
                print(f"seed {seed}: {error.message}", file=sys.stderr)  # refused by chance, not by a check
                unforeseen += 1
        finally:
            signal.alarm(0)
    return 3 if unforeseen else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
