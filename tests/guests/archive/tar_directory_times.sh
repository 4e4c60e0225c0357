cd "$(mktemp -d)" || exit 1
mkdir -p d/e; echo > d/e/f; touch -d @1500000000 d/e d; tar cf x.tar d; mkdir o; tar xf x.tar -C o; stat -c %Y o/d o/d/e
