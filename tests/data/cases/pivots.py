"""Pivots: pivot_table with margins, pivot, melt, crosstab, stack and unstack, wide_to_long, cut and get_dummies."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(7)
size = 400
sales = pd.DataFrame(
    {
        "month": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 180, size, dtype=np.int64), unit="D"),
        "region": np.array(["north", "south", "west"])[rng.integers(0, 3, size, dtype=np.int64)],
        "product": np.array(["bolt", "gear", "nut", "pipe"])[rng.integers(0, 4, size, dtype=np.int64)],
        "units": rng.integers(1, 20, size, dtype=np.int64),
        "cents": rng.integers(100, 5000, size, dtype=np.int64),
    }
)
sales["month"] = sales["month"].dt.to_period("M")
sales["revenue"] = sales["units"] * sales["cents"] / 100
sales = sales[~((sales["region"] == "west") & (sales["product"] == "pipe"))]

table = sales.pivot_table(index="region", columns="product", values="revenue", aggfunc="sum", margins=True, margins_name="all")
print(table.round(2).to_string(na_rep="-"))
print("margins agree:", bool(np.isclose(table.loc["all", "all"], sales["revenue"].sum())), "shape", table.shape)

several = sales.pivot_table(index=["month", "region"], values=["units", "revenue"], aggfunc={"units": ["sum", "max"], "revenue": "median"}, fill_value=0)
several.columns = ["_".join(names) for names in several.columns]
print(several.loc[pd.Period("2024-02")].round(2).to_string())
print("rows", len(several), "units", int(several["units_sum"].sum()))

counts = pd.crosstab(sales["region"], sales["product"], margins=True)
print(counts.to_string())
shares = pd.crosstab(sales["region"], sales["product"], normalize="index")
print(shares.round(3).to_string())
sums = pd.crosstab(sales["month"].astype("str"), sales["region"], values=sales["units"], aggfunc="sum")
print(sums.loc["2024-03":"2024-05"].to_string())

# Wide and long, and back.
wide = sales.groupby(["region", "product"])["units"].sum().unstack("product", fill_value=0)
long = wide.reset_index().melt(id_vars="region", var_name="product", value_name="units").sort_values(["region", "product"], ignore_index=True)
print(long.head(5).to_string(index=False))
print("round trip:", long.pivot(index="region", columns="product", values="units").equals(wide))
stacked = wide.stack()
print("stack:", stacked.index.names, len(stacked), int(stacked.loc[("south", "gear")]), "swapped:", stacked.swaplevel().sort_index().index[0])
try:
    pd.DataFrame({"a": [1, 1], "b": [2, 2], "c": [3, 4]}).pivot(index="a", columns="b", values="c")
except ValueError as error:
    print("ValueError:", error)

grades = pd.DataFrame({"name": ["Ada", "Bo"], "math_2023": [90, 75], "math_2024": [95, 80], "art_2023": [70, 88], "art_2024": [72, 91]})
tidy = pd.wide_to_long(grades, stubnames=["math", "art"], i="name", j="year", sep="_").sort_index()
print(tidy.to_string())
print("better:", tidy.groupby("name").diff().dropna().astype("int64").to_dict("index"))

# Bands, dummies, explode.
bands = pd.cut(sales["revenue"], [0, 50, 200, 1000], labels=["low", "middle", "high"])
print(pd.crosstab(bands, sales["region"]).to_string())
quarters = pd.qcut(sales["cents"], 4, labels=False)
print("quartiles:", quarters.value_counts().sort_index().tolist())
dummies = pd.get_dummies(sales["product"], prefix="is", dtype="int64")
print("dummies:", dummies.sum().to_dict())
baskets = pd.DataFrame({"order": [1, 2, 3], "items": [["nut", "bolt"], [], ["nut"]]}).explode("items")
print("exploded:", baskets["items"].fillna("nothing").tolist(), baskets.groupby("items")["order"].count().to_dict())
