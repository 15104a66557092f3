"""Makes `examples/office/`: a PDF, Office files and a mail about the meter of the sample library.

`pip install reportlab python-docx openpyxl python-pptx`, then `python tools/make_office_examples.py`. Files
have other bytes each time, since the libraries write the time into them; the texts are the same.
"""

from __future__ import annotations

from datetime import date, datetime
from email.message import EmailMessage
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "office"


def service_report() -> None:
    """Two pages in two columns, with a table, and a footer on each."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer, Table
    from reportlab.platypus.doctemplate import FrameBreak, NextPageTemplate, PageBreak

    styles, (width, height) = getSampleStyleSheet(), A4
    half = (width - 130) / 2
    column = [Frame(50, 60, half, height - 210), Frame(80 + half, 60, half, height - 210)]

    def footer(canvas: object, page: object) -> None:
        canvas.setFont("Helvetica", 8)  # type: ignore[attr-defined]
        canvas.drawString(50, 30, f"Brackwell Instruments – Service report SR-118 – page {page.page}")  # type: ignore[attr-defined]

    document = BaseDocTemplate(
        str(FOLDER / "service-report.pdf"),
        pagesize=A4,
        title="Service report SR-118",
        author="Brackwell Instruments",
    )
    document.addPageTemplates(
        [
            PageTemplate("first", [Frame(50, height - 140, width - 100, 90), *column], onPage=footer),
            PageTemplate("rest", [Frame(50, 60, width - 100, height - 120)], onPage=footer),
        ]
    )
    text, heading = styles["BodyText"], styles["Heading2"]
    rows = [
        ["Part", "Measured", "Limit"],
        ["Door seal compression", "0.42 mm", "0.35 mm"],
        ["Probe slope", "92 %", "90 %"],
        ["Battery contact", "18 mΩ", "40 mΩ"],
    ]
    document.build(
        [
            Paragraph("Service report SR-118", styles["Title"]),
            Paragraph(
                "Meter FM-40, serial number 40-2207. Received on 11 May 2026, returned on 15 May 2026.", text
            ),
            FrameBreak(),
            Paragraph("1. Finding", heading),
            Paragraph(
                "The meter had been dropped. The housing is sound, but the door hinge was bent by half a "
                "degree, and the seal no longer closed evenly. Water had reached the battery compartment; "
                "the main board is dry.",
                text,
            ),
            FrameBreak(),
            Paragraph("2. Work done", heading),
            Paragraph(
                "The hinge was replaced under warranty. The door seal was renewed and greased. The battery "
                "contacts were cleaned. The meter then passed the seal test three times at 2 m.",
                text,
            ),
            NextPageTemplate("rest"),
            PageBreak(),
            Paragraph("3. Measurements", heading),
            Paragraph("Table 1: values after the repair", text),
            Spacer(1, 6),
            Table(rows, style=[("GRID", (0, 0), (-1, -1), 0.5, "black")]),
            Spacer(1, 12),
            Paragraph("4. Next inspection", heading),
            Paragraph(
                "The next inspection is due in November 2027, or after another fall, whichever is first.",
                text,
            ),
        ]
    )


def price_list() -> None:
    """A sheet with a title, a header row and dates, and one that is hidden."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "Spare parts"
    sheet["A1"] = "Spare parts for the FM-40, valid from 1 June 2026"
    for row in (
        ("Number", "Part", "Price (EUR)", "Valid until", "In stock"),
        ("00417", "Door seal", 6.5, date(2026, 12, 31), True),
        ("00422", "Battery door with hinge", 24, date(2026, 12, 31), True),
        ("00431", "Combination probe CP-4", 189, date(2027, 3, 31), False),
        ("00440", "Silicone grease, sachet", 1.2, date(2026, 12, 31), True),
    ):
        sheet.append(row) if sheet.max_row > 1 else [sheet.cell(3, n, one) for n, one in enumerate(row, 1)]
    for row in range(4, 8):
        sheet.cell(row, 3).number_format = "#,##0.00"
        sheet.cell(row, 4).number_format = "yyyy-mm-dd"
    old = book.create_sheet("2025")
    old.append(("00417", "Door seal", 5.9))
    old.sheet_state = "hidden"
    book.save(FOLDER / "price-list.xlsx")


def loan_agreement() -> None:
    """A contract with headings, a numbered list and a table."""
    from docx import Document

    document = Document()
    document.core_properties.title = "Loan agreement"
    document.core_properties.author = "Brackwell Instruments"
    document.add_heading("Loan agreement for a field meter", 0)
    document.add_heading("1. Subject", 1)
    document.add_paragraph("Brackwell lends the borrower one FM-40 with probe CP-4 for six weeks.")
    document.add_heading("2. Fees", 1)
    document.add_paragraph("The loan is free for four weeks; each further week costs 35 EUR.")
    document.add_heading("3. Damage", 1)
    document.add_paragraph(
        "The borrower pays for water damage if the seal test was skipped after opening the door."
    )
    for text in ("report the damage within two days", "send the meter back undried"):
        document.add_paragraph(text, style="List Number")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Damage", "Share of the borrower"
    for damage, share in (("Housing", "half the price"), ("Probe", "full price"), ("Loss", "full price")):
        cells = table.add_row().cells
        cells[0].text, cells[1].text = damage, share
    document.save(FOLDER / "loan-agreement.docx")


def training() -> None:
    """Two slides, one with speaker notes."""
    from pptx import Presentation

    deck = Presentation()
    deck.core_properties.title = "FM-40 training"
    for title, lines, notes in (
        ("Before you measure", ["Warm up for 5 minutes", "Calibrate the pH channel first"], ""),
        (
            "After rain",
            ["Rinse the probe with clean water", "Dry the USB cap before charging"],
            "Ask who has ever charged a wet meter; show the corroded contact.",
        ),
    ):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(lines)
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    deck.save(FOLDER / "training.pptx")


def mail() -> None:
    """A mail with a text file attached."""
    message = EmailMessage()
    message["From"] = "Mara Lind <mara@brackwell.example>"
    message["To"] = "Otto Reyes <otto@river.example>"
    message["Subject"] = "Your meter is on its way"
    message["Date"] = datetime(2026, 5, 15, 16, 20)
    message["Message-ID"] = "<sr118@brackwell.example>"
    message.set_content(
        "Dear Otto,\n\nyour meter 40-2207 left our workshop today; the parcel number is BW-77310.\n"
        "Please let the probe soak overnight before the first measurement.\n\nKind regards\nMara\n"
    )
    message.add_attachment(
        "Soak the probe in storage solution for 12 hours.\nNever in distilled water.\n",
        filename="probe-care.txt",
    )
    message.set_boundary("parts")
    (FOLDER / "parcel.eml").write_bytes(message.as_bytes())


def main() -> None:
    """Writes all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for make in (service_report, price_list, loan_agreement, training, mail):
        make()


if __name__ == "__main__":
    main()
