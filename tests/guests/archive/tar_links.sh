cd "$(mktemp -d)" || exit 1
echo x > f; ln f g; ln -s f l; ln -s nowhere dead; tar cf x.tar f g l dead; mkdir o; tar xf x.tar -C o; stat -c %h o/f; readlink o/l o/dead; [ o/f -ef o/g ] && echo same; tar chf y.tar f l; tar tvf y.tar | cut -c1
