cd "$(mktemp -d)" || exit 1
mkdir -p d/e; touch d/f d/e/g; chmod -R u=rwX,go=rX d; chmod -R go-rx d; find d -printf '%m %p\n' | sort; chmod -v 600 d/f; chmod -c 600 d/f; chmod --reference=d/f d/e/g; stat -c %a d/e/g
