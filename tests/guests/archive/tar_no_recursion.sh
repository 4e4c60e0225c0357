cd "$(mktemp -d)" || exit 1
mkdir -p d/e; echo > d/f; tar cf x.tar --no-recursion d d/f; tar tf x.tar; find d -type f | tar cf y.tar -T -; tar tf y.tar
