cd "$(mktemp -d)" || exit 1
echo a > a; tar cf x.tar --mtime='2020-02-03 04:05:06' --mode=600 --owner=0 --group=0 --numeric-owner a; TZ=UTC tar tvf x.tar; tar cf y.tar --mtime=@0 --mode=u+x,go-r --owner=0 --group=0 --numeric-owner a; TZ=UTC tar tvf y.tar; mkdir o; tar xmf y.tar -C o; [ $(stat -c %Y o/a) -gt 1000000 ] && echo touched
