"""Joins: every kind, indicators, checks of the keys, several keys, joins by the nearest time and by range, anti-joins."""

import pandas as pd

customers = pd.DataFrame({"id": [1, 2, 3, 4], "name": ["Ada", "Bo", "Cy", "Di"], "city": ["Oslo", "Rome", "Oslo", None]})
orders = pd.DataFrame(
    {"order": [10, 11, 12, 13, 14], "customer": [1, 1, 3, 9, 2], "city": ["Oslo", "Rome", "Oslo", "Bonn", "Rome"], "sum": [50.0, 20.0, 70.0, 10.0, 35.5]}
)

for how in ("inner", "left", "right", "outer"):
    joined = customers.merge(orders, left_on="id", right_on="customer", how=how, suffixes=("", "_order"), indicator=True)
    counts = joined["_merge"].value_counts().sort_index()
    print(f"{how:6} {joined.shape} {counts.to_dict()} names {sorted(joined['name'].fillna('?'))}")
print("cross", customers[["name"]].merge(orders[["order"]], how="cross").shape)

outer = customers.merge(orders, left_on="id", right_on="customer", how="outer", suffixes=("", "_order"), indicator="source")
print(outer.sort_values(["source", "id", "order"]).reset_index(drop=True).to_string())
print("without an order:", outer.loc[outer["source"] == "left_only", "name"].tolist())
print("without a customer:", outer.loc[outer["source"] == "right_only", "order"].astype("int64").tolist())

# The keys are checked on request; the message says which side is at fault.
for validate in ("one_to_many", "one_to_one", "many_to_one"):
    try:
        customers.merge(orders, left_on="id", right_on="customer", validate=validate)
        print(validate, "holds")
    except pd.errors.MergeError as error:
        print(validate, "fails:", "right" if "right dataset" in str(error) else "left")
try:
    customers.merge(orders.assign(customer=orders["customer"].astype("str")), left_on="id", right_on="customer")
except ValueError as error:
    print("ValueError:", str(error).split(".")[0][:42])

# Two keys, a missing key on both sides, and the index as a key.
both = customers.merge(orders, left_on=["id", "city"], right_on=["customer", "city"])
print("two keys:", both[["name", "city", "order"]].to_dict("records"))
missing = pd.DataFrame({"city": ["Oslo", None], "country": ["NO", "??"]})
print("a missing key matches a missing key:", customers.merge(missing, on="city", how="left")["country"].fillna("-").tolist())
totals = orders.groupby("customer")["sum"].agg(["sum", "count"]).add_prefix("order_")
table = customers.set_index("id").join(totals, how="left").fillna({"order_sum": 0.0, "order_count": 0}).astype({"order_count": "int64"})
print(table.to_string())
print(pd.concat([table.head(1), table.tail(1)], keys=["first", "last"]).index.tolist())

# Each trade gets the last quote before it, at most two seconds old, of its own ticker.
at = pd.Timestamp("2024-05-06 09:30:00")
quotes = pd.DataFrame({"time": [at + pd.Timedelta(seconds=s) for s in (0, 1, 4, 5)], "ticker": ["X", "Y", "X", "Y"], "bid": [9.9, 4.1, 10.0, 4.2]})
trades = pd.DataFrame({"time": [at + pd.Timedelta(seconds=s) for s in (1, 2, 5, 9)], "ticker": ["X", "Y", "X", "Y"], "price": [10.0, 4.0, 10.1, 4.3]})
nearest = pd.merge_asof(trades, quotes, on="time", by="ticker", tolerance=pd.Timedelta("2s"))
print(nearest.assign(time=nearest["time"].dt.strftime("%H:%M:%S")).to_string(index=False))
forward = pd.merge_asof(trades, quotes, on="time", by="ticker", direction="nearest", allow_exact_matches=False)
print("nearest:", forward["bid"].tolist())
filled = pd.merge_ordered(trades[["time", "price"]], quotes[["time", "bid"]], on="time", fill_method="ffill")
print("ordered:", filled["price"].fillna(0).tolist(), filled["bid"].tolist())

# Which band does an order fall into?
bands = pd.DataFrame({"band": ["small", "middle", "large"]}, index=pd.IntervalIndex.from_breaks([0, 25, 60, 1000], closed="left"))
print("bands:", bands.loc[orders["sum"], "band"].tolist())
ranked = customers.merge(orders, left_on="id", right_on="customer").assign(rank=lambda t: t.groupby("id")["sum"].rank(ascending=False).astype("int64"))
print(ranked.query("rank == 1").sort_values("sum")[["name", "order", "sum"]].to_string(index=False))
