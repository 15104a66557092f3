"""All settings as one frozen tree; `load.py` fills it from files, the environment and flags.

A library is untrusted: its own `pincite.toml` may say how documents are read and searched, but never
name an endpoint, a key or a plug-in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.errors import UsageError
from pincite.types import MetaValue

STRATEGIES = ("structural", "fixed", "tokens", "sentence", "recursive", "semantic", "parent_child")
FUSIONS = ("convex", "rrf")
TRACKED_CHANGES = ("final", "original", "all")
OCR = ("", "rapidocr", "tesseract")

# What a library's own file may not set: it comes with the documents and is untrusted.
TRUSTED_ONLY = frozenset(
    {"llm", "model.base_url", "model.api_key", "model.batch", "model.tries", "model.timeout", "parse.ocr",
     "parse.password_file", "query_log"}
)  # fmt: skip
# The models a library may ask for by itself: the bundled ones, and `hub:` ones the user has pulled.
LIBRARY_MODELS = ("auto", "english", "multilingual")

# Raised when the same bytes would be parsed, or the same document cut, otherwise than before.
PARSER_VERSION, CHUNKER_VERSION = 9, 5


_MOST = 1_000_000  # of anything that is counted: far above what is of use, far below what overflows
_DAY = 86_400  # seconds
_LONGEST_NAME = 1000
_LARGEST_BATCH, _MOST_TRIES = 4096, 100


def _check_range(key: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:
        got = value if abs(value) < 1e15 else "a larger number" if value > 0 else "a smaller number"
        raise UsageError(f"{key}: expected {low} to {high:,}, got {got}", settings=(key,))


def _check_choice(key: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        named = ", ".join(choice or '""' for choice in choices)
        raise UsageError(f"{key}: expected one of {named}, got {value!r}", settings=(key,))


@dataclass(frozen=True, slots=True)
class MetaRule:
    """Metadata given to every file whose path matches one of the globs."""

    paths: tuple[str, ...]
    set: Mapping[str, MetaValue]


@dataclass(frozen=True, slots=True)
class SyncConfig:
    """Which files are taken: globs below the folder, and limits."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    gitignore: bool = True
    hidden: bool = False
    max_file_mb: int = 64
    meta: tuple[MetaRule, ...] = ()

    def __post_init__(self) -> None:
        _check_range("sync.max_file_mb", self.max_file_mb, 1, 4096)


@dataclass(frozen=True, slots=True)
class ParseConfig:
    """What is taken of a file.

    `tracked_changes` is `final` (changes accepted), `original`, or `all` (both, marked). `ocr` names what
    reads pages and images without text: "" for nothing, `rapidocr` or `tesseract`.
    """

    hidden_html: bool = False
    main_content: bool = False  # of HTML pages: the article alone, without what stands around it
    tracked_changes: str = "final"
    ocr: str = ""
    password_file: str = ""  # of passwords to try on locked files, one a line; they are never stored

    def __post_init__(self) -> None:
        _check_choice("parse.tracked_changes", self.tracked_changes, TRACKED_CHANGES)
        _check_choice("parse.ocr", self.ocr, OCR)

    @property
    def shaping(self) -> tuple[str | bool, ...]:
        """The settings that change the text of a document: another value means parsing again."""
        return (self.hidden_html, self.main_content, self.tracked_changes, self.ocr)


