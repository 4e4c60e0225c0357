cd "$(mktemp -d)" || exit 1
TZ=CET-1CEST,M3.5.0,M10.5.0/3 jq -nr '1720000000,1700000000|strflocaltime("%H:%M")'; TZ=EST5EDT jq -nc '1720000000|localtime'; TZ=XYZ3 jq -nr '0|strflocaltime("%F %T")'
