# A program that stops is a job of a shell with job control; `fg` and `bg` continue it.
fg; bg
set -m
sh -c 'kill -STOP $$; echo went on; exit 3'
echo "status $?"
jobs
fg
echo "status $?"
jobs
sh -c 'kill -TSTP $$; echo second'
bg
wait
echo "status $?"
sh -c 'kill -STOP $$; echo third'
%1
echo "status $?"
sh -c 'kill -STOP $$; echo first'
sh -c 'kill -STOP $$; echo second'
jobs
jobs -s %1
jobs -r
%1 &
wait
fg %sh >/dev/null
echo "status $?"
sh -c 'kill -STOP $$; echo never'
kill %1
fg >/dev/null 2>&1
fg; echo "status $?"; fg %2; echo "status $?"; bg nothing; echo "status $?"; fg -x; echo "status $?"
