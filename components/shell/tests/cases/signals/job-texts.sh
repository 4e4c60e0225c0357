# The text that `jobs` shows for compound commands, and the directory where they were started.
set -m
exec 3< <(exec sleep 1000)
sleeper=$!
cd /
{ read a <&3; true; } &
(read a <&3; true) &
for i in 1; do read a <&3; done &
f() { read a <&3; }; f &
read a <&3 && { true; } &
jobs
cd /usr
jobs %2 %4
kill %1 %2 %3 %4 %5 $sleeper 2> /dev/null
wait
