"""Order of the suite: the flash test first, so that a broken line from folder to answer shows in seconds."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name != "test_flash.py")
