"""The changes that tuning tries, declared: each is one thing, with the settings that make it.

Those of `_CONTEXT` change what is read of the hits, not their ranking, so they are judged by another
measure. A stage that comes later (reranking, rewriting) adds its changes to `_SEARCH`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pincite.config import ChunkConfig, Config
from pincite.errors import UsageError
from pincite.models import profile

SPACES = ("quick", "default", "full")

Settings = Mapping[str, Any]

_LEVEL = {name: level for level, name in enumerate(SPACES)}
_WEIGHTS: Mapping[float, int] = {0.3: 0, 0.7: 0, 0.4: 1, 0.5: 1, 0.6: 1, 0.2: 2, 0.8: 2}
"""Weights of the lexical leg, each with the smallest space that has it; the dense leg has the rest of 1."""

_SEARCH: tuple[tuple[int, Settings], ...] = (
    (0, {"search.legs": ("lexical",)}),
    (0, {"search.legs": ("dense",)}),
    (0, {"search.legs": ("lexical", "dense")}),
    (0, {"search.fusion": "convex"}),
    (0, {"search.fusion": "rrf"}),
    (1, {"search.fusion": "rrf", "search.rrf_k": 20}),
    (2, {"search.fusion": "rrf", "search.rrf_k": 5}),
    (1, {"search.feedback": 0.0}),
    (1, {"search.feedback": 0.2}),
    (1, {"search.feedback": 0.4}),
    (2, {"search.feedback": 0.8}),
    (2, {"search.depth": 30}),
    (1, {"search.depth": 300}),
    (2, {"search.depth": 1000}),
)
_TERMS: tuple[tuple[int, Settings], ...] = (
    (1, {"stemmers": ()}),
    (1, {"stemmers": ("english",)}),
)
_CHUNKS: tuple[tuple[int, Settings], ...] = (
    (1, {"chunk.size": 192}),
    (1, {"chunk.size": 512}),
    (1, {"chunk.context_line": False}),
    (1, {"chunk.context_line": True}),
    (1, {"chunk.strategy": "sentence"}),
    (1, {"chunk.overlap": 0}),
    (2, {"chunk.strategy": "recursive"}),
    (2, {"chunk.strategy": "parent_child", "chunk.size": 128}),
    (2, {"chunk.size": 96}),
)
_CONTEXT: tuple[tuple[int, Settings], ...] = (
    (1, {"context.neighbours": 0}),
    (1, {"context.neighbours": 2}),
    (1, {"context.small": 256}),
    (2, {"context.small": 512}),
    (1, {"context.budget": 1500}),
    (1, {"context.budget": 6000}),
    (2, {"context.budget": 750}),
    (2, {"context.budget": 12000}),
)
_MOST_CUTS = (0, 3, len(_CHUNKS))
"""How many changes that need new vectors each space tries: they are what takes long."""


@dataclass(frozen=True, slots=True)
class Model:
    """The index's model: the name it was chosen by, and the most tokens it reads."""

    name: str
    limit: int


@dataclass(frozen=True, slots=True)
class Change:
    """One change, as dotted keys of `pincite.toml` with their new values."""

    settings: tuple[tuple[str, Any], ...]

    @property
    def name(self) -> str:
        """`search.lexical_weight = 0.7, search.dense_weight = 0.3`, without the fusion these belong to."""
        shown = [one for one in self.settings if one[0] != "search.fusion" or len(self.settings) == 1]
        return ", ".join(f"{key} = {written(value)}" for key, value in shown)

    @property
    def cuts(self) -> bool:
        """Whether documents are cut anew, so that new vectors are needed."""
        return any(key.startswith("chunk.") for key, _ in self.settings)

    def applied(self, config: Config) -> Config:
        """The settings with this change. Raises `UsageError` for values that cannot be."""
        return with_settings(config, dict(self.settings))


def with_settings(config: Config, settings: Settings) -> Config:
    """The configuration with some dotted keys changed; a section checks its values by itself."""
    sections: dict[str, dict[str, Any]] = {}
    top: dict[str, Any] = {}
    for key, value in settings.items():
        section, _, name = key.rpartition(".")
        (sections.setdefault(section, {}) if section else top)[name] = value
    made = {name: replace(getattr(config, name), **values) for name, values in sections.items()}
    return replace(config, **made, **top)


