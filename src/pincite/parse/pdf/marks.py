"""What is put on a page after it was set: notes and comments, and what is filled into form fields."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pincite.parse.pdf.about import attachment_name
from pincite.parse.pdf.chars import Frame, page_frame
from pincite.parse.pdf.library import utf16
from pincite.parse.pdf.lines import make_box
from pincite.types import Box

_MOST = 2_000  # annotations of one page
_WIDGET, _POPUP, _LINK, _ATTACHED = 20, 16, 2, 17
_BUTTON, _CHECK, _RADIO, _SIGNATURE = 1, 2, 3, 7


@dataclass(frozen=True, slots=True)
class Mark:
    """The text of a note or form field, marked as such, and where it stands.

    `attached` is the name of a file that is pinned to the page; its text is what is said of it.
    """

    text: str
    box: Box
    attached: str = ""


@contextmanager
def open_form(document: Any) -> Iterator[Any]:
    """The handle by which form fields are read; None for a document without a form."""
    import pypdfium2.raw as pdfium

    if pdfium.FPDF_GetFormType(document) == pdfium.FORMTYPE_NONE:
        yield None
        return
    info = pdfium.FPDF_FORMFILLINFO(version=2)
    form = pdfium.FPDFDOC_InitFormFillEnvironment(document, info)
    try:
        yield form or None
    finally:
        if form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(form)


def read_marks(page: Any, form: Any, number: int) -> list[Mark]:
    """The notes and filled fields of a page, in the order of the file."""
    import pypdfium2.raw as pdfium

    marks: list[Mark] = []
    count = min(pdfium.FPDFPage_GetAnnotCount(page), _MOST)
    frame = page_frame(page) if count > 0 else None
    for i in range(count):
        annotation = pdfium.FPDFPage_GetAnnot(page, i)
        if not annotation:
            continue
        try:
            text, attached = _text(form, annotation), _attached(annotation)
            if (text or attached) and frame:
                marks.append(Mark(text, _box(annotation, frame, number), attached))
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return list(dict.fromkeys(marks))


def _text(form: Any, annotation: Any) -> str:
    """What an annotation says, marked; "" for links, empty ones and unset fields."""
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if kind == _WIDGET:
        return _field(form, annotation) if form else ""
    if kind in (_POPUP, _LINK):
        return ""
    said = " ".join(_value(annotation, b"Contents").split())
    return f"[note] {said}" if said else ""


def _attached(annotation: Any) -> str:
    import pypdfium2.raw as pdfium

    if pdfium.FPDFAnnot_GetSubtype(annotation) != _ATTACHED:
        return ""
    return attachment_name(pdfium.FPDFAnnot_GetFileAttachment(annotation)) or "without a name"


def _field(form: Any, annotation: Any) -> str:
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (_BUTTON, _SIGNATURE) or kind < 0:
        return ""
    name = utf16(lambda b, n: pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, b, n))
    name = name or utf16(lambda b, n: pdfium.FPDFAnnot_GetFormFieldName(form, annotation, b, n))
    if kind in (_CHECK, _RADIO):
        if not pdfium.FPDFAnnot_IsChecked(form, annotation):
            return ""
        value = utf16(lambda b, n: pdfium.FPDFAnnot_GetFormFieldExportValue(form, annotation, b, n)) or "yes"
    else:
        value = utf16(lambda b, n: pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, b, n))
    value = " ".join(value.split())
    return f"[field] {' '.join(name.split())}: {value}" if value else ""


def _value(annotation: Any, key: bytes) -> str:
    import pypdfium2.raw as pdfium

    return utf16(lambda b, n: pdfium.FPDFAnnot_GetStringValue(annotation, key, b, n))


def _box(annotation: Any, frame: Frame, number: int) -> Box:
    import numpy as np
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, rect)
    box = frame.shown(np.array([[rect.left, rect.bottom, rect.right, rect.top]], np.float64))[0]
    return make_box(np.nan_to_num(box).tolist(), number)
