# What is said of other processes: in /proc, by ps, pgrep and pkill. The output is that of Debian's procps but for the user.
cd "$(mktemp -d)"
printf 'import sys, time\nprint("up", flush=True)\ntime.sleep(60)\n' > server.py
mkfifo ready
await() { until grep -q "^State:.$1" /proc/$2/status; do :; done; }

echo '-- one that waits'
python3 server.py --port 80 'a  b' '' > ready & p=$!
read -r line < ready; echo "$line"
await S $p
tr '\0' '|' < /proc/$p/cmdline; echo
cat /proc/$p/comm
grep -E '^(Name|State|Pid|PPid|Threads):' /proc/$p/status | sed "/^Pid/s/$p\$/P/; /^PPid/s/$$\$/S/"
awk -v s=$$ '{ print $2, $3, $4 == s, $7, $8, NF, ($22 >= 0), ($24 > 100) }' /proc/$p/stat
awk '{ print ($1 > 100), NF }' /proc/$p/statm
ls -d /proc/$p /proc/[0-9]* | grep -c "^/proc/$p$"
ps -o stat=,args= -p $p
ps -o pid=,ppid=,comm=,tty= -p $p | awk -v p=$p -v s=$$ '{ print $1 == p, $2 == s, $3, $4 }'
ps aux | awk -v p=$p 'NR == 1 || $2 == p { if (NR > 1) { $1 = "U"; $2 = "P"; $3 = "C"; $4 = ($4 >= 0); $5 = ($5 > 400); $6 = ($6 > 400); $9 = "T"; $10 = "T" } print }'
ps -ef | awk -v p=$p 'NR == 1 || $2 == p { if (NR > 1) { $1 = "U"; $2 = "P"; $3 = "S"; $4 = "C"; $5 = "T"; $7 = "T" } print }'
ps -fp $p -o pid= | tr -d ' ' | grep -c "^$p$"
[ "$(ps -o etimes= -p $p)" -lt 300 ] && ps -o etime= -p $p | grep -cE '^ +0[0-4]:[0-5][0-9]$'
[ $(($(date +%s) - $(date -d "$(ps -o lstart= -p $p)" +%s))) -lt 300 ] && echo 'a start in the past'
[ "$(ps -o pgid= -p $p)" -eq "$(ps -o pgid= -p $$)" ] && [ "$(ps -o sid= -p $p)" -eq "$(ps -o sid= -p $$)" ] && echo 'of the same group and session'

echo '-- found by its arguments'
[ "$(pgrep -f 'python3 server.py')" = $p ] && echo found; [ "$(pgrep -fx 'python3 server.py --port 80 a  b')" = $p ] && echo exactly
pgrep -f 'server.py --port 81'; echo $?; pgrep server.py; echo $?
pgrep -af 'server.py' | sed "s/^$p /P /"; pgrep -lf 'server.py' | sed "s/^$p /P /"
pgrep -f -P $$ server.py | grep -c .; pgrep -r T -f server.py; echo $?
pgrep a-name-that-is-too-long; echo $?

echo '-- stopped and continued'
kill -STOP $p; ps -o stat=,s= -p $p; kill -CONT $p; await S $p; ps -o stat= -p $p

echo '-- one that computes'
while :; do :; done & b=$!
await R $b; ps -o s= -p $b
ticks() { cut -d ' ' -f 14 /proc/$1/stat; }
until [ "$(ticks $b)" -gt "$(ticks $p)" ]; do :; done; ps -o time= -p $b | grep -c '^00:00:0[0-9]$'
[ "$(ps -p $p,$b -o pid= --sort=-time | head -n 1)" -eq $b ] && echo first
ps -o args= -p $b | sed 's/^[a-z]*sh/sh/; s,/.*/,,'
kill $b; wait $b 2>/dev/null; echo $?

echo '-- ended'
pkill -ef 'python3 server.py' | sed "s/$p/P/"; wait $p; echo $?
[ -e /proc/$p ] || echo gone; ps -p $p; echo $?; cat /proc/$p/comm 2>/dev/null || echo gone
python3 server.py > ready & p=$!; read -r line < ready
kill $(pgrep -f 'python3 server.py'); wait $p; echo $?
kill -0 $p 2>/dev/null || echo 'no process'

echo '-- mistakes'
ps -o bogus 2>&1 | head -n 1; ps --nosuch 2>&1 | head -n 1; ps -p x 2>&1 | head -n 1; ps -C no-such -o pid=; echo $?
