"""Models that installed packages offer by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.config import ModelConfig
from pincite.errors import UsageError
from pincite.models import load_embedder

PLUGIN = """
from embedders import bag_of_words

def make(config):
    return bag_of_words()
"""


def test_an_installed_package_offers_a_model_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_plugin.py").write_text(PLUGIN)
    info = tmp_path / "my_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pincite.embedders]\nmine = my_plugin:make\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert load_embedder(ModelConfig(), name="mine").embed_query("valve").shape == (32,)


def test_a_name_nobody_offers_is_refused() -> None:
    with pytest.raises(UsageError, match="'nobody' is neither"):
        load_embedder(ModelConfig(), name="nobody")
