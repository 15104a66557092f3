"""Which library a command works on, and with which settings."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import InputError, UsageError

if TYPE_CHECKING:
    from pincite.library import Library


@contextmanager
def opened_library(args: Namespace) -> Iterator[Library]:
    """The library of the arguments, open in the block."""
    from pincite import library
    from pincite.config.load import load_config

    root = root_of(args)
    settings = load_config(root, overrides=overrides_of(args))
    more = {name: tuple(getattr(args, name, ())) for name in ("include", "exclude")}
    files = replace(settings.sync, **{name: getattr(settings.sync, name) + more[name] for name in more})
    with library.open(root, index=args.index, config=replace(settings, sync=files)) as opened:
        yield opened


def root_of(args: Namespace) -> Path:
    """The folder named with --in, else the one --index was made for, else the nearest library, else here."""
    if args.folder is not None:
        root = Path(args.folder)
        if not root.is_dir():
            what = "is not a folder" if root.exists() else "does not exist"
            raise InputError(
                f"{args.folder} {what}", stage="cli", hint="Name a folder of documents with --in."
            )
        return root
    from pincite.index.folder import find_root

    here = Path.cwd()
    if found := recorded(args, here) or find_root(here):
        return found
    if args.command not in ("config", "parse") and here in (Path.home(), Path(here.anchor)):
        hint = "Name a folder of documents with --in DIR."
        raise UsageError(
            f"no library here, and {here} is too wide to be one by default", stage="cli", hint=hint
        )
    return here


def recorded(args: Namespace, here: Path) -> Path | None:
    """The folder the index of --index was made for, if `here` lies in it and it is not too wide a default."""
    from pincite.index.folder import recorded_home

    root = recorded_home(Path(args.index)) if args.index is not None else None
    if root is None or root in (Path.home(), Path(root.anchor)):
        return None
    return root if here.resolve().is_relative_to(root) else None


def overrides_of(args: Namespace) -> dict[str, object]:
    """The settings that flags of the command stand for, by dotted key."""
    flags = {"model.name": args.model, "parse.password_file": getattr(args, "password_file", None)}
    named = {key: value for key, value in flags.items() if value is not None}
    return {**named, **(search_flags(args) if args.command == "tune" else {})}


def search_flags(args: Namespace) -> dict[str, object]:
    """The settings that `--legs` and `--fusion` stand for."""
    given = {"search.legs": args.legs, "search.fusion": args.fusion}
    return {key: value for key, value in given.items() if value is not None}
