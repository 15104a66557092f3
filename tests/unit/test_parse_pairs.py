"""Tables of names and values, which have no header row, against tables that have one."""

from __future__ import annotations

import pytest

from pincite.parse.pairs import are_pairs

PAIRS = {
    "certificate": "Owner | Pia Koch; Hull number | DE-KCH-33812; Length | 12.5 m; Issued | 2026-03-01",
    "code first": "Hull number | DE-KCH-33812; Owner | Pia Koch; Port | Kiel",
    "company": "Company | Nordbau GmbH; VAT ID | DE 811 224 019; Contract end | 2028-06-30",
    "amount first": "Price | 900 €; Tenant | Pia Koch",
    "date first": "Issued | 2026-03-01; Valid until | 2028-06-30; Issued by | Port of Kiel",
    "address first": "E-mail | pia@koch.example; Web | www.koch.example",
    "colons": "Author: | Ada; Town: | Lund",
    "empty value": "Owner | Pia Koch; Remarks | ; Engine | D2-40; Year | 2019",
    "one word": "Owner | Kastrup; Engine | D2-40; Length | 12.5 m; Year | 2019; Home port | Kiel",
    "one attribute": "Owner | Pia Koch; Engine | Volvo; Phone | 0461 3; Mooring | B12; Colour | blue",
    "model": "Model | W120; Power | 12 kW; Voltage | 400 V",
    "application": "Antragsteller | Pia Koch; Geburtsdatum | 03.02.1980; Anschrift | Hafenstr. 5, 24103 Kiel",
    "vessel": "Vessel | Sea Bird; Flag | Estonia; IMO number | 9123456; Gross tonnage | 4,200",
    "record": "Status | Active; Owner | IT; Valid until | 2026-01-02; Ticket | INC-4412",
    "title": "Title | Safety manual; Version | 2.1; Date | March 2026; Author | Ada Berg",
    "german": "Eigner | Pia Koch; Rumpfnummer | DE-KCH-33812; Länge | 12,5 m",
    "chinese": "所有人 | 李 伟; 编号 | DE-33812; 长度 | 12.5 m",
}
HEADED = {
    "codes": "Code | Meaning; F01 | No flow; F07 | Overheating; F12 | Sensor T2 broken",
    "numbers": "City | Rent; Kiel | 900; Husum | 700",
    "a year": "City | 2024; Kiel | 900; Husum | 700",
    "a gas": "City | CO2; Kiel | 412; Husum | 409",
    "mixed values": "What | Value; VAT | 19%; Small | 0.00001234; Time | 36:00; Loss | -1,234.50 €",
    "settings": "Setting | Default; depth | 100; legs | lexical+dense; since | 2026-01-01; model | small",
    "german values": "Merkmal | Wert; Länge | 12,5 m; Farbe | blau; Baujahr | 2019",
    "prose": "Symptom | Cause; Slow answers | CPUs are overloaded; No answers | The base is down",
    "words": "Owner | Town; Pia Koch | Kiel; Ada Berg | Lund",
    "numbered names": "Header1 | Header2; data1 | data2; data3 | data4",
    "areas": "Room | Floor area; Sauna | 40 m²; Office | 12 m²; Hall | unknown",
    "dates": "Document | Last review; Manual | 2026-01-02; Policy | never; Plan | 2025-12-01",
    "places": "Tool | Storage place; Saw | S4; Drill | 9; Plane | cellar",
    "fees": "Leistung | Gebühr pro Monat; Liegeplatz | 120 €; Kran | auf Anfrage; Lager | 45 €",
    "hours": "Day | Opening hours; Monday | 9:00-12:00; Sunday | closed; Holiday | closed",
    "translations": "Word | Translation; Date | Datum; Price | Preis; Length | Länge",
    "plans": "Plan | Storage; Free | 5 GB; Team | 100 GB; Firm | unlimited",
    "equal names": "Part | Mass 2; bolt | 4 kg; bolt | A7; nut | x",
    "years": "Year | Ducks; 2019 | 120; 2020 | 135",
    "three columns": "Owner | Pia Koch | 1; Hull number | DE-33812 | 2; Length | 12.5 m | 3",
    "one row": "Owner | Pia Koch",
}


def _rows(text: str) -> list[list[str]]:
    return [row.strip().split(" | ") if " | " in row else [row.strip(" |"), ""] for row in text.split(";")]


@pytest.mark.parametrize("text", PAIRS.values(), ids=PAIRS)
def test_names_with_values_are_pairs(text: str) -> None:
    assert are_pairs(_rows(text))


@pytest.mark.parametrize("text", HEADED.values(), ids=HEADED)
def test_tables_under_column_names_are_none(text: str) -> None:
    assert not are_pairs(_rows(text))


def test_a_long_list_has_column_names_unless_its_first_value_has_figures() -> None:
    rows = [
        [f"Part {chr(97 + n // 26)}{chr(97 + n % 26)}", ("red", "12 m", "D2-40")[n % 3]] for n in range(90)
    ]
    assert not are_pairs([["Owner", "Pia Koch"], ["Phone", "0461 3"], *rows])
    assert are_pairs([["Owner", "DE-33812"], *rows])


def test_rows_of_any_width_are_looked_at() -> None:
    assert not are_pairs([])
    assert not are_pairs([[], ["a", "1"]])
    assert not are_pairs([["a"], ["b"]])
