cd "$(mktemp -d)" || exit 1
mkdir d; seq 1000 > d/f
for o in z j J; do tar c${o}f x.$o d; tar tf x.$o; tar x${o}Of x.$o d/f | tail -1; done
tar --zstd -cf x.zst d; tar --zstd -tf x.zst; tar tf x.zst; tar --lzma -cf x.lzma d; tar tf x.lzma
