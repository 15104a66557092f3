"""Drawings of a Word file: text boxes, charts, diagrams, pictures and embedded files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.parse.docx.story import Aside, Story
from pincite.parse.docx.styles import W
from pincite.parse.office.alt_text import alt_text
from pincite.parse.office.drawingml import drawn
from pincite.parse.office.opc import R
from pincite.parse.office.story import Change

if TYPE_CHECKING:
    from lxml import etree

_OLE = "{urn:schemas-microsoft-com:office:office}"


def read_drawing(element: etree._Element, story: Story, change: Change) -> None:
    """What a drawing says: boxes, charts and diagrams after the paragraph, pictures by their description."""
    pictured, described, has_text = False, "", False
    for one in drawn(element, up_to=f"{W}txbxContent"):
        name = one.tag.rpartition("}")[2]
        if name in ("docPr", "shape"):
            described = described or alt_text(one.get("descr") or one.get("alt"))
        elif name in ("blip", "imagedata"):
            pictured = True
        elif aside := _aside(one, name):
            story.asides.append(aside)
            has_text = True
        elif name == "textpath":
            story.put(one.get("string", ""), change)
        elif one.tag == f"{_OLE}OLEObject":
            story.noted.add(story.here(), f"an embedded file ({one.get('ProgID', 'unknown')[:60]})")
            has_text = True
    if pictured and described:
        _put_picture(element, f"[image: {described}]", story, change)
    elif pictured and not has_text:
        story.noted.picture(story.here())


def _aside(element: etree._Element, name: str) -> Aside | None:
    """The text box, diagram or chart that an element of a drawing is or refers to."""
    if element.tag == f"{W}txbxContent":
        return Aside("box", element=element)
    if name == "relIds":
        return Aside("diagram", element.get(f"{R}dm", ""))
    if name == "chart" and element.get(f"{R}id"):
        return Aside("chart", element.get(f"{R}id", ""))
    return None


def _put_picture(element: etree._Element, text: str, story: Story, change: Change) -> None:
    """Puts a picture's description where it stands in the line; a picture beside the text follows it."""
    if any(one.tag.endswith("}anchor") for one in drawn(element, up_to=f"{W}txbxContent")):
        if not story.codes:
            story.asides.append(Aside("picture", text))
    else:
        story.put(text, change)
