"""Everything that can go wrong, as one tree.

    PinciteError
    ├── UsageError         a wrong argument or setting              exit 2   HTTP 400
    ├── MissingExtraError  a model or optional package is missing   exit 3   HTTP 501
    ├── InputError         a document or folder cannot be read      exit 4   HTTP 422
    │   └── SkippedError   a file of a kind that is not read (binary, unknown, too large)
    ├── IndexStaleError    index of another model or format, locked exit 5   HTTP 409
    ├── ModelError         an embedder, reranker or LLM failed      exit 6   HTTP 502
    └── StoreError         the catalog or search index failed       exit 7   HTTP 500
        └── OutputError    what was found cannot be written out

"Nothing found" and abstention are values, not errors; a check that does not hold (exit 1) is a result.
"""

from __future__ import annotations

from typing import Literal

_NOT_OF_A_TEXT = frozenset(
    {
        "denied",
        "quota",
        "busy",
        "no-model",
        "path",
        "redirect",
        "tls",
        "dns",
        "refused",
        "proxy",
        "page",
        "reply",
    }
)


class PinciteError(Exception):
    """What happened, in which stage, and the command or setting that mends it."""

    exit_code = 1
    http_status = 500

    def __init__(self, message: str, *, stage: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.stage = stage
        self.hint = hint


class UsageError(PinciteError):
    """A wrong argument, filter or setting; `settings` are the dotted keys of those that are wrong."""

    exit_code = 2
    http_status = 400

    def __init__(
        self, message: str, *, stage: str = "", hint: str = "", settings: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, stage=stage, hint=hint)
        self.settings = settings


class MissingExtraError(PinciteError):
    """A model or an optional package is missing; the hint has the line that installs it."""

    exit_code = 3
    http_status = 501


FileCode = Literal["", "locked", "memory"]
"""Why a file could not be read, where something depends on it: for want of its password, or of memory."""


class InputError(PinciteError):
    """A document or folder cannot be read; `uri` and `page` name it, `code` says why (a `FileCode`)."""

    exit_code = 4
    http_status = 422

    def __init__(
        self,
        message: str,
        *,
        stage: str = "parse",
        hint: str = "",
        uri: str = "",
        page: int | None = None,
        code: FileCode = "",
    ) -> None:
        super().__init__(message, stage=stage, hint=hint)
        self.uri = uri
        self.page = page
        self.code = code


class SkippedError(InputError):
    """A file of a kind Pincite does not read; a sync lists it as skipped, not as failed."""


class IndexStaleError(PinciteError):
    """The index was made with another model, chunker, analyzer or format, or is held by another process."""

    exit_code = 5
    http_status = 409


class ModelError(PinciteError):
    """A model failed; `retryable` says whether the same call may work later, `code` what it was.

    Codes are those of `models/failures.py`; "" for a model that runs here.
    """

    exit_code = 6
    http_status = 502

    def __init__(
        self, message: str, *, stage: str = "embed", hint: str = "", retryable: bool = False, code: str = ""
    ) -> None:
        super().__init__(message, stage=stage, hint=hint)
        self.retryable = retryable
        self.code = code

    @property
    def ends_run(self) -> bool:
        """Whether no other text would fare better: it is the fault of endpoint, key or setting."""
        return self.code in _NOT_OF_A_TEXT


class StoreError(PinciteError):
    """The catalog or the search index failed, is damaged, or has no room."""

    exit_code = 7
    http_status = 500


class OutputError(StoreError):
    """What was found cannot be written to standard output: it is full, or was closed."""
