cd "$(mktemp -d)" || exit 1
printf 'hello hello hello\n' > f; gzip f; ls; gzip -d f.gz; cat f; gzip -k f; ls; gunzip -c f.gz; zcat f.gz; gzip -dc < f.gz; gzip -c f | gzip -d
