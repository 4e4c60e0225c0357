cd "$(mktemp -d)" || exit 1
printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' > f; gzip -k f; gzip -t f.gz; echo $?; gzip -tv f.gz 2>&1; gzip -l f.gz | tail -1 | tr -s ' ' | cut -d' ' -f3,5; head -c 20 f.gz > c.gz; gzip -t c.gz 2>&1; echo $?
