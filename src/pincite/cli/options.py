"""Options that several commands share, and the values they take."""

from __future__ import annotations

import argparse

_LEGS = ("lexical", "dense")


def output(command: argparse.ArgumentParser) -> None:
    """Adds how a result is printed."""
    group = command.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object on stdout")
    group.add_argument("--no-color", action="store_true", help="no colours and links (as NO_COLOR=1)")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and notes on stderr")


def library(command: argparse.ArgumentParser) -> None:
    """Adds which library it is, where its index lies, and its model."""
    group = command.add_argument_group("library")
    help_in = "the folder of documents (default: the nearest with a .pincite, going up, else this one)"
    group.add_argument("--in", dest="folder", type=directory, metavar="DIR", help=help_in)
    group.add_argument(
        "--index",
        type=directory,
        metavar="DIR",
        help="where the index lies (default: .pincite in the folder)",
    )
    help_model = "the dense model: auto, english, multilingual, hub:NAME, a folder, st:NAME or api:NAME"
    group.add_argument("--model", metavar="NAME", help=help_model)


def ranking(command: argparse.ArgumentParser, what: str) -> None:
    """Adds how many are found, and how."""
    group = command.add_argument_group("retrieval")
    group.add_argument("--k", type=positive, default=10, metavar="N", help=f"how many {what} (default 10)")
    searching(group)


def searching(group: argparse._ArgumentGroup) -> None:
    """Adds how it is searched."""
    group.add_argument("--legs", type=legs, metavar="LEGS", help="lexical, dense or lexical,dense")
    group.add_argument("--fusion", choices=("rrf", "convex"), help="how the legs become one ranking")
    help_filter = "keep documents where it holds: field=value, !=, >=, <=, >, <, 'field in a,b' (repeatable)"
    group.add_argument("--filter", action="append", default=[], metavar="EXPR", help=help_filter)


def directory(text: str) -> str:
    """The name of a folder; an empty one, as an unset variable of a shell gives, is not this folder."""
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a folder, got ''")
    return text


def positive(text: str) -> int:
    """A whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number


def legs(text: str) -> tuple[str, ...]:
    """The legs named with commas, each once, lexical first."""
    named = tuple(part.strip() for part in text.split(","))
    if not set(named) <= set(_LEGS) or len(set(named)) != len(named):
        raise argparse.ArgumentTypeError(f"expected lexical, dense or lexical,dense, got {text!r}")
    return tuple(leg for leg in _LEGS if leg in named)
