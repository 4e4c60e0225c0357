"""A CSV of 50 MB: made by numpy with a fixed seed, read in chunks and as a whole, grouped; the results are exact and agree."""

import csv
import os

import numpy as np
import pandas as pd

NAME, ROWS, BLOCK = "big.csv", 1_100_000, 110_000
CITIES = np.array(["Amsterdam", "Berlin", "Copenhagen", "Dublin", "Edinburgh", "Florence", "Geneva"])

# Only integers are drawn, so that the file is the same on every machine.
rng = np.random.default_rng(20240607)
expected = 0
with open(NAME, "w", newline="") as file:
    file.write("id,day,city,product,quantity,cents,weight\n")
    for start in range(0, ROWS, BLOCK):
        day = rng.integers(0, 366, BLOCK, dtype=np.int64)
        city = rng.integers(0, len(CITIES), BLOCK, dtype=np.int64)
        product = rng.integers(1, 500, BLOCK, dtype=np.int64)
        quantity = rng.integers(1, 100, BLOCK, dtype=np.int64)
        cents = rng.integers(50, 100_000, BLOCK, dtype=np.int64)
        grams = rng.integers(0, 50_000, BLOCK, dtype=np.int64)
        expected += int((quantity * cents).sum())
        dates = (np.datetime64("2024-01-01") + day).astype("str").tolist()
        columns = [range(start, start + BLOCK), dates, CITIES[city].tolist(), product.tolist(), quantity.tolist(), cents.tolist(), grams.tolist()]
        file.writelines([f"{a},{b},{c},P{d:03},{e},{f},{g / 1000:.3f}\n" for a, b, c, d, e, f, g in zip(*columns)])
size = os.path.getsize(NAME)
print(f"{size:,} bytes, at least 50 MB: {size >= 50_000_000}")
with open(NAME, newline="") as file:
    reader = csv.reader(file)
    print(next(reader), next(reader))


def by_city(part):
    """Sums of each city."""
    return part.groupby("city", observed=True).agg(rows=("cents", "size"), pieces=("quantity", "sum"), revenue=("revenue", "sum"), dearest=("cents", "max"))


# --- In chunks: only sums stay in memory.
parts, rows, missing = [], 0, 0
types = {"city": "category", "product": "category", "quantity": "int16", "cents": "int32", "weight": "float32"}
for chunk in pd.read_csv(NAME, chunksize=200_000, dtype=types, usecols=["city", "quantity", "cents", "weight"]):
    rows, missing = rows + len(chunk), missing + int(chunk.isna().sum().sum())
    chunk["revenue"] = chunk["quantity"].astype("int64") * chunk["cents"]
    parts.append(by_city(chunk))
chunked = pd.concat(parts).groupby(level=0, observed=True).agg({"rows": "sum", "pieces": "sum", "revenue": "sum", "dearest": "max"}).astype("int64")
print("chunks", len(parts), "rows", rows, "missing", missing, "revenue as made:", int(chunked["revenue"].sum()) == expected)
chunked.index = chunked.index.astype("str")
print(chunked.sort_index().to_string())

# --- As a whole.
table = pd.read_csv(NAME, dtype=types, parse_dates=["day"])
print(table.shape, {name: str(dtype) for name, dtype in table.dtypes.items() if name in types}, table["day"].min().date(), table["day"].max().date())
table["revenue"] = table["quantity"].astype("int64") * table["cents"]
grouped = by_city(table).astype("int64")
grouped.index = grouped.index.astype("str")
print("the same as in chunks:", grouped.sort_index().equals(chunked.sort_index()))
monthly = table.groupby(table["day"].dt.month)["revenue"].sum()
print("months:", monthly.idxmax(), monthly.idxmin(), f"{monthly.max() / 100:,.2f}")
products = table.groupby("product", observed=True)["revenue"].agg(["sum", "count"])
print("products", len(products), "best", products["sum"].idxmax(), int(products["sum"].max()))
print("rows of it", int(products.loc[products["sum"].idxmax(), "count"]))
weight = table["weight"].astype("float64").mean()
print(f"mean {table['cents'].mean():.4f} median {table['cents'].median():.1f} quantiles {table['cents'].quantile([0.01, 0.99]).tolist()} weight {weight:.3f}")
filtered = table[(table["quantity"] > 90) & (table["city"] == "Geneva")]
print("filtered", len(filtered), "largest", table.nlargest(3, ["revenue", "id"])["id"].tolist(), "duplicates", int(table["id"].duplicated().sum()))
print("weekday", int(table.groupby(table["day"].dt.day_of_week)["quantity"].sum().idxmax()))
print("correlation small:", bool(abs(table["quantity"].corr(table["cents"])) < 0.01))

# --- The end of the file, a gzip of a part, and clean-up.
with open(NAME, "rb") as file:
    file.seek(-200, os.SEEK_END)
    print("last", file.read().decode().splitlines()[-1])
top = table[table["quantity"] == 99].head(10_000)
top.to_csv("top.csv.gz", index=False)
again = pd.read_csv("top.csv.gz", dtype=types, parse_dates=["day"])
print("gzip:", len(again), int(again["revenue"].sum()) == int(top["revenue"].sum()), os.path.getsize("top.csv.gz") < 400_000)
os.remove(NAME)
print(sorted(os.listdir(".")))
