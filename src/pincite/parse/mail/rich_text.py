"""The compressed rich text of Outlook messages ([MS-OXRTFCP]) to RTF."""

from __future__ import annotations

import struct

_MAX = 20_000_000  # bytes that come out
_SIZE = 4096  # of the dictionary, which starts with what most RTF starts with
_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n"
    b"\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_PACKED, _PLAIN = b"LZFu", b"MELA"


def unpack_rtf(data: bytes) -> bytes:
    """The RTF of a message's property, as far as it goes; empty if it is of no known form."""
    if len(data) < 16:
        return b""
    size, kind = struct.unpack_from("<I", data, 4)[0], data[8:12]
    if kind == _PLAIN:
        return data[16 : 16 + min(size, _MAX)]
    return _unpacked(data, min(size, _MAX)) if kind == _PACKED else b""


def _unpacked(data: bytes, size: int) -> bytes:
    """Eight tokens follow each byte of flags: a byte, or where in the dictionary up to 17 bytes stand."""
    window = bytearray(_START.ljust(_SIZE, b"\0"))
    out = bytearray()
    write, at = len(_START), 16
    while at < len(data) and len(out) < size:
        flags, at = data[at], at + 1
        for bit in range(8):
            if flags >> bit & 1:
                if at + 2 > len(data):
                    return bytes(out[:size])
                token, at = int.from_bytes(data[at : at + 2], "big"), at + 2
                start, count = token >> 4, (token & 15) + 2
                if start == write:  # the mark of the end
                    return bytes(out[:size])
            elif at < len(data):
                start, count = -data[at] - 1, 1
                at += 1
            else:
                return bytes(out[:size])
            for step in range(count):
                byte = -start - 1 if start < 0 else window[(start + step) % _SIZE]
                out.append(byte)
                window[write] = byte
                write = (write + 1) % _SIZE
    return bytes(out[:size])
