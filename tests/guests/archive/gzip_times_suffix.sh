cd "$(mktemp -d)" || exit 1
echo x > f; touch -d @1600000000 f; chmod 600 f; gzip f; stat -c '%Y %a' f.gz; gunzip f.gz; stat -c '%Y %a' f; gzip -S .zz f; ls; gzip -d -S .zz f.zz; ls; gzip -n < f | od -An -tx1 -N10
