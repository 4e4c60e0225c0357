cd "$(mktemp -d)" || exit 1
seq 5000 > f; for l in 1 6 9; do gzip -$l -c f | gzip -dc | cksum; done; gzip --best -c f | zcat | tail -1; gzip --fast -nc f | zcat | tail -1; [ $(gzip -9c f | wc -c) -lt $(wc -c < f) ] && echo smaller
