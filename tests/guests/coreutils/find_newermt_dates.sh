# Dates after -newermt are those that `date -d` reads, in the zone of TZ.
cd "$(mktemp -d)" || exit 1
export TZ=America/New_York
touch -d '2024-01-31 12:00' winter
touch -d '2024-07-01 12:00:00.25' summer
f() { echo "$*: $(find . -type f "$@" | sort | tr '\n' ' ')"; }
for date in '1 feb 2024' '2024-07-01 11:59:59' '2024-07-01T16:00Z' '2024-07-01 12:00 EDT + 1 sec' '07/01/2024 noon' @1719849600.5 \
  'jan 31, 2024 11:59:59am' 'next year' '99 months ago' 'TZ="Asia/Kolkata" 2024-07-01 21:30' nonsense; do
  f -newermt "$date" 2>&1
done
find winter summer -printf '%p %TY-%Tm-%Td %TH:%TM:%TS %TZ %Tz\n'
ls -l --time-style='+%F %T.%N %z %Z' winter summer | cut -d' ' -f6-
TZ=CET-1CEST,M3.5.0,M10.5.0/3 stat -c '%n %y' winter summer
find . -daystart -mtime +0 | sort
