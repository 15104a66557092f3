"""Settings from files, the environment and flags to one `Config`.

Later sources win: built-in defaults, the library's `pincite.toml`, `OPENAI_API_KEY`/`OPENAI_BASE_URL`,
the user's `$XDG_CONFIG_HOME/pincite/config.toml`, `PINCITE_*` variables, flags. A `.env` file counts as
variables that the real environment overrides; it is read in the current folder only, and not at all when
that folder belongs to the library, because a document folder may not name endpoints or keys.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints

from pincite.config.tree import (
    LIBRARY_MODELS,
    TRUSTED_ONLY,
    ChunkConfig,
    Config,
    ContextConfig,
    LLMConfig,
    ModelConfig,
    ParseConfig,
    SearchConfig,
    SyncConfig,
)
from pincite.config.values import from_text, from_toml
from pincite.errors import UsageError

LIBRARY_FILE = "pincite.toml"
SECTIONS: Mapping[str, type] = {
    "sync": SyncConfig,
    "parse": ParseConfig,
    "chunk": ChunkConfig,
    "model": ModelConfig,
    "search": SearchConfig,
    "context": ContextConfig,
    "llm": LLMConfig,
}
SECRETS = ("llm.api_key", "model.api_key")
_NO_SETTINGS = ("PINCITE_DEBUG", "PINCITE_DATA", "PINCITE_GOLDEN")
"""Variables of ours that are no settings: for a look at an error, and for tests and benchmarks."""
_TOP = ("stemmers", "query_log", "lock_wait")
_MAX_BYTES = 1_000_000
_NONE: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Setting:
    """One effective setting: its dotted key, its value, and where the value comes from."""

    key: str
    value: object
    source: str


def load_config(
    root: Path | None, *, overrides: Mapping[str, object] = _NONE, env: Mapping[str, str] = os.environ
) -> Config:
    """The settings for the library at `root` (None: no library).

    `overrides` holds dotted keys (`"model.name"`). Raises `UsageError` naming the file or variable and
    the key for an unknown key, a wrong type, a value out of range, or a setting a library may not make.
    """
    return build_config(load_settings(root, overrides=overrides, env=env))


def load_settings(
    root: Path | None, *, overrides: Mapping[str, object] = _NONE, env: Mapping[str, str] = os.environ
) -> dict[str, Setting]:
    """Every effective setting by dotted key, sorted; `chunk.TYPE.*` keys only where they are set."""
    variables = _dotenv(root) | {name: (value, f"environment {name}") for name, value in env.items()}
    library = {} if root is None else _read_toml(root / LIBRARY_FILE, library=True)
    merged = _defaults() | library | _openai(variables) | _read_toml(user_file(env)) | _pincite(variables)
    merged |= {key: _checked(key, value, "a flag") for key, value in overrides.items()}
    return dict(sorted(merged.items()))


def build_config(settings: Mapping[str, Setting]) -> Config:
    """The `Config` of `settings`; a value out of range is reported with the source it comes from."""
    sections = {name: _section(cls, name, settings) for name, cls in SECTIONS.items()}
    types = sorted({key.split(".")[1] for key in settings if key.count(".") == 2})
    chunk_for = {kind: _section(ChunkConfig, f"chunk.{kind}", settings) for kind in types}
    top = {key: settings[key].value for key in _TOP}
    try:
        return Config(**sections, chunk_for=chunk_for, **top)  # type: ignore[arg-type]
    except UsageError as error:
        raise _with_source(error, settings, "") from None


def user_file(env: Mapping[str, str] = os.environ) -> Path:
    """The path of the user's own settings file, whether it exists or not."""
    base = env.get("XDG_CONFIG_HOME", "")
    home = Path(env.get("HOME") or Path.home())
    return (Path(base) if base.startswith("/") else home / ".config") / "pincite" / "config.toml"


def dotenv_refused(root: Path | None) -> bool:
    """Whether a `.env` lies in the current folder but is not read, that folder being the library's."""
    here = Path.cwd()
    return root is not None and here.resolve().is_relative_to(root.resolve()) and (here / ".env").is_file()


@cache
def known_keys() -> Mapping[str, Any]:
    """The type of every setting by dotted key, in the order of `Config`."""
    keys = {
        f"{name}.{key}": hint for name, cls in SECTIONS.items() for key, hint in get_type_hints(cls).items()
    }
    top = get_type_hints(Config)
    return keys | {key: top[key] for key in _TOP}


@cache
def variable_names() -> Mapping[str, str]:
    """The dotted key by environment variable: `PINCITE_SECTION_KEY`, and two short names."""
    names = {"PINCITE_" + key.upper().replace(".", "_"): key for key in known_keys() if key != "sync.meta"}
    return {"PINCITE_MODEL": "model.name", "PINCITE_EMBED_BASE_URL": "model.base_url"} | names


# ── sources ───────────────────────────────────────────────────────────────────────────────────
def _defaults() -> dict[str, Setting]:
    config, found = Config(), {}
    for key in known_keys():
        section, _, name = key.rpartition(".")
        value = getattr(getattr(config, section) if section else config, name)
        found[key] = Setting(key, value, "default")
    return found


def _read_toml(path: Path, *, library: bool = False) -> dict[str, Setting]:
    """The settings of one file, none if it does not exist; `library` applies the limits of trust."""
    if not _exists(path):
        return {}
    import tomllib

    try:
        table = tomllib.loads(_text(path))
    except (ValueError, RecursionError) as error:  # also an integer of more digits than Python reads
        raise UsageError(f"{path}: not valid TOML: {error}", stage="config") from None
    found = {key: _checked(key, value, str(path)) for key, value in _flat(table)}
    if library:
        _check_trust(found)
    return found