@dataclass(frozen=True, slots=True)
class ChunkConfig:
    """How documents are cut: sizes in the embedding model's tokens, overlap only inside a cut unit."""

    strategy: str = "structural"
    size: int = 384
    overlap: int = -1  # −1: 15 % of the size
    parent_size: int = 1024
    context_line: bool = True  # title and headings before each chunk; off, a table's header row alone

    def __post_init__(self) -> None:
        _check_choice("chunk.strategy", self.strategy, STRATEGIES)
        _check_range("chunk.size", self.size, 1, _MOST)
        if self.overlap >= self.size:
            message = f"chunk.overlap ({self.overlap}) must be smaller than chunk.size ({self.size})"
            raise UsageError(message, settings=("chunk.overlap", "chunk.size"))
        if self.overlap < -1:
            message = f"chunk.overlap: expected 0 or more (-1: 15 % of the size), got {self.overlap}"
            raise UsageError(message, settings=("chunk.overlap",))
        _check_range("chunk.parent_size", self.parent_size, 1, _MOST)
        if self.parent_size < self.size:
            message = f"chunk.parent_size ({self.parent_size}) is smaller than chunk.size ({self.size})"
            raise UsageError(message, settings=("chunk.parent_size", "chunk.size"))


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The dense model: `auto`, `english`, `multilingual`, `hub:NAME`, a folder, `st:NAME` or `api:NAME`."""

    name: str = "auto"
    threads: int = 0  # 0: one per core
    base_url: str = field(default="", repr=False)  # of an `api:` model, as all up to the prefixes
    api_key: str = field(default="", repr=False)
    batch: int = 64  # texts in one request
    tries: int = 5
    timeout: float = 300.0  # seconds for one request, with all its tries
    query_prefix: str | None = None
    document_prefix: str | None = None

    def __post_init__(self) -> None:
        if not self.name.strip():
            message = "model.name: expected the name of a model, got an empty string"
            raise UsageError(message, settings=("model.name",))
        if len(self.name) > _LONGEST_NAME or "\0" in self.name:
            message = f"model.name: expected up to {_LONGEST_NAME:,} characters, got {len(self.name):,}"
            raise UsageError(message, settings=("model.name",))
        _check_range("model.threads", self.threads, 0, 1024)
        _check_range("model.batch", self.batch, 1, _LARGEST_BATCH)
        _check_range("model.tries", self.tries, 1, _MOST_TRIES)
        _check_range("model.timeout", self.timeout, 0.1, _DAY)


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How candidates are found and fused. `None` leaves a weight to the dense model's profile."""

    depth: int = 100
    legs: tuple[str, ...] = ("lexical", "dense")
    fusion: str = "convex"
    rrf_k: int = 60
    lexical_weight: float | None = None
    dense_weight: float | None = None
    feedback: float | None = None  # weight of pseudo-relevance feedback on the dense leg

    def __post_init__(self) -> None:
        if self.fusion not in FUSIONS:
            message = f"search.fusion: expected rrf or convex, got {self.fusion!r}"
            raise UsageError(message, settings=("search.fusion",))
        if not self.legs or set(self.legs) - {"lexical", "dense"}:
            message = f"search.legs: expected lexical, dense or both, got {','.join(self.legs)!r}"
            raise UsageError(message, settings=("search.legs",))
        _check_range("search.depth", self.depth, 1, _MOST)
        _check_range("search.rrf_k", self.rrf_k, 0, _MOST)
        _check_range("search.lexical_weight", self.lexical_weight, 0, _MOST)
        _check_range("search.dense_weight", self.dense_weight, 0, _MOST)
        _check_range("search.feedback", self.feedback, 0, 1000)


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """How much evidence an answer may use, in tokens, and how small chunks grow."""

    budget: int = 3000
    neighbours: int = 1
    small: int = 128  # chunks below this many tokens are read with their neighbours

    def __post_init__(self) -> None:
        _check_range("context.budget", self.budget, 0, 100 * _MOST)
        _check_range("context.neighbours", self.neighbours, 0, _MOST)
        _check_range("context.small", self.small, 0, _MOST)


@dataclass(frozen=True, slots=True)
class LLMConfig:
    """The OpenAI-compatible endpoint that writes answers; empty means extractive answers.

    `temperature` and `max_tokens` are sent only if they are set, and left out if the model refuses them.
    """

    base_url: str = field(default="", repr=False)
    model: str = ""
    api_key: str = field(default="", repr=False)
    tokenizer: str = ""
    timeout: float = 120.0
    tries: int = 4
    temperature: float | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        _check_range("llm.timeout", self.timeout, 0.1, _DAY)
        _check_range("llm.tries", self.tries, 1, _MOST_TRIES)
        _check_range("llm.temperature", self.temperature, 0, 10)
        _check_range("llm.max_tokens", self.max_tokens, 1, _MOST)


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting of one library."""

    sync: SyncConfig = SyncConfig()
    parse: ParseConfig = ParseConfig()
    chunk: ChunkConfig = ChunkConfig()
    chunk_for: Mapping[str, ChunkConfig] = field(default_factory=dict)  # by document type
    model: ModelConfig = ModelConfig()
    search: SearchConfig = SearchConfig()
    context: ContextConfig = ContextConfig()
    llm: LLMConfig = LLMConfig()
    stemmers: tuple[str, ...] = ("english",)
    query_log: bool = False  # queries and answers are kept in the index folder
    lock_wait: float = 10.0  # seconds to wait for another process

    def __post_init__(self) -> None:
        _check_range("lock_wait", self.lock_wait, 0, _DAY)
