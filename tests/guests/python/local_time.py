"""Local time is that of `TZ` in all of Python: `time`, `datetime`, and what is built on them."""

import calendar, datetime as d, email.utils, io, logging, os, tarfile, time, zipfile

SUMMER, WINTER = 1720000000, 1704067200
ZONES = """Europe/Berlin America/New_York Australia/Sydney Asia/Kolkata Europe/Dublin America/St_Johns CET-1CEST,M3.5.0,M10.5.0/3 EST5EDT
EST5 <+0330>-3:30 <-03>3<-02>,M3.5.0/-2,M10.5.0/-1 FOO-1:30BAR,J60,J300/1 :Asia/Tokyo /usr/share/zoneinfo/CET GMT UTC Nowhere/City X""".split()


def change(zone):
    """As a program does it."""
    os.environ["TZ"] = zone
    time.tzset()


for zone in ZONES:
    change(zone)
    print(zone, time.tzname, time.timezone, time.altzone, time.daylight)
    for at in (WINTER, SUMMER):
        parts = time.localtime(at)
        print(" ", *parts, parts.tm_zone, parts.tm_gmtoff, time.strftime("%F %T %Z %z", parts), time.ctime(at), time.mktime(parts) == at)
        naive, aware = d.datetime.fromtimestamp(at), d.datetime.fromtimestamp(at, d.timezone.utc).astimezone()
        print(" ", naive, naive.timestamp() == at, aware.isoformat(), aware.tzname(), naive.astimezone().utcoffset(), d.date.fromtimestamp(at))

print("what is built on it")
change("Europe/Berlin")
print(email.utils.formatdate(SUMMER, localtime=True), email.utils.localtime(d.datetime(2024, 1, 1)).isoformat())
out = io.StringIO()
handler = logging.StreamHandler(out)
handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
record = logging.makeLogRecord({"msg": "hello", "created": SUMMER, "msecs": 7})
handler.handle(record)
print(out.getvalue(), end="")
os.chdir("/tmp")
with open("a", "w") as file:
    file.write("a")
os.utime("a", (SUMMER, SUMMER))
with zipfile.ZipFile("a.zip", "w") as archive:
    archive.write("a")
    print(archive.getinfo("a").date_time)
with tarfile.open("a.tar", "w") as archive:
    archive.add("a", filter=lambda member: member.replace(uname="u", gname="g", mode=0o644, deep=False))
    archive.list(verbose=True)
print(time.strptime("2024-07-03 CEST", "%Y-%m-%d %Z").tm_isdst, time.strptime("2024-07-03 CET", "%Y-%m-%d %Z").tm_isdst)
print(abs(d.datetime.now() - d.datetime.now(d.timezone.utc).replace(tzinfo=None)) > d.timedelta(minutes=30))
print(abs(d.datetime.now().timestamp() - time.time()) < 60, d.datetime.today().astimezone().utcoffset() == d.datetime.now().astimezone().utcoffset())
print(calendar.timegm(time.localtime(SUMMER)) - SUMMER)

print("without a zone of their own")
for parts in ((2024, 7, 1, 0, 0, 0, 0, 0, 1), (2024, 1, 1, 0, 0, 0, 0, 0, 0), (2024, 1, 1, 0, 0, 0, 0, 0, -1)):
    print(time.strftime("%Z|%H", parts), time.mktime(parts), time.strftime("%s", parts))
print(d.datetime(2024, 7, 1).strftime("%s %c|%%s|%Z"))

print("hours that are there twice or never")
for zone, moments in {
    "Europe/Berlin": ((2024, 10, 27, 2, 30), (2024, 3, 31, 2, 30)),
    "America/New_York": ((2024, 11, 3, 1, 30), (2024, 3, 10, 2, 30)),
    "Australia/Lord_Howe": ((2024, 4, 7, 1, 45), (2024, 10, 6, 2, 15)),
}.items():
    change(zone)
    for moment in moments:
        print(zone, [time.mktime((*moment, 0, 0, 0, summer)) for summer in (0, 1)], [d.datetime(*moment, fold=fold).timestamp() for fold in (0, 1)])

print("far away")
change("America/New_York")
for at in (-5_000_000_000, -1, 0, 4_102_444_800, 32_503_680_000, 253_402_300_799):
    print(time.localtime(at)[:6], time.localtime(at).tm_zone, d.datetime.fromtimestamp(at, d.timezone.utc).astimezone().isoformat())
for wrong in (10**17, -(10**17)):
    try:
        time.localtime(wrong)
    except (OSError, OverflowError) as error:
        print(type(error).__name__)
try:
    time.mktime((2**31 - 1, 1, 1, 0, 0, 0, 0, 0, -1)), time.localtime("x")
except (OverflowError, TypeError) as error:
    print(type(error).__name__)

print("back to UTC")
del os.environ["TZ"]
time.tzset()
print(time.tzname, time.timezone, time.localtime(SUMMER).tm_zone, d.datetime.fromtimestamp(SUMMER))
