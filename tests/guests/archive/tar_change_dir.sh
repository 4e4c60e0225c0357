cd "$(mktemp -d)" || exit 1
mkdir -p p/q r; echo 1 > p/one; echo 2 > p/q/two; echo 3 > r/three
tar cf x.tar -C p one -C q two; tar tf x.tar; tar cf y.tar -C p . ; tar tf y.tar | sort; tar cf z.tar -C r three -C "$PWD/p" one; tar tf z.tar