def _flat(table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if name not in SECTIONS or not isinstance(value, dict):
            yield name, value
            continue
        for key, inner in value.items():
            if name == "chunk" and isinstance(inner, dict):
                yield from ((f"chunk.{key}.{last}", each) for last, each in inner.items())
            else:
                yield f"{name}.{key}", inner


def _openai(variables: Mapping[str, tuple[str, str]]) -> dict[str, Setting]:
    """The key and endpoint other OpenAI clients use; for answers only if a model is named for Pincite."""
    chat = variables.get("PINCITE_LLM_MODEL", ("", ""))[0]
    endpoints = ("model.base_url", "llm.base_url") if chat else ("model.base_url",)
    found = {}
    for name, keys in {"OPENAI_API_KEY": SECRETS, "OPENAI_BASE_URL": endpoints}.items():
        value, source = variables.get(name, ("", ""))
        found.update({key: Setting(key, value, source) for key in keys if value})
    return found


def _pincite(variables: Mapping[str, tuple[str, str]]) -> dict[str, Setting]:
    """`PINCITE_*` variables; an empty one counts as not set, one that is no setting is an error."""
    names, found = variable_names(), {}
    for name, (text, source) in sorted(variables.items()):
        if name in names and text:
            found[names[name]] = Setting(
                names[name], from_text(text, known_keys()[names[name]], source), source
            )
        elif name.startswith("PINCITE_") and name not in names and name not in _NO_SETTINGS:
            raise UsageError(f"{source}: no such setting{_nearest_variable(name, names)}", stage="config")
    return found


def _dotenv(root: Path | None) -> dict[str, tuple[str, str]]:
    path = Path(".env")
    if not path.is_file() or dotenv_refused(root):
        return {}
    found = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        name, sign, raw = line.strip().removeprefix("export ").partition("=")
        if sign and name.strip().startswith(("PINCITE_", "OPENAI_")):
            source = f".env line {number}, {name.strip()}"
            found[name.strip()] = (_unquoted(raw.strip(), source), source)
    return found


def _unquoted(raw: str, source: str) -> str:
    if raw[:1] not in ("'", '"'):
        return raw.partition(" #")[0].strip() if not raw.startswith("#") else ""
    value, closing, rest = raw[1:].partition(raw[0])
    if not closing or rest.strip()[:1] not in ("", "#"):
        raise UsageError(f"{source}: expected one quoted value", stage="config")
    return value


def _exists(path: Path) -> bool:
    """Whether there is something to read; a folder that is closed to us holds no settings of ours."""
    try:
        return path.exists()
    except PermissionError:
        return False


def _text(path: Path) -> str:
    """The text of a settings file. Raises `UsageError` if it is no readable UTF-8 file of bounded size."""
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            raise UsageError(f"{path}: expected a text file of at most {_MAX_BYTES:,} bytes", stage="config")
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", stage="config") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8", stage="config") from None


def _section(cls: type, name: str, settings: Mapping[str, Setting]) -> Any:
    """The section `name`; `chunk.TYPE` starts from what `chunk` says."""
    base = name.partition(".")[0]
    values = {f.name: settings[f"{base}.{f.name}"].value for f in fields(cls)}
    own = {f.name: settings[f"{name}.{f.name}"].value for f in fields(cls) if f"{name}.{f.name}" in settings}
    try:
        return cls(**(values | own))
    except UsageError as error:
        raise _with_source(error, settings, name) from None


def _with_source(error: UsageError, settings: Mapping[str, Setting], name: str) -> UsageError:
    """The same error with the places the settings it speaks of were made in."""
    base = name.partition(".")[0]
    message = error.message.replace(f"{base}.", f"{name}.") if name != base else error.message
    spoken = [s for key, s in settings.items() if key in message or key in error.message]
    sources = sorted({s.source for s in spoken if s.source != "default"})
    return UsageError(f"{', '.join(sources)}: {message}" if sources else message, stage="config")


# ── checks ────────────────────────────────────────────────────────────────────────────────────
def _checked(key: str, value: object, source: str) -> Setting:
    parts = key.split(".")
    hint = known_keys().get(key if len(parts) < 3 else f"{parts[0]}.{parts[-1]}")
    if key in SECTIONS:
        raise UsageError(f"{source}: {key}: expected a table [{key}], got {value!r}", stage="config")
    if hint is None:
        raise UsageError(f"{source}: unknown setting {key}{_nearest(key, known_keys())}", stage="config")
    return Setting(key, from_toml(value, hint, f"{source}: {key}", secret=key in SECRETS), source)


def _check_trust(found: Mapping[str, Setting]) -> None:
    for key, setting in found.items():
        hint = f"Set it in {user_file()} or in the environment, if you trust it."
        if key in TRUSTED_ONLY or key.partition(".")[0] in TRUSTED_ONLY:
            raise UsageError(f"{setting.source}: a library may not set {key}", stage="config", hint=hint)
        name = str(setting.value)
        if key == "model.name" and name not in LIBRARY_MODELS and not name.startswith("hub:"):
            allowed = f"expected {', '.join(LIBRARY_MODELS)} or hub:NAME"
            message = f"{setting.source}: a library may not set {key} to {name!r}: {allowed}"
            raise UsageError(message, stage="config", hint=hint)


def _nearest_variable(name: str, known: Iterable[str]) -> str:
    """As `_nearest`, by what follows the prefix that all of them share."""
    bare = {one.removeprefix("PINCITE_"): None for one in known}
    return _nearest(name.removeprefix("PINCITE_"), bare, prefix="PINCITE_")


def _nearest(name: str, known: Mapping[str, object], *, prefix: str = "") -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    listed = ", ".join(f"{prefix}{one}" for one in known)
    return f"; did you mean {prefix}{near[0]}?" if near else f"; known: {listed}"
