"""Archives: the members of zip, tar and packed files, and a document that lists them.

Nothing is ever written to disk. Members are read one after the other, in the order of the archive.
"""

from __future__ import annotations

import stat
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from zipfile import ZipInfo

from pincite.errors import InputError
from pincite.parse.inside.inflate import Inflated
from pincite.parse.inside.names import is_left_out, member_path, refusal, shown_name
from pincite.parse.writer import Part, Writer, joined
from pincite.parse.zips import MAX_MEMBERS, Allowance, Zip
from pincite.protocols import Source
from pincite.types import Document, Losses, Place

MAX_MEMBER = 64_000_000  # bytes
_LISTED = 200  # members named in the document of the archive
_ZIP = b"PK"
_PACKED = (".gz", ".bz2", ".xz", ".tgz", ".tbz2", ".tbz", ".txz")
_KINDS = {
    stat.S_IFLNK: "a link; links are not followed",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}


@dataclass(frozen=True, slots=True)
class Member:
    """One file in an archive: its safe path, its stated size, and why it is not read, or "".

    `read` gives its bytes; it must be called before the next member is asked for.
    """

    path: str
    size: int
    refused: str
    read: Callable[[], bytes]


def parse_archive(source: Source) -> Document:
    """The document of an archive: the names and sizes of its members, one block per folder.

    What is damaged behind the first of them is named. Raises `InputError` when there is none before it.
    """
    folders: dict[str, list[Member]] = {}
    dropped: list[str] = []
    count = 0
    try:
        for member in archive_members(source):
            count += 1
            if count <= _LISTED:
                folders.setdefault(member.path.rpartition("/")[0], []).append(member)
    except InputError as error:
        if not count or count >= MAX_MEMBERS:
            raise
        dropped.append(f"{error.message.removeprefix(f'{source.uri}: ')}; what follows is not read")
    writer = Writer()
    for folder, found in sorted(folders.items()):
        writer.add("list", _listed(folder, found))
    if count > _LISTED:
        dropped.insert(0, f"the names of {count - _LISTED:,} more members")
    return writer.finish(source, "archive", losses=Losses(dropped=tuple(dropped)))


def _listed(folder: str, found: list[Member]) -> list[Part]:
    place = Place(part=f"{folder}/" if folder else "top folder")
    lines = [f"{folder}/"] if folder else []
    lines += [f"{member.path.rpartition('/')[2]} ({_size(member.size)})" for member in found]
    return joined(([(line, place)] for line in lines), "\n")


def _size(size: int) -> str:
    for unit, by in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= by:
            return f"{size / by:.1f} {unit}"
    return f"{size} bytes"


def archive_members(source: Source, allowance: Allowance | None = None) -> Iterator[Member]:
    """The files in an archive, in its order; folders and what a library would leave out are not named.

    `allowance` is what may come out of it; when it is spent, or the archive damaged, `InputError` is raised.
    """
    allowance = allowance or Allowance()
    made = (
        _zip_members(source, allowance)
        if source.data.startswith(_ZIP)
        else _stream_members(source, allowance)
    )
    for count, member in enumerate(made, 1):
        if count > MAX_MEMBERS:
            raise _too_many(source)
        if member.refused or not is_left_out(member.path):
            yield member


def _too_many(source: Source) -> InputError:
    return InputError(f"{source.uri}: holds more than {MAX_MEMBERS:,} members (the limit)", uri=source.uri)


def _member(name: str, size: int, refused: str, read: Callable[[], bytes]) -> Member:
    wrong = refusal(name)
    return Member(shown_name(name) if wrong else member_path(name), size, wrong or refused, read)


def _zip_members(source: Source, allowance: Allowance) -> Iterator[Member]:
    file = Zip(source.data, source.uri, allowance=allowance)
    for info in file.entries:
        mode = stat.S_IFMT(info.external_attr >> 16) if info.create_system == 3 else 0
        refused = _KINDS.get(mode, "")
        if info.flag_bits & 1:
            refused = refused or "it is encrypted"
        read = partial(file.read_entry, info, most=MAX_MEMBER)
        yield _member(_zip_name(info), info.file_size, refused, read)


def _zip_name(info: ZipInfo) -> str:
    """The name; one not marked as UTF-8 may be UTF-8 all the same."""
    if info.flag_bits & 0x800:
        return info.orig_filename
    try:
        return info.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.orig_filename


def _stream_members(source: Source, allowance: Allowance) -> Iterator[Member]:
    """The members of a tar, packed or not; of a packed file that is no tar, the file."""
    stream = Inflated(source.data, source.uri, allowance)
    head = stream.read(512)
    if _is_tar(head):
        yield from _tar_members(source, allowance)
        return
    name = source.uri.rpartition("/")[2]
    stem = next((name[: -len(end)] for end in _PACKED if name.lower().endswith(end)), name)
    whole = head + stream.read(MAX_MEMBER)  # all of it: where its size is stated, it may be false
    if len(whole) > MAX_MEMBER:
        message = f"{source.uri}: it grows to more than {MAX_MEMBER / 1e6:,.0f} MB (the limit)"
        raise InputError(message, uri=source.uri)
    yield _member(stem or "content", len(whole), "", lambda: whole)


def _is_tar(head: bytes) -> bool:
    """Whether these are the first bytes of a tar: the sum in its header is right."""
    if len(head) < 512 or not head.strip(b"\0"):
        return False
    try:
        stated = int(head[148:156].strip(b" \0") or b"-1", 8)
    except ValueError:
        return False
    return stated == sum(head[:148]) + 8 * 32 + sum(head[156:512])


def _tar_members(source: Source, allowance: Allowance) -> Iterator[Member]:
    stream = Inflated(source.data, source.uri, allowance)
    with _tar_faults(source), tarfile.open(fileobj=stream, mode="r|", encoding="utf-8") as file:
        for count, info in enumerate(file):
            if count > MAX_MEMBERS:  # folders too: a million of them take time
                raise _too_many(source)
            if not info.isdir():
                yield _tar_member(source, file, info)
            if file.offset > allowance.limit:  # tarfile goes there in small steps, also past the end
                limit = f"{allowance.limit / 1e6:,.0f} MB (the limit)"
                message = (
                    f"{source.uri}: by the size it states, {shown_name(info.name)} makes it more than {limit}"
                )
                raise InputError(message, uri=source.uri)


@contextmanager
def _tar_faults(source: Source) -> Iterator[None]:
    """Turns what a damaged tar sets off into an `InputError`."""
    try:
        yield
    except InputError:
        raise
    except RecursionError as error:
        message = (
            f"{source.uri}: more headers before one member than can be followed (the limit is some hundreds)"
        )
        raise InputError(message, uri=source.uri) from error
    except (tarfile.TarError, OSError, EOFError, ValueError, TypeError, IndexError) as error:
        raise InputError(f"{source.uri}: the tar file is damaged ({error})", uri=source.uri) from error


def _tar_member(source: Source, file: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    refused = ""
    if info.issym() or info.islnk():
        refused = "a link; links are not followed"
    elif not info.isreg():
        refused = "not a regular file"
    elif info.sparse is not None:
        refused = "a sparse file, with holes of any size"
    elif info.size > MAX_MEMBER:
        refused = f"it has more than {MAX_MEMBER / 1e6:,.0f} MB (the limit)"

    return _member(info.name, info.size, refused, partial(_tar_read, source, file, info))


def _tar_read(source: Source, file: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    with _tar_faults(source):
        content = file.extractfile(info)
    if content is None:
        return b""
    with _tar_faults(source):
        return content.read()
