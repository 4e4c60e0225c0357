cd "$(mktemp -d)" || exit 1
head -c 0 /dev/zero > z; head -c 1 /dev/zero > o; head -c 1024 /dev/zero > k; head -c 1025 /dev/zero > k1; head -c 3000000 /dev/zero > m; for s in 0 1 -1 +1 1k -2k +1k 2k 1025c -1025c +1025c 3M -3M +1M; do echo "$s: $(find . -type f -size $s | sort | tr '\n' ' ')"; done; find . -type f -empty; mkdir e; find . -empty | sort
