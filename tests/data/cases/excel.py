"""Excel both ways: xlsxwriter and openpyxl write several sheets with dates, formulas and formats; pandas and openpyxl read them back."""

import datetime
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter

people = pd.DataFrame(
    {
        "name": ["Ada Berg", "Grace Holm", "Björk Ünal", "李雷"],
        "born": pd.to_datetime(["1915-12-10", "1906-12-09", "1990-02-28", None]),
        "salary": [1234.5, 98765.25, None, 0.0],
        "active": [True, False, True, True],
    }
)
hours = pd.DataFrame({"week": range(1, 5), "ada": [40, 38, 0, 41], "grace": [20, 20.5, 21, 22]}).set_index("week")

# --- Written by xlsxwriter, through pandas and directly.
with pd.ExcelWriter("team.xlsx", engine="xlsxwriter", datetime_format="yyyy-mm-dd") as writer:
    people.to_excel(writer, sheet_name="People", index=False, freeze_panes=(1, 0))
    hours.to_excel(writer, sheet_name="Hours & more", startrow=2)
    book, sheet = writer.book, writer.sheets["Hours & more"]
    title = book.add_format({"bold": True, "font_size": 14, "font_color": "#003366"})
    sheet.write("A1", "Hours by week", title)
    sheet.write_formula("B9", "=SUM(B4:B7)", None, 119)
    sheet.write_formula("C9", "=SUM(C4:C7)", None, 83.5)
    sheet.conditional_format("B4:C7", {"type": "cell", "criteria": "<", "value": 10, "format": book.add_format({"bg_color": "#FFC7CE"})})
    chart = book.add_chart({"type": "line"})
    chart.add_series({"name": "Ada", "categories": "='Hours & more'!$A$4:$A$7", "values": "='Hours & more'!$B$4:$B$7"})
    sheet.insert_chart("E2", chart)
    book.add_worksheet("Empty")
print(sorted(name for name in zipfile.ZipFile("team.xlsx").namelist() if "worksheets/sheet" in name or "charts/" in name))

sheets = pd.read_excel("team.xlsx", sheet_name=None)
print({name: table.shape for name, table in sheets.items()})
back = sheets["People"]
print(back.to_string(index=False))
print("equal:", [name for name in people if back[name].equals(people[name].astype(back[name].dtype))])
print("years", back["born"].dt.year.dropna().astype("int64").tolist())
back = pd.read_excel("team.xlsx", sheet_name="Hours & more", skiprows=2, nrows=4, index_col="week")
print("hours equal:", bool((back == hours).all(axis=None)), back.sum().to_dict())
for values in (False, True):
    book = openpyxl.load_workbook("team.xlsx", data_only=values)
    sheet = book["Hours & more"]
    print("values" if values else "formulas", [sheet[name].value for name in ("A1", "B9", "C9")], sheet["A1"].font.b, sheet["A1"].font.sz)
    print(sheet["A1"].font.color.rgb)
print(book.sheetnames, book["People"].freeze_panes, book["People"]["B2"].number_format, book["People"].dimensions, len(sheet.conditional_formatting))

# --- Written by openpyxl, edited, read by pandas.
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Invoice"
sheet.append(["item", "quantity", "price", "total", "due"])
for number, (item, quantity, price) in enumerate([("bolt", 100, 0.25), ("gear", 3, 19.99), ("pipe", 2, 7.5)], 2):
    sheet.append([item, quantity, price, f"=B{number}*C{number}", datetime.date(2024, 2, 28) + datetime.timedelta(days=number)])
for cell in sheet[1]:
    cell.font, cell.fill = Font(bold=True, color="FFFFFF"), PatternFill("solid", fgColor="336699")
sheet.merge_cells("A6:C6")
sheet["A6"], sheet["D6"] = "sum", "=SUM(D2:D4)"
sheet["D6"].number_format = "#,##0.00"
sheet["A6"].comment = openpyxl.comments.Comment("without tax", "ada")
sheet.column_dimensions[get_column_letter(5)].width = 14
chart = BarChart()
chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=4), titles_from_data=True)
sheet.add_chart(chart, "G2")
notes = book.create_sheet("Notes", 0)
notes["B2"] = "line one\nline two"
notes.sheet_state = "hidden"
book.defined_names["total"] = openpyxl.workbook.defined_name.DefinedName("total", attr_text="Invoice!$D$6")
book.save("invoice.xlsx")

book = openpyxl.load_workbook("invoice.xlsx")
sheet = book["Invoice"]
print([(name, book[name].sheet_state) for name in book.sheetnames], repr(book["Notes"]["B2"].value), book.defined_names["total"].attr_text)
for row in sheet.iter_rows(min_row=1, max_row=3, values_only=True):
    print([f"{value:%Y-%m-%d}" if isinstance(value, datetime.datetime) else value for value in row])
print(sheet["A1"].fill.fgColor.rgb, sheet["A6"].comment.text, str(sheet.merged_cells), sheet["D6"].number_format, sheet.column_dimensions["E"].width)
sheet.insert_rows(2)
sheet["A2"], sheet["B2"] = "nut", 500
sheet.delete_cols(5)
book.save("edited.xlsx")
table = pd.read_excel("edited.xlsx", sheet_name="Invoice", usecols="A:C").dropna(subset="quantity")
print(table.to_string(index=False))
print("sum", round(float((table["quantity"] * table["price"]).sum()), 2))

# A third sheet is added to a file that exists; a value that is a list of sheets reads just these.
with pd.ExcelWriter("edited.xlsx", engine="openpyxl", mode="a", if_sheet_exists="replace") as writer:
    people.groupby("active").size().rename("people").to_frame().to_excel(writer, sheet_name="Summary")
print(list(pd.read_excel("edited.xlsx", sheet_name=["Summary", 0])), pd.read_excel("edited.xlsx", sheet_name="Summary")["people"].tolist())
print(all(zipfile.ZipFile(path).testzip() is None for path in Path().glob("*.xlsx")), len(list(Path().glob("*.xlsx"))))
