"""Pictures to lines of text: two programs that read, behind one seam. Both work without a network.

RapidOCR (PP-OCR models on ONNX Runtime) comes with its models; Tesseract is used if it is installed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.errors import InputError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from rapidocr import RapidOCR

Pixels = NDArray[np.uint8]
"""uint8[height, width, 3]: red, green, blue, from the top left."""

HINT = "pip install 'pincite[ocr]'"
MAX_SIDE = 3500  # pixels; larger pictures are read at a fraction of their size
_SECONDS = 110  # for one picture: below what a worker has for a file
_MOST_LANGUAGES = 8  # each takes its time for every picture
_ONE_THREAD = {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C"}


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line, or the part of one before a wide gap: its text, where it stands in pixels, and how sure it is.

    `box` is left, top, right, bottom; `confidence` is from 0 to 1.
    """

    text: str
    box: tuple[float, float, float, float]
    confidence: float


class Reader(Protocol):
    """What reads a picture."""

    def __call__(self, pixels: Pixels) -> list[TextLine]:
        """The lines in a picture in the order they were found, none blank. Raises `InputError`."""
        ...


def installed() -> tuple[str, ...]:
    """The readers there are on this computer, the better one first."""
    there = {"rapidocr": bool(find_spec("rapidocr")), "tesseract": bool(which("tesseract"))}
    return tuple(name for name, is_there in there.items() if is_there)


before_a_file: list[Callable[[], None]] = []
"""What is called before a file is read with OCR, which takes its time."""


def reader_for_a_file(name: str) -> Reader:
    """The reader of this name, for all pages of one file. Raises as `load_reader`."""
    for call in before_a_file:
        call()
    return load_reader(name)


@cache
def load_reader(name: str) -> Reader:
    """The reader of this name, `rapidocr` or `tesseract`. Raises `MissingExtraError`."""
    if name == "rapidocr":
        return RapidReader()
    if name == "tesseract":
        return TesseractReader()
    raise UsageError(f"parse.ocr: expected rapidocr or tesseract, got {name!r}")


class RapidReader:
    """RapidOCR on one thread, so that a picture gives the same text each time."""

    def __init__(self) -> None:
        try:
            from rapidocr import RapidOCR
        except ImportError as error:
            message = 'parse.ocr is "rapidocr", but RapidOCR is not installed'
            raise MissingExtraError(message, stage="parse", hint=HINT) from error
        engine = "EngineConfig.onnxruntime"
        settings = {
            "Global.log_level": "critical",
            "Global.use_cls": False,  # it now and then takes an upright line for one upside down
            "Global.text_score": 0.0,  # lines it is not sure of are ours to judge
            f"{engine}.intra_op_num_threads": 1,
            f"{engine}.inter_op_num_threads": 1,
        }
        self._engine: RapidOCR = RapidOCR(params=settings)

    def __call__(self, pixels: Pixels) -> list[TextLine]:
        found: Any = self._engine(np.ascontiguousarray(pixels[..., ::-1]))  # it takes blue first
        if found.txts is None:
            return []
        corners = np.asarray(found.boxes, np.float64)
        low, high = corners.min(1), corners.max(1)
        boxes = np.hstack((low, high)).tolist()
        lines = zip(found.txts, boxes, found.scores, strict=True)
        return [TextLine(text, tuple(box), float(score)) for text, box, score in lines if text.strip()]


class TesseractReader:
    """The `tesseract` program of this computer, with the languages it has; text never reaches a shell."""

    def __init__(self) -> None:
        found = which("tesseract")
        if found is None:
            message = 'parse.ocr is "tesseract", but there is no program of this name'
            hint = f'install Tesseract (apt install tesseract-ocr), or {HINT} and parse.ocr = "rapidocr"'
            raise MissingExtraError(message, stage="parse", hint=hint)
        self._command = [found, "stdin", "stdout", "-l", _languages(found), "--psm", "3", "tsv"]

    def __call__(self, pixels: Pixels) -> list[TextLine]:
        height, width, _ = pixels.shape
        picture = b"P6 %d %d 255\n" % (width, height) + np.ascontiguousarray(pixels).tobytes()
        try:
            done = subprocess.run(
                self._command,
                input=picture,
                capture_output=True,
                timeout=_SECONDS,
                env=os.environ | _ONE_THREAD,
                check=True,
            )
        except subprocess.TimeoutExpired as error:
            raise InputError(f"Tesseract took more than {_SECONDS} s for a picture") from error
        except (subprocess.CalledProcessError, OSError) as error:
            raise InputError(f"Tesseract failed ({error})") from error
        return list(_lines_of_words(done.stdout.decode("utf-8", "replace")))


def _languages(program: str) -> str:
    """The languages Tesseract is to read, joined by plus: those installed, English alone of very many."""
    try:
        done = subprocess.run(
            [program, "--list-langs"],
            capture_output=True,
            timeout=_SECONDS,
            env=os.environ | _ONE_THREAD,
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        message = f'parse.ocr is "tesseract", but the program does not run ({error})'
        raise MissingExtraError(message, stage="parse", hint=f"{program} --list-langs") from error
    names = done.stdout.decode("utf-8", "replace").splitlines()[1:]
    return languages_of(names)


def languages_of(names: Iterable[str]) -> str:
    """The argument for these installed languages, without what tells directions and formulas."""
    known = sorted({name.strip() for name in names} - {"", "osd", "equ", "snum"})
    return "+".join(known) if 0 < len(known) <= _MOST_LANGUAGES else "eng"


def _lines_of_words(table: str) -> Iterable[TextLine]:
    """Lines from Tesseract's table of words, which states block, paragraph and line of each."""
    names, *rows = (row.split("\t") for row in table.splitlines())
    lines: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for row in rows:
        word = dict(zip(names, row, strict=False))
        if word.get("level") == "5" and word.get("text", "").strip():
            key = tuple(word[name] for name in ("block_num", "par_num", "line_num"))
            lines.setdefault(key, []).append(word)
    for words in lines.values():
        left, top, width, height = (
            np.array([float(word[name]) for word in words]) for name in ("left", "top", "width", "height")
        )
        box = (left.min(), top.min(), (left + width).max(), (top + height).max())
        sure = sum(float(word["conf"]) for word in words) / len(words) / 100
        text = " ".join(word["text"].strip() for word in words)
        yield TextLine(text, (float(box[0]), float(box[1]), float(box[2]), float(box[3])), sure)
