import zoneinfo, datetime, time
for zone in ("Europe/Rome", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"):
    print(zone, datetime.datetime(2024, 7, 1, 12, tzinfo=datetime.timezone.utc).astimezone(zoneinfo.ZoneInfo(zone)).isoformat())
print(len(zoneinfo.available_timezones()) > 400, zoneinfo.TZPATH)
try: zoneinfo.ZoneInfo("Mars/Olympus")
except zoneinfo.ZoneInfoNotFoundError as e: print(e)
print(time.tzname[0], datetime.datetime.fromtimestamp(0).isoformat(), time.strftime("%Y", time.localtime(86400)))
import importlib.resources; print(importlib.resources.files("tzdata").joinpath("zones").read_text().splitlines()[0])
