cd "$(mktemp -d)" || exit 1
echo hi > f; for e in tar.gz tgz tar.bz2 tar.xz tar.zst tar; do tar caf x.$e f; tar xOf x.$e; od -An -tx1 -N2 x.$e; done
