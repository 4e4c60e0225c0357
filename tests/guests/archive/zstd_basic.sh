cd "$(mktemp -d)" || exit 1
printf 'hello\n' > f; zstd -q f; ls; zstdcat f.zst; zstd -dc f.zst; unzstd -q f.zst -o g; cat g; zstd -q --rm g; ls; seq 20000 | zstd | zstd -d | cksum; seq 20000 | zstd -19 | unzstd | cksum; (echo a | zstd; echo b | zstd) | zstdcat; zstd -t -q f.zst; echo $?
