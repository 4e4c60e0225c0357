"""Spreadsheets: openpyxl reads and writes, XlsxWriter writes."""
import datetime
import io

import openpyxl
import xlsxwriter
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Prices"
sheet.append(["item", "price", "day"])
sheet.append(["Tea", 1.5, datetime.date(2024, 2, 29)])
sheet.append(["Milk", 22, datetime.datetime(2024, 3, 1, 12)])
sheet["B4"] = "=SUM(B2:B3)"
sheet["A1"].font = Font(bold=True)
sheet["A2"].fill = PatternFill("solid", fgColor="FFFF00")
sheet["B2"].number_format = "0.00"
sheet.merge_cells("A5:B5")
sheet.column_dimensions["A"].width = 20
sheet.freeze_panes = "A2"
chart = BarChart()
chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
sheet.add_chart(chart, "E2")
book.create_sheet("Other")["A1"] = True
book.save("/tmp/a.xlsx")

again = openpyxl.load_workbook("/tmp/a.xlsx")
print(again.sheetnames, again["Prices"].dimensions, again["Other"]["A1"].value, get_column_letter(28))
for row in again["Prices"].iter_rows(min_row=1, max_row=4, values_only=True):
    print(row)
print(again["Prices"]["A1"].font.bold, again["Prices"]["A2"].fill.fgColor.rgb, again["Prices"].merged_cells.ranges, again["Prices"].freeze_panes)
quick = openpyxl.load_workbook("/tmp/a.xlsx", read_only=True, data_only=True)
print([cell.value for cell in next(quick["Prices"].rows)], quick["Prices"]["B4"].value)
streamed = openpyxl.Workbook(write_only=True)
lines = streamed.create_sheet()
for n in range(1000):
    lines.append([n, n * n, f"row {n}"])
streamed.save("/tmp/b.xlsx")
print(openpyxl.load_workbook("/tmp/b.xlsx", read_only=True).active["B1000"].value)
try:
    openpyxl.load_workbook(io.BytesIO(b"no zip"))
except Exception as error:
    print(type(error).__name__, error)

with xlsxwriter.Workbook("/tmp/c.xlsx") as made:
    page = made.add_worksheet("Data")
    bold = made.add_format({"bold": True, "num_format": "#,##0.00"})
    page.write_row("A1", ["x", "y"], bold)
    for n in range(1, 4):
        page.write(n, 0, n)
        page.write_formula(n, 1, f"=A{n + 1}^2", None, n * n)
    page.write_datetime(5, 0, datetime.datetime(2024, 2, 29), made.add_format({"num_format": "yyyy-mm-dd"}))
    page.write_url("C1", "https://example.com", string="link")
    line = made.add_chart({"type": "line"})
    line.add_series({"values": "=Data!$B$2:$B$4"})
    page.insert_chart("D2", line)
    page.conditional_format("A2:A4", {"type": "cell", "criteria": ">", "value": 2, "format": bold})
    page.autofilter("A1:B4")
read = openpyxl.load_workbook("/tmp/c.xlsx", data_only=True)["Data"]
print([[cell.value for cell in row] for row in read["A1:C4"]], read["A6"].value, read["C1"].hyperlink.target)
