# free and uptime: the policy's memory and the session's time.
free | head -1
free -b | awk '/^Mem/ { print $2, ($3 > 0), ($3 + $4 == $2), $5, $6, ($4 == $7) } /^Swap/ { print $2, $3, $4 }'
free -m | awk '/^Mem/ { print $2 }'; free -h | awk '/^Mem/ { print $2 } /^Swap/ { print $2 }'; free -w | head -1; free -t | awk '/^Total/ { print $2 }'
uptime -p | sed -E 's/ [0-9]+ minutes?$/ MINUTES/'; uptime | sed -E 's/^ [0-9:]{8} up [^,]*/ TIME up TIME/; s/[0-9]+\.00/N/g'
[ "$(uptime -s | cut -c1-2)" = 20 ] && echo since
free extra; echo $?
awk '{ print NF }' /proc/uptime /proc/loadavg
