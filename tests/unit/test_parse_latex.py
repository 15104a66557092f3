"""LaTeX: the printed text with the lines of its source, bounded macros, what is dropped by name."""

from __future__ import annotations

import time

import pytest

from extracted import assert_placed, headings_of, parts_of, read
from pincite.types import Document, RunOrigins

PAPER = r"""\documentclass{article}
\usepackage[english,ngerman]{babel} % the last one counts
\newcommand{\port}[1]{\textbf{Port of #1}}
\def\brest{Brest\xspace}
\title{Tides of \emph{\brest}}
\author{Ada Koray\thanks{Paid by the sea.}\\ Harbour Office \and B.~Lund}
\date{May 2020}
Preamble text is not printed.
\begin{document}
\maketitle
\section[short]{High water\label{sec:high}}
The tide at the \port{Brest
harbour} rises---see \cite[p.~3]{koray2019} and
Table~\ref{tab:t}.\footnote{Not in
winter, $h>7$.} It falls. % a remark
%\section{Gone}
Then \brest{} sleeps, \brest wakes at 50\,\% na\"{\i}vely, \'Ecole.

New paragraph with $a_1 \leq
b$ and
\[ x = y \]
end.
\begin{itemize}
  \item First \textit{item}
  goes on
  \item[Low] water
\end{itemize}
\subsection*{Code}
\begin{verbatim}
  \section{not one}
  x = 1
\end{verbatim}
\begin{quote}Said.\end{quote}
\includegraphics[width=2cm]{map.png}
\input{more/part}
\begin{tikzpicture}\draw (0,0) -- (1,1) node {label};\end{tikzpicture}
\end{document}
After the end.
"""

TABLE = r"""Before.
\begin{table}[t]
\caption{Heights in \textbf{m}.}
\begin{tabular}{l|c}
\toprule
Port & Height \\ \midrule
Brest & 7.1 \\
\multicolumn{2}{c}{none} \\
\bottomrule
\end{tabular}
\end{table}
\begin{table}
\begin{tabular}{ll}
a & b \\
\begin{tabular}{l}x \\ y\end{tabular} & \\[2pt]
 & 5 \\
\end{tabular}
\caption{Below.}
\end{table}
"""


def _tex(text: str) -> Document:
    return read("a.tex", text)


def test_the_printed_text_has_the_lines_of_its_source() -> None:
    document = _tex(PAPER)
    assert parts_of(document) == [
        ("heading", "5-5", "Tides of Brest"),
        ("paragraph", "6-6", "Ada Koray[1]\nHarbour Office\n\nB. Lund"),
        ("paragraph", "6-6", "[footnote 1] Paid by the sea."),
        ("paragraph", "7-7", "May 2020"),
        ("heading", "11-11", "High water"),
        (
            "paragraph",
            "12-17",
            "The tide at the Port of Brest harbour rises—see [koray2019] and Table [tab:t].[2] It falls. "
            "Then Brest sleeps, Brest wakes at 50 % naïvely, École.",
        ),
        ("paragraph", "14-15", "[footnote 2] Not in winter, $h>7$."),
        ("paragraph", "19-22", "New paragraph with $a_1 \\leq b$ and\n\\[ x = y \\]\nend."),
        ("list", "24-25", "First item goes on"),
        ("list", "26-26", "Low water"),
        ("heading", "28-28", "Code"),
        ("code", "30-31", "\\section{not one}\n  x = 1"),
        ("quote", "33-33", "Said."),
    ]
    assert headings_of(document) == [(1, "Tides of Brest"), (2, "High water"), (3, "Code")]
    assert (document.title, document.language, document.type) == ("Tides of Brest", "de", "latex")
    assert document.meta == {"author": ("Ada Koray", "B. Lund"), "date": "May 2020"}
    assert document.losses.dropped == (
        "line 34: an image (map.png)",
        "line 35: \\input{more/part} (not followed)",
        "line 36: a drawing (tikzpicture)",
    )


def test_every_run_stands_on_its_line() -> None:
    document = _tex(TABLE)
    lines = TABLE.split("\n")
    assert isinstance(document.origins, RunOrigins)
    for run in document.origins.runs:
        words = document.text[run.span.start : run.span.end].split()
        assert all(word.strip(".") in lines[(run.place.line_start or 0) - 1] for word in words)


def test_rows_carry_caption_and_header() -> None:
    document = _tex(TABLE)
    assert parts_of(document) == [
        ("paragraph", "1-1", "Before."),
        ("paragraph", "3-3", "Heights in m."),
        ("table", "6-6", "Port | Height"),
        ("row", "7-7", "Brest | 7.1"),
        ("row", "8-8", "none"),
        ("row", "14-14", "a | b"),
        ("row", "15-15", "x y"),
        ("row", "16-16", "| 5"),
        ("paragraph", "18-18", "Below."),
    ]
    row = document.blocks[3]
    assert row.header == "Heights in m.\nPort | Height"
    assert row.header_span is not None
    assert document.blocks[5].header == "Below." and document.blocks[5].header_span is None


def test_a_part_of_a_paper_has_no_preamble() -> None:
    assert parts_of(_tex("\\chapter{One}\n\\section{Two}\nText \\unknown[x]{kept}.")) == [
        ("heading", "1-1", "One"),
        ("heading", "2-2", "Two"),
        ("paragraph", "3-3", "Text kept."),
    ]


