# Failures, with curl's exit codes and messages.
exec 2>&1
cd /tmp
# Times differ from run to run.
say() { echo "\$ $*"; "$@" > said; code=$?; sed 's/after [0-9]* ms/after N ms/; s/after [0-9]* milliseconds/after N milliseconds/' said; echo "[$code]"; }
curl() { command curl "$@" 2>&1; }
say curl -sS http://nowhere.test/
say curl -sS http://refused.test:1/
say curl -sS https://stranger.test:$TLS_PORT/
say curl -sSk https://stranger.test:$TLS_PORT/
say curl -sk $HTTPS/hello
say curl -sS https://web.test:$RUDE_PORT/
say curl -sS $HTTP/close
say curl -sS $HTTP/short
say curl -sS $HTTP/garbage
say curl -sS -m 0.2 $HTTP/silent
say curl -sS -m 1 $HTTP/stuck
say curl -sSf $HTTP/status/404
say curl -sS --fail-with-body $HTTP/status/500
say curl -sS --max-filesize 10 $HTTP/bytes/11
say curl -sS --max-filesize 11 $HTTP/bytes/11 -o /dev/null
say curl -sS -o /nonexistent/x $HTTP/hello
say curl -sS -T missing $HTTP/echo
say curl -sS -d @missing $HTTP/echo
say curl -sS -C 5 $HTTP/bytes/10
say curl -sS ftp://web.test/
say curl -sS "http://web.test:99999/"
say curl -sS "http://[1-/"
say curl -sS --foo
say curl -sS
say curl -sS -x http://proxy:3128 $HTTP/hello
say curl -sS --resolve web.test:80:127.0.0.1 $HTTP/hello
say curl -sS -H 'Host: other.test' $HTTP/hello
say curl -sS -H "Host: web.test:$PORT" $HTTP/hello
say curl -sS --compressed $HTTP/damaged
say curl -sS --fail-early -f $HTTP/status/404 $HTTP/hello
say curl -s -o /dev/null -w '%{exitcode} %{http_code} %{errormsg}\n' http://nowhere.test/
