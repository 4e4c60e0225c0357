# Retries: only after errors that may be temporary, and only as often as requested.
exec 2>&1
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sSf --retry 2 --retry-delay 0 $HTTP/busy
say curl -S --no-progress-meter --retry 3 --retry-delay 1 -o /tmp/x $HTTP/flaky/1 -w '%{num_retries} %{http_code}\n'
cat /tmp/x
say curl -sSf --retry 1 --retry-max-time 1 --retry-delay 5 $HTTP/flaky/9
say curl -sSf --retry 1 $HTTP/status/404
say curl -sSf --retry 1 --retry-delay 1 --retry-all-errors $HTTP/flaky/01
say wget -q -t 2 --retry-on-http-error=503 --waitretry=0 -O - $HTTP/flaky/001
