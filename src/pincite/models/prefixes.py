"""What models want before a question and before a passage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pincite.config import ModelConfig

Prefixes = tuple[str, str]
"""What stands before a question, and what stands before a passage."""

_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
_REPRESENT = "Represent this sentence for searching relevant passages: "

# As published with the models; the first pattern found in the lower-case name decides.
_FAMILIES: tuple[tuple[str, Prefixes], ...] = (
    (r"\be5-(?:\w+-)*instruct|\be5-mistral", (_INSTRUCT, "")),
    (r"\be5-", ("query: ", "passage: ")),
    (r"\bbge-(?:small|base|large)-en", (_REPRESENT, "")),
    (r"\bbge-(?:small|base|large)-zh", ("为这个句子生成表示以用于检索相关文章：", "")),
    (r"\bnomic-embed-text", ("search_query: ", "search_document: ")),
    (r"\bmodernbert-embed", ("search_query: ", "search_document: ")),
    (r"\bgte-qwen2", (_INSTRUCT, "")),
    (r"\bqwen3-embedding", (_INSTRUCT.rstrip(" "), "")),
    (r"\bsnowflake-arctic-embed-\w-v2", ("query: ", "")),
    (r"\bsnowflake-arctic-embed", (_REPRESENT, "")),
    (r"\bmxbai-embed", (_REPRESENT, "")),
    (
        r"\bjina-embeddings-v3",
        ("Represent the query for retrieving evidence documents: ", "Represent the document for retrieval: "),
    ),
    (r"\bembeddinggemma", ("task: search result | query: ", "title: none | text: ")),
)


def family_prefixes(name: str) -> Prefixes:
    """The prefixes of the family a model's name tells; none for an unknown family."""
    lower = name.lower().replace("_", "-")
    return next((pair for pattern, pair in _FAMILIES if re.search(pattern, lower)), ("", ""))


def choose_prefixes(name: str, prompts: Mapping[str, Any], config: ModelConfig) -> Prefixes:
    """The prefixes to use: from the settings, else the model's own prompts, else its family's.

    `prompts` is that field of `config_sentence_transformers.json`.
    """
    query, document = _own(prompts) or family_prefixes(name)
    return (
        query if config.query_prefix is None else config.query_prefix,
        document if config.document_prefix is None else config.document_prefix,
    )


def _own(prompts: Mapping[str, Any]) -> Prefixes | None:
    def first(*names: str) -> str:
        return next((str(prompts[name]) for name in names if prompts.get(name)), "")

    pair = first("query", "retrieval.query", "s2p_query"), first("document", "passage", "retrieval.passage")
    return pair if any(pair) else None
