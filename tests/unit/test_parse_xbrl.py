"""XBRL instances: notes as pages, facts as rows with unit, period and members, each with its line."""

from __future__ import annotations

from datetime import date

import pytest

from extracted import parts_of, read

HEAD = """<?xml version="1.0"?>
<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:dei="d" xmlns:us-gaap="u" xmlns:xbrldi="x">
<context id="year"><period><startDate>2025-01-01</startDate><endDate>2025-12-31</endDate></period></context>
<context id="end"><entity><segment><xbrldi:explicitMember>p:SeriesBStockMember</xbrldi:explicitMember>
</segment></entity><period><instant>2025-12-31</instant></period></context>
<unit id="usd"><measure>iso4217:USD</measure></unit>
<unit id="per"><divide><unitNumerator><measure>iso4217:USD</measure></unitNumerator><unitDenominator>
<measure>xbrli:shares</measure></unitDenominator></divide></unit>
"""
FACTS = """<dei:DocumentType contextRef="year">10-K</dei:DocumentType>
<dei:EntityRegistrantName contextRef="year">Port of Brest &amp; Co.</dei:EntityRegistrantName>
<dei:DocumentPeriodEndDate contextRef="year">2025-12-31</dei:DocumentPeriodEndDate>
<us-gaap:AccountsPayableCurrent contextRef="end" unitRef="usd">291378</us-gaap:AccountsPayableCurrent>
<us-gaap:ParValue contextRef="end" unitRef="per">0.10</us-gaap:ParValue>
<us-gaap:NothingTextBlock contextRef="year"/>
<us-gaap:TidesTextBlock contextRef="year">&lt;p&gt;The tide rises.&lt;/p&gt;
&lt;table&gt;&lt;tr&gt;&lt;th&gt;port&lt;/th&gt;&lt;th&gt;m&lt;/th&gt;&lt;/tr&gt;
&lt;tr&gt;&lt;td&gt;Brest&lt;/td&gt;&lt;td&gt;7&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;</us-gaap:TidesTextBlock>
<us-gaap:TidesPolicy contextRef="year">&lt;p&gt;The tide rises.&lt;/p&gt;</us-gaap:TidesPolicy>
<us-gaap:AgainPolicy contextRef="year">&lt;p&gt;The tide rises.&lt;/p&gt;</us-gaap:AgainPolicy>
</xbrl>"""


def test_notes_and_facts_are_read_with_their_lines() -> None:
    document = read("a.xml", HEAD + FACTS)
    assert document.type == "xml"
    assert document.title == "10-K Port of Brest & Co. 2025-12-31"
    assert document.meta == {"company": "Port of Brest & Co.", "date": date(2025, 12, 31)}
    assert parts_of(document) == [
        ("row", "9-9", "Document Type | 10-K | 2025-01-01 to 2025-12-31"),
        ("row", "10-10", "Entity Registrant Name | Port of Brest & Co. | 2025-01-01 to 2025-12-31"),
        ("row", "11-11", "Document Period End Date | 2025-12-31 | 2025-01-01 to 2025-12-31"),
        ("row", "12-12", "Accounts Payable Current | 291378 USD | 2025-12-31, Series B Stock Member"),
        ("row", "13-13", "Par Value | 0.10 USD / shares | 2025-12-31, Series B Stock Member"),
        ("paragraph", "15-15", "The tide rises."),
        ("table", "16-16", "port | m"),
        ("row", "17-17", "Brest | 7"),
        ("paragraph", "18-18", "The tide rises."),
    ]


@pytest.mark.parametrize("facts", ["", "<dei:A contextRef='gone' unitRef='gone'>1</dei:A>"])
def test_what_a_fact_refers_to_may_be_missing(facts: str) -> None:
    document = read("a.xml", f"{HEAD}{facts}</xbrl>")
    assert [text for _, _, text in parts_of(document)] == (["A | 1"] if facts else [])


def test_lines_that_the_reader_of_xml_does_not_know_are_not_stated() -> None:
    document = read("a.xml", HEAD + "\n" * 70_000 + FACTS)
    assert {place for _, place, _ in parts_of(document)} == {"after line 65534"}
