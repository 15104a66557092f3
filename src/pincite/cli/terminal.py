"""What a stream can show: colours and links on a terminal, plain text everywhere else.

Documents are untrusted, so control characters in what is printed for people are made visible: a
document cannot move the cursor, retitle the window or write to the clipboard, and hides no text in what
is not seen. JSON keeps all of it, escaped.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from pincite.characters import shown
from pincite.errors import OutputError
from pincite.scripts import columns

_CODES = {"bold": "1", "dim": "2", "underline": "4", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Terminal:
    """How to write for one stream: `rich` allows colours and links; `editor` is the scheme of links.

    `width` is that of a terminal in characters, 0 where lines are not wrapped.
    """

    rich: bool = False
    editor: str = "file"
    width: int = 0

    def style(self, text: str, *names: str) -> str:
        """`text` in the named styles, or as it is."""
        codes = ";".join(_CODES[name] for name in names)
        return f"\x1b[{codes}m{text}\x1b[0m" if self.rich and codes and text else text

    def link(self, text: str, path: Path, line: int | None = None) -> str:
        """`text` as a link that opens `path`, at `line` where the editor can."""
        if not self.rich:
            return text
        scheme = "vscode://file" if self.editor == "vscode" else "file://"
        target = scheme + quote(os.fsencode(path))
        if line is not None:
            target += f":{line}" if self.editor == "vscode" else f"#L{line}"
        return f"\x1b]8;;{target}\x1b\\{text}\x1b]8;;\x1b\\"


def terminal_of(
    stream: TextIO | None, *, no_color: bool = False, env: Mapping[str, str] = os.environ
) -> Terminal:
    """What `stream` can show: nothing special unless it is a terminal that understands it."""
    is_tty = stream is not None and stream.isatty()
    plain = no_color or bool(env.get("NO_COLOR")) or env.get("TERM", "") in ("", "dumb")
    editor = "vscode" if env.get("TERM_PROGRAM") == "vscode" else "file"
    return Terminal(is_tty and not plain, editor, shutil.get_terminal_size().columns if is_tty else 0)


def visible(text: str) -> str:
    """`text` as `shown` gives it: controls and what is not seen as escapes. CR before LF goes."""
    return shown(text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """`visible` text on one line, its line ends shown: a file's name cannot pose as a line of ours."""
    return visible(text).replace("\n", "\\n")


def printable(text: str, stream: TextIO | None) -> str:
    """`text` with what the stream's encoding cannot hold written as escapes."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


@contextmanager
def told_if_unwritten() -> Iterator[None]:
    """Turns a failure to write to stdout into an `OutputError`; a reader that went away stays one."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise OutputError(f"standard output cannot be written: {why}", stage="output") from error


def write(text: str) -> None:
    """Writes `text` and a line end to stdout. Raises `OutputError` if it cannot be written."""
    if sys.stdout is not None:
        shown = printable(text, sys.stdout) + "\n"
        with told_if_unwritten():
            sys.stdout.write(shown)


def write_json(value: object) -> None:
    """Writes one JSON object to stdout."""
    from pincite.jsonform import dump

    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    write(dump(value, ascii_only=not encoding.startswith("utf")))


def padded(text: str, width: int) -> str:
    """A text with spaces behind it up to `width` columns."""
    return text + " " * (width - columns(text))
