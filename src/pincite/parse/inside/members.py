"""What is inside a file that holds others, each as a file of its own: attachments, messages, members.

Bounded as a whole, however deep one lies in another; nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

from pincite.errors import InputError, PinciteError
from pincite.parse import CONTAINERS
from pincite.parse.detect import document_type
from pincite.parse.inside import NO_MEMORY
from pincite.parse.inside.archive import MAX_MEMBER, archive_members
from pincite.parse.inside.names import one_key
from pincite.parse.mail.mbox import messages
from pincite.parse.mail.msg import read_msg
from pincite.parse.mail.read import read_mail
from pincite.parse.zips import MAX_MEMBERS, Allowance
from pincite.protocols import Source
from pincite.types import Reason

MAX_DEPTH = 3  # files inside each other, the outermost not counted
MAX_MESSAGES = 100_000  # of a mailbox, with all that is attached to them
_Held = tuple[str, str, Callable[[], bytes]]
"""Name below the file, why it is refused or "", and its bytes."""


@dataclass(slots=True)
class _Room:
    """What is left of the limits for one file and all inside it."""

    members: int
    most: int
    bytes: Allowance = field(default_factory=Allowance)

    @property
    def full(self) -> str:
        """The limit that was passed, or ""."""
        if self.members < 0:
            return f"there are more than {self.most:,} files inside (the limit)"
        if self.bytes.spent:
            return f"the files inside have more than {self.bytes.limit / 1e6:,.0f} MB together (the limit)"
        return ""


def members(source: Source, kind: str) -> Iterator[Source | Reason]:
    """The files in a file of type `kind`, and those in them, each after the one that holds it.

    The uri of one is that of its holder, `/`, and its own path: `a.zip/b/mail.eml/report.pdf`. A `Reason`
    stands for one that is refused. To be called for files of a folder only: what is inside members comes
    along. The order is that of the file. Does not raise: what stops it is the reason of `uri/…`.
    """
    most = MAX_MESSAGES if kind == "mbox" else MAX_MEMBERS
    yield from _all(source, kind, _Room(most, most), 1)


def _all(source: Source, kind: str, room: _Room, depth: int) -> Iterator[Source | Reason]:
    """What a file holds, and last of all the reason why there is not more, if there is one."""
    try:
        yield from _members(source, kind, room, depth)
    except InputError as error:
        reason = room.full or error.message.removeprefix(f"{source.uri}: ")
        yield Reason(f"{source.uri}/…", f"{reason}; what follows is not read")
    except MemoryError:
        yield Reason(f"{source.uri}/…", NO_MEMORY)
    except Exception as error:  # ours to mend; what was read before stays, and so do files beside this one
        name = type(error).__name__
        yield Reason(f"{source.uri}/…", f"internal error ({name}: {error}); what follows is not read")


def _members(source: Source, kind: str, room: _Room, depth: int) -> Iterator[Source | Reason]:
    seen: dict[str, str] = {}
    used: dict[str, int] = {}
    for name, wrong, read in _held(source, kind, room):
        if refused := wrong or _taken(name, seen):
            yield Reason(f"{source.uri}/{_free(name, used)}", refused)
            continue
        used[name] = 1
        found = _read(source.uri, name, read, room)
        yield found
        if isinstance(found, Source):
            yield from _inside(found, room, depth)
        if room.full:
            return


def _taken(name: str, seen: dict[str, str]) -> str:
    """Why a name cannot be used again; "" for a new one, which is noted."""
    first = seen.setdefault(one_key(name), "")
    if not first:
        seen[one_key(name)] = name
        return ""
    return (
        "another member has the same name" if first == name else f"it has the name of {first} in another form"
    )


def _free(name: str, used: dict[str, int]) -> str:
    """A name for one that is refused: with a number where another has it."""
    if name not in used:
        used[name] = 1
        return name
    while (numbered := f"{name} ({used[name] + 1})") in used:
        used[name] += 1
    used[name] += 1
    used[numbered] = 1
    return numbered


def _read(container: str, name: str, read: Callable[[], bytes], room: _Room) -> Source | Reason:
    """The member, or why there is none."""
    uri = f"{container}/{name}"
    room.members -= 1
    if room.full:
        return Reason(uri, f"{room.full}; this one and the rest are not read")
    try:
        data = read()
    except InputError as error:
        message = error.message.removeprefix(f"{container}: ")
        return Reason(uri, f"{room.full}; this one and the rest are not read" if room.full else message)
    except MemoryError:
        return Reason(uri, NO_MEMORY)
    if len(data) > MAX_MEMBER:
        return Reason(uri, f"it has more than {MAX_MEMBER / 1e6:,.0f} MB (the limit)")
    return Source(uri, data, sha256(data).hexdigest())


def _inside(holder: Source, room: _Room, depth: int) -> Iterator[Source | Reason]:
    """What is inside a member."""
    try:
        kind = document_type(holder.uri, holder.data)
    except PinciteError:  # reading it as a document names the fault
        return
    if kind not in CONTAINERS:
        return
    if depth < MAX_DEPTH:
        yield from _all(holder, kind, room, depth + 1)
    elif _holds_any(holder, kind, room):
        yield Reason(f"{holder.uri}/…", f"files more than {MAX_DEPTH} deep in others are not read")


def _holds_any(holder: Source, kind: str, room: _Room) -> bool:
    try:
        return next(_held(holder, kind, room), None) is not None
    except Exception:  # whatever a damaged one sets off: reading it as a document names the fault
        return False


def _held(source: Source, kind: str, room: _Room) -> Iterator[_Held]:
    """What a file of type `kind` holds, in its order."""
    if kind == "archive":
        for member in archive_members(source, room.bytes):
            yield member.path, member.refused, member.read
    elif kind == "mbox":
        for name, message in messages(source):
            yield name, "", partial(bytes, message)
    elif kind in ("eml", "msg"):
        mail = read_mail(source.data, source.uri) if kind == "eml" else read_msg(source.data, source.uri)
        for one in mail.attachments:
            yield one.name, "", partial(bytes, one.data)
