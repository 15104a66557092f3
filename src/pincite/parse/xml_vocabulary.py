"""Which XML is a document (JATS, DocBook, TEI, DITA, patents, XBRL), and what its elements are.

One table serves all of them: their names mean the same where they meet, and are told by their parent where
they do not.
"""

from __future__ import annotations

import re


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


KNOWN_LINES = 65_535
"""From this line on, libxml2 does not store where an element stands."""
FAR = f"after line {KNOWN_LINES - 1}"
"""The place of what stands there, where lines cannot be counted."""
_HEAD = 1_000_000  # bytes in which the root must begin
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_NAME = re.compile(rb"<(?:[\w.-]{1,80}:)?([\w.-]{1,80})")
_SPACE = re.compile(rb"\s*")
_MARK = re.compile(rb"[\"'\[\]>]|<!--")
_PARAGRAPH = re.compile(rb"<(?:[\w.-]+:)?(?:p|para|simpara|ab|l|shortdesc)[\s>/]")
_SURE = _names("us-patent-grant us-patent-application patent-application-publication PATDOC xbrl")
_ROOTS = _names(
    "article book chapter section part appendix preface refentry book-part-wrapper TEI TEI.2 teiCorpus "
    "topic concept task reference troubleshooting"
)


def xml_type(data: bytes) -> str:
    """`xml` for a document, `html` for a web page, `text` for all other XML, by the root element.

    Names that data may have as well (`book`, `task`) count only if there are paragraphs.
    """
    head = data[:_HEAD].replace(b"\0", b"")  # UTF-16 has a NUL beside each letter
    root, _ = _prolog(head)
    if root == "html":
        return "html"
    is_document = root in _SURE or (root in _ROOTS and _PARAGRAPH.search(head) is not None)
    return "xml" if is_document else "text"


def without_subset(data: bytes) -> bytes:
    """The file without the declarations in its document type; nothing is expanded, and line ends stay.

    With the name of an outer subset, which is not fetched, entities that it may declare are no errors.
    """
    _, span = _prolog(data[:_HEAD])
    if span is None:
        return data
    start, end = span
    head = data[data.rfind(b"<!DOCTYPE", 0, start) : start]
    outer = b"" if b'"' in head or b"'" in head else b' SYSTEM "none"'
    return data[:start] + outer + b"\n" * data.count(b"\n", start, end) + data[end:]


def _prolog(data: bytes) -> tuple[str, tuple[int, int] | None]:
    """The root element's local name ("" if none begins) and where `[…]` of the document type stands."""
    at = next((len(bom) for bom in _BOMS if data.startswith(bom)), 0)
    subset: tuple[int, int] | None = None
    while found := _SPACE.match(data, at):
        at = found.end()
        if data.startswith(b"<!DOCTYPE", at):
            at, subset = _doctype(data, at + 9)
        elif data.startswith((b"<?", b"<!--"), at):
            close = b"?>" if data.startswith(b"<?", at) else b"-->"
            end = data.find(close, at + 2)
            at = end + len(close) if end >= 0 else len(data)
        else:
            break
    name = _NAME.match(data, at)
    return (name.group(1).decode("ascii", "replace") if name else ""), subset


def _doctype(data: bytes, at: int) -> tuple[int, tuple[int, int] | None]:
    """Where a document type ends, and its `[…]`; the end of the data if it is not closed."""
    start = end = -1
    while found := _MARK.search(data, at):
        mark, at = found.group(), found.end()
        if mark in (b'"', b"'", b"<!--"):
            close = b"-->" if mark == b"<!--" else mark
            at = data.find(close, at)
            if at < 0:
                break
            at += len(close)
        elif mark == b"[" and start < 0:
            start = at - 1
        elif mark == b"]":
            end = at
        elif mark == b">" and (start < 0 or end > start):
            return at, (start, end) if start >= 0 else None
    return len(data), None


SKIPPED = _names(
    # JATS
    "journal-meta article-id article-categories pub-date pub-history history volume-id issue-id "
    "counts custom-meta-group self-uri related-article contrib-id object-id "
    "institution-id copyright-year alt-title processing-meta permissions funding-group book-id "
    # DocBook, TEI, DITA
    "indexterm remark encodingDesc revisionDesc profileDesc sourceDesc publicationStmt prolog fw "
    "productname pubdate edition releaseinfo revhistory legalnotice date-in-citation "
    # patents
    "drawings subdoc-drawings chemistry-cdx mathematica SDODR publication-reference application-reference "
    "us-application-series-code "
    "priority-claims classifications-ipcr classification-ipcr classifications-cpc classification-locarno "
    "classification-national us-references-cited references-cited number-of-claims us-exemplary-claim "
    "us-field-of-classification-search field-of-search figures us-related-documents related-documents "
    "us-parties parties assignees examiners us-botanic us-term-of-grant domestic-filing-data document-id "
    "classification-ipc classification-us inventors correspondence-address continuity-data "
    "foreign-priority-data "
    "publication-filing-type assignee representative-figure us-rule-47-flag pct-or-regional-filing-data "
    "pct-or-regional-publishing-data us-deceased-inventor number MATHEMATICA "
    "us-sequence-list-doc EMI"
)
"""Registers around the text; title, authors, date and keywords of them are metadata."""
IN_REGISTERS = _names("volume issue fpage lpage elocation-id isbn issn publisher")
"""Skipped only in `REGISTERS`: in a reference they are its text."""
REGISTERS = frozenset(("article-meta", "book-meta", "front-stub"))
_CODED = re.compile(r"B[0-9]{3}\w*")


