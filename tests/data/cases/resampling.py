"""Time series: resample, time zones and their gaps, rolling and expanding windows, business days, periods, gaps filled."""

import datetime
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

# A quarter of hourly readings: a trend, a day's rhythm, noise; some hours are missing.
rng = np.random.default_rng(2024)
index = pd.date_range("2024-01-01", "2024-03-31 23:00", freq="h")
hours = np.arange(len(index), dtype=np.float64)
load = pd.Series(100 + hours / 100 + 20 * np.sin(2 * np.pi * hours / 24) + rng.normal(0, 1, len(index)), index=index, name="load")
load = load.drop(load.index[[5, 6, 7, 100, 1000, 1001]])

daily = load.resample("D").agg(["count", "mean", "min", "max"])
print(daily.head(3).round(2).to_string())
print("days with missing hours:", daily.index[daily["count"] < 24].strftime("%d %b").tolist())
weekly = load.resample("W-MON").mean().head(4)
print("weekly:", {f"{when:%d %b}": round(value, 1) for when, value in weekly.items()})
monthly = load.resample("ME").mean()
print("monthly:", {f"{when:%b}": round(value, 1) for when, value in monthly.items()})
print("open, high, low, close:", load.resample("QS").ohlc().round(1).iloc[0].to_dict())
print("by hour of the day, the largest:", load.groupby(load.index.hour).mean().idxmax(), "the smallest:", load.groupby(load.index.hour).mean().idxmin())

# Gaps: made visible, then filled in three ways.
full = load.asfreq("h")
print("gaps", int(full.isna().sum()), "ffill", round(full.ffill().loc["2024-01-01 07:00"], 2))
print("time", round(full.interpolate("time").loc["2024-01-01 06:00"], 2))
print("limit", int(full.ffill(limit=2).isna().sum()), "halves", full.resample("30min").interpolate().shape)

# Windows.
rolling = daily["mean"].rolling(7)
print("rolling:", rolling.mean().dropna().round(2).head(3).tolist(), rolling.std().dropna().round(2).iloc[-1])
print("by time:", daily["max"].rolling("3D").max().round(1).iloc[:4].tolist())
print("centred:", daily["mean"].rolling(3, center=True).median().round(1).iloc[1:4].tolist())
print("expanding:", daily["mean"].expanding().mean().round(2).iloc[-1], "ewm:", daily["mean"].ewm(span=7).mean().round(2).iloc[-1])
print("change:", daily["mean"].diff().abs().idxmax().strftime("%d %b"), (daily["mean"].pct_change(30).iloc[-1] * 100).round(1))
print("lag 1:", round(daily["mean"].autocorr(1), 3))

# Time zones: Berlin's clock jumps on 31 March 2024.
berlin = pd.date_range("2024-03-31 00:00", periods=4, freq="h", tz="UTC").tz_convert("Europe/Berlin")
print([f"{when:%H:%M%z}" for when in berlin])
naive = pd.Series(pd.to_datetime(["2024-03-31 01:30", "2024-03-31 02:30", "2024-10-27 02:30"]))
print("forward:", naive.dt.tz_localize("Europe/Berlin", nonexistent="shift_forward", ambiguous="NaT").dt.strftime("%H:%M %Z").tolist())
try:
    naive.dt.tz_localize("Europe/Berlin")
except ValueError as error:
    print(type(error).__name__, "2024-03-31 02:30:00" in str(error))
day = pd.Timestamp("2024-03-30 12:00", tz="Europe/Berlin")
print("a day later", day + pd.DateOffset(days=1), "24 hours later", day + pd.Timedelta(hours=24))
meeting = datetime.datetime(2024, 11, 4, 9, 0, tzinfo=ZoneInfo("America/New_York"))
print({name: f"{meeting.astimezone(ZoneInfo(name)):%a %H:%M}" for name in ("UTC", "Asia/Kolkata", "Asia/Tokyo", "Pacific/Auckland")})

# Business days and periods.
holidays = ["2024-05-01", "2024-05-09"]
print("business days in May:", len(pd.bdate_range("2024-05-01", "2024-05-31", freq="C", holidays=holidays)))
print("of", len(pd.bdate_range("2024-05-01", "2024-05-31")))
print("due:", (pd.Timestamp("2024-04-30") + pd.offsets.CustomBusinessDay(10, holidays=holidays)).strftime("%A %d %B"))
print("month ends:", pd.date_range("2024-01-15", periods=3, freq="BME").strftime("%a %d %b").tolist())
print("numpy counts:", int(np.busday_count("2024-01-01", "2025-01-01")), np.is_busday(np.array(["2024-02-29", "2024-03-02"], dtype="datetime64[D]")).tolist())
quarter = pd.Period("2024Q1", freq="Q")
print(quarter + 3, quarter.end_time.strftime("%d %b"), pd.period_range("2024-01", "2024-04", freq="M").astype("str").tolist())
print("fiscal:", pd.Timestamp("2024-02-10").to_period("Q-MAR"), "ISO week:", tuple(pd.Timestamp("2024-12-30").isocalendar()))
gap = pd.Series(pd.to_datetime(["2024-01-01", "2024-02-29", "2025-02-28"])).diff().dropna()
print("differences:", gap.dt.days.tolist(), gap.mean())
