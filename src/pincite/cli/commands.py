"""One function for each command: arguments to an exit code. Everything heavy is imported when needed."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.exit_codes import DONE, IN_PART
from pincite.cli.notes import note, shown_progress, stdout_terminal, warn
from pincite.cli.terminal import visible, write, write_json
from pincite.cli.which_library import opened_library, overrides_of, recorded, root_of
from pincite.errors import MissingExtraError, ModelError, UsageError

if TYPE_CHECKING:
    from pincite.types import Answer, MetaValue


# ── commands ──────────────────────────────────────────────────────────────────────────────────
def sync(args: Namespace) -> int:
    """Builds or updates the index.

    Ends with 8 if some files failed or wait for vectors, 6 if the model failed for all, 3 if it is missing.
    """
    from pincite.cli.report import sync_text
    from pincite.jsonform import sync_json

    if args.dir and args.folder and Path(args.dir).resolve() != Path(args.folder).resolve():
        raise UsageError(f"two folders given: {args.dir} and --in {args.folder}", stage="cli")
    args.folder = args.dir or args.folder
    meta = _meta(args.meta)
    with opened_library(args) as library, shown_progress(args) as progress:
        report = library.sync(meta=meta, progress=progress, allow_empty=args.allow_empty)
    warn(report.warnings)
    if args.json:
        write_json(sync_json(report))
    else:
        write(sync_text(report, term=stdout_terminal(args)))
    if report.error:
        what = "no vectors were made" if report.missing else "the model failed"
        warn([f"{what}: {report.error}"], "Error")
        mend = f"{report.hint}, then " if report.hint else ""
        note(args, [f"all texts are found by words (--legs lexical); for the vectors: {mend}pincite sync"])
    if report.error and not report.embedded:
        return MissingExtraError.exit_code if report.missing else ModelError.exit_code
    return IN_PART if report.failed or report.pending else DONE


def search(args: Namespace) -> int:
    """Hits with their places, best first."""
    text = _text(args)
    with opened_library(args) as library, shown_progress(args, library) as progress:
        result = library.search(
            text,
            k=args.k,
            filter=args.filter,
            legs=args.legs,
            fusion=args.fusion,
            regex=args.regex,
            per_document=args.per_document,
            progress=progress,
        )
        numbers = {} if args.json else {hit.rank: library.line_numbers(hit) for hit in result.hits}
    note(args, result.notices)
    if args.json:
        from pincite.jsonform import search_json

        write_json(search_json(result))
        return DONE
    from pincite.cli.render import search_text

    term, stemmers = stdout_terminal(args), library.config.stemmers
    write(search_text(result, root=library.root, term=term, stemmers=stemmers, numbers=numbers))
    return DONE


def ask(args: Namespace) -> int:
    """An answer whose claims cite lines, or why there is none."""
    text = _text(args)
    with opened_library(args) as library, shown_progress(args, library) as progress:
        answer = library.ask(
            text, k=args.k, filter=args.filter, legs=args.legs, fusion=args.fusion, progress=progress
        )
    note(args, answer.search.notices + _problems(answer))
    if args.json:
        from pincite.jsonform import answer_json

        write_json(answer_json(answer))
        return DONE
    from pincite.cli.answered import answer_text

    write(answer_text(answer, root=library.root, term=stdout_terminal(args)))
    return DONE


def explain(args: Namespace) -> int:
    """Ranks and scores of each hit on each leg, and what assembly did with it."""
    text = _text(args)
    with opened_library(args) as library, shown_progress(args, library) as progress:
        answer = library.explain(
            text, k=args.k, filter=args.filter, legs=args.legs, fusion=args.fusion, progress=progress
        )
    note(args, answer.search.notices + _problems(answer))
    if args.json:
        from pincite.jsonform import explain_json

        write_json(explain_json(answer))
        return DONE
    from pincite.cli.render import explain_text

    write(explain_text(answer, root=library.root, term=stdout_terminal(args)))
    return DONE


def show(args: Namespace) -> int:
    """The lines of a place as they are on disk now."""
    with opened_library(args) as library:
        shown = library.show(args.location, context=args.context)
    if args.json:
        from pincite.jsonform import plain

        write_json(plain(shown))
        return DONE
    if shown.stale:
        unreadable = "cannot be read now; this is its indexed text"
        differs = unreadable if shown.stale == "unreadable" else f"is not as it was indexed: {shown.stale}"
        warn([f"{shown.uri} {differs}"])
    width = len(str(shown.line_end))
    term = stdout_terminal(args)
    if shown.place:
        write(term.style(visible(shown.place), "dim"))
        write("\n".join(visible(line) for line in shown.lines))
        return DONE
    for number, line in enumerate(shown.lines, shown.line_start):
        write(term.style(f"{number:>{width}}", "dim") + (f"  {visible(line)}" if line else ""))
    return DONE


def status(args: Namespace) -> int:
    """What the index holds, and what is stale, pending or failed."""
    from pincite.cli.report import status_text
    from pincite.jsonform import status_json

    with opened_library(args) as library:
        found = library.status()
    if args.json:
        write_json(status_json(found))
    else:
        write(status_text(found, term=stdout_terminal(args)))
    return DONE


def parse(args: Namespace) -> int:
    """What the parser sees in one file."""
    from pincite.cli.report import map_text, parse_text
    from pincite.jsonform import document_json

    path = Path(args.file)
    if args.folder is None and path.exists():
        from pincite.index.folder import find_root

        path = path.absolute()  # named from the current folder, whatever the library has of this name
        args.folder = str(recorded(args, path.parent) or find_root(path.parent) or path.parent)
    with opened_library(args) as library:
        document, chunked = library.parse(path)
    if chunked.estimated:
        note(args, [f"the model {chunked.estimated} is not here: sizes in tokens are estimates"])
    if args.json:
        write_json(document_json(document, chunked))
    else:
        text = map_text if args.map else parse_text
        write(text(document, chunked, term=stdout_terminal(args)))
    return DONE


def pull(args: Namespace) -> int:
    """Downloads a model."""
    from pincite.models import pull as download

    place = download(args.name.removeprefix("hub:"))
    if args.json:
        write_json({"name": args.name, "path": str(place)})
    else:
        write(f"{visible(args.name)} is in {visible(str(place))}")
    return DONE


def config(args: Namespace) -> int:
    """Every setting, its value, and where it comes from."""
    from pincite.cli.report import config_text, shown
    from pincite.config.load import build_config, load_settings
    from pincite.config.sources import dotenv_refused

    root = root_of(args)
    settings = load_settings(root, overrides=overrides_of(args))
    build_config(settings)
    if dotenv_refused(root) and not args.quiet:
        warn([".env is not read here: this folder belongs to the library"], "Note")
    if args.json:
        found = [{"key": s.key, "value": shown(s), "source": s.source} for s in settings.values()]
        write_json({"settings": found})
    else:
        write(config_text(settings.values(), term=stdout_terminal(args)))
    return DONE


def version(args: Namespace) -> int:
    """The version."""
    from pincite import __version__

    if args.json:
        write_json({"version": __version__})
    else:
        write(f"pincite {__version__}")
    return DONE


# ── parts ─────────────────────────────────────────────────────────────────────────────────────
def _text(args: Namespace) -> str:
    text = " ".join(args.text)
    if not text.strip():
        raise UsageError("the query is empty", stage="cli", hint="Give the words to look for.")
    dashed = [word for word in args.text if word.startswith("-")]
    flags = _flags(args.command) if dashed else ()
    if swallowed := ", ".join(word for word in dashed if word.partition("=")[0] in flags):
        note(args, (f"after -- all words are part of the query, {swallowed} too: options come first",))
    return text


def _flags(command: str) -> frozenset[str]:
    """The options of a command. A word of the query can only be one of them if it stood after `--`."""
    from argparse import _SubParsersAction

    from pincite.cli.args import parser

    commands = next(a.choices for a in parser()._actions if isinstance(a, _SubParsersAction))
    return frozenset(commands[command]._option_string_actions)


def _meta(pairs: list[str]) -> dict[str, MetaValue]:
    """`--meta key=value` pairs by key. Raises `UsageError` for a pair without a key a filter can name."""
    from pincite.config.values import meta_from_text
    from pincite.filter.fields import filterable

    meta: dict[str, MetaValue] = {}
    for pair in pairs:
        key, sign, text = pair.partition("=")
        value = meta_from_text(text, f"--meta {key}")
        if not sign or not filterable({key.strip(): value}):
            raise UsageError(f"--meta: expected key=value, got {pair!r}", stage="cli")
        meta[key.strip()] = value
    return meta


def _problems(answer: Answer) -> tuple[str, ...]:
    """What had to be mended in a model's answer; an abstention's reason is part of the result itself."""
    return (answer.reason,) if answer.reason and not answer.abstained else ()
