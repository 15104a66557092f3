"""Of the whole suite: the flash test first, models read once, and ids that are the same in every process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pincite.models import minilm, use


def _kept(read: Callable[..., Any], own: Path) -> Callable[..., Any]:
    """`read`, which reads each file of the folder `own` once; files elsewhere it reads whenever asked."""
    once = cache(read)

    def reading(path: Path, **options: Any) -> Any:
        return (once if path.parent == own else read)(path, **options)

    return reading


@pytest.fixture(scope="session", autouse=True)
def bundled_models() -> Iterator[None]:
    """The files of the bundled models are read once a process: they never change, and reading them takes
    longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("word_pieces", "open_session"):
            patch.setattr(minilm, name, _kept(getattr(minilm, name), minilm.DATA))
        for name in ("unigram", "read_network"):
            patch.setattr(use, name, _kept(getattr(use, name), use.resources()))
        yield


@pytest.fixture(autouse=True)
def unknown_servers() -> Iterator[None]:
    """What one test learned of a server holds for no other: ports are given out again."""
    yield
    if "pincite.models.servers" in sys.modules:
        sys.modules["pincite.models.servers"].forget_servers()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The flash test first, so that a broken line from folder to answer shows in seconds."""
    items.sort(key=lambda item: item.path.name != "test_flash.py")


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Bytes are named after their argument: an archive holds the time it was made at, and two processes
    that share the suite must give one test one name."""
    return argname if isinstance(val, bytes | bytearray) else None
