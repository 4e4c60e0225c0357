# What `jobs` shows of compound commands, and where they were started.
set -m
p=$PWD/p
mkfifo "$p"
cd /
{ read a < "$p"; true; } &
(read a < "$p"; true) &
for i in 1; do read a < "$p"; done &
f() { read a < "$p"; }; f &
read a < "$p" && { true; } &
jobs
cd /usr
jobs %2 %4
kill %1 %2 %3 %4 %5 2> /dev/null
wait
