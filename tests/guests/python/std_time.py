import datetime as d, time, calendar
t = d.datetime(2024, 2, 29, 13, 5, 6, 789); print(t, t.isoformat(), t.strftime("%a %d %b %Y %H:%M:%S %j %U %p"), t + d.timedelta(days=366), t.replace(tzinfo=d.timezone.utc).timestamp())
print(d.datetime.fromisoformat("2024-03-10T01:02:03+02:00"), d.datetime.strptime("2024-01-02 03:04", "%Y-%m-%d %H:%M"), d.date(2024, 1, 1).isocalendar(), (d.date(2024, 12, 25) - d.date(2024, 1, 1)).days)
print(calendar.month(2024, 2), calendar.isleap(1900), time.gmtime(0), time.strftime("%Y", time.gmtime(0)))
a = time.monotonic(); time.sleep(0.02); print(time.monotonic() - a >= 0.02, time.time() > 1.7e9, time.perf_counter_ns() > 0, time.process_time() >= 0, abs(d.datetime.now(d.timezone.utc).timestamp() - time.time()) < 5)
