cd "$(mktemp -d)" || exit 1
echo x > f; tar czf pkg.tar.gz f; tar xf pkg.tar.gz --one-top-level; ls pkg; cat pkg/f
