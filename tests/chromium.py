"""A headless Chromium driven through its debugging pipe: no package is needed, only the program."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_READ, _WRITE = 3, 4  # the descriptors at which Chromium reads commands and writes what happens


def chromium() -> str | None:
    """The path of a Chromium, if there is one."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@dataclass
class Browser:
    """One tab. `errors` are what the console and the page complained of since it was opened."""

    commands: BinaryIO
    events: BinaryIO
    session: str = ""
    errors: list[str] = field(default_factory=list)
    loaded: int = 0
    _last: int = 0

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """The result of a command; what happens meanwhile is noted."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        self.commands.flush()
        while True:
            found = self._next()
            if found.get("id") == self._last:
                assert "error" not in found, (method, found["error"])
                result: dict[str, Any] = found["result"]
                return result

    def _next(self) -> dict[str, Any]:
        raw = bytearray()
        while (byte := self.events.read(1)) != b"\0":
            assert byte, "Chromium has gone"
            raw += byte
        message: dict[str, Any] = json.loads(raw)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded += 1
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.errors.append(str(params["args"]))

    def open(self, page: Path, *, width: int, height: int = 900, dark: bool = False) -> None:
        """Shows a file in a window of this size, and waits until it is there."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.errors.clear()
        before = self.loaded
        self.call("Page.navigate", url=page.resolve().as_uri())
        while self.loaded == before:
            self._next()

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript is in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def screenshot(self, *, whole: bool = True) -> bytes:
        """The page as PNG."""
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(found["data"])

    def pdf(self) -> bytes:
        """The page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A tab of a Chromium that ends with the block; `profile` is an empty folder."""
    program = chromium()
    assert program
    (down, commands), (events, up) = os.pipe(), os.pipe()
    words = [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
    ]
    words += ["--remote-debugging-pipe", f"--user-data-dir={profile}", "--disable-background-networking"]
    launch = f'exec {_READ}<&{down} {_WRITE}>&{up}; exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", launch, "chromium", *words],
        pass_fds=(down, up),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(down)
    os.close(up)
    with os.fdopen(commands, "wb") as writer, os.fdopen(events, "rb") as reader:
        try:
            tab = Browser(writer, reader)
            target = tab.call("Target.createTarget", url="about:blank")["targetId"]
            tab.session = tab.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log"):
                tab.call(f"{domain}.enable")
            yield tab
        finally:
            process.terminate()
            process.wait(20)
