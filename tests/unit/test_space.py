"""The declared space: what is tried from which settings, and when two settings rank alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.config import ChunkConfig, Config, ContextConfig, SearchConfig
from pincite.errors import UsageError
from pincite.evaluate.tuning.space import (
    SPACES,
    Change,
    Model,
    changes,
    context_changes,
    differing,
    effective,
    leg_alone,
    weighted,
    with_settings,
)

MODEL = Model("english", 254)
LARGE = Model("multilingual", 512)


def names(space: str, config: Config = Config(), model: Model = MODEL) -> list[str]:  # noqa: B008
    return [one.name for one in changes(space, config, model)]


def test_each_space_holds_the_smaller_one_but_for_the_limit_of_cuts() -> None:
    quick, default, full = map(names, SPACES)
    assert set(quick) < set(default) < set(full)
    assert not any("chunk" in name or "stemmers" in name for name in quick)
    assert sum("chunk" in name for name in default) == 3


def test_nothing_that_is_set_already_is_tried() -> None:
    assert 'search.legs = ["lexical", "dense"]' not in names("full")
    assert "search.lexical_weight = 0.5, search.dense_weight = 0.5" not in names("full")
    assert "search.lexical_weight = 0.5, search.dense_weight = 0.5" in names("full", model=LARGE)
    assert "search.feedback = 0.4" not in names("full")  # what the english profile says
    assert "search.feedback = 0.4" in names("full", model=LARGE)


def test_no_chunk_is_larger_than_the_model_reads() -> None:
    assert "chunk.size = 512" not in names("full") and "chunk.size = 192" in names("full")
    assert "chunk.size = 512" in names("full", model=LARGE)


def test_a_leg_alone_has_no_fusion_to_change() -> None:
    alone = Config(search=SearchConfig(legs=("lexical",)))
    found = names("full", alone)
    assert 'search.legs = ["dense"]' in found and 'search.legs = ["lexical", "dense"]' in found
    assert not any("weight" in name or "rrf" in name or "feedback" in name for name in found)


def test_values_the_configuration_refuses_are_not_tried() -> None:
    overlapping = Config(chunk=ChunkConfig(overlap=200))
    assert "chunk.size = 192" not in names("full", overlapping)
    with pytest.raises(UsageError, match="must be smaller"):
        Change((("chunk.size", 192),)).applied(overlapping)
    with pytest.raises(UsageError, match="space"):
        changes("huge", Config(), MODEL)


def test_types_with_tables_of_their_own_are_not_cut_anew() -> None:
    config = Config(chunk_for={"markdown": ChunkConfig(size=100)})
    assert not any("chunk" in name for name in names("full", config))


def test_the_situating_line_is_tried_the_other_way() -> None:
    assert "chunk.context_line = false" in names("default")
    without = Config(chunk=ChunkConfig(context_line=False))
    assert "chunk.context_line = true" in names("default", without)
    assert effective(without, MODEL) != effective(Config(), MODEL)


def test_changes_of_the_context_are_a_space_of_their_own() -> None:
    def found(space: str, config: Config = Config()) -> list[str]:  # noqa: B008
        return [one.name for one in context_changes(space, config)]

    assert found("quick") == [] and set(found("default")) < set(found("full"))
    assert "context.budget = 6000" in found("default") and "context.neighbours = 0" in found("default")
    alone = Config(context=ContextConfig(neighbours=0, budget=6000))
    assert not {"context.budget = 6000", "context.neighbours = 0"} & set(found("full", alone))
    assert not any("context." in name for name in names("full"))
    assert differing(Config(), alone) == {"context.budget": (3000, 6000), "context.neighbours": (1, 0)}


def test_settings_that_rank_alike_are_equal() -> None:
    config = Config()
    doubled = with_settings(config, {"search.lexical_weight": 1.0, "search.dense_weight": 1.0})
    assert effective(doubled, MODEL) == effective(weighted(0.5).applied(config), MODEL)
    assert effective(with_settings(config, {"search.rrf_k": 7}), MODEL) == effective(config, MODEL)
    assert effective(with_settings(config, {"context.budget": 7}), MODEL) == effective(config, MODEL)
    assert effective(leg_alone("dense").applied(config), MODEL) != effective(config, MODEL)


def test_what_differs_by_key() -> None:
    after = replace(weighted(0.3).applied(Config()), stemmers=())
    assert differing(Config(), after) == {
        "stemmers": (("english",), ()),
        "search.lexical_weight": (None, 0.3),
        "search.dense_weight": (None, 0.7),
    }
