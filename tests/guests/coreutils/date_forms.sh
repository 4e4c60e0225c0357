# forms of dates, formats, and dates that are refused
exec 2>&1
export TZ=EST5EDT,M3.2.0,M11.1.0
b='2024-02-29 12:34:56.07'
for d in "$b" "$b 2 days" "$b 2 days ago" "$b + 1 month" "$b next year" "$b -90 minutes" "$b UTC" "2024-02-29 12:34 +0530" "29 feb 2024 3pm" "feb 29, 2024" "2/29/2024" "2024/2/29" "29-feb-2024" "20240229" "2024-02-29T12:34:56Z" "@1709210096.5" "TZ=\"JST-9\" 2024-02-29 10:00" "2024-11-03 01:30" "2024-03-10 02:30" "2024-02-30" "24:00" "noon" "monday tuesday" "2024-01-01 +1" "thu, 29 feb 2024 10:00 -0800" "2024-12-31 23:59:59 1 sec" "10000-01-01" "1900-01-01"; do date -d "$d" '+%F %T.%N %z'; done
date -d "$b" '+%A %a %B %b %C %D %e %g %G %H %I %j %k %l %m %M %p %P %r %R %s %S %u %U %V %w %W %y %Y %z %:z %::z %:::z %Z %q %%'
date -d "$b" '+%-d|%_m|%03d|%^a|%#Z|%10F|%3N|%-N|%_5N|%_H|%+6Y|%Q|%'
for f in -I -Ihours -Iminutes -Iseconds -Ins --iso-8601=date -R --rfc-3339=date --rfc-3339=seconds --rfc-3339=ns -u; do date -d "$b" $f; done
cd "$(mktemp -d)" && touch -d '2020-01-02 03:04:05' f && date -r f && date -r none; printf '@0\nno date\n@1\n' > list; date -f list; echo $?; date -f - < list > /dev/null; date -f none
date -d now -r f; date +%Y +%Y; date -I -R; date now; date -d now x; date --iso-8601=x
date -s now; echo $?