def changes(space: str, config: Config, model: Model) -> tuple[Change, ...]:
    """The changes of a space that are not what the settings say already, each once.

    Documents whose types have `[chunk.TYPE]` tables of their own are not cut anew: then no change of
    `chunk` is tried. Raises `UsageError` for an unknown space.
    """
    if space not in SPACES:
        raise UsageError(f"space: expected one of {', '.join(SPACES)}, got {space!r}", stage="evaluate")
    level = _LEVEL[space]
    rows = [*_of(_SEARCH, level), *_weights(level), *_of(_TERMS, level)]
    rows += _of(_CHUNKS, level) if not config.chunk_for else []
    found = list(_possible((Change(tuple(row.items())) for row in rows), config, model))
    cuts = [change for change in found if change.cuts]
    return (*(change for change in found if not change.cuts), *cuts[: _MOST_CUTS[level]])


def context_changes(space: str, config: Config) -> tuple[Change, ...]:
    """The changes of a space to what is read of the hits, without what is set already."""
    found = (Change(tuple(row.items())) for row in _of(_CONTEXT, _LEVEL[space]))
    return tuple(change for change in found if change.applied(config) != config)


def leg_alone(leg: str) -> Change:
    """The change to one leg."""
    return Change((("search.legs", (leg,)),))


def weighted(lexical: float) -> Change:
    """The change to convex fusion with these shares of the two legs."""
    lexical = round(lexical, 4)
    return Change(
        (
            ("search.fusion", "convex"),
            ("search.lexical_weight", lexical),
            ("search.dense_weight", round(1 - lexical, 4)),
        )
    )


def _weights(level: int) -> Iterator[Settings]:
    yield from (dict(weighted(one).settings) for one, least in sorted(_WEIGHTS.items()) if least <= level)


def _of(rows: Iterable[tuple[int, Settings]], level: int) -> Iterator[Settings]:
    return (settings for least, settings in rows if least <= level)


def _possible(found: Iterable[Change], config: Config, model: Model) -> Iterator[Change]:
    """Those that the configuration allows, that change what a search does, and that are not there twice."""
    seen = [effective(config, model)]
    for change in found:
        try:
            now = effective(change.applied(config), model)
        except UsageError:  # such as a size smaller than the overlap that was set
            continue
        if now not in seen:
            seen.append(now)
            yield change


def effective(config: Config, model: Model) -> dict[str, Any]:
    """What of the settings shapes a ranking, in one form: settings that rank alike are equal.

    A setting that has no effect beside the others is left out, and weights stand by their shares.
    """
    search, mine = config.search, profile(model.name, config.search)
    found: dict[str, Any] = {
        "legs": sorted(search.legs),
        "depth": search.depth,
        "stemmers": list(config.stemmers),
        "chunk": {
            name: _cut(one, model) for name, one in sorted({"": config.chunk, **config.chunk_for}.items())
        },
    }
    if "dense" in search.legs:
        found["feedback"] = mine.feedback
    if len(found["legs"]) == 2 and search.fusion == "rrf":
        found["rrf_k"] = search.rrf_k
    elif len(found["legs"]) == 2:
        total = (mine.lexical_weight + mine.dense_weight) or 1.0
        found["lexical_share"] = round(mine.lexical_weight / total, 6)
    return found


def _cut(chunk: ChunkConfig, model: Model) -> dict[str, Any]:
    """Chunk settings as the model lets them be: no chunk is larger than its limit."""
    found = {**asdict(chunk), "size": min(chunk.size, model.limit)}
    return found if chunk.strategy == "parent_child" else {**found, "parent_size": 0}


def differing(before: Config, after: Config) -> dict[str, tuple[Any, Any]]:
    """Each dotted key that differs, with both values, in the order of the settings file."""
    found = {}
    for section in ("chunk", "search", "context"):
        old, new = asdict(getattr(before, section)), asdict(getattr(after, section))
        found.update({f"{section}.{key}": (old[key], new[key]) for key in old if old[key] != new[key]})
    if before.stemmers != after.stemmers:
        found = {"stemmers": (before.stemmers, after.stemmers), **found}
    return found


def written(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "not set" if value is None else str(value)