def is_skipped(name: str, parent: str) -> bool:
    """Whether an element of this name is of a register; patents of 2001 number theirs (`B721`)."""
    if name in SKIPPED or (name in IN_REGISTERS and parent in REGISTERS):
        return True
    return bool(_CODED.fullmatch(name)) and name not in ("B500", "B540")


_ISO = (
    "agr α bgr β ggr γ dgr δ egr ε zgr ζ eegr η thgr θ igr ι kgr κ lgr λ mgr μ ngr ν xgr ξ ogr ο pgr π rgr ρ "
    "sgr σ sfgr ς tgr τ ugr υ phgr φ khgr χ psgr ψ ohgr ω"
)
_GREEK = _ISO.split()
GREEK = dict(zip(_GREEK[::2], _GREEK[1::2], strict=True))
GREEK.update({name[0].upper() + name[1:]: letter.upper() for name, letter in list(GREEK.items())})
"""Entities of ISO 8879 that HTML does not have."""
PICTURES = _names("graphic inline-graphic imagedata img image inlinegraphic media chem-struct")
TITLES = _names("title head heading article-title invention-title title-of-invention H B540 subtitle")
SECTIONS = _names(
    "sec section sect1 sect2 sect3 sect4 sect5 simplesect chapter appendix part preface abstract ref-list "
    "app ack bio glossary bibliography refsect1 refsect2 refsect3 refsynopsisdiv div div1 div2 div3 "
    "div4 div5 div6 div7 topic concept task reference troubleshooting book-part "
    "fn-group notes boxed-text bridgehead"
)
CAPTIONED = _names(
    "table-wrap fig table informaltable figure informalfigure example formalpara caption media "
    "supplementary-material list itemizedlist orderedlist variablelist procedure note tip warning caution "
    "important admonition disp-formula equation sidebar "
)
"""In these a title is a caption or a lead, no heading."""
LISTS = _names("list itemizedlist orderedlist ul ol sl simplelist steps substeps procedure")
ORDERED = _names("orderedlist ol steps procedure")
ITEMS = _names("list-item listitem li item sli member step substep def-item varlistentry dlentry")
PARAGRAPHS = _names(
    "p para simpara ab paragraph PARA claim CLM shortdesc cmd mixed-citation element-citation citation ref "
    "biblioentry bibliomixed bibl biblStruct aff corresp fn kwd-group caption disp-formula "
    "equation informalequation attrib attribution byline dateline opener closer salute signed trailer "
    "license-p keywordset authorgroup author editor lg sp speaker stage docTitle docAuthor refpurpose "
    "refname"
)
QUOTES = _names("disp-quote blockquote quote-block epigraph lq verse-group lg")
CODE = _names("code preformat programlisting screen literallayout synopsis pre codeblock msgblock eg")
TABLES = frozenset(("table", "informaltable", "simpletable"))
ROWS = _names("tr row strow sthead")
CELLS = _names("td th entry entrytbl cell stentry")
NOTES = frozenset(("footnote", "note-inline"))
LAST_NAMES = frozenset(("surname", "suffix"))
NAMES = LAST_NAMES | frozenset(("given-names", "collab", "anonymous"))
LEADS = _names("label term dt glossterm num")
"""What stands before the text that follows it, in one block with it."""
LINES = _names("claim-text br lb l line break CLMSTEP")
FORMATTING = _names(
    "bold italic sub sup sc underline monospace roman b i u emphasis hi subscript superscript sub2 sup2 "
    "HIL SB SP PDAT PTEXT STEXT BTEXT BOLD ITALIC highlight xref ext-link styled-content literal phrase tt "
    "uri email link ulink figref claim-ref dependent-claim-reference cross-reference o ph"
)
RAISED = frozenset(("sup", "superscript", "SP"))
BLOCKS = SECTIONS | CAPTIONED | LISTS | ITEMS | PARAGRAPHS | QUOTES | CODE | TABLES | TITLES
