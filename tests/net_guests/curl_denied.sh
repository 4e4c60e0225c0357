# Each denial names the rule and the line that would allow the request; an allowed request follows each.
exec 2>&1
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sS http://denied.test/
say curl -sS $HTTP/hello
say curl -sS http://private.test:$PORT/hello
say curl -sS http://reader.test:$PORT/hello
say curl -sS -d x http://reader.test:$PORT/echo
say curl -sS -d x $HTTP/echo -o /dev/null
say curl -sS http://only.test:$PORT/hello
say curl -sS http://only.test:$PORT/status/200
say curl -sS http://only.test:$PORT/status/../hello
say curl -sS http://web.test:1/
say curl -sS http://127.0.0.1:$PORT/
say curl -sS http://2130706433:$PORT/
say curl -sS http://web.test@denied.test/
say curl -sS --retry 3 http://denied.test/
say wget -q -O - http://denied.test/
say wget -nv -O - http://denied.test/
say wget -q -O - $HTTP/hello
# Sizes.
say curl -sS $HTTP/bytes/16777217 -o /tmp/none
ls /tmp/none 2>/dev/null || echo "nothing was written"
say curl -sS $HTTP/endless -o /tmp/large
wc -c < /tmp/large
say curl -sS $HTTP/bytes/16777216 -o /tmp/large
wc -c < /tmp/large
head -c 5000000 /dev/zero | curl -sS -T - $HTTP/count; echo "[$?]"
head -c 4194304 /dev/zero | curl -sS -T - $HTTP/count; echo "[$?]"
say wget -q -t 3 -O /dev/null $HTTP/bytes/16777217
