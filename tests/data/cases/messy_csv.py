"""Messy CSV: delimiters, encodings, spellings of "missing", dates, thousands, amounts of money, lines that are too long."""

import csv
import io
import os
from pathlib import Path

import pandas as pd

HERE = Path(os.path.dirname(os.path.abspath(__file__)))

# --- A German export: cp1252, semicolons, decimal commas, quoted line breaks.
try:
    pd.read_csv(HERE / "messy_eu.csv", sep=";")
except UnicodeDecodeError as error:
    print("not UTF-8, byte", hex(error.object[error.start]))
eu = pd.read_csv(
    HERE / "messy_eu.csv",
    sep=";",
    encoding="cp1252",
    decimal=",",
    thousands=".",
    na_values=["k.A.", "-", "\u2013"],
    dtype={"Kunde": "str"},
    index_col="Bestellung",
)
eu.columns = ["customer", "date", "pieces", "amount", "note"]
eu["date"] = pd.to_datetime(eu["date"], format="%d.%m.%Y", errors="coerce")
eu["pieces"] = eu["pieces"].astype("Int64")
print(eu.drop(columns="note").to_string())
print(eu["note"].dropna().to_dict())
print("missing:", {name: int(count) for name, count in eu.isna().sum().items()})
print("total", f"{eu['amount'].sum():.2f}", "largest", eu["amount"].idxmax(), "by month", eu.groupby(eu["date"].dt.month)["amount"].sum().round(2).to_dict())

# The same bytes with Windows line ends, and as UTF-16, give the same table.
data = (HERE / "messy_eu.csv").read_bytes()
Path("crlf.csv").write_bytes(data.replace(b"\n", b"\r\n"))
Path("utf16.csv").write_text(data.decode("cp1252"), encoding="utf-16")
for name, encoding in [("crlf.csv", "cp1252"), ("utf16.csv", "utf-16")]:
    again = pd.read_csv(name, sep=";", encoding=encoding, decimal=",", thousands=".")
    print(name, again.shape, f"{again['Betrag (€)'].sum():.2f}", repr(again["Anmerkung"][0]))

# --- An American export: BOM, comments, spaces, currency signs, parentheses for negative amounts, a surplus comma.
bad = []


def repair(fields):
    """A comma in a name that nobody quoted: join the two parts."""
    bad.append(fields)
    return [fields[0], f"{fields[1]}, {fields[2]}", *fields[3:]]


text = (HERE / "messy_us.csv").read_text(encoding="utf-8-sig")
us = pd.read_csv(io.StringIO(text), comment="#", skipinitialspace=True, engine="python", on_bad_lines=repair, na_values=["null", "N/A"], dtype="str")
us.columns = us.columns.str.strip().str.lower().str.replace(r"\W+", "_", regex=True).str.strip("_")
print(list(us.columns), "repaired:", bad)
us = us.drop_duplicates().set_index("order_id")
us["customer"] = us["customer"].str.strip().str.title().str.replace(",", "", regex=False).str.replace(r"\.$", "", regex=True)
dates = pd.to_datetime(us["order_date"], format="%m/%d/%Y", errors="coerce")
us["order_date"] = dates.fillna(pd.to_datetime(us["order_date"], format="%Y-%m-%d", errors="coerce"))
negative = us["amount"].str.startswith("(", na=False)
us["amount"] = pd.to_numeric(us["amount"].str.replace(r"[^\d.]", "", regex=True)).mask(lambda x: negative, lambda x: -x)
us["qty"] = pd.to_numeric(us["qty"], errors="coerce").astype("Int64")
words = {"y": True, "yes": True, "true": True, "1": True, "n": False, "no": False, "f": False}
us["paid"] = us["paid"].str.lower().map(words).astype("boolean")
print(us.to_string())
print("unpaid:", us.index[us["paid"].eq(False).fillna(False)].tolist(), "unknown:", int(us["paid"].isna().sum()))
print(us.groupby("customer", dropna=False)["amount"].agg(["count", "sum"]).round(2).to_string())

# --- A log with times in several notations; the delimiter is found by the sniffer.
raw = (HERE / "messy_log.txt").read_text()
print("delimiter", repr(csv.Sniffer().sniff(raw.splitlines()[0], "|;,\t").delimiter))
log = pd.read_csv(io.StringIO(raw), sep="|", on_bad_lines="skip", na_values="?")
seconds = pd.to_numeric(log["when"], errors="coerce")
log["time"] = pd.to_datetime(log["when"].where(seconds.isna()), format="ISO8601", utc=True, errors="coerce")
log["time"] = log["time"].fillna(pd.to_datetime(seconds, unit="s", utc=True))
print(log.assign(state=log["state"].str.lower(), time=log["time"].dt.strftime("%d %b %H:%M"))[["id", "time", "reading", "state"]].to_string(index=False))