def test_numbered_items_carry_the_number_that_is_printed() -> None:
    inner = "\\begin{enumerate}\\item x\\item y\\end{enumerate}"
    text = "\\begin{enumerate}\n\\item a\n" + inner + "\n\\item[*] b\n\\item c\n\\end{enumerate}\nd"
    assert [part[2] for part in parts_of(_tex(text))] == ["1. a", "(a) x", "(b) y", "* b", "2. c", "d"]


def test_a_bibliography_is_a_list_of_keys_and_texts() -> None:
    text = "\\begin{thebibliography}{9}\n\\bibitem{a1} Koray, \\emph{Tides}.\n\\bibitem[L]{b2}\nLund.\n"
    assert [part[2] for part in parts_of(_tex(text + "\\end{thebibliography}"))] == [
        "[a1] Koray, Tides.",
        "[b2] Lund.",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\\section{Open\n\nText goes on.", "Text goes on."),
        ("a } b } c { d", "a b c d"),
        ("Cost $5 only.\n\nAnd $6 too.", "Cost $5 only."),
        ("\\begin{verbatim} never closed", "never closed"),
        ("\\begin{equation} a", "a"),
        ("\\footnote{never closed", "never closed"),
        ("\\end{itemize} after \\end{document}", "after"),
        ("\\cite{} \\'", ""),
        ("\\item[open", "[open"),
        ("\\newcommand", ""),
        ("\\verb|x_y| is", "x_y is"),
        ("see \\url{http://a.b/c%20d_e}", "see http://a.b/c%20d_e"),
        ("\\iffalse hidden \\fi shown", "shown"),
    ],
)
def test_damaged_source_keeps_its_words(text: str, words: str) -> None:
    assert words in _tex(text).text


def test_macros_that_never_end_are_bounded_and_named() -> None:
    document = _tex("\\def\\a{x\\b\\b}\\def\\b{y\\a\\a}\nStart. \\a\n\nEnd.")
    assert document.text.startswith("Start. xy") and document.text.endswith("End.")
    assert any("beyond the limits on expansion" in what for what in document.losses.dropped)


def test_source_beyond_the_limit_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.parse.latex.document.MAX_CHARS", 12)
    document = _tex("One two.\n\n\nThree four.")
    assert (document.text, document.losses.cut_text) == ("One two.\n\nT", 10)


@pytest.mark.parametrize(
    "unit",
    [
        "{", "\\footnote{", "\\begin{itemize}", "\\begin{tabular}{l}a&", "$", "\\[", "\\(", "\\verb|", "[",
        "\\section{", "\\begin{verbatim}", "\\item[", "\\'{", "\\url{", "\\iffalse ", "\\emph{\\textbf{",
        "\\newcommand{\\a}[1]{#1}\\a{", "%\n", "\\title{", "\\caption{", "\\cite[",
    ],
)  # fmt: skip
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    start = time.process_time()
    document = _tex(unit * 20_000)
    assert time.process_time() - start < 5
    assert_placed(document)


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009", "\x0b", "\x85"])
def test_any_white_space_is_a_space_and_ends_nothing(space: str) -> None:
    document = read("a.tex", f"High{space}water.\n\nLow water.")
    assert [text for _, _, text in parts_of(document)] == ["High water.", "Low water."]


def test_long_arguments_stand_whole_in_the_mathematics_of_a_macro() -> None:
    terms = " + ".join(f"x_{{{n}}}" for n in range(1_000))
    document = read("a.tex", f"\\newcommand{{\\eq}}[1]{{\\[ #1 \\]}}\n\\eq{{{terms}}}")
    assert "".join(terms.split()) in "".join(document.text.split())
    assert not document.losses.dropped


def test_arguments_in_mathematics_are_read_once_and_bounded_together() -> None:
    start = time.process_time()
    many = "\\def\\a#1{" + "$#1$" * 20_000 + "}\\a{" + "b " * 50_000 + "}"
    assert read("a.tex", many).losses.dropped == ("line 1: \\a, a macro beyond the limits on expansion",)
    nested = "\\def\\a#1{$" + "#1" * 10 + "$}\\def\\b{" + ("\\a{" + "x" * 1_900 + "}") * 10 + "}"
    assert len(read("a.tex", nested + "\\b " * 3_000).text) < 12_000_000
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (r"\SI{5}{\kilo\metre\per\hour}", "5 km/h"),
        (r"\qty[mode=text]{0.3}{\micro\gram}", "0.3 µg"),
        (r"\SI{9.81}{\metre\per\second\squared}", "9.81 m/s²"),
        (r"\si{\newton\metre}", "N·m"),
        (r"\unit{\square\metre}", "m²"),
        (r"\SI{4}{kg}", "4 kg"),
        (r"\SI{4}{\furlong}", "4 furlong"),
        (r"\SIrange{1}{5}{\volt}", "1–5 V"),
        (r"\numrange{10}{20}", "10–20"),
        (r"10\textsuperscript{6} tons", "10⁶ tons"),
        (r"2\textsuperscript{nd} tide", "2nd tide"),
        (r"\section{A \texorpdfstring{$x$}{x}}", "A $x$"),
        (r"\mintinline{py}{run}", "run"),
    ],
)
def test_numbers_keep_their_units_and_powers(text: str, printed: str) -> None:
    assert read("a.tex", text).text == printed
