cd "$(mktemp -d)" || exit 1
seq 70 > f; pr -D d f | head -8; pr -D d f | tail -66 | grep -n .; pr -D d f | wc -l; pr -l 20 -D d -h TITLE f | head -24; pr -l 13 -D d +2:3 f | grep Page; pr -D d -t f | wc -l; pr -l 10 f | tail -1; touch -d '2020-01-02 03:04:05' f; TZ=UTC0 pr f | sed -n 3p; pr -D d -W 30 -h x f | sed -n 3p; pr -D '' -h '' f | sed -n 3p
