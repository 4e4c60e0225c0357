"""A PDF report: reportlab writes text, a table over several pages and a drawing; pypdf reads the text and the table back, and edits."""

import io
import re

import pandas as pd
from pypdf import PdfReader, PdfWriter
from pypdf.errors import PdfReadError
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import cm
from reportlab.pdfgen import canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

stock = pd.DataFrame({"item": [f"part {number:03}" for number in range(1, 61)], "pieces": [number * 7 % 50 for number in range(1, 61)]})
stock["price"] = [round(0.99 + number * 1.25, 2) for number in range(60)]
stock["value"] = (stock["pieces"] * stock["price"]).round(2)
styles = getSampleStyleSheet()


def footer(page, document):
    """A line below each page."""
    page.saveState()
    page.setFont("Helvetica", 8)
    page.drawRightString(A4[0] - 2 * cm, 1 * cm, f"page {document.page}")
    page.restoreState()


# --- Write.
lines = [[item, pieces, f"{price:,.2f}", f"{value:,.2f}"] for item, pieces, price, value in stock.itertuples(index=False)]
table = Table([list(stock.columns), *lines], repeatRows=1)
table.setStyle(
    TableStyle(
        [
            ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#336699")),
            ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
            ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white, colors.whitesmoke]),
        ]
    )
)
chart = VerticalBarChart()
chart.data, chart.width, chart.height = [stock["value"].head(6).tolist()], 300, 120
drawing = Drawing(340, 150)
drawing.add(chart)
story = [
    Paragraph("Stock at the end of <b>March</b>", styles["Title"]),
    Paragraph("All values in euro; prices without tax. Größe &amp; Menge are checked by hand.", styles["Normal"]),
    Spacer(1, 0.5 * cm),
    table,
    PageBreak(),
    Paragraph("The first six", styles["Heading1"]),
    drawing,
]
document = SimpleDocTemplate("stock.pdf", pagesize=A4, title="Stock", author="Ada", invariant=1)
document.build(story, onFirstPage=footer, onLaterPages=footer)

# --- Read.
data = open("stock.pdf", "rb").read()
print(data[:5], data.rstrip().endswith(b"%%EOF"), len(data) > 3000)
reader = PdfReader("stock.pdf")
pages = [page.extract_text() for page in reader.pages]
print("pages", len(pages), "title", reader.metadata.title, "author", reader.metadata.author, "encrypted", reader.is_encrypted)
print("size", [round(float(length), 1) for length in (reader.pages[0].mediabox.width, reader.pages[0].mediabox.height)])
print("title found:", "Stock at the end of March" in pages[0], "letters:", "Größe & Menge" in pages[0])
print("footers:", [f"page {number}" in text for number, text in enumerate(pages, 1)])
print("headers", [len(re.findall(r"item\s+pieces\s+price\s+value", text)) for text in pages], "heading", "The first six" in pages[-1])
rows = re.findall(r"(part \d{3})\s+(\d+)\s+([\d,.]+)\s+([\d,.]+)", "\n".join(pages))
back = pd.DataFrame(rows, columns=list(stock.columns))
back["pieces"] = back["pieces"].astype("int64")
for name in ("price", "value"):
    back[name] = pd.to_numeric(back[name].str.replace(",", ""))
print("rows", len(back), "equal:", bool((back == stock).all(axis=None)), f"total {back['value'].sum():.2f}")
print(back.nlargest(3, "value").to_string(index=False))
fonts = {str(font.get_object()["/BaseFont"]) for page in reader.pages for font in page["/Resources"]["/Font"].values()}
print("fonts", sorted(fonts & {"/Helvetica", "/Helvetica-Bold"}))

# --- Edit: the last page first, turned, with a stamp; a password; metadata.
stamp = io.BytesIO()
page = canvas.Canvas(stamp, pagesize=A4)
page.setFont("Helvetica-Bold", 24)
page.drawString(2 * cm, A4[1] - 1.5 * cm, "DRAFT")
page.save()
writer = PdfWriter()
for page in [reader.pages[-1], reader.pages[0]]:
    writer.add_page(page).merge_page(PdfReader(stamp).pages[0])
writer.pages[0].rotate(90)
writer.add_metadata({"/Subject": "two pages of it"})
writer.add_outline_item(title="The table", page_number=1)
writer.write("draft.pdf")
locked = PdfWriter(clone_from="draft.pdf")
locked.encrypt("secret", algorithm="RC4-128")
locked.write("locked.pdf")
edited = PdfReader("locked.pdf")
print("encrypted", edited.is_encrypted, "wrong password", int(edited.decrypt("wrong")), "right", int(edited.decrypt("secret")) > 0)
print(len(edited.pages), edited.pages[0].rotation, "DRAFT" in edited.pages[1].extract_text(), "part 001" in edited.pages[1].extract_text())
print(edited.metadata["/Subject"], [str(item.title) for item in edited.outline])
try:
    PdfReader(io.BytesIO(b"%PDF-1.4 and nothing more"), strict=True)
except PdfReadError as error:
    print("refused:", isinstance(error, PdfReadError))
