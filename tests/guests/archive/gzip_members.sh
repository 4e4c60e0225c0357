cd "$(mktemp -d)" || exit 1
(echo one | gzip; echo two | gzip) > x.gz; gzip -dc x.gz; cat x.gz x.gz | zcat; echo garbage >> x.gz; gzip -dc x.gz 2>&1; echo $?; (echo z | gzip; head -c 100 /dev/zero) | gzip -dc; echo $?
