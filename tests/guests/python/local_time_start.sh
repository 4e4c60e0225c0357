# The zone of a process is that of its start: from the environment, for children and in the constants of `time`.
unset TZ
show='import time, datetime as d; print(time.tzname, time.timezone, time.altzone, time.daylight, d.datetime.fromtimestamp(1720000000), time.strftime("%Z", time.localtime(0)))'
python3 -c "$show"
for zone in Europe/Berlin :America/New_York CET-1CEST,M3.5.0,M10.5.0/3 UTC GMT '' : Nowhere/City EST5; do TZ=$zone python3 -c "$show"; done
TZ=Asia/Tokyo python3 -c 'import datetime as d; print(d.datetime.fromtimestamp(0), d.datetime.fromtimestamp(0).astimezone().tzname())'
TZ=Asia/Tokyo python3 -c 'from time import tzname, timezone; print(tzname, timezone)'
TZ=Asia/Tokyo python3 -c 'import time; print(time.mktime((1970, 1, 1, 9, 0, 0, 0, 0, -1)), time.strftime("%Z", (1970, 1, 1, 9, 0, 0, 0, 0, 0)), hasattr(time, "nothing"), {"tzname", "tzset"} <= set(dir(time)))'
TZ=Asia/Tokyo python3 -c 'import time
try: time.timezon
except AttributeError as error: print(error)'
# What a program sets is for its children at once, and for itself from `tzset` on.
TZ=Asia/Tokyo python3 -c 'import os, subprocess, sys, time
os.environ["TZ"] = "Europe/Berlin"; print(time.localtime(0).tm_hour, flush=True)
subprocess.run([sys.executable, "-c", "import time; print(time.localtime(0).tm_hour)"]); subprocess.run(["date", "-d", "@0", "+%H"])
time.tzset(); print(time.localtime(0).tm_hour, time.tzname)
os.environ["TZ"] = ""; time.tzset(); print(time.localtime(0).tm_hour, time.tzname)
os.environ["TZ"] = ":Asia/Kolkata"; time.tzset(); print(time.localtime(0)[3:5], time.tzname)'
TZ=Asia/Tokyo python3 -c 'import threading, time; threading.Thread(target=lambda: print(time.localtime(0).tm_hour)).start()'
