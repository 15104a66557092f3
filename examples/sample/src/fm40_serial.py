"""Serial protocol of the FM-40 field meter (firmware 3.x, 115,200 baud, 8N1).

A frame is STX, one command byte, a length byte, the payload, and a CRC-16 (low byte first).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

STX = 0x02
MAX_PAYLOAD = 240
BAUD_RATE = 115_200
REPLY_TIMEOUT_S = 1.5


class FrameError(ValueError):
    """A frame is too short, has a wrong start byte, or fails its checksum."""


@dataclass(frozen=True)
class Reading:
    """One stored measurement: seconds since 2000-01-01, channel number and value."""

    time: int
    channel: int
    value: float


def crc16(data: bytes) -> int:
    """CRC-16 with polynomial 0xA001 and start value 0xFFFF, as used by Modbus."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def encode_frame(command: int, payload: bytes = b"") -> bytes:
    """The bytes to send for a command. Payloads over 240 bytes are refused."""
    if len(payload) > MAX_PAYLOAD:
        raise FrameError(f"payload of {len(payload)} bytes, at most {MAX_PAYLOAD} allowed")
    body = bytes([STX, command, len(payload)]) + payload
    return body + struct.pack("<H", crc16(body))


def decode_frame(frame: bytes) -> tuple[int, bytes]:
    """Command and payload of a received frame, after checking start byte and checksum."""
    if len(frame) < 5 or frame[0] != STX:
        raise FrameError("frame too short or wrong start byte")
    body, (crc,) = frame[:-2], struct.unpack("<H", frame[-2:])
    if crc16(body) != crc:
        raise FrameError("checksum mismatch; ask the meter to send the frame again")
    return body[1], body[3:]


class Meter:
    """A connected meter; `port` is an open serial port with `read` and `write`."""

    def __init__(self, port) -> None:
        self.port = port

    def start_seal_test(self) -> None:
        """Starts the two-minute seal test; the meter answers with the pressure change in hPa."""
        self.port.write(encode_frame(0x31))

    def rebuild_probe_table(self) -> None:
        """Rebuilds the probe table (cures ERR-5021); pH calibration returns to factory values."""
        self.port.write(encode_frame(0x52))

    def read_memory(self, first: int, count: int) -> list[Reading]:
        """Stored readings, 20 at most in one call."""
        self.port.write(encode_frame(0x40, struct.pack("<HB", first, min(count, 20))))
        _, payload = decode_frame(self.port.read(5 + 9 * min(count, 20)))
        return [Reading(*row) for row in struct.iter_unpack("<IBf", payload)]
