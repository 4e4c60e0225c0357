"""SQLite and pandas: tables there and back, parameters, types and dates, window functions, transactions, chunks, backup."""

import datetime
import math
import sqlite3
import statistics
from contextlib import closing

import numpy as np
import pandas as pd

rng = np.random.default_rng(5)
size = 2000
visits = pd.DataFrame(
    {
        "visit": np.arange(1, size + 1, dtype=np.int64),
        "patient": rng.integers(1, 41, size, dtype=np.int64),
        "day": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 365, size, dtype=np.int64), unit="D"),
        "cost": rng.integers(1000, 50000, size, dtype=np.int64) / 100,
        "note": pd.Series(["ok", None, "späť", "☃"], dtype="object").take(rng.integers(0, 4, size, dtype=np.int64)).to_numpy(),
    }
)
patients = pd.DataFrame(
    {
        "patient": np.arange(1, 43, dtype=np.int64),
        "born": [1940 + number * 2 for number in range(42)],
        "photo": [bytes([number, 0, 255]) for number in range(42)],
    }
)

with closing(sqlite3.connect("clinic.db")) as db:
    print("written", visits.to_sql("visits", db, index=False, if_exists="replace"), patients.to_sql("patients", db, index=False))
    print(db.execute("SELECT name, type FROM pragma_table_info('visits')").fetchall())
    try:
        patients.to_sql("patients", db, index=False)
    except ValueError as error:
        print("ValueError:", error)
    db.execute("CREATE INDEX by_patient ON visits (patient)")
    db.execute("CREATE VIEW latest AS SELECT patient, max(day) AS day FROM visits GROUP BY patient")

    # Back: the same table; dates come as asked for.
    back = pd.read_sql("SELECT * FROM visits ORDER BY visit", db, parse_dates=["day"])
    print("equal:", [name for name in visits if (back[name] == visits[name]).eq(back[name].notna()).all()], back["day"].dt.month.nunique())
    print("missing notes", int(back["note"].isna().sum()) == int(visits["note"].isna().sum()))
    print("blob", patients["photo"][7] == pd.read_sql("SELECT photo FROM patients", db)["photo"][7])

    # SQL and pandas agree.
    query = """
        SELECT p.patient, count(v.visit) AS visits, round(coalesce(sum(v.cost), 0), 2) AS cost
        FROM patients p LEFT JOIN visits v ON v.patient = p.patient AND v.cost >= :least
        GROUP BY p.patient HAVING p.born > :born ORDER BY cost DESC, p.patient
    """
    by_sql = pd.read_sql_query(query, db, params={"least": 250, "born": 2000}, index_col="patient")
    kept = (
        visits[visits["cost"] >= 250].groupby("patient")["cost"].agg(["count", "sum"]).reindex(patients.loc[patients["born"] > 2000, "patient"], fill_value=0)
    )
    print(by_sql.head(4).to_string(), "\nlast", by_sql.tail(2)["visits"].to_dict())
    print("agree:", by_sql["visits"].sort_index().tolist() == kept["count"].tolist(), bool(np.allclose(by_sql["cost"].sort_index(), kept["sum"])))
    window = pd.read_sql(
        """SELECT patient, day, cost, sum(cost) OVER (PARTITION BY patient ORDER BY day, visit) AS total,
                  row_number() OVER (PARTITION BY patient ORDER BY cost DESC, visit) AS place,
                  julianday(day) - julianday(lag(day) OVER (PARTITION BY patient ORDER BY day, visit)) AS pause FROM visits""",
        db,
        parse_dates="day",
    )
    print("window:", window["place"].eq(1).sum(), bool(np.allclose(window.groupby("patient")["total"].max(), visits.groupby("patient")["cost"].sum())))
    print(window["pause"].max())
    chunks = [len(chunk) for chunk in pd.read_sql("SELECT visit FROM visits", db, chunksize=750)]
    months = pd.read_sql("SELECT strftime('%m', day) AS month, count(*) AS n FROM visits GROUP BY 1", db, index_col="month")["n"]
    print("chunks", chunks, "months", months.sum(), months.idxmax() == f"{visits['day'].dt.month.value_counts().sort_index().idxmax():02}")
    print("plan:", "by_patient" in str(db.execute("EXPLAIN QUERY PLAN SELECT * FROM visits WHERE patient = 3").fetchall()))

    # Functions of Python in SQL, adapters, many rows at once, an upsert, a transaction that is taken back.
    class Median:
        """An aggregate that SQLite lacks."""

        def __init__(self):
            self.values = []

        def step(self, value):
            self.values.append(value)

        def finalize(self):
            return statistics.median(self.values)

    db.create_aggregate("med", 1, Median)
    db.create_function("root", 1, math.sqrt, deterministic=True)
    print("median", db.execute("SELECT med(cost) FROM visits").fetchone()[0] == visits["cost"].median())
    print(db.execute("SELECT root(visit) FROM visits WHERE visit = 49").fetchone())
    db.execute("CREATE TABLE rates (day TEXT PRIMARY KEY, rate REAL CHECK (rate > 0)) STRICT")
    rows = [((datetime.date(2024, 1, 1) + datetime.timedelta(days=n)).isoformat(), 1 + n / 8) for n in range(5)]
    db.executemany("INSERT INTO rates VALUES (?, ?)", rows)
    db.execute("INSERT INTO rates VALUES ('2024-01-03', 9) ON CONFLICT (day) DO UPDATE SET rate = excluded.rate")
    db.commit()
    try:
        with db:
            db.execute("DELETE FROM rates")
            db.execute("INSERT INTO rates VALUES ('2024-02-01', -1)")
    except sqlite3.IntegrityError as error:
        print("IntegrityError:", error)
    print(pd.read_sql("SELECT * FROM rates", db)["rate"].tolist(), db.execute("SELECT json_group_array(rate) FROM rates WHERE rate < 2").fetchone()[0])
    with closing(sqlite3.connect(":memory:")) as copy:
        db.backup(copy)
        print("copy", copy.execute("SELECT count(*) FROM visits").fetchone(), copy.execute("PRAGMA integrity_check").fetchone())
with closing(sqlite3.connect("clinic.db")) as db:
    try:
        pd.read_sql("SELECT * FROM absent", db)
    except pd.errors.DatabaseError as error:
        print("DatabaseError:", "no such table: absent" in str(error))
