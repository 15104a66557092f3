"""Order and names of the suite: the flash test first, and ids that are the same in every process."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


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
