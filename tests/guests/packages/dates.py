"""Dates: dateutil, pytz, tzdata."""
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytz
from dateutil import parser, relativedelta, rrule, tz

for text in ("2024-02-29T12:30:00Z", "Feb 29 2024 3pm", "29/2/2024", "Thu, 29 Feb 2024 12:00:00 +0200"):
    print(parser.parse(text, default=datetime(2000, 1, 1)))
print(parser.isoparse("2024-W09-4"), parser.parse("noise on 1 May 2021 here", fuzzy=True, default=datetime(2000, 1, 1)))
try:
    parser.parse("no date at all")
except parser.ParserError as error:
    print(error)
start = datetime(2024, 1, 31)
print(start + relativedelta.relativedelta(months=1), relativedelta.relativedelta(datetime(2024, 3, 1), datetime(2020, 2, 29)))
print([d.date().isoformat() for d in rrule.rrule(rrule.MONTHLY, count=3, byweekday=rrule.FR(-1), dtstart=start)])
print(list(rrule.rrulestr("FREQ=WEEKLY;COUNT=2;BYDAY=MO", dtstart=start)))
paris = tz.gettz("Europe/Paris")
print(datetime(2024, 7, 1, tzinfo=paris).utcoffset(), datetime(2024, 12, 1, 12, tzinfo=tz.UTC).astimezone(tz.gettz("Asia/Tokyo")))
zone = pytz.timezone("America/New_York")
print(zone.localize(datetime(2024, 3, 10, 1, 59)), zone.normalize(zone.localize(datetime(2024, 3, 10, 1, 59)) + timedelta(minutes=1)))
try:
    zone.localize(datetime(2024, 3, 10, 2, 30), is_dst=None)
except pytz.NonExistentTimeError as error:
    print(type(error).__name__, error)
print(pytz.utc.localize(start).astimezone(pytz.timezone("Asia/Kolkata")), len(pytz.all_timezones) > 400, pytz.country_timezones["de"])
print(datetime(2024, 7, 1, tzinfo=pytz.timezone("UTC")) == datetime(2024, 7, 1, tzinfo=ZoneInfo("UTC")))
missing = [name for name in pytz.all_timezones if not pytz.resource_exists(name)]
print(missing)
