"""The content of one part of a mail: transfer encodings undone, bytes to text, the name it states."""

from __future__ import annotations

import binascii
import quopri
import re
from email.generator import BytesGenerator
from email.message import Message
from email.policy import compat32
from email.utils import collapse_rfc2231_value
from io import BytesIO

from pincite.parse.mail.headers import decode_text, decode_words, from_base64

MESSAGES = ("message/rfc822", "message/global", "message/news")
_UU_BEGIN = re.compile(rb"^begin [0-7]{3,4} ", re.M)


def part_bytes(part: Message) -> bytes:
    """The bytes of a part that has no parts; what is wrong in an encoding is passed over."""
    how = decode_words(str(part.get("Content-Transfer-Encoding", ""))).lower().strip(" ;")
    del part["Content-Transfer-Encoding"]  # the bytes are wanted as they were read, and decoded below
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return b""
    if how == "base64":
        return from_base64(data)
    if how == "quoted-printable":
        return quopri.decodestring(data)
    if how in ("x-uuencode", "uuencode", "uue", "x-uue"):
        return _from_uu(data)
    return data


def part_text(part: Message, kind: str) -> str:
    """The text of a part, with `format=flowed` lines joined again; a report's fields are lines."""
    children = part.get_payload() if part.is_multipart() else None
    if isinstance(children, list):  # a delivery report: groups of fields
        groups = [child.raw_items() for child in children if isinstance(child, Message)]
        return "\n\n".join(
            "\n".join(f"{name}: {decode_words(value)}" for name, value in group) for group in groups
        )
    text = decode_text(part_bytes(part), parameter(part, "charset"))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if kind == "text/plain" and parameter(part, "format").lower() == "flowed":
        return unflowed(text, delsp=parameter(part, "delsp").lower() == "yes")
    return text


def message_bytes(part: Message) -> bytes | None:
    """The bytes of an attached message; None for one too damaged to be written out."""
    children = part.get_payload() if part.is_multipart() else None
    inner = children[0] if isinstance(children, list) and children else None
    if not isinstance(inner, Message):
        return b""
    how = str(part.get("Content-Transfer-Encoding", "")).lower().strip()
    packed = inner.get_payload(decode=True)
    if how in ("base64", "quoted-printable") and not inner.keys() and isinstance(packed, bytes):
        return from_base64(packed) if how == "base64" else quopri.decodestring(packed)
    out = BytesIO()
    try:
        BytesGenerator(out, mangle_from_=False, maxheaderlen=0, policy=compat32).flatten(inner)
    except Exception:  # of the standard library, on hostile messages
        return None
    return out.getvalue()


def stated_name(part: Message) -> str:
    """The file name of a part, decoded; "" if it states none."""
    for header, name in (("content-disposition", "filename"), ("content-type", "name")):
        if found := decode_words(parameter(part, name, header)):
            return found
    return ""


def disposition(part: Message) -> str:
    """`attachment`, `inline`, or whatever else a part says of how it is to be shown, maybe ""."""
    try:
        return part.get_content_disposition() or ""
    except Exception:  # of the standard library, on hostile headers
        return ""


def parameter(part: Message, name: str, header: str = "content-type") -> str:
    """A parameter of a header, by RFC 2231 where it is written so; "" if there is none."""
    try:
        found = part.get_param(name, "", header)
        return collapse_rfc2231_value(found).strip() if found else ""
    except Exception:  # as above
        return ""


def unflowed(text: str, *, delsp: bool) -> str:
    """Text with its flowed lines joined (RFC 3676): a line that ends in a space goes on in the next."""
    out: list[list[str]] = []
    open_depth = -1
    for line in text.split("\n"):
        body = line.lstrip(">")
        depth = len(line) - len(body)
        body = body.removeprefix(" ")
        flows = body.endswith(" ") and body != "-- "
        body = body[:-1] if flows and delsp else body
        if depth == open_depth and body != "-- ":
            out[-1].append(body)
        else:
            out.append([">" * depth + (" " if depth else ""), body])
        open_depth = depth if flows else -1
    return "\n".join(map("".join, out))


def _from_uu(data: bytes) -> bytes:
    """The bytes of a uuencoded file; lines that are none end it."""
    begin = _UU_BEGIN.search(data)
    out: list[bytes] = []
    for line in data[begin.start() if begin else 0 :].splitlines()[1 if begin else 0 :]:
        if line.strip() in (b"", b"end", b"`"):
            break
        length = (line[0] - 32) & 63  # what stands beyond it is padding
        try:
            out.append(binascii.a2b_uu(line[: 1 + (length * 8 + 5) // 6 + 3]))
        except (binascii.Error, ValueError):
            break
    return b"".join(out)
