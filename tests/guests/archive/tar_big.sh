cd "$(mktemp -d)" || exit 1
seq 200000 > big; tar czf x.tgz big; tar xzOf x.tgz | cksum; cksum < big; tar cf x.tar big big; tar tf x.tar
