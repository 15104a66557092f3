"""Where settings come from: the defaults, TOML files, the environment and `.env`.

A document folder may not name endpoints or keys: what its `pincite.toml` may set is limited, and a `.env`
file that lies in it is not read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pincite.config.keys import SECRETS, SECTIONS, Setting, checked, known_keys, nearest, variable_names
from pincite.config.tree import LIBRARY_MODELS, TRUSTED_ONLY, Config
from pincite.config.values import from_text
from pincite.errors import UsageError

_NO_SETTINGS = ("PINCITE_DEBUG", "PINCITE_DATA", "PINCITE_GOLDEN")
"""Variables of ours that are no settings: for a look at an error, and for tests and benchmarks."""
_MAX_BYTES = 1_000_000


def user_file(env: Mapping[str, str] = os.environ) -> Path:
    """The path of the user's own settings file, whether it exists or not."""
    base = env.get("XDG_CONFIG_HOME", "")
    home = Path(env.get("HOME") or Path.home())
    return (Path(base) if base.startswith("/") else home / ".config") / "pincite" / "config.toml"


def dotenv_refused(root: Path | None) -> bool:
    """Whether a `.env` lies in the current folder but is not read, that folder being the library's."""
    here = Path.cwd()
    return root is not None and here.resolve().is_relative_to(root.resolve()) and (here / ".env").is_file()


def default_settings() -> dict[str, Setting]:
    """Every setting as it is when nothing else is said."""
    config, found = Config(), {}
    for key in known_keys():
        section, _, name = key.rpartition(".")
        value = getattr(getattr(config, section) if section else config, name)
        found[key] = Setting(key, value, "default")
    return found


def read_toml(path: Path, *, library: bool = False) -> dict[str, Setting]:
    """The settings of one file, none if it does not exist; `library` applies the limits of trust."""
    if not _exists(path):
        return {}
    import tomllib

    try:
        table = tomllib.loads(_text(path))
    except (ValueError, RecursionError) as error:  # also an integer of more digits than Python reads
        raise UsageError(f"{path}: not valid TOML: {error}", stage="config") from None
    found = {key: checked(key, value, str(path)) for key, value in _flat(table)}
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


def _check_trust(found: Mapping[str, Setting]) -> None:
    """Raises `UsageError` for a setting that a library may not make."""
    for key, setting in found.items():
        hint = f"Set it in {user_file()} or in the environment, if you trust it."
        if key in TRUSTED_ONLY or key.partition(".")[0] in TRUSTED_ONLY:
            raise UsageError(f"{setting.source}: a library may not set {key}", stage="config", hint=hint)
        name = str(setting.value)
        if key == "model.name" and name not in LIBRARY_MODELS and not name.startswith("hub:"):
            allowed = f"expected {', '.join(LIBRARY_MODELS)} or hub:NAME"
            message = f"{setting.source}: a library may not set {key} to {name!r}: {allowed}"
            raise UsageError(message, stage="config", hint=hint)


def openai_settings(variables: Mapping[str, tuple[str, str]]) -> dict[str, Setting]:
    """The key and endpoint other OpenAI clients use; for answers only if a model is named for Pincite."""
    chat = variables.get("PINCITE_LLM_MODEL", ("", ""))[0]
    endpoints = ("model.base_url", "llm.base_url") if chat else ("model.base_url",)
    found = {}
    for name, keys in {"OPENAI_API_KEY": SECRETS, "OPENAI_BASE_URL": endpoints}.items():
        value, source = variables.get(name, ("", ""))
        found.update({key: Setting(key, value, source) for key in keys if value})
    return found


def pincite_settings(variables: Mapping[str, tuple[str, str]]) -> dict[str, Setting]:
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


def _nearest_variable(name: str, known: Iterable[str]) -> str:
    """As `nearest`, by what follows the prefix that all of them share."""
    bare = {one.removeprefix("PINCITE_"): None for one in known}
    return nearest(name.removeprefix("PINCITE_"), bare, prefix="PINCITE_")


def dotenv_variables(root: Path | None) -> dict[str, tuple[str, str]]:
    """(value, where it stands) by name of the variables in the current folder's `.env`, if it is read."""
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
