"""Settings: `tree.py` has them all as one frozen tree, `load.py` fills it from `sources.py`."""

from pincite.config.tree import (
    CHUNKER_VERSION,
    LIBRARY_MODELS,
    PARSER_VERSION,
    STRATEGIES,
    ChunkConfig,
    Config,
    ContextConfig,
    LLMConfig,
    MetaRule,
    ModelConfig,
    ParseConfig,
    SearchConfig,
    SyncConfig,
)

__all__ = [
    "CHUNKER_VERSION",
    "LIBRARY_MODELS",
    "PARSER_VERSION",
    "STRATEGIES",
    "ChunkConfig",
    "Config",
    "ContextConfig",
    "LLMConfig",
    "MetaRule",
    "ModelConfig",
    "ParseConfig",
    "SearchConfig",
    "SyncConfig",
]
