cd "$(mktemp -d)" || exit 1
echo x > f; chmod 644 f; touch -d @86400 f; tar cvvf x.tar --owner=u:1 --group=g:2 f | TZ=UTC cat; mkdir o; tar xvvf x.tar -C o | cut -c1-20
