# A part of a shell that is a process of its own has the arguments of the shell, as after fork(2); what bash has waited for is no zombie.
cd "$(mktemp -d)"
( sleep 62; : ) & s=$!
until pgrep -P $s >/dev/null; do :; done
ps -o args= -p $s | sed 's/^[a-z]*sh/sh/; s,/.*/,,'
[ "$(tr '\0' '\n' < /proc/$s/cmdline | tail -n 1)" = "$0" ] && echo "its script"
ps -o args= --ppid $s
pkill -f 'sleep 62'; wait $s
true & wait $!; false & until ! kill -0 $! 2>/dev/null; do :; done
ps -o stat= --ppid $$ | grep -c Z
printf '#!/bin/sh\nps -o comm=,args= -p $$ && echo\n' > named-script.sh; chmod +x named-script.sh; ./named-script.sh two | sed 's,/bin/sh,SH,'
sh -c 'exec sleep 63' arg0 & p=$!; until [ "$(ps -o comm= -p $p)" = sleep ]; do :; done
ps -o args= -p $p; kill $p
