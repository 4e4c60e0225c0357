cd "$(mktemp -d)" || exit 1
mkdir d; printf 'hello\n' > d/a; printf '' > d/b; chmod 644 d/a d/b; chmod 755 d; ln -s a d/l
tar -cf x.tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1700000000 d; sha256sum < x.tar; wc -c < x.tar
tar -cf x.tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1700000000 d; sha256sum < x.tar
tar -cf x.tar --format=v7 d/a; tar tf x.tar
