cd "$(mktemp -d)" || exit 1
mkdir -p d/e; echo 1 > d/a; echo 2 > d/e/b; gzip -r d; find d -type f | sort; gunzip -r d; find d -type f | sort; echo new > f; echo old > f.gz; gzip -f f; zcat f.gz; echo plain > p; zcat -f p; gzip -dcf p
