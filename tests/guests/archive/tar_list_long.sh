cd "$(mktemp -d)" || exit 1
mkdir d; echo hello > d/a; chmod 640 d/a; chmod 755 d; ln -s a d/l; ln d/a d/z
tar -cf x.tar --sort=name --owner=al:12 --group=staff:34 --mtime=@1700000000 d; TZ=UTC tar -tvf x.tar; TZ=UTC tar --numeric-owner -tvf x.tar; TZ=UTC tar -tvf x.tar --full-time
