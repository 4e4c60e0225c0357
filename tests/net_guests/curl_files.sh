# Downloads into files: names, resuming, ranges, times.
exec 2>&1
cd /tmp
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sSO $HTTP/named
say curl -sSOJ $HTTP/named
ls "given name.txt" && ls .. | grep given
say curl -sSOJ $HTTP/named
say curl -sS --create-dirs -o deep/er/x $HTTP/hello && cat deep/er/x
say curl -sS --output-dir deep -O $HTTP/hello && ls deep
printf 01234 > part
say curl -sS -C - -o part $HTTP/range/30 -w '%{http_code} %{size_download}\n' && cat part; echo
say curl -sS -C - -o part $HTTP/range/30 -w '%{http_code}\n' && cat part; echo
say curl -sS -r 5-9 $HTTP/range/30; echo
say curl -sS -r -3 $HTTP/range/30; echo
say curl -sSR -o dated $HTTP/modified
date -u -r dated +%F
say curl -sS -z dated -o dated $HTTP/modified -w '%{http_code}\n'
say curl -sS --remove-on-error -o gone $HTTP/short; ls gone
say curl -sS -o kept $HTTP/short; cat kept; echo
say curl -sS -D heads -o /dev/null $HTTP/moved/302 -L && cat heads | tr -d '\r' | grep -v '^$'
say curl -sSO $HTTP/
curl -sS $HTTPS/bytes/15000000 | wc -c
curl -sS $HTTP/bytes/15000000 -o big -w '%{size_download}\n' && wc -c < big
curl -sS $HTTP/endless | head -c 1000000 | wc -c
