# wget: file names, messages, exit codes.
exec 2>&1
cd /tmp
# Times and speeds differ from run to run.
plain() { sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}/TIME/g; s/\([0-9.]+ [KM]?B\/s\)/(SPEED)/; s/[0-9.]+s$/Ns/'; }
say() { echo "\$ $*"; "$@" > said 2>&1; code=$?; plain < said; echo "[$code]"; }
say wget $HTTPS/hello
say wget $HTTPS/hello
say wget -nv $HTTP/json -O -
say wget -nc $HTTPS/hello
say wget -P deep -nv "$HTTP/hello?a=b"
ls deep
printf 01234 > 30
say wget -c -nv $HTTP/range/30
cat 30; echo
say wget -c $HTTP/range/30
say wget -nv --content-disposition $HTTP/named
say wget -S --spider $HTTP/hello
say wget --spider $HTTP/status/404
say wget -nv $HTTP/status/404
say wget -q $HTTP/status/500
say wget -nv "$HTTP/redirect?$HTTP/hello" -O /dev/null
say wget -nv --max-redirect 2 $HTTP/loop
say wget -nv --user a --password b -O - $HTTP/secret
say wget -nv --header 'X-A: b' -U agent -O echoed $HTTP/echo
cat echoed
say wget -nv -t 1 http://nowhere.test/
say wget -nv -t 1 http://refused.test:1/
say wget -nv -t 1 https://stranger.test:$TLS_PORT/
say wget -nv -t 1 --no-check-certificate https://stranger.test:$TLS_PORT/
say wget -nv -t 1 -T 0.2 $HTTP/silent
say wget -nv -t 1 $HTTP/close
say wget -nv -t 1 -O partial $HTTP/short
printf '%s\n' $HTTP/hello $HTTPS/json > list
say wget -nv -i list -O both
cat both
say wget -nv -N $HTTP/modified
say wget -N $HTTP/modified
say wget -nv -o log -O /dev/null $HTTP/hello
say wget -nv $HTTP/status/403 $HTTP/hello -O /dev/null
say wget -r $HTTP/
say wget
say wget -O /nonexistent/x $HTTP/hello
